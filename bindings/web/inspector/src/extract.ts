/** Finds IDs in what databases, logs and programs print. */
import { CLASSES as CLASSES_OF_PACKAGE, type Form, type Id, type SpecName } from 'sortid/manual';

export interface Word {
  /** The word without its wrapping. */
  text: string;
  /** The line in the input, from 1. */
  line: number;
  /** Whether it is all that the line has. If so, it is meant as an ID. */
  isAlone: boolean;
}

const BYTE_LENGTHS = new Set([8, 16, 20]);

function hexOf(bytes: readonly number[]): string | undefined {
  if (!BYTE_LENGTHS.has(bytes.length) || bytes.some((byte) => !(byte >= 0 && byte <= 255))) return undefined;
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The content of a bytes literal of Python or Rust, such as `\x01{\xdfd`. */
function unescapeBytes(text: string): number[] | undefined {
  const simple: Record<string, number> = { n: 10, r: 13, t: 9, '\\': 92, "'": 39, '"': 34, '0': 0 };
  const bytes: number[] = [];
  for (const [, hex, escape, char] of text.matchAll(/\\x([0-9a-f]{2})|\\(.)|([\s\S])/gi)) {
    const byte = hex ? parseInt(hex, 16) : escape ? simple[escape] : char!.charCodeAt(0);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  return bytes;
}

/** Takes quotes, commas, brackets and literals off, such as `X'…'`, `"…",`, `urn:uuid:…`, `UUID('…')`, `b'…'`. */
export function unwrap(input: string): string {
  let text = input.trim();
  if (text.length > 400) return text;
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(/[,;]+$/, '').trim();
    const bytes = /^b(['"])(.*\\.*)\1$/is.exec(text);
    const hex = bytes && hexOf(unescapeBytes(bytes[2]!) ?? []);
    if (hex) return hex;
    text = text
      .replace(/^(?:[xbern]|_binary\s*)?(["'`‘“])(.*)["'`’”]$/is, (whole, open: string, inner: string) => {
        const close = whole.at(-1)!;
        return open === close || '‘’“”'.includes(close) ? inner : whole;
      })
      .replace(/^urn:uuid:/i, '')
      .replace(/^\\{2,}x/i, '\\x')
      .replace(/^[[(]([^[\]()]*)[\])]$/, '$1')
      .replace(/^[\w.]+\(\s*(["'].*["'])\s*\)$/s, '$1')
      .trim();
  }
  if (/^\d{1,3}(\s*,\s*|\s+)\d{1,3}/.test(text)) {
    const hex = hexOf(text.split(/[\s,]+/).map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : NaN)));
    if (hex) return hex;
  }
  if (/^[0-9a-f]{2}([ :.,-]|, ?)(?:[0-9a-f]{2}\1){6,}[0-9a-f]{2}$/i.test(text)) {
    const digits = text.replace(/[^0-9a-f]/gi, '');
    if (BYTE_LENGTHS.has(digits.length / 2)) return `0x${digits}`;
  }
  if (/^(?:0x[0-9a-f]{1,2},?\s*)+$/i.test(text) && /,/.test(text)) {
    const hex = hexOf(
      text
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(Number),
    );
    if (hex) return hex;
  }
  if (/^(?:[A-Za-z0-9+/]{11}=|[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{27}=)$/.test(text)) {
    const hex = hexOf(Array.from(atob(text), (char) => char.charCodeAt(0)));
    if (hex) return hex;
  }
  return text;
}

const FIRST = Date.UTC(2000, 0);
const LAST = Date.UTC(2100, 0);

function isPlausible(id: Id): boolean {
  const millis = id.unixMillis;
  return millis !== undefined && millis >= FIRST && millis < LAST;
}

const UUID = /^\{?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\}?$/i;
const HEX = /^(?:0x|\\x)?([\da-f]{16}|[\da-f]{32}|[\da-f]{40})$/i;

/** In which ways a text could be read, by its look alone. The reading may still fail. */
export function waysOf(text: string): { spec: SpecName; form: Form }[] {
  const { length } = text;
  const in16 = ['evently-id', 'euid', 'ron-uid'] as const;
  if (UUID.test(text)) return in16.map((spec) => ({ spec, form: 'uuid' }));
  const ways: { spec: SpecName; form: Form }[] = [];
  if (length === 13) ways.push({ spec: 'ulid-flake', form: 'text' });
  if (length === 27) ways.push({ spec: 'euid', form: 'text' });
  if (length === 32) ways.push({ spec: 'evently-id', form: 'text' });
  if (length === 32 || length === 40) ways.push({ spec: 'scru160', form: 'text' });
  if (length <= 21) ways.push({ spec: 'ron-uid', form: 'text' });
  if (/^[1-9]\d{14,18}$/.test(text)) ways.push({ spec: 'ulid-flake', form: 'int' });
  if (/^[1-9]\d{19,38}$/.test(text)) ways.push(...in16.map((spec) => ({ spec, form: 'int' as const })));
  const digits = HEX.exec(text)?.[1]?.length;
  if (digits === 16) ways.push({ spec: 'ulid-flake', form: 'hex' });
  if (digits === 32) ways.push({ spec: 'euid', form: 'hex' }, { spec: 'ron-uid', form: 'hex' });
  if (digits === 32 && length > 32) ways.push({ spec: 'evently-id', form: 'hex' });
  if (digits === 40 && length > 40) ways.push({ spec: 'scru160', form: 'hex' });
  return ways;
}

/** What the classes have in common. */
interface AnyClass {
  parse(text: string): Id;
  from(text: string, form: Form): Id;
  fromBytes(bytes: Uint8Array): Id;
  minAt(time: number | bigint): Id;
  maxAt(time: number | bigint): Id;
  MIN: Id;
  MAX: Id;
}

export const CLASSES = CLASSES_OF_PACKAGE as unknown as Record<SpecName, AnyClass>;

/** Reads a text in one way; nothing if it is not an ID. */
export function readAs(text: string, spec: SpecName, form: Form): Id | undefined {
  const bare = form === 'hex' ? text.replace(/^(?:0x|\\x)/i, '') : form === 'uuid' ? text.replace(/[{}]/g, '') : text;
  try {
    return CLASSES[spec].from(bare, form);
  } catch {
    return undefined;
  }
}

/**
 * Whether a word among others is meant as an ID. Words of languages and numbers can be IDs by chance, so a word has to
 * have the length of an ID, and a time from 2000 to 2099 if its form does not show what it is.
 */
export function isLikely(word: string): boolean {
  const { length } = word;
  if (length < 8 || length > 60 || !/\d/.test(word)) return false;
  const isNumber = /^\d+$/.test(word);
  // Milliseconds since 1970 are numbers of 13 digits.
  if (isNumber && length === 13 && !word.startsWith('0')) return false;
  const isPlain = /^[\da-f]+$/i.test(word);
  return waysOf(word).some(({ spec, form }) => {
    if (spec === 'ron-uid' && form === 'text' && !/^[\w~]{4,10}[-+][\w~]{1,10}$/.test(word)) return false;
    const id = readAs(word, spec, form);
    return id !== undefined && (isPlausible(id) || (form === 'text' && spec !== 'ron-uid' && !isPlain));
  });
}

/** Whether a word looks like an ID with a mistake: capitals and digits mixed, and about as long as an ID. */
export function isNearMiss(word: string): boolean {
  return (
    word.length >= 12 &&
    word.length <= 41 &&
    /^[0-9A-Z]+$/.test(word) &&
    (word.match(/\d/g)?.length ?? 0) >= 3 &&
    /[A-Z]/.test(word) &&
    [13, 27, 32, 40].some((length) => Math.abs(word.length - length) <= 1)
  );
}

/** What can surround a word of a line. Signs of RON UIDs, and what begins hex digits, belong to the words. */
const SEPARATORS = /[\s,;|"'`‘’“”()[\]{}<>=&?/#@!*^]+|:(?=\S)|:\s/;

export interface Line {
  words: Word[];
  /** Words that look like IDs with a mistake. */
  misses: Word[];
}

/** The words of a line that can be IDs. */
export function wordsOf(line: string, number: number): Line {
  const whole = unwrap(line);
  if (!/[\p{L}\d~]/u.test(whole)) return { words: [], misses: [] };
  if (!/[\s,;|"'`()[\]<>=:&]/.test(whole)) {
    return { words: [{ text: whole, line: number, isAlone: true }], misses: [] };
  }
  const words: Word[] = [];
  const misses: Word[] = [];
  for (const part of line.split(SEPARATORS)) {
    if (part.length < 8) continue;
    for (const text of variants(part)) {
      if (isLikely(text)) {
        words.push({ text, line: number, isAlone: false });
        break;
      }
      if (isNearMiss(text)) {
        misses.push({ text, line: number, isAlone: false });
        break;
      }
    }
  }
  return { words, misses };
}

/** The word, and the word without what often stands around it: a point, `\x`, a prefix such as `user_`. */
function variants(part: string): string[] {
  const text = part.replace(/[.:\\]+$/, '').replace(/^\.+/, '');
  const hex = /^\\+x([0-9a-f]+)$/i.exec(text);
  if (hex) return [`\\x${hex[1]}`];
  const prefixed = /^[a-z][a-z0-9_]*_([0-9A-Z]{13,40})$/.exec(text);
  return prefixed ? [prefixed[1]!] : [text];
}

export type Input = { kind: 'none' } | { kind: 'one'; text: string; note?: string } | { kind: 'many' };

/** Decides what a short input is: one ID, wrapped or wrong, or lines with several. */
export function read(input: string): Input {
  const trimmed = input.trim();
  if (trimmed === '') return { kind: 'none' };
  const text = unwrap(trimmed);
  if (
    text !== '' &&
    !/\s/.test(text) &&
    (!/[,;|"'`()[\]<>=:]/.test(text) || (text.length < 60 && !lineHasWords(text)))
  ) {
    const prefixed = variants(text)[0]!;
    if (prefixed !== text && /_/.test(text) && !waysOf(text).some(({ spec, form }) => readAs(text, spec, form))) {
      return { kind: 'one', text: prefixed, note: `read without its prefix, ${text.slice(0, -prefixed.length)}` };
    }
    return text === trimmed ? { kind: 'one', text } : { kind: 'one', text, note: noteOf(trimmed, text) };
  }
  if (!/[\r\n]/.test(trimmed)) {
    const joined = text.replace(/[\s-]+/g, '');
    if (!lineHasWords(text) && joined.length <= 60 && isLikely(joined)) {
      return { kind: 'one', text: joined, note: 'read without the spaces' };
    }
    const { words, misses } = wordsOf(trimmed, 1);
    if (words.length === 0 && misses.length === 1)
      return { kind: 'one', text: misses[0]!.text, note: 'found among other words' };
    if (words.length === 1 && misses.length === 0)
      return { kind: 'one', text: words[0]!.text, note: 'found among other words' };
  }
  return { kind: 'many' };
}

function lineHasWords(text: string): boolean {
  const { words, misses } = wordsOf(text, 1);
  return words.some(({ isAlone }) => !isAlone) || misses.length > 0;
}

function noteOf(input: string, text: string): string {
  if (text.startsWith('0x') && !input.includes('0x')) return 'read as bytes';
  return 'read without what is around it';
}
