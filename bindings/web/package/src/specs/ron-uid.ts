import { readOptions, SortidError, wrongType } from '../error.js';
import { extreme, field, fieldsIn, integer, ofFields } from '../fields.js';
import { COMMON, countOf, Generator, millis, option, type GeneratorOptions } from '../generator.js';
import { Id, put, putOther, register, take, takeFrom } from '../id.js';
import { encode, failure, fieldsOf, idWords, putText, raw, takeText } from '../module.js';

/** What kind a RON UID is: an event (`-`), a UID derived from one (`+`), a name (`$`), or a hash or number (`%`). */
export type RonScheme = 'event' | 'derived' | 'name' | 'hash';

const SCHEMES: readonly RonScheme[] = ['event', 'derived', 'name', 'hash'];

/** Reads a part of a RON UID, its value or origin: Base64x64 digits, or their integer of 60 bits. */
function part(what: string, value: string | bigint): bigint {
  if (typeof value === 'bigint') return integer('ron-uid', what, value, 60);
  if (typeof value !== 'string') throw wrongType(what, 'a string of Base64x64 digits or a bigint', value);
  if (!putText(value)) {
    throw new SortidError('character', `${what}: expected 1 to 10 Base64x64 digits`, { spec: 'ron-uid' });
  }
  if (!raw.parseBase64x64(value.length)) throw failure('ron-uid', value);
  return fieldsOf()[0]!;
}

/** The most characters of a vector. Each can be a UID. */
const LONGEST_VECTOR = 1 << 24;

function partText(int: bigint): string {
  fieldsOf()[0] = int;
  return takeText(raw.printBase64x64());
}

/** A Swarm RON UID: a value (a time or a name), an origin (a replica) and a scheme; 128 bits. */
export class RonUid extends Id {
  static override readonly spec = 'ron-uid';
  declare readonly spec: 'ron-uid';
  static {
    register(this);
  }

  /** The least UID: the event `0`. */
  static get MIN(): RonUid {
    return extreme(RonUid, false);
  }

  /** The greatest UID: `~~~~~~~~~~%~~~~~~~~~~`. */
  static get MAX(): RonUid {
    return extreme(RonUid, true);
  }

  /**
   * Returns the UID with these fields. The parts are Base64x64 digits, or their integers of 60 bits.
   *
   * @throws {SortidError} `length`, `character` or `overflow` if a part is not valid.
   */
  static fromFields(fields: { value: string | bigint; origin?: string | bigint; scheme?: RonScheme }): RonUid {
    const {
      value,
      origin = 0n,
      scheme = 'event',
    } = readOptions('RonUid.fromFields', fields, { value: 0, origin: 0, scheme: 0 });
    const number = SCHEMES.indexOf(scheme);
    if (number < 0) throw wrongType('scheme', `'${SCHEMES.join("', '")}'`, scheme);
    return ofFields(RonUid, [part('value', value), part('origin', origin), BigInt(number)]);
  }

  /**
   * Reads a UID that was compressed in the context of another one.
   *
   * @throws {SortidError} `length`, `character` or `sign`.
   */
  static unzip(text: string, context: RonUid): RonUid {
    if (typeof text !== 'string') throw wrongType('RonUid.unzip', 'a string', text);
    requireRonUid(context);
    encode(text, 'ron-uid');
    putOther(context);
    if (!raw.unzip(text)) throw failure('ron-uid', text);
    return take(RonUid);
  }

  /**
   * Reads a vector: UIDs between commas, each compressed in the context of the one before. A vector has at most
   * 16 777 216 characters.
   *
   * @throws {SortidError} `length`, `character` or `sign`.
   */
  static parseVector(text: string): RonUid[] {
    if (typeof text !== 'string') throw wrongType('RonUid.parseVector', 'a string', text);
    if (text.length > LONGEST_VECTOR) {
      const message = `expected a vector of at most ${LONGEST_VECTOR} characters, found ${text.length}`;
      throw new SortidError('length', message, { spec: 'ron-uid' });
    }
    idWords();
    const bytes = raw.parseVector(text);
    if (!bytes) throw failure('ron-uid', text);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const words = Int32Array.from({ length: bytes.length / 4 }, (_, index) => view.getInt32(4 * index));
    return Array.from({ length: words.length / 4 }, (_, index) => takeFrom(RonUid, words, 4 * index));
  }

  /** Writes a vector: UIDs between commas, each compressed in the context of the one before. */
  static formatVector(uids: Iterable<RonUid>): string {
    const all = [...uids];
    const bytes = new Uint8Array(16 * all.length);
    all.forEach((uid, index) => bytes.set(requireRonUid(uid).toBytes(), 16 * index));
    idWords();
    return raw.printVector(bytes);
  }

  /** Returns the text in the context of another UID, which the reader knows: {@link RonUid.unzip} reads it. */
  zip(context: RonUid): string {
    putOther(requireRonUid(context));
    put(this);
    return takeText(raw.zip());
  }

  /** The value in Base64x64 digits: a time, a name, or the first half of a hash. */
  get value(): string {
    return partText(this.valueInt);
  }

  /** The origin in Base64x64 digits: a replica, the scope of a name, or the second half of a hash. */
  get origin(): string {
    return partText(this.originInt);
  }

  /** The value as an integer of 60 bits. */
  get valueInt(): bigint {
    return fieldsIn(this)[0]!;
  }

  /** The origin as an integer of 60 bits. */
  get originInt(): bigint {
    return fieldsIn(this)[1]!;
  }

  /** The scheme. */
  get scheme(): RonScheme {
    return SCHEMES[field(this, 2)]!;
  }
}

function requireRonUid(value: RonUid): RonUid {
  if (!(value instanceof RonUid)) throw wrongType('context', 'a RonUid', value);
  return value;
}

/** The options of a {@link RonUidGenerator}. */
export interface RonUidOptions extends GeneratorOptions {
  /**
   * The origin of the UIDs, in Base64x64 digits or as their integer. Generators that work at the same time must differ.
   */
  origin: string | bigint;
  /** The last 1 or 2 digits of the origin count the resets. `rollback` is then `reset` by default. */
  sessionDigits?: number | undefined;
  /** The least number of digits of a time, 5 to 10. With fewer, many UIDs are shorter. */
  minLength?: number | undefined;
  /** How far ahead of the clock an observed UID may be, in milliseconds: 60 000 by default. */
  futureBound?: number | undefined;
}

/** A hybrid logical clock, which generates event UIDs. */
export class RonUidGenerator extends Generator<RonUid> {
  /**
   * @throws {SortidError} `option` if an option is out of range; `length` or `character` if the origin is not valid.
   */
  constructor(options: RonUidOptions) {
    readOptions('RonUidGenerator', options, {
      origin: 0,
      sessionDigits: 0,
      minLength: 0,
      futureBound: 0,
      ...COMMON,
    });
    const origin = part('origin', options.origin);
    const [digits, least] = [option('sessionDigits', options.sessionDigits), option('minLength', options.minLength)];
    const bound = millis('futureBound', options.futureBound);
    super(RonUid, options, () => {
      fieldsOf()[0] = origin;
      return raw.Options.ronUid(digits, least, bound);
    });
  }

  /**
   * Observes a UID of another generator: all later UIDs are greater.
   *
   * @throws {SortidError} `no_time` if the UID is a name or a hash; `ahead` if it is too far ahead of the clock.
   */
  observe(uid: RonUid): void {
    this.observeId(uid);
  }
}

/** A logical clock of RON UIDs, which does not read the time: each value is the last one plus one. */
export class LamportClock {
  readonly #raw: raw.Lamport;

  /**
   * The values have `length` digits, 1 to 10. The clock counts at the last digit.
   *
   * @throws {SortidError} `option` if the length is out of range; `length` or `character` if the origin is not valid.
   */
  constructor(origin: string | bigint, length: number) {
    const [value, digits] = [part('origin', origin), option('length', length)];
    if (digits === undefined) throw wrongType('length', 'an integer of 1 to 10', length);
    fieldsOf()[0] = value;
    const clock = raw.Lamport.start(digits);
    if (!clock) throw failure('ron-uid');
    this.#raw = clock;
  }

  /**
   * Generates the next UID.
   *
   * @throws {SortidError} `exhausted` if no value is left.
   */
  generate(): RonUid {
    if (!this.#raw.generate()) throw failure('ron-uid');
    return take(RonUid);
  }

  /**
   * Generates this many UIDs.
   *
   * @throws {SortidError} `exhausted` if no value is left; `option` if the count is above 10 000 000.
   */
  generateMany(count: number): RonUid[] {
    return Array.from({ length: countOf(count) }, () => this.generate());
  }

  /**
   * Observes a UID of another clock: all later UIDs are greater.
   *
   * @throws {SortidError} `no_time` if the UID is a name or a hash, or if no value would be left.
   */
  observe(uid: RonUid): void {
    if (!(uid instanceof RonUid)) throw wrongType('observe', 'a RonUid', uid);
    put(uid);
    if (!this.#raw.observe()) throw failure('ron-uid');
  }
}
