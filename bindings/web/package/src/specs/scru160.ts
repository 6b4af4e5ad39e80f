import { flag, isBytes, readOptions, SortidError, wrongType } from '../error.js';
import { extreme, field, integer, ofFields } from '../fields.js';
import { COMMON, Generator, option, type GeneratorOptions } from '../generator.js';
import { Id, register } from '../id.js';
import { raw } from '../module.js';
import type { Bytes } from '../time.js';

/** The generator of {@link Scru160.generate}. */
let shared: Scru160Generator | undefined;

/** A SCRU160: 160 bits, of which 48 are the time in milliseconds, and at least 96 are random. */
export class Scru160 extends Id {
  static override readonly spec = 'scru160';
  declare readonly spec: 'scru160';
  declare readonly unixMillis: number;
  declare readonly unixMicros: bigint;
  declare readonly date: Date;
  static {
    register(this);
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
   * Generates an ID that is greater than all IDs that this function generated before.
   *
   * @throws {SortidError} As {@link Scru160Generator.generate}.
   */
  static generate(): Scru160 {
    return (shared ??= new Scru160Generator()).generate();
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
      ...COMMON,
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
    super(Scru160, options, () => raw.Options.scru160(hasMicros, start, extension, node, bits ?? 0));
  }
}
