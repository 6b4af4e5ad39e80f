/** Finds IDs in what databases, logs and programs print. */
import { CLASSES as CLASSES_OF_PACKAGE, type Form, type Id, type Inspection, type SpecName } from 'sortid/manual';
import { SPEC_NAMES, SPECS, type SpecInfo } from './specs';
import { iso } from './time';

export interface Word {
  /** The word without its wrapping. */
  text: string;
  /** The line in the input, from 1. */
  line: number;
  /** Whether the line has nothing else. Then the word is meant as an ID. */
  isAlone: boolean;
}

const BYTE_LENGTHS = new Set(SPEC_NAMES.map((spec) => SPECS[spec].bits / 8));
const TEXT_LENGTHS = SPEC_NAMES.flatMap((spec) => SPECS[spec].texts.map(({ length }) => length));

/** A pattern for texts as long as the bytes of an ID. */
const ofBytes = (pattern: (bytes: number) => string) => `(${Array.from(BYTE_LENGTHS, pattern).join('|')})`;

/** The bytes as hex digits, if they are as many as an ID has. Java prints the bytes above 127 as negative numbers. */
function hexOf(bytes: readonly number[]): string | undefined {
  if (!BYTE_LENGTHS.has(bytes.length) || bytes.some((byte) => !(byte >= -128 && byte <= 255))) return undefined;
  return `0x${bytes.map((byte) => (byte & 255).toString(16).padStart(2, '0')).join('')}`;
}

const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27, '0': 0 };

/** The bytes of a text with escapes, such as `\x01{\xdfd` or `\001{\337d`. */
function unescapeBytes(text: string): number[] {
  const parts = text.matchAll(/\\(?:x|u00)([\da-f]{2})|\\([0-7]{3})|\\([\s\S])|([\s\S])/gi);
  return Array.from(parts, ([, hex, octal, escape, char]) =>
    hex ? parseInt(hex, 16) : octal ? parseInt(octal, 8) : (ESCAPES[escape!] ?? (escape ?? char)!.charCodeAt(0)),
  );
}

/** The hex digits of printed bytes: numbers, pairs of hex digits, or a text with escapes. */
function bytesOf(text: string): string | undefined {
  if (text.length < 8 || text.length > 400) return undefined;
  if (text.includes('\\')) return /(["']).*\1/s.test(text) ? undefined : hexOf(unescapeBytes(text));
  const parts = text
    .trim()
    .replace(/[,;]$/, '')
    .split(/[\s,;]+/);
  if (parts.length === 1) {
    const pairs = /^[\da-f]{2}(?:([:.-])[\da-f]{2})(?:\1[\da-f]{2})+$/i.test(parts[0]!);
    return pairs ? hexOf(parts[0]!.split(/[:.-]/).map((pair) => parseInt(pair, 16))) : undefined;
  }
  if (!BYTE_LENGTHS.has(parts.length)) return undefined;
  const isHex =
    parts.every((part) => /^[\da-f]{2}$/i.test(part)) &&
    !(text.includes(',') && parts.every((part) => part >= '10' && part <= '99'));
  return hexOf(
    parts.map((part) => {
      const [, number] = /^(0x[\da-f]{1,2}|-?\d{1,3})(?:_?u8|uy)?$/i.exec(part) ?? [];
      return isHex ? parseInt(part, 16) : number ? Number(number) : NaN;
    }),
  );
}

const BASE64 = new RegExp(
  `^${ofBytes((bytes) => String.raw`[\w+/-]{${Math.ceil((4 * bytes) / 3)}}${['', '(?:==)?', '=?'][bytes % 3]}`)}$`,
);

/** The hex digits of Base64, with or without `=`. A word has no capital inside, or no small letter. */
function base64Of(text: string): string | undefined {
  if (!BASE64.test(text)) return undefined;
  const hex = hexOf(Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0)))!;
  if (/=$/.test(text)) return hex;
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text.slice(1)) || readsAsText(text)) return undefined;
  // A KSUID has 27 letters and digits.
  return /[-+/_]/.test(text) || (text.length < 27 && /\d/.test(text)) || isLikely(hex) ? hex : undefined;
}

function readsAsText(text: string): boolean {
  return waysOf(text).some(({ spec, form }) => readAs(text, spec, form));
}

/** An integer as programs print it: with a suffix (`12n`, `12_i64`), in groups (`1,234`), or negative. */
function integerOf(text: string): string | undefined {
  const [, sign, grouped] =
    /^([-−]?)(\d{1,3}(?:([,_.'’\s])\d{3})(?:\3\d{3})+|\d{10,39})(?:_?[iu]\d+|[nm]|u?l{0,2})$/i.exec(text) ?? [];
  // The last digit of an ID can look like a suffix.
  if (!grouped || readsAsText(text)) return undefined;
  const digits = grouped.replace(/\D/g, '');
  if (!sign) return digits;
  const bits = digits.length > 19 ? 128 : 64;
  return `0x${BigInt.asUintN(bits, -BigInt(digits)).toString(16)}`;
}

/** What can be around an ID: the syntax of a language around a value, and the punctuation of a sentence. */
const WRAPPINGS: [RegExp, string][] = [
  [/^(?:%[2357][\da-f])+(.*?)(?:%[2357][\da-f])+$/i, '$1'],
  [/^[*#@]+|[*,;.:!?…]+$/g, ''],
  [/^(?:[xbern]|_binary\s*)?(["'`])((?:(?!\1).)*)\1$/is, '$2'],
  [/^[‘“](.*)[’”]$/s, '$1'],
  [/^urn:uuid:/i, ''],
  [/::\w+$/, ''],
  [/^\\{2,}x/i, '\\x'],
  [/^[[({<]([^[\](){}<>]*)[\])}>]$/, '$1'],
  [/^(?:new )?[\w.:]+\(\s*(["'])(.*?)\1[^()]*\)$/is, '$2'],
];

/** Takes quotes, commas, brackets and literals off, such as `X'…'`, `"…",`, `urn:uuid:…`, `UUID('…')`, `b'…'`. */
export function unwrap(input: string): string {
  let text = input.trim();
  if (text.length > 400) return text;
  for (let before = ''; before !== text;) {
    before = text;
    const hex = bytesOf(text);
    if (hex) return hex;
    text = text.trim();
    for (const [pattern, inner] of WRAPPINGS) {
      text = text.replace(pattern, inner);
      if (text !== before) break;
    }
  }
  return base64Of(text) ?? integerOf(text) ?? text;
}

/** The text with printed bytes and Base64 inside as hex digits, such as `<Buffer 00 05 …>` or `vec![0, 5, …]`. */
function withHex(text: string): string {
  const put = (whole: string, hex: string | undefined) => (hex ? ` ${hex} ` : whole);
  return text
    .replace(/(["'])((?:\\.|(?!\1)[^\\]){8,100}?)\1/g, (whole, _, inner: string) =>
      put(whole, inner.includes('\\') ? bytesOf(inner) : base64Of(inner)),
    )
    .replace(/[[({<]([^[\](){}<>]{15,400})[\])}>]/g, (whole, inner: string) =>
      put(whole, bytesOf(inner) ?? bytesOf(inner.replace(/^\s*[a-z]\w+\s/i, ''))),
    )
    .replace(/(?<!\S)\S{8,80}(?!\S)/g, (word) => put(word, word.includes('\\') ? bytesOf(word) : undefined));
}

/** The bytes of a dump in hex digits, of `xxd`, `od` or `hexdump`, which has one or more lines. */
function dumped(text: string): string | undefined {
  let digits = '';
  for (const line of text.split(/\r?\n/)) {
    const [, hex] = /^\s*[\da-f]{7,8}:?((?: {1,2}(?:[\da-f]{2}){1,4})*)(?: .*)?$/i.exec(line) ?? [];
    if (hex === undefined) return undefined;
    digits += hex.replace(/ /g, '');
  }
  return BYTE_LENGTHS.has(digits.length / 2) ? `0x${digits}` : undefined;
}

const FIRST = Date.UTC(2000, 0);
const LAST = Date.UTC(2100, 0);

export function isPlausible(id: Id): boolean {
  const millis = id.unixMillis;
  return millis !== undefined && millis >= FIRST && millis < LAST;
}

const UUID = /^\{?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\}?$/i;
const HEX = new RegExp(String.raw`^(?:0x|\\x)?${ofBytes((bytes) => `[\\da-f]{${2 * bytes}}`)}$`, 'i');

/** Shorter integers are more likely the numbers of rows. */
const INTEGER = /^[1-9]\d{14,38}$/;

/** The ways in which a text could be read, by its look alone. Reading it may still fail. */
export function waysOf(text: string): { spec: SpecName; form: Form }[] {
  const ways: { spec: SpecName; form: Form }[] = [];
  const add = (form: Form, is: (info: SpecInfo) => boolean) => {
    for (const spec of SPEC_NAMES) if (is(SPECS[spec])) ways.push({ spec, form });
  };
  const hasLength = ({ texts }: SpecInfo, chars: number) => texts.some(({ length }) => length === chars);
  const { length } = text;
  if (UUID.test(text)) {
    add('uuid', ({ bits }) => bits === 128);
    return ways;
  }
  add('text', (info) => hasLength(info, length) || length <= (info.longest ?? -1));
  if (INTEGER.test(text)) add('int', ({ bits }) => bits === (length < 20 ? 64 : 128));
  const digits = HEX.exec(text)?.[1]?.length;
  if (digits) {
    add('hex', (info) => info.bits === 4 * digits && !hasLength(info, digits));
    // Without a prefix, these digits are a text.
    if (length > digits) add('hex', (info) => info.bits === 4 * digits && hasLength(info, digits));
  }
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
    /^[0-9A-Z]+$/.test(word) &&
    (word.match(/\d/g)?.length ?? 0) >= 3 &&
    /[A-Z]/.test(word) &&
    TEXT_LENGTHS.some((length) => Math.abs(word.length - length) <= 1)
  );
}

/** What can surround a word of a line. Signs of RON UIDs, and what begins hex digits, belong to the words. */
const SEPARATORS = /(?:[\s,;|"'`‘’“”()[\]{}<>=&?/#@!*^.:]|\\(?!x)|%[2357][\dA-F])+/;

/** Characters that a text of more than one word has. */
const SEVERAL = /[\s,;|"'`()[\]<>=:&/.]|\\(?!x)|%[2357][\dA-F]/;

export interface Line {
  words: Word[];
  /** Words that look like IDs with a mistake. */
  misses: Word[];
}

/** The words of a line that can be IDs. */
export function wordsOf(line: string, number: number): Line {
  const whole = unwrap(line);
  if (!/[\p{L}\d~]/u.test(whole)) return { words: [], misses: [] };
  if (!SEVERAL.test(whole) || readsAsText(whole)) {
    return { words: [{ text: whole, line: number, isAlone: true }], misses: [] };
  }
  const words: Word[] = [];
  const misses: Word[] = [];
  for (const part of withHex(line).split(SEPARATORS)) {
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

const PREFIXED = new RegExp(
  String.raw`^(?:[a-z]\w*[_-])?([\dA-Z]{${Math.min(...TEXT_LENGTHS)},${Math.max(...TEXT_LENGTHS)}})(?:[_-][a-z]\w*)?$`,
);

/** The word, and the word without what often stands around it: `\x`, a prefix such as `user_`. */
function variants(part: string): string[] {
  const text = part.replace(/\\+$/, '');
  const hex = /^\\+x([0-9a-f]+)$/i.exec(text);
  if (hex) return [`\\x${hex[1]}`];
  const prefixed = PREFIXED.exec(text);
  return prefixed ? [prefixed[1]!] : [text];
}

export type Input =
  { kind: 'none' } | { kind: 'time'; text: string } | { kind: 'one'; text: string; note?: string } | { kind: 'many' };

/** Decides what a short input is: one ID, wrapped or wrong, or lines with several. */
export function read(input: string): Input {
  const trimmed = input.trim();
  if (trimmed === '') return { kind: 'none' };
  const time = /^["']?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)["',;]*$/i.exec(trimmed);
  if (time) return { kind: 'time', text: time[1]! };
  const text = (trimmed.length < 1000 && dumped(trimmed)) || unwrap(trimmed);
  if (SEVERAL.test(text) && trimmed.length < 1000) {
    const found = withHex(trimmed)
      .split(SEPARATORS)
      .filter((word) => isLikely(word) || (HEX.test(word) && !trimmed.includes(word)));
    if (found.length === 1 && !trimmed.includes(found[0]!))
      return { kind: 'one', text: found[0]!, note: 'read as bytes' };
  }
  if (text !== '' && !/\s/.test(text) && (!SEVERAL.test(text) || (text.length < 60 && !lineHasWords(text)))) {
    const prefixed = variants(text)[0]!;
    if (prefixed !== text && /[_-]/.test(text) && !readsAsText(text)) {
      return { kind: 'one', text: prefixed, note: `read without ${text.replace(prefixed, '')}` };
    }
    return text === trimmed ? { kind: 'one', text } : { kind: 'one', text, note: noteOf(trimmed, text) };
  }
  if (!/[\r\n]/.test(trimmed)) {
    const joined = text.replace(/[\s-]+/g, '');
    if (!lineHasWords(text) && joined.length <= 60 && isLikely(joined)) {
      return { kind: 'one', text: joined, note: 'read without the spaces' };
    }
    const { words, misses } = wordsOf(trimmed, 1);
    if (words.length + misses.length === 1) {
      return { kind: 'one', text: (words[0] ?? misses[0])!.text, note: 'found among other words' };
    }
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

/** What a text can be besides these IDs. */
export function remarkOf(text: string, { candidates, note }: Inspection): string | undefined {
  if (note) return note;
  const unit = /^\d+$/.test(text) && [1e-3, 1, 1e3, 1e6][[10, 13, 16, 19].indexOf(text.length)];
  const millis = unit ? Number(text) / unit : 0;
  if (millis >= FIRST && millis < LAST) return `as a number, it is also a Unix time: ${iso(millis)}`;
  const wrong = /^(?:[\da-f]*[g-v]){1,2}[\da-f]*$/i.test(text) && text.replace(/[\da-f]/gi, '');
  if (text.length === 32 && wrong && candidates[0] && !isPlausible(candidates[0].id)) {
    return `all characters but ${Array.from(wrong, (char) => `“${char}”`).join(' and ')} are hex digits, so it can be an Event ID with a mistake`;
  }
  return undefined;
}
