import { readOptions, SortidError, wrongType } from '../error.js';
import { extreme, field, fieldsIn, integer, ofFields } from '../fields.js';
import { COMMON, Generator, option, type GeneratorOptions } from '../generator.js';
import { Id, put, register } from '../id.js';
import { putText, raw, takeText } from '../module.js';

/** Up to 15 bits of your own in an EUID: a value and its number of bits. */
export interface Extension {
  readonly value: number;
  readonly bits: number;
}

/** The generator of {@link Euid.generate}. */
let shared: EuidGenerator | undefined;

/** An EUID: 128 bits, of which 45 are the time in milliseconds. Its text has a check. */
export class Euid extends Id {
  static override readonly spec = 'euid';
  declare readonly spec: 'euid';
  declare readonly unixMillis: number;
  declare readonly unixMicros: bigint;
  declare readonly date: Date;
  static {
    register(this);
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
   * Generates an ID without an extension, greater than all IDs that this function generated before.
   *
   * @throws {SortidError} As {@link EuidGenerator.generate}.
   */
  static generate(): Euid {
    return (shared ??= new EuidGenerator()).generate();
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

  /** Returns the text without its check. It is read as the same ID, but mistakes before its 26th digit go unnoticed. */
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
    readOptions('EuidGenerator', options, { extension: 0, extensionBits: 0, ...COMMON });
    const [value, bits] = [option('extension', options.extension), option('extensionBits', options.extensionBits)];
    if (value === undefined && bits !== undefined) {
      throw new SortidError('option', 'expected an extension with extensionBits, found none', { spec: 'euid' });
    }
    super(Euid, options, () => raw.Options.euid(value, bits));
  }
}
