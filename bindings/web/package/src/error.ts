import type { SpecName } from './names.js';

/**
 * What is wrong, for code that branches on it.
 *
 * - Of texts, bytes, integers and fields: `length`, `character`, `overflow`, `check`, `sign`, `form` (the IDs of the
 *   specification do not have this form).
 * - Of generators: `exhausted` (no ID is left in this millisecond), `clock_rollback`, `clock_out_of_range`, `ahead`
 *   (the ID after which to continue is ahead of the clock), `no_time`, `entropy` (no random bytes), and `option`.
 * - Of backfills: `full`, `descending`, `out_of_range`, `no_time`, `entropy`.
 * - Of ledgers: `line_length`, `option`.
 */
export type ErrorKind =
  | 'length'
  | 'character'
  | 'overflow'
  | 'check'
  | 'sign'
  | 'form'
  | 'exhausted'
  | 'clock_rollback'
  | 'clock_out_of_range'
  | 'ahead'
  | 'no_time'
  | 'entropy'
  | 'option'
  | 'full'
  | 'descending'
  | 'out_of_range'
  | 'line_length'
  | 'other';

/** What some errors have. */
type Details = { index?: number; spec?: SpecName; retryAfter?: number };

/**
 * The error of a value that is not valid, and of a generator that cannot generate. The message says what was expected,
 * what was found, and where. An argument of the wrong type is a `TypeError` instead.
 */
export class SortidError extends Error {
  override readonly name = 'SortidError';
  /** What is wrong. */
  readonly kind: ErrorKind;
  /** The index of the wrong character in the text, or of the wrong time among the times. */
  readonly index?: number;
  /** The specification of the ID. */
  readonly spec?: SpecName;
  /** How many milliseconds to wait before another call can succeed; missing if waiting does not help. */
  readonly retryAfter?: number;

  constructor(kind: ErrorKind, message: string, options: Details = {}) {
    super(message);
    this.kind = kind;
    if (options.index !== undefined) this.index = options.index;
    if (options.spec !== undefined) this.spec = options.spec;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}

// Values of another realm, such as an iframe, are not instances of the classes of this realm.

/** Whether the value is a `Uint8Array`. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === 'Uint8Array';
}

/** Whether the value is a `Date`. */
export function isDate(value: unknown): value is Date {
  return value instanceof Date || Object.prototype.toString.call(value) === '[object Date]';
}

/** The time of a date, in milliseconds; NaN if it is not valid. */
export function timeOf(date: Date): number {
  try {
    return Date.prototype.getTime.call(date);
  } catch {
    return NaN;
  }
}

/** How a message names a value. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `the function ${value.name.slice(0, 40)}`;
  if (value === null || typeof value !== 'object') return String(value);
  if (isDate(value)) return Number.isNaN(timeOf(value)) ? 'an invalid Date' : 'a Date';
  return `an object of the class ${value.constructor?.name ?? 'Object'}`;
}

/** Refuses a value of the wrong type. */
export function wrongType(what: string, expected: string, found: unknown): TypeError {
  return new TypeError(`${what}: expected ${expected}, found ${shown(found)}`);
}

/** Refuses options that are not an object, or have other members than these. */
export function readOptions<T extends object>(what: string, options: T, known: { readonly [Name in keyof T]-?: 0 }): T {
  if (options === null || typeof options !== 'object') throw wrongType(what, 'an object', options);
  for (const name in options) {
    if (Object.hasOwn(known, name)) continue;
    throw new TypeError(`${what}: ${shown(name)} is unknown, expected ${Object.keys(known).join(', ')}`);
  }
  return options;
}

/** Reads an option that is true or false. */
export function flag(what: string, value: unknown): boolean {
  if (value !== undefined && typeof value !== 'boolean') throw wrongType(what, 'true or false', value);
  return value === true;
}

/** What each module has to fetch its last error. */
interface Failures {
  failureKind(): string;
  failureMessage(): string;
  failureNumber(): number;
}

/** The error of the call that has just failed. `input` is the text that it read. */
export function failureOf(raw: Failures, spec?: SpecName, input?: string): SortidError {
  const [kind, number] = [raw.failureKind() as ErrorKind, raw.failureNumber()];
  const options: Details = {};
  if (number >= 0 && kind === 'exhausted') options.retryAfter = number / 1000;
  else if (number >= 0) options.index = input === undefined ? number : characterAt(input, number);
  if (spec !== undefined) options.spec = spec;
  return new SortidError(kind, raw.failureMessage(), options);
}

/** The index of the character that begins at this byte of the text in UTF-8. */
export function characterAt(input: string, byte: number): number {
  let [index, bytes] = [0, 0];
  for (const char of input) {
    if (bytes >= byte) break;
    const code = char.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += char.length;
  }
  return index;
}

/**
 * A module of WebAssembly, or the bytes of its file: a `WebAssembly.Module`, an `ArrayBuffer`, or a view of one. The type
 * is wider, because not every project has the type of a `WebAssembly.Module`.
 */
export type ModuleSource = ArrayBuffer | ArrayBufferView | object;

/**
 * Checks the argument of `init`.
 *
 * @internal
 */
export function requireModule(module: ModuleSource): WebAssembly.Module | BufferSource {
  const isBuffer = Object.prototype.toString.call(module) === '[object ArrayBuffer]';
  if (module instanceof WebAssembly.Module || isBuffer || ArrayBuffer.isView(module)) return module as BufferSource;
  throw wrongType('init', 'a WebAssembly.Module or its bytes', module);
}

/** The error of a call before `init`. */
export function notLoaded(entry: string): Error {
  return new Error(`the module is not loaded: call init() first, or import '${entry}' instead of '${entry}/manual'`);
}
