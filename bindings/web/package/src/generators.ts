import { flag, readOptions, SortidError, wrongType } from './error.js';
import { kindOf, put, take, takeFrom, type Id, type ClassOf } from './id.js';
import { Euid, EventId, part, readLedgerId, RonUid, Scru160, shared, UlidFlake, type EpochOption } from './ids.js';
import { BATCH, BATCH_WORDS, batchWords, failure, fieldsOf, idWords, raw } from './module.js';
import { epochMillis, micros, type TimeLike } from './time.js';

/** The most IDs that one call makes. */
const MOST = 10_000_000;

/** An option that all generators have. */
export interface GeneratorOptions {
  /**
   * How far the clock may go back before the generator treats it as set back, in milliseconds: 10 000 by default, and
   * `Infinity` for RON UIDs and Event IDs.
   */
  rollbackAllowance?: number | undefined;
}

/** Reads an option that is an integer of 32 bits. Its range is the module's to check. */
function option(name: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(name, 'an integer', value);
  if (value < 0 || value > 0xffffffff) throw new SortidError('option', `${name}: ${value} is out of range`);
  return value;
}

/** Reads how many IDs to make. */
function countOf(value: number): number {
  const count = option('count', value);
  if (count === undefined) throw wrongType('count', 'an integer', value);
  if (count > MOST) throw new SortidError('option', `count: expected 0 to ${MOST}, found ${count}`);
  return count;
}

/** Reads milliseconds; NaN if there are none. */
function millis(name: string, value: number | undefined): number {
  if (value === undefined) return NaN;
  if (typeof value !== 'number' || !(value >= 0)) throw wrongType(name, 'milliseconds, 0 or more', value);
  return value;
}

/**
 * Generates IDs in order: each is greater than the one before. Each generator has a clock and a state of its own.
 *
 * If the clock goes back by at most the rollback allowance, the generator continues from its last ID. If it goes back
 * by more, `generate()` starts over at the earlier time, and {@link Generator.rollbacks} counts it.
 */
export abstract class Generator<T extends Id> {
  readonly #raw: raw.Generator;
  readonly #class: ClassOf<T>;
  readonly #number: number;

  /** @internal */
  constructor(Class: ClassOf<T>, make: () => raw.Generator | undefined) {
    if (typeof make !== 'function') {
      throw new TypeError(`${new.target.name}: extend one of the generators, such as EuidGenerator, not Generator`);
    }
    idWords();
    const { number } = kindOf(Class);
    const made = make();
    if (!made) throw failure(number);
    this.#raw = made;
    this.#class = Class;
    this.#number = number;
  }

  /**
   * Generates the next ID. When no ID is left in this millisecond, it waits for the next one, but blocks the page for
   * at most 50 ms.
   *
   * @throws {SortidError} `exhausted` if the wait would be longer: await {@link Generator.generateAsync} then;
   * `clock_out_of_range` if the clock has no valid time; `entropy` if the host has no random bytes.
   */
  generate(): T {
    if (!this.#raw.generate()) throw failure(this.#number);
    return take(this.#class);
  }

  /**
   * Generates the next ID. Does not wait, and does not start over.
   *
   * @throws {SortidError} `exhausted`, `clock_rollback`, `clock_out_of_range` or `entropy`.
   */
  tryGenerate(): T {
    if (!this.#raw.tryGenerate()) throw failure(this.#number);
    return take(this.#class);
  }

  /**
   * Generates the next ID, and waits without blocking the page.
   *
   * @throws {SortidError} `exhausted` if the clock stands still; `clock_out_of_range` or `entropy`.
   */
  async generateAsync(): Promise<T> {
    const pending = this.#raw.generateAsync();
    try {
      for (;;) {
        const wait = pending.poll();
        if (wait === -1) return take(this.#class);
        if (wait === -2) throw failure(this.#number);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    } finally {
      pending.free();
    }
  }

  /**
   * Generates so many IDs at once, faster than one by one. The count is required.
   *
   * @throws {SortidError} As {@link Generator.generate}; `option` if the count is above 10 000 000.
   */
  generateMany(count: number): T[] {
    const all = countOf(count);
    const ids: T[] = [];
    for (let left = all; left > 0; left -= BATCH) {
      const some = Math.min(left, BATCH);
      if (!this.#raw.fill(some)) throw failure(this.#number);
      const words = batchWords();
      for (let index = 0; index < some; index += 1) ids.push(takeFrom(this.#class, words, BATCH_WORDS * index));
    }
    return ids;
  }

  /**
   * Makes an ID for each time, such as those of existing rows. All IDs that this method of the generator makes are
   * distinct; each has its time, and IDs of one time are in the order of the times. They do not change what
   * `generate()` returns.
   *
   * ```js
   * const ids = new EuidGenerator().backfill(rows.map((row) => row.createdAt));
   * ```
   *
   * @throws {SortidError} `out_of_range` if no ID has a time, or `full` if it has no ID left. `index` tells which time.
   */
  backfill(times: Iterable<TimeLike>): T[] {
    if (typeof times?.[Symbol.iterator] !== 'function') throw wrongType('backfill', 'an array of times', times);
    const ids: T[] = [];
    for (const time of times) {
      const { high, low } = micros(time, `time ${ids.length}`);
      if (!this.#raw.backfill(high, low)) {
        const { kind, message } = failure();
        const index = ids.length;
        throw new SortidError(kind, `time ${index}: ${message}`, { index, spec: this.#class.spec });
      }
      ids.push(take(this.#class));
    }
    return ids;
  }

  /**
   * Continues after an ID of an earlier generator, such as the greatest ID of a table: all later IDs are greater. If the
   * ID is ahead of the clock, and the last one of its millisecond, {@link Generator.generate} throws `exhausted` until
   * the clock is there.
   *
   * @throws {SortidError} `ahead` if the ID is further ahead of the clock than the rollback allowance; `no_time` if it
   * has no time.
   */
  resumeAfter(id: T): void {
    this.#require('resumeAfter', id);
    if (!this.#raw.resumeAfter(put(id))) throw failure(this.#number);
  }

  /** How often the generator started over, because the clock was set back by more than the rollback allowance. */
  get rollbacks(): number {
    return this.#raw.rollbacks();
  }

  /** How far the last ID is ahead of the clock, in milliseconds: 0 if it is not. */
  get ahead(): number {
    const ahead = this.#raw.ahead();
    if (ahead < 0) throw failure(this.#number);
    return ahead;
  }

  /** @internal */
  protected observeId(id: T): void {
    this.#require('observe', id);
    put(id);
    if (!this.#raw.observe()) throw failure(this.#number);
  }

  #require(method: string, id: T): void {
    const Class = this.#class as unknown as abstract new (...args: never) => T;
    if (!(id instanceof Class)) throw wrongType(method, `an ID of the class ${Class.name}`, id);
  }
}

/** The options of a {@link Scru160Generator}. */
export interface Scru160Options extends GeneratorOptions {
  /** The upper 10 bits of the counter are the microsecond, so the IDs have microseconds in their order. */
  microsCounter?: boolean | undefined;
  /** How many bits of the counter start at random: 0 to 15, or 0 to 5 with `microsCounter`. */
  counterStartBits?: number | undefined;
  /** How many bits of `random16` extend the counter: 0 to 16, less those of the node. */
  counterExtensionBits?: number | undefined;
  /** A node: IDs of different nodes always differ. It needs `nodeBits`. */
  node?: number | undefined;
  /** The bits of the node, 0 to 16. */
  nodeBits?: number | undefined;
}

/** Generates SCRU160s. */
export class Scru160Generator extends Generator<Scru160> {
  /** @throws {SortidError} `option` if an option is out of range. */
  constructor(options: Scru160Options = {}) {
    readOptions('Scru160Generator', options, {
      microsCounter: 0,
      counterStartBits: 0,
      counterExtensionBits: 0,
      node: 0,
      nodeBits: 0,
      rollbackAllowance: 0,
    });
    const hasMicros = flag('microsCounter', options.microsCounter);
    const [start, extension] = [
      option('counterStartBits', options.counterStartBits),
      option('counterExtensionBits', options.counterExtensionBits),
    ];
    const [node, bits] = [option('node', options.node), option('nodeBits', options.nodeBits)];
    if ((node === undefined) !== (bits === undefined)) {
      throw new SortidError('option', 'expected both of node and nodeBits, or none', { spec: 'scru160' });
    }
    const limit = millis('rollbackAllowance', options.rollbackAllowance);
    super(Scru160, () => raw.Generator.scru160(hasMicros, start, extension, node, bits ?? 0, limit));
  }
}

/** The options of an {@link EuidGenerator}. */
export interface EuidOptions extends GeneratorOptions {
  /** Up to 15 bits of your own in each ID, such as a shard: 0 to 32767. */
  extension?: number | undefined;
  /** The bits of the extension, 1 to 15: as many as the value needs by default. */
  extensionBits?: number | undefined;
}

/** Generates EUIDs. */
export class EuidGenerator extends Generator<Euid> {
  /** @throws {SortidError} `option` if an option is out of range. */
  constructor(options: EuidOptions = {}) {
    readOptions('EuidGenerator', options, { extension: 0, extensionBits: 0, rollbackAllowance: 0 });
    const [value, bits] = [option('extension', options.extension), option('extensionBits', options.extensionBits)];
    if (value === undefined && bits !== undefined) {
      throw new SortidError('option', 'expected an extension with extensionBits, found none', { spec: 'euid' });
    }
    const limit = millis('rollbackAllowance', options.rollbackAllowance);
    super(Euid, () => raw.Generator.euid(value, bits, limit));
  }
}

/** The options of a {@link UlidFlakeGenerator}. */
export interface UlidFlakeOptions extends GeneratorOptions, EpochOption {
  /** The size of random steps, in bytes: 1 to 3. With more, IDs are harder to guess, and a millisecond has fewer. */
  entropyBytes?: number | undefined;
}

/** Generates stand-alone Ulid-Flakes. */
export class UlidFlakeGenerator extends Generator<UlidFlake> {
  /** @throws {SortidError} `option` if an option is out of range. */
  constructor(options: UlidFlakeOptions = {}) {
    readOptions('UlidFlakeGenerator', options, { epoch: 0, entropyBytes: 0, rollbackAllowance: 0 });
    const epoch = options.epoch === undefined ? undefined : epochMillis(options.epoch);
    const bytes = option('entropyBytes', options.entropyBytes);
    const limit = millis('rollbackAllowance', options.rollbackAllowance);
    super(UlidFlake, () => raw.Generator.ulidFlake(epoch, bytes, limit));
  }
}

/** The options of a {@link ScalableGenerator}. */
export interface ScalableOptions extends UlidFlakeOptions {
  /** The number of this generator, 0 to 31. IDs of generators that work at the same time are unique if it differs. */
  node: number;
}

/** Generates scalable Ulid-Flakes, which have a node. */
export class ScalableGenerator extends Generator<UlidFlake> {
  /** @throws {SortidError} `option` if an option is out of range. */
  constructor(options: ScalableOptions) {
    readOptions('ScalableGenerator', options, { node: 0, epoch: 0, entropyBytes: 0, rollbackAllowance: 0 });
    const node = option('node', options.node);
    if (node === undefined) throw wrongType('node', 'an integer of 0 to 31', node);
    const epoch = options.epoch === undefined ? undefined : epochMillis(options.epoch);
    const bytes = option('entropyBytes', options.entropyBytes);
    const limit = millis('rollbackAllowance', options.rollbackAllowance);
    super(UlidFlake, () => raw.Generator.scalable(node, epoch, bytes, limit));
  }
}

/** The options of a {@link RonUidGenerator}. */
export interface RonUidOptions extends GeneratorOptions {
  /**
   * The origin of the UIDs, in Base64x64 digits or as their integer. Generators that work at the same time must differ.
   */
  origin: string | bigint;
  /** Start over with the next origin if the clock is set back: the last 1 or 2 digits of the origin count. */
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
      rollbackAllowance: 0,
    });
    const origin = part('origin', options.origin);
    const [digits, least] = [option('sessionDigits', options.sessionDigits), option('minLength', options.minLength)];
    const bound = millis('futureBound', options.futureBound);
    const limit = millis('rollbackAllowance', options.rollbackAllowance);
    super(RonUid, () => {
      fieldsOf()[0] = origin;
      return raw.Generator.ronUid(digits, least, bound, limit);
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

/** Generates the places of events in a ledger: IDs with the checksum 0. */
export class EventIdGenerator extends Generator<EventId> {
  /**
   * The ledger ID is 8 hex digits, or their integer.
   *
   * @throws {SortidError} `length`, `character` or `overflow` if the ledger ID is not valid.
   */
  constructor(ledgerId: string | number, options: GeneratorOptions = {}) {
    readOptions('EventIdGenerator', options, { rollbackAllowance: 0 });
    const ledger = readLedgerId(ledgerId);
    const limit = millis('rollbackAllowance', options.rollbackAllowance);
    super(EventId, () => raw.Generator.eventId(ledger, limit));
  }
}

/** A logical clock of RON UIDs, which does not read the time: each value is the last one plus one. */
export class LamportClock {
  readonly #raw: raw.Lamport;

  /**
   * The values have `length` digits, 1 to 10. The clock counts at the last of them.
   *
   * @throws {SortidError} `option` if the length is out of range; `length` or `character` if the origin is not valid.
   */
  constructor(origin: string | bigint, length: number) {
    const [value, digits] = [part('origin', origin), option('length', length)];
    if (digits === undefined) throw wrongType('length', 'an integer of 1 to 10', length);
    fieldsOf()[0] = value;
    const clock = raw.Lamport.start(digits);
    if (!clock) throw failure(4);
    this.#raw = clock;
  }

  /**
   * Generates the next UID.
   *
   * @throws {SortidError} `exhausted` if no value is left.
   */
  generate(): RonUid {
    if (!this.#raw.generate()) throw failure(4);
    return take(RonUid);
  }

  /**
   * Generates so many UIDs.
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
    if (!this.#raw.observe()) throw failure(4);
  }
}

const generators: { [spec: string]: Generator<Id> } = {};

shared.generate = (spec) => {
  const made = { scru160: Scru160Generator, euid: EuidGenerator, 'ulid-flake': UlidFlakeGenerator };
  return (generators[spec] ??= new made[spec]()).generate();
};
