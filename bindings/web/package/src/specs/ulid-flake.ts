import { readOptions, wrongType } from '../error.js';
import { extreme, field, fieldsIn, integer, ofFields } from '../fields.js';
import { COMMON, Generator, option, type GeneratorOptions } from '../generator.js';
import { boundWith, Id, put, register, type ClassOf } from '../id.js';
import { failure, raw } from '../module.js';
import { epochMillis, type TimeLike } from '../time.js';

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

/** The generator of {@link UlidFlake.generate}. */
let shared: UlidFlakeGenerator | undefined;

/** A Ulid-Flake: 64 bits, of which 43 are the time in milliseconds after an epoch. */
export class UlidFlake extends Id {
  static override readonly spec = 'ulid-flake';
  declare readonly spec: 'ulid-flake';
  declare readonly unixMillis: number;
  declare readonly unixMicros: bigint;
  declare readonly date: Date;
  static {
    register(this);
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
   * Generates a stand-alone ID that is greater than all IDs that this function generated before.
   *
   * @throws {SortidError} As {@link UlidFlakeGenerator.generate}.
   */
  static generate(): UlidFlake {
    return (shared ??= new UlidFlakeGenerator()).generate();
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
    if (millis < 0) throw failure('ulid-flake');
    return millis;
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
    readOptions('UlidFlakeGenerator', options, { epoch: 0, entropyBytes: 0, ...COMMON });
    const epoch = options.epoch === undefined ? undefined : epochMillis(options.epoch);
    const bytes = option('entropyBytes', options.entropyBytes);
    super(UlidFlake, options, () => raw.Options.ulidFlake(epoch, bytes));
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
    readOptions('ScalableGenerator', options, { node: 0, epoch: 0, entropyBytes: 0, ...COMMON });
    const node = option('node', options.node);
    if (node === undefined) throw wrongType('node', 'an integer of 0 to 31', node);
    const epoch = options.epoch === undefined ? undefined : epochMillis(options.epoch);
    const bytes = option('entropyBytes', options.entropyBytes);
    super(UlidFlake, options, () => raw.Options.scalable(node, epoch, bytes));
  }
}
