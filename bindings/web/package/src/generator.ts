import { shown, SortidError, wrongType } from './error.js';
import { put, take, takeFrom, type ClassOf, type Id } from './id.js';
import { BATCH, BATCH_WORDS, batchWords, failure, idWords, raw } from './module.js';
import { micros, type TimeLike } from './time.js';

/** The most IDs that one call makes. */
const MOST = 10_000_000;

/**
 * What a generator does when its clock is behind its last ID by more than the rollback allowance.
 *
 * - `fail`: it throws `clock_rollback` until the clock has caught up.
 * - `continue`: it continues from its last ID, whatever the clock says.
 * - `reset`: it gives up the order, and continues at the new, earlier time. {@link Generator.resets} counts this. A
 *   generator whose IDs have no random bits throws `clock_rollback` instead.
 */
export type Rollback = 'fail' | 'continue' | 'reset';

/** The options that all generators have. */
export interface GeneratorOptions {
  /**
   * What happens when the clock is set back. The default is `reset` for EUIDs and SCRU160s, unless too few of their bits
   * are random; `fail` for Ulid-Flakes, because an ID could be a duplicate; and `continue` for RON UIDs and Event IDs, or
   * `fail` if you set an allowance.
   */
  rollback?: Rollback | undefined;
  /**
   * How far the clock may go back before the generator does what `rollback` says, in milliseconds: 10 000 by default.
   */
  rollbackAllowance?: number | undefined;
  /**
   * How much later than its time an ID of {@link Generator.backfill} may be, in milliseconds. IDs of a full tick spill
   * into following ticks. The default is 0; or 0.999 if a tick is a microsecond, as of Event IDs.
   */
  spill?: number | undefined;
}

/** The names of these options. */
export const COMMON = { rollback: 0, rollbackAllowance: 0, spill: 0 } as const;

/** Reads an option that is an integer of 32 bits. The module checks its range. */
export function option(name: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(name, 'an integer', value);
  if (value < 0 || value > 0xffffffff) throw new SortidError('option', `${name}: ${value} is out of range`);
  return value;
}

/** Reads the option `rollback`: the index of its name, or −1 if there is none. */
function rollbackIndex(value: Rollback | undefined): number {
  const names: unknown[] = raw.rollbacks().split(' ');
  const index = names.indexOf(value);
  if (index >= 0 || value === undefined) return index;
  throw new SortidError('option', `rollback: expected one of ${names.join(', ')}, found ${shown(value)}`);
}

/** Reads how many IDs to make. */
export function countOf(value: number): number {
  const count = option('count', value);
  if (count === undefined) throw wrongType('count', 'an integer', value);
  if (count > MOST) throw new SortidError('option', `count: expected 0 to ${MOST}, found ${count}`);
  return count;
}

/** Reads milliseconds; NaN if there are none. */
export function millis(name: string, value: number | undefined): number {
  if (value === undefined) return NaN;
  if (typeof value !== 'number' || !(value >= 0)) throw wrongType(name, 'milliseconds, 0 or more', value);
  return value;
}

/**
 * Generates IDs in order: each is greater than the one before. Each generator has a clock and a state of its own.
 *
 * If the clock goes back by at most the rollback allowance, the generator continues from its last ID. If it goes back
 * by more, the option `rollback` says what happens.
 */
export abstract class Generator<T extends Id> {
  readonly #raw: raw.Generator;
  readonly #class: ClassOf<T>;

  /** @internal */
  constructor(Class: ClassOf<T>, common: GeneratorOptions, read: () => raw.Options | undefined) {
    if (typeof read !== 'function') {
      throw new TypeError(`${new.target.name}: extend one of the generators, such as EuidGenerator, not Generator`);
    }
    idWords();
    const rollback = rollbackIndex(common.rollback);
    const allowance = millis('rollbackAllowance', common.rollbackAllowance);
    const spill = millis('spill', common.spill);
    const options = read();
    if (!options) throw failure(Class.spec);
    this.#raw = new raw.Generator(options, rollback, allowance, spill);
    this.#class = Class;
  }

  /**
   * Generates the next ID. When no ID is left in this millisecond, it waits for the next one, but blocks the page for
   * at most 50 ms.
   *
   * @throws {SortidError} `exhausted` if the wait would be longer: await {@link Generator.generateAsync} then;
   * `clock_rollback` if the clock was set back, unless the option `rollback` allows it; `clock_out_of_range` if the clock
   * has no valid time; `entropy` if the host has no random bytes.
   */
  generate(): T {
    if (!this.#raw.generate()) throw failure(this.#class.spec);
    return take(this.#class);
  }

  /**
   * Generates the next ID. Does not wait: `retryAfter` of the error says how long to wait.
   *
   * @throws {SortidError} `exhausted`, `clock_rollback`, `clock_out_of_range` or `entropy`.
   */
  tryGenerate(): T {
    if (!this.#raw.tryGenerate()) throw failure(this.#class.spec);
    return take(this.#class);
  }

  /**
   * Generates the next ID, and waits without blocking the page, as long as it takes.
   *
   * @throws {SortidError} `clock_rollback`, `clock_out_of_range` or `entropy`.
   */
  async generateAsync(): Promise<T> {
    while (!this.#raw.tryGenerate()) {
      const error = failure(this.#class.spec);
      if (error.retryAfter === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfter));
    }
    return take(this.#class);
  }

  /**
   * Generates this many IDs at once, faster than one by one. The count is required.
   *
   * @throws {SortidError} As {@link Generator.generate}; `option` if the count is above 10 000 000.
   */
  generateMany(count: number): T[] {
    const all = countOf(count);
    const ids: T[] = [];
    for (let left = all; left > 0; left -= BATCH) {
      const some = Math.min(left, BATCH);
      if (!this.#raw.fill(some)) throw failure(this.#class.spec);
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
   * @throws {SortidError} `out_of_range` if no ID has a time, or `full` if it has no ID left. `index` is the place of
   * this time among the times.
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
    if (!this.#raw.resumeAfter(put(id))) throw failure(this.#class.spec);
  }

  /** How often the generator was reset, because the clock was set back by more than the rollback allowance. */
  get resets(): number {
    return this.#raw.resets();
  }

  /** How far the last ID is ahead of the clock, in milliseconds: 0 if it is not. */
  get ahead(): number {
    const ahead = this.#raw.ahead();
    if (ahead < 0) throw failure(this.#class.spec);
    return ahead;
  }

  /** @internal */
  protected observeId(id: T): void {
    this.#require('observe', id);
    put(id);
    if (!this.#raw.observe()) throw failure(this.#class.spec);
  }

  #require(method: string, id: T): void {
    const Class = this.#class as unknown as abstract new (...args: never) => T;
    if (!(id instanceof Class)) throw wrongType(method, `an ID of the class ${Class.name}`, id);
  }
}
