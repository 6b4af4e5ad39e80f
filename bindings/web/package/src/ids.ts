import { isBytes, readOptions, SortidError, wrongType } from './error.js';
import { boundWith, Id, kindOf, put, putOther, register, take, takeFrom, type ClassOf } from './id.js';
import { encode, failure, fieldsOf, idWords, putText, raw, takeText } from './module.js';
import type { SpecName } from './spec.js';
import { epochMillis, type Bytes, type TimeLike } from './time.js';

/** The number of RON UIDs in the module. */
const RON_UID = 4;

/** Reads an integer in the range of a field. */
export function integer(spec: SpecName, what: string, value: unknown, bits: number): bigint {
  const int = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
  if (typeof int !== 'bigint') throw wrongType(what, 'an integer', value);
  if (int < 0n || int >> BigInt(bits) !== 0n) {
    throw new SortidError('overflow', `${what}: expected 0 to ${(1n << BigInt(bits)) - 1n}, found ${value}`, { spec });
  }
  // A number above 2^53 has lost its last bits.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw wrongType(what, 'a bigint, as the integer is above 2^53', value);
  }
  return int;
}

/** Makes an ID of these fields. */
function ofFields<T extends Id>(Class: ClassOf<T>, values: readonly bigint[]): T {
  const fields = fieldsOf();
  fields.fill(0n);
  values.forEach((value, index) => (fields[index] = value));
  const { number } = kindOf(Class, 'fromFields');
  if (!raw.fromFields(number)) throw failure(number);
  return take(Class);
}

/** The fields of an ID, in the order of `src/fields.rs`. */
function fieldsIn(id: Id): BigUint64Array {
  raw.fields(put(id));
  return fieldsOf();
}

function field(id: Id, index: number): number {
  return Number(fieldsIn(id)[index]);
}

function extreme<T extends Id>(Class: ClassOf<T>, isMax: boolean): T {
  const { number } = kindOf(Class);
  idWords();
  if (isMax) raw.max(number);
  else raw.min(number);
  return take(Class);
}

/** The generators that `generate()` of the classes share. `generators.ts` sets it. */
export const shared: { generate?: (spec: 'scru160' | 'euid' | 'ulid-flake') => Id } = {};

/** A SCRU160: 160 bits, of which 48 are the time in milliseconds, and at least 96 are random. */
export class Scru160 extends Id {
  static override readonly spec = 'scru160';
  declare readonly spec: 'scru160';
  static {
    register(this, 1, 5);
  }

  /** The least ID: all bits 0. */
  static get MIN(): Scru160 {
    return extreme(Scru160, false);
  }

  /** The greatest ID: all bits 1. */
  static get MAX(): Scru160 {
    return extreme(Scru160, true);
  }

  /**
   * Generates an ID, greater than all that this function generated before.
   *
   * @throws {SortidError} As {@link Scru160Generator.generate}.
   */
  static generate(): Scru160 {
    return shared.generate!('scru160') as Scru160;
  }

  /**
   * Returns the ID with these fields.
   *
   * @throws {SortidError} `overflow` if a field has too many bits; `length` unless `random80` has 10 bytes.
   */
  static fromFields(fields: {
    timestamp: number;
    counter?: number;
    random16?: number;
    random80?: Uint8Array;
  }): Scru160 {
    const { timestamp, counter = 0, random16 = 0, random80 = new Uint8Array(10) } = readOptions('Scru160.fromFields', fields, {
      timestamp: 0,
      counter: 0,
      random16: 0,
      random80: 0,
    });
    if (!isBytes(random80)) throw wrongType('random80', 'a Uint8Array', random80);
    if (random80.length !== 10) {
      throw new SortidError('length', `random80: expected 10 bytes, found ${random80.length}`, { spec: 'scru160' });
    }
    const view = new DataView(random80.buffer, random80.byteOffset);
    return ofFields(Scru160, [
      integer('scru160', 'timestamp', timestamp, 64),
      integer('scru160', 'counter', counter, 16),
      integer('scru160', 'random16', random16, 16),
      BigInt(view.getUint16(0)),
      view.getBigUint64(2),
    ]);
  }

  /** The field `timestamp`: Unix time in milliseconds, 48 bits. */
  get timestamp(): number {
    return field(this, 0);
  }

  /** The field `counter`, 16 bits: it orders the IDs of a millisecond. */
  get counter(): number {
    return field(this, 1);
  }

  /** The field `random16`, 16 bits: random bits, or a node and more bits of the counter. */
  get random16(): number {
    return field(this, 2);
  }

  /** The field `random80`: 10 random bytes. */
  get random80(): Bytes {
    return this.toBytes().slice(10);
  }
}

/** Up to 15 bits of your own in an EUID: a value and its number of bits. */
export interface Extension {
  readonly value: number;
  readonly bits: number;
}

/** An EUID: 128 bits, of which 45 are the time in milliseconds. Its text has a check. */
export class Euid extends Id {
  static override readonly spec = 'euid';
  declare readonly spec: 'euid';
  static {
    register(this, 2, 4);
  }

  /** The least ID: all bits 0. */
  static get MIN(): Euid {
    return extreme(Euid, false);
  }

  /** The greatest ID: all bits 1. */
  static get MAX(): Euid {
    return extreme(Euid, true);
  }

  /**
   * Generates an ID without an extension, greater than all that this function generated before.
   *
   * @throws {SortidError} As {@link EuidGenerator.generate}.
   */
  static generate(): Euid {
    return shared.generate!('euid') as Euid;
  }

  /**
   * Returns the ID with these fields.
   *
   * @throws {SortidError} `overflow` if a field has too many bits; `option` if the extension does.
   */
  static fromFields(fields: {
    timestamp: number;
    randomUpper?: number;
    extension?: Extension | undefined;
    randomHigh?: number;
    randomLow?: number;
  }): Euid {
    const { timestamp, randomUpper = 0, extension, randomHigh = 0, randomLow = 0 } = readOptions('Euid.fromFields', fields, {
      timestamp: 0,
      randomUpper: 0,
      extension: 0,
      randomHigh: 0,
      randomLow: 0,
    });
    return ofFields(Euid, [
      integer('euid', 'timestamp', timestamp, 64),
      integer('euid', 'randomUpper', randomUpper, 15),
      integer('euid', 'extension.value', extension?.value ?? 0, 15),
      integer('euid', 'extension.bits', extension?.bits ?? 0, 4),
      integer('euid', 'randomHigh', randomHigh, 32),
      integer('euid', 'randomLow', randomLow, 32),
    ]);
  }

  /** Returns whether the text is an EUID with a check, so that mistakes in it are noticed. */
  static hasCheck(text: string): boolean {
    if (typeof text !== 'string') throw wrongType('Euid.hasCheck', 'a string', text);
    return putText(text) && raw.hasCheck(text.length);
  }

  /** Returns the text without its check. It is read as the same ID, but mistakes in it go unnoticed. */
  toStringWithoutCheck(): string {
    put(this);
    return takeText(raw.printWithoutCheck());
  }

  /** The field `timestamp`: Unix time in milliseconds, 45 bits. */
  get timestamp(): number {
    return field(this, 0);
  }

  /** The random bits between the timestamp and the extension: 15, less those of the extension. */
  get randomUpper(): number {
    return field(this, 1);
  }

  /** The extension; `undefined` if the ID has none. */
  get extension(): Extension | undefined {
    const fields = fieldsIn(this);
    const bits = Number(fields[3]);
    return bits === 0 ? undefined : { value: Number(fields[2]), bits };
  }

  /** The field `extension length`: the number of bits of the extension, 0 to 15. */
  get extensionBits(): number {
    return field(this, 3);
  }

  /** The field `random high`, 32 bits: random in the first ID of a millisecond, then one more in each ID. */
  get randomHigh(): number {
    return field(this, 4);
  }

  /** The field `random low`, 32 bits: random in each ID. */
  get randomLow(): number {
    return field(this, 5);
  }

  /** The check, which the text contains: the integer modulo 127. */
  get check(): number {
    return field(this, 6);
  }
}

/** Options for the times of Ulid-Flakes, which do not store their epoch. */
export interface EpochOption {
  /** The time from which timestamps count: 2024-01-01T00:00:00Z by default. */
  readonly epoch?: TimeLike | undefined;
}

/** Reads the epoch of the options; NaN if there is none. */
function epochOf(what: string, options: EpochOption): number {
  const { epoch } = readOptions(what, options, { epoch: 0 });
  return epoch === undefined ? NaN : epochMillis(epoch);
}

/** A Ulid-Flake: 64 bits, of which 43 are the time in milliseconds after an epoch. */
export class UlidFlake extends Id {
  static override readonly spec = 'ulid-flake';
  declare readonly spec: 'ulid-flake';
  static {
    register(this, 3, 2);
  }

  /** The least ID: all bits 0. */
  static get MIN(): UlidFlake {
    return extreme(UlidFlake, false);
  }

  /** The greatest ID: 2^63 − 1. */
  static get MAX(): UlidFlake {
    return extreme(UlidFlake, true);
  }

  /**
   * Generates a stand-alone ID, greater than all that this function generated before.
   *
   * @throws {SortidError} As {@link UlidFlakeGenerator.generate}.
   */
  static generate(): UlidFlake {
    return shared.generate!('ulid-flake') as UlidFlake;
  }

  /**
   * Returns the least ID of the millisecond that contains the time.
   *
   * @throws {SortidError} `overflow` if no ID has this time.
   */
  static override minAt<T extends Id>(this: ClassOf<T>, time: TimeLike, options: EpochOption = {}): T {
    return boundWith(this, time, false, epochOf('UlidFlake.minAt', options));
  }

  /**
   * Returns the greatest ID of the millisecond that contains the time.
   *
   * @throws {SortidError} `overflow` if no ID has this time.
   */
  static override maxAt<T extends Id>(this: ClassOf<T>, time: TimeLike, options: EpochOption = {}): T {
    return boundWith(this, time, true, epochOf('UlidFlake.maxAt', options));
  }

  /**
   * Returns the ID with these fields: of the scalable version if there is a `scalability`.
   *
   * @throws {SortidError} `overflow` if a field has too many bits.
   */
  static fromFields(fields: { timestamp: number; randomness?: number; scalability?: number | undefined }): UlidFlake {
    const { timestamp, randomness = 0, scalability } = readOptions('UlidFlake.fromFields', fields, {
      timestamp: 0,
      randomness: 0,
      scalability: 0,
    });
    const isScalable = scalability !== undefined;
    return ofFields(UlidFlake, [
      integer('ulid-flake', 'timestamp', timestamp, 64),
      integer('ulid-flake', 'randomness', randomness, isScalable ? 15 : 32),
      integer('ulid-flake', 'scalability', scalability ?? 0, 5),
      isScalable ? 1n : 0n,
    ]);
  }

  /** The field `timestamp`: milliseconds since the epoch, 43 bits. */
  get timestamp(): number {
    return field(this, 0);
  }

  /** The field `randomness` of the stand-alone version, 20 bits. */
  get randomness(): number {
    return field(this, 1);
  }

  /** The fields of the scalable version: `randomness`, 15 bits, and `scalability`, 5 bits, which is the node. */
  get scalable(): { readonly randomness: number; readonly scalability: number } {
    const fields = fieldsIn(this);
    return { randomness: Number(fields[2]), scalability: Number(fields[3]) };
  }

  /**
   * Returns when the ID was generated, in milliseconds since 1970, if its timestamp counts from this epoch.
   *
   * @throws {SortidError} `option` if the epoch is too late.
   */
  unixMillisWith(epoch: TimeLike): number {
    const since = epochMillis(epoch);
    put(this);
    const millis = raw.unixMillisWith(since);
    if (millis < 0) throw failure(3);
    return millis;
  }
}

/** What kind a RON UID is: an event (`-`), a UID derived from one (`+`), a name (`$`), or a hash or number (`%`). */
export type RonScheme = 'event' | 'derived' | 'name' | 'hash';

const SCHEMES: readonly RonScheme[] = ['event', 'derived', 'name', 'hash'];

/** Reads a part of a RON UID, its value or origin: Base64x64 digits, or their integer of 60 bits. */
export function part(what: string, value: string | bigint): bigint {
  if (typeof value === 'bigint') return integer('ron-uid', what, value, 60);
  if (typeof value !== 'string') throw wrongType(what, 'a string of Base64x64 digits or a bigint', value);
  if (!putText(value)) {
    throw new SortidError('character', `${what}: expected 1 to 10 Base64x64 digits`, { spec: 'ron-uid' });
  }
  if (!raw.parseBase64x64(value.length)) throw failure(4, value);
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
    register(this, 4, 4);
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
    encode(text, RON_UID);
    putOther(context);
    if (!raw.unzip(text)) throw failure(RON_UID, text);
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
    if (!bytes) throw failure(RON_UID, text);
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

/** An Evently Event ID: the time in microseconds, a checksum of the event, and the ID of its ledger; 128 bits. */
export class EventId extends Id {
  static override readonly spec = 'evently-id';
  declare readonly spec: 'evently-id';
  static {
    register(this, 0, 4);
  }

  /** The least ID: all bits 0. */
  static get MIN(): EventId {
    return extreme(EventId, false);
  }

  /** The greatest ID: all bits 1. */
  static get MAX(): EventId {
    return extreme(EventId, true);
  }

  /**
   * Returns the ID with these fields. The ledger ID is 8 hex digits, or their integer.
   *
   * @throws {SortidError} `overflow` if a field has too many bits; `length` or `character` if the ledger ID is not
   * valid.
   */
  static fromFields(fields: { timestamp: bigint; checksum?: number; ledgerId: string | number }): EventId {
    const {
      timestamp,
      checksum = 0,
      ledgerId,
    } = readOptions('EventId.fromFields', fields, { timestamp: 0, checksum: 0, ledgerId: 0 });
    return ofFields(EventId, [
      integer('evently-id', 'timestamp', timestamp, 64),
      integer('evently-id', 'checksum', checksum, 32),
      BigInt(readLedgerId(ledgerId)),
    ]);
  }

  /**
   * Returns the ID with another checksum.
   *
   * @throws {SortidError} `overflow` if the checksum has more than 32 bits.
   */
  withChecksum(checksum: number): EventId {
    const fields = fieldsIn(this);
    const [timestamp, ledgerId] = [fields[0]!, Number(fields[2])];
    return EventId.fromFields({ timestamp, checksum, ledgerId });
  }

  /** The field `timestamp`: microseconds since 1970, 64 bits. */
  get timestamp(): bigint {
    return fieldsIn(this)[0]!;
  }

  /** The checksum of the event and of the event ID before it, 32 bits. */
  get checksum(): number {
    return field(this, 1);
  }

  /** The ledger ID: 8 hex digits. */
  get ledgerId(): string {
    return this.toHex().slice(24);
  }

  /** The version of the format, 0 to 3: the lowest 2 bits of the ledger ID. */
  get ledgerVersion(): number {
    return field(this, 3);
  }
}

/** Reads a ledger ID. */
export function readLedgerId(value: string | number): number {
  if (typeof value !== 'string') return Number(integer('evently-id', 'ledgerId', value, 32));
  if (value.length !== 8) {
    const message = `ledgerId: expected 8 hex digits, found ${value.length} characters`;
    throw new SortidError('length', message, { spec: 'evently-id' });
  }
  const index = value.search(/[^0-9a-f]/i);
  if (index >= 0) {
    const message = `ledgerId: ${JSON.stringify(value[index])} at position ${index} is not a hex digit`;
    throw new SortidError('character', message, { index, spec: 'evently-id' });
  }
  return parseInt(value, 16);
}

/** The class of each specification. */
export const CLASSES = Object.freeze({
  'evently-id': EventId,
  scru160: Scru160,
  euid: Euid,
  'ulid-flake': UlidFlake,
  'ron-uid': RonUid,
});

/** An ID of any of the classes. */
export type AnyId = EventId | Scru160 | Euid | UlidFlake | RonUid;
