import { isBytes, SortidError, wrongType } from './error.js';
import { base64url, formOf, readForm } from './forms.js';
import { encode, failure, fieldsOf, idWords, otherWords, putText, raw, takeText } from './module.js';
import { BYTES } from './names.js';
import { formNumber, specNumber, TITLES, type Form, type SpecName } from './spec.js';
import { micros, type Bytes, type TimeLike } from './time.js';

/** Only this package makes IDs. */
const KEY = Symbol('sortid');

/** Puts the words of an ID into a place of the tray. */
let putAt: (words: Int32Array, id: Id) => void;

/** What has IDs of a type. */
export interface ClassOf<T extends Id> {
  /** The name of the class. */
  readonly name: string;
  /** The specification. */
  readonly spec: SpecName;
  readonly prototype: T;
}

/** A class of IDs, such as {@link Euid}, for functions that work with any of them. */
export interface IdClass<T extends Id> extends ClassOf<T> {
  /** See {@link Id.parse}. */
  parse(text: string): NoInfer<T>;
  /** See {@link Id.from}. */
  from(input: string, form?: Form): NoInfer<T>;
  /** See {@link Id.fromBytes}. */
  fromBytes(bytes: Uint8Array): NoInfer<T>;
  /** See {@link Id.fromBigInt}. */
  fromBigInt(int: bigint): NoInfer<T>;
  /** See {@link Id.minAt}. */
  minAt(time: TimeLike): NoInfer<T>;
  /** See {@link Id.maxAt}. */
  maxAt(time: TimeLike): NoInfer<T>;
}

/** What the module knows of a class. */
export interface Kind {
  /** The class. */
  readonly Class: unknown;
  /** The specification, and its number. */
  readonly spec: SpecName;
  readonly number: number;
  /** The length of an ID, in words of 32 bits. */
  readonly words: number;
}

/** The property of a class that is its kind. It is quicker than a map. */
const KIND = Symbol('kind');

/** Makes a class one of IDs. */
export function register(Class: { readonly spec: SpecName }): void {
  const { spec } = Class;
  const kind: Kind = { Class, spec, number: specNumber(spec), words: BYTES[spec] / 4 };
  Object.defineProperty(Class, KIND, { value: Object.freeze(kind) });
}

/** What the module knows of the class. */
export function kindOf(Class: unknown, method = 'parse'): Kind {
  const kind = (Class as { [KIND]?: Kind } | undefined)?.[KIND];
  // A class that extends one of them is not one itself.
  if (kind?.Class === Class) return kind!;
  throw new TypeError(`call ${method} on one of the classes of IDs, such as Euid.${method}(…)`);
}

// The class is JavaScript, and holds no object of the module, so JavaScript frees an ID like any other value. Only
// generators and verifiers hold objects of the module. No codec is written a second time in JavaScript: the module
// parses and prints.

/**
 * An ID of any specification: immutable, like a number. {@link CLASSES} has the classes, such as {@link Euid}.
 *
 * In templates and with `JSON.stringify`, an ID is its text. An ID is frozen. Its own properties are its bytes, so that
 * tests which compare objects by their properties tell IDs apart; nothing else should read them. `structuredClone` and
 * `postMessage` copy only these properties: send the text or the bytes.
 */
export abstract class Id {
  // The bytes as big-endian integers of 32 bits; 0 after the last.
  declare private readonly word0: number;
  declare private readonly word1: number;
  declare private readonly word2: number;
  declare private readonly word3: number;
  declare private readonly word4: number;

  /** The specification of the ID. */
  declare readonly spec: SpecName;

  /** The specification of the class. */
  static readonly spec: SpecName;

  /** Only this package makes IDs. */
  protected constructor(key: symbol, a: number, b: number, c: number, d: number, e: number) {
    if (key !== KEY)
      throw new TypeError(`make an ID with ${new.target.name}.parse(text), fromBytes(bytes) or a generator`);
    this.word0 = a;
    this.word1 = b;
    this.word2 = c;
    this.word3 = d;
    this.word4 = e;
    Object.freeze(this);
  }

  /**
   * Parses the text.
   *
   * ```js
   * const id = Euid.parse('C8EE934SR007G5Q94QKKXFRFV8B');
   * ```
   *
   * @throws {SortidError} If the text is not an ID: the kind is `length`, `character`, `overflow`, `check` or `sign`,
   * and `index` is the place of a wrong character.
   */
  static parse<T extends Id>(this: ClassOf<T>, text: string): T {
    const { number, spec } = kindOf(this, 'parse');
    if (typeof text !== 'string') throw wrongType(`${this.name}.parse`, 'a string', text);
    const isRead = putText(text) ? raw.parse(number, text.length) : raw.parseLong(number, encode(text, spec));
    if (!isRead) throw failure(spec, text);
    return take(this);
  }

  /**
   * Reads an ID in this form, or in the one that the text has: its text, a UUID with or without braces, an integer, or
   * hex digits, with or without `\\x` or `0x` before them, as databases print them. Base64url needs the form.
   *
   * Give the form if you know it. Without it, digits that are a text of the specification are read as that text: 13
   * decimal digits are the text of a Ulid-Flake, and up to 21 are a RON UID.
   *
   * ```js
   * UlidFlake.from('14246757444195114').equals(UlidFlake.from('0x00329d59b4a9932a')); // true
   * ```
   *
   * @throws {SortidError} As {@link Id.parse}.
   */
  static from<T extends Id>(this: ClassOf<T>, input: string, form?: Form): T {
    const { number, spec, words } = kindOf(this, 'from');
    if (typeof input !== 'string') throw wrongType(`${this.name}.from`, 'a string', input);
    if (form !== undefined) formNumber(form);
    const long = putText(input) ? undefined : encode(input, spec);
    let read = form;
    if (read === undefined || read === 'text') {
      if (long ? raw.parseLong(number, long) : raw.parse(number, input.length)) return take(this);
      const error = failure(spec, input);
      // A text as long as the text of an ID is a wrong text, and not another form. RON UIDs have no fixed length.
      if (read === undefined && (error.kind === 'length' || spec === 'ron-uid')) read = formOf(input, 4 * words);
      if (read === undefined || read === 'text') throw error;
    }
    return Id.fromBytes.call(this as ClassOf<Id>, readForm(input, read, 4 * words, spec)) as T;
  }

  /**
   * Returns the ID with these bytes, most significant first.
   *
   * @throws {SortidError} `length` if there are too few or too many bytes; `overflow` if they are not an ID.
   */
  static fromBytes<T extends Id>(this: ClassOf<T>, bytes: Uint8Array): T {
    const { number, words: count } = kindOf(this, 'fromBytes');
    if (!isBytes(bytes)) throw wrongType(`${this.name}.fromBytes`, 'a Uint8Array', bytes);
    const size = 4 * count;
    if (bytes.length !== size) {
      throw new SortidError('length', `expected ${size} bytes, found ${bytes.length}`, { spec: this.spec });
    }
    const words = idWords();
    for (let i = 0; i < count; i += 1) {
      const at = 4 * i;
      words[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    }
    if (!raw.check(number)) throw failure(this.spec);
    return take(this);
  }

  /**
   * Returns the ID with this integer: its bytes in big-endian order. Not for SCRU160s, which have 160 bits.
   *
   * @throws {SortidError} `overflow` if the integer is negative, has too many bits, or is not an ID.
   */
  static fromBigInt<T extends Id>(this: ClassOf<T>, int: bigint): T {
    const { number, words: count } = kindOf(this, 'fromBigInt');
    if (typeof int !== 'bigint') throw wrongType(`${this.name}.fromBigInt`, 'a bigint', int);
    if (count > 4) throw noForm(this.spec, 'int');
    const bits = 32 * count;
    if (int < 0n || int >> BigInt(bits) !== 0n) {
      const message = `expected an integer of 0 to 2^${bits} − 1, found ${shortInt(int)}`;
      throw new SortidError('overflow', message, { spec: this.spec });
    }
    const words = idWords();
    for (let i = count - 1, rest = int; i >= 0; i -= 1, rest >>= 32n) words[i] = Number(rest & 0xffffffffn);
    if (!raw.check(number)) throw failure(this.spec);
    return take(this);
  }

  /**
   * Returns the least ID of the millisecond or microsecond that contains the time. With {@link Id.maxAt}, these are the
   * bounds of a query by time.
   *
   * ```js
   * const [least, greatest] = [Euid.minAt(new Date(2024, 5)), Euid.maxAt(Date.now())];
   * ```
   *
   * @throws {SortidError} `overflow` if no ID has this time.
   */
  static minAt<T extends Id>(this: ClassOf<T>, time: TimeLike): T {
    return bound(this, time, false);
  }

  /**
   * Returns the greatest ID of the millisecond or microsecond that contains the time.
   *
   * @throws {SortidError} `overflow` if no ID has this time.
   */
  static maxAt<T extends Id>(this: ClassOf<T>, time: TimeLike): T {
    return bound(this, time, true);
  }

  /** Compares two IDs of one class, for `sort`: `ids.sort(Euid.compare)`. */
  static compare<T extends Id>(a: T, b: T): -1 | 0 | 1 {
    return a.compare(b);
  }

  /** Returns the text. */
  toString(): string {
    return takeText(raw.print(put(this)));
  }

  /** Returns the text. `JSON.stringify` calls it. */
  toJSON(): string {
    return this.toString();
  }

  /** Returns the bytes, most significant first: a copy. */
  toBytes(): Bytes {
    const { words } = kindOfId(this);
    const bytes = new Uint8Array(4 * words);
    setWord(bytes, 0, this.word0);
    setWord(bytes, 4, this.word1);
    if (words > 2) {
      setWord(bytes, 8, this.word2);
      setWord(bytes, 12, this.word3);
    }
    if (words > 4) setWord(bytes, 16, this.word4);
    return bytes;
  }

  /** Returns the bytes, two hex digits each. */
  toHex(): string {
    const { words } = kindOfId(this);
    let hex = digits(this.word0) + digits(this.word1);
    if (words > 2) hex += digits(this.word2) + digits(this.word3);
    if (words > 4) hex += digits(this.word4);
    return hex;
  }

  /**
   * Returns the bytes as an integer. The integers have the order of the IDs, except for RON UIDs.
   *
   * @throws {SortidError} `form` if the ID is a SCRU160, which has 160 bits.
   */
  toBigInt(): bigint {
    const { words } = kindOfId(this);
    if (words > 4) throw noForm(this.spec, 'int');
    return BigInt(`0x${this.toHex()}`);
  }

  /**
   * Returns the ID in this form.
   *
   * @throws {SortidError} `form` if IDs of the specification do not have it: `int` needs at most 16 bytes, `uuid`
   * exactly 16.
   */
  to(form: Form): string {
    const { words } = kindOfId(this);
    switch (form) {
      case 'text':
        return this.toString();
      case 'hex':
        return this.toHex();
      case 'int':
        return this.toBigInt().toString();
      case 'uuid':
        if (words !== 4) throw noForm(this.spec, form);
        return this.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      case 'base64url':
        return base64url(this.toBytes());
      default:
        throw wrongType('form', "'text', 'hex', 'int', 'uuid' or 'base64url'", form);
    }
  }

  /**
   * When the ID was generated, in milliseconds since 1970. `undefined` if the ID has no time, such as a RON name, and
   * for times after the year 287396, which a number cannot have to the millisecond.
   */
  declare readonly unixMillis: number | undefined;

  /** When the ID was generated, in microseconds since 1970. `undefined` if the ID has no time. */
  declare readonly unixMicros: bigint | undefined;

  /** When the ID was generated. `undefined` if the ID has no time, or one that a `Date` cannot have (year 275760). */
  declare readonly date: Date | undefined;

  /**
   * Compares this ID with another one of its class: −1 if this one is less, 0 if both are equal, 1 if it is greater.
   *
   * @throws {TypeError} If the other value is not an ID of this class.
   */
  compare(other: this): -1 | 0 | 1 {
    const kind = kindOfId(this);
    if (!(other instanceof Id) || kindOfId(other) !== kind) {
      throw wrongType('compare', `an ID of the class ${this.constructor.name}`, other);
    }
    // A RON UID is not ordered by its bytes.
    if (kind.spec === 'ron-uid') {
      putAt(otherWords(), other);
      put(this);
      return raw.compare(kind.number) as -1 | 0 | 1;
    }
    return (
      order(this.word0, other.word0) ||
      order(this.word1, other.word1) ||
      order(this.word2, other.word2) ||
      order(this.word3, other.word3) ||
      order(this.word4, other.word4)
    );
  }

  /** Returns whether the other value is an ID of the same specification with the same bytes. */
  equals(other: unknown): boolean {
    return (
      other instanceof Id &&
      kindOfId(this) === kindOfId(other) &&
      this.word0 === other.word0 &&
      this.word1 === other.word1 &&
      this.word2 === other.word2 &&
      this.word3 === other.word3 &&
      this.word4 === other.word4
    );
  }

  /** How Node.js prints the ID. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `${this.constructor.name}(${this})`;
  }

  static {
    // A getter of a class could not have a narrower type in the classes that extend it.
    Object.defineProperties(Id.prototype, {
      spec: {
        get(this: Id) {
          return kindOfId(this).spec;
        },
      },
      unixMillis: {
        get(this: Id) {
          const millis = raw.unixMillis(put(this));
          return Number.isNaN(millis) ? undefined : millis;
        },
      },
      unixMicros: {
        get(this: Id) {
          return raw.unixMicros(put(this)) ? fieldsOf()[0] : undefined;
        },
      },
      date: {
        get(this: Id) {
          const date = new Date(this.unixMillis ?? NaN);
          return Number.isNaN(date.getTime()) ? undefined : date;
        },
      },
    });
    putAt = (words, id) => {
      words[0] = id.word0;
      words[1] = id.word1;
      words[2] = id.word2;
      words[3] = id.word3;
      words[4] = id.word4;
    };
  }
}

/** Puts an ID into the tray, and returns the number of its specification. */
export function put(id: Id): number {
  putAt(idWords(), id);
  return kindOfId(id).number;
}

/** Puts an ID into the second place of the tray. */
export function putOther(id: Id): void {
  putAt(otherWords(), id);
}

/** Makes the ID of the words in the tray. */
export function take<T extends Id>(Class: ClassOf<T>): T {
  return takeFrom(Class, idWords(), 0);
}

/** Makes the ID of the words from `at` on. */
export function takeFrom<T extends Id>(Class: ClassOf<T>, words: Int32Array, at: number): T {
  const Constructor = Class as unknown as new (key: symbol, ...words: number[]) => T;
  const [a, b] = [words[at]!, words[at + 1]!];
  const count = kindOf(Class).words;
  if (count === 2) return new Constructor(KEY, a, b, 0, 0, 0);
  const [c, d] = [words[at + 2]!, words[at + 3]!];
  return new Constructor(KEY, a, b, c, d, count === 5 ? words[at + 4]! : 0);
}

function kindOfId(id: Id): Kind {
  return kindOf(id.constructor);
}

function bound<T extends Id>(Class: ClassOf<T>, time: TimeLike, isMax: boolean): T {
  return boundWith(Class, time, isMax, NaN);
}

/** The epoch is for Ulid-Flakes. */
export function boundWith<T extends Id>(Class: ClassOf<T>, time: TimeLike, isMax: boolean, epoch: number): T {
  const { number, spec } = kindOf(Class, isMax ? 'maxAt' : 'minAt');
  const { high, low } = micros(time);
  if (!raw.boundAt(number, high, low, isMax, epoch)) throw failure(spec);
  return take(Class);
}

function order(a: number, b: number): -1 | 0 | 1 {
  return a === b ? 0 : a >>> 0 < b >>> 0 ? -1 : 1;
}

function setWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

/** The hex digits of each byte. */
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function digits(word: number): string {
  return HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!;
}

function shortInt(int: bigint): string {
  const text =
    int.toString(16).length > 64 ? `${int < 0n ? 'a negative' : 'an'} integer of more than 256 bits` : `${int}`;
  return text;
}

function noForm(spec: SpecName, form: Form): SortidError {
  const why =
    form === 'int' ? 'integer form because it is longer than 128 bits' : 'UUID form because it does not have 16 bytes';
  return new SortidError('form', `${TITLES[spec]} has no ${why}: use hex`, { spec });
}
