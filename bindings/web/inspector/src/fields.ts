// Written by `cargo xtask layouts` from the descriptions in the crates.

import type { SpecName } from 'sortid/manual';

/** The meaning of a field decides its colour and pattern. */
export type Hue = 'time' | 'count' | 'random' | 'random2' | 'node' | 'check' | 'fixed' | 'kind';

export interface FieldInfo {
  /** The name in a few words. */
  label: string;
  hue: Hue;
  /** A sentence about the content. */
  meaning: string;
  /** The section of the specification. */
  section: string;
}

/** What the crates say about a specification. */
export interface Described {
  bits: number;
  fields: Record<string, FieldInfo>;
}

export const DESCRIBED: Record<SpecName, Described> = {
  'evently-id': {
    bits: 128,
    fields: {
      timestamp_us: {
        label: 'timestamp',
        hue: 'time',
        meaning: 'When the event happened, in microseconds since 1970.',
        section: 'Event ID Composition',
      },
      checksum: {
        label: 'checksum',
        hue: 'check',
        meaning: 'CRC-32C of the event and of the ID before it, which makes the ledger a chain.',
        section: 'Event Checksum',
      },
      ledger_id: {
        label: 'ledger id',
        hue: 'node',
        meaning: 'The ledger: 30 bits from its first event, and a version of 2 bits.',
        section: 'Ledger ID',
      },
      version: {
        label: 'version',
        hue: 'kind',
        meaning: 'The version of the ledger ID, in its last two bits.',
        section: 'Versioned Ledger ID',
      },
    },
  },
  scru160: {
    bits: 160,
    fields: {
      timestamp_ms: {
        label: 'timestamp',
        hue: 'time',
        meaning: 'When the ID was made, in milliseconds since 1970.',
        section: 'Binary Layout and Byte Order',
      },
      counter: {
        label: 'counter',
        hue: 'count',
        meaning: 'Orders the IDs of one millisecond: it starts at a random value, and goes up by one.',
        section: 'Default counter usage',
      },
      random16: {
        label: 'random16',
        hue: 'random2',
        meaning: 'Random, unless the generator keeps a node ID or more bits of the counter here.',
        section: 'Binary Layout and Byte Order',
      },
      random80: {
        label: 'random80',
        hue: 'random',
        meaning: 'Random, and new in each ID.',
        section: 'Quality of random values',
      },
    },
  },
  euid: {
    bits: 128,
    fields: {
      timestamp_ms: {
        label: 'timestamp',
        hue: 'time',
        meaning: 'When the ID was made, in milliseconds since 1970.',
        section: 'Timestamps and Randomness',
      },
      random_upper: {
        label: 'random upper',
        hue: 'random2',
        meaning: 'The bits that the extension leaves free are random, and stay the same within a millisecond.',
        section: 'The Extension',
      },
      extension: {
        label: 'extension',
        hue: 'node',
        meaning: 'A value of your own, such as a node or a tenant.',
        section: 'The Extension',
      },
      extension_bits: {
        label: 'extension bits',
        hue: 'kind',
        meaning: 'How many bits the extension has; 0 means that there is none.',
        section: 'The Extension',
      },
      check: {
        label: 'check',
        hue: 'check',
        meaning: 'The ID modulo 127; it is a part of the text only, and shows mistyped characters.',
        section: 'Encoding, Decoding and Check-Mod Symbols',
      },
      random_high: {
        label: 'random high',
        hue: 'count',
        meaning: 'Random in the first ID of a millisecond; it goes up by one in each further ID.',
        section: 'Timestamps and Randomness',
      },
      random_low: {
        label: 'random low',
        hue: 'random',
        meaning: 'Random, and new in each ID.',
        section: 'Timestamps and Randomness',
      },
    },
  },
  'ulid-flake': {
    bits: 64,
    fields: {
      int: {
        label: 'int',
        hue: 'fixed',
        meaning: 'All 64 bits as one integer, for a BIGINT column.',
        section: 'Optional Long Int Representation',
      },
      sign: {
        label: 'sign',
        hue: 'fixed',
        meaning: 'Always 0, so that the integer is never negative.',
        section: 'Timestamp',
      },
      timestamp_ms: {
        label: 'timestamp',
        hue: 'time',
        meaning: 'When the ID was made, in milliseconds since the epoch, which is 2024-01-01 by default.',
        section: 'Timestamp',
      },
      randomness: {
        label: 'randomness',
        hue: 'count',
        meaning: 'Random in the first ID of a millisecond; a random step is added in each further ID.',
        section: 'Randomness',
      },
      scalability: {
        label: 'scalability',
        hue: 'node',
        meaning: 'The node ID of the generator, 0 to 31.',
        section: 'Scalability',
      },
    },
  },
  'ron-uid': {
    bits: 128,
    fields: {
      variety: {
        label: 'variety',
        hue: 'fixed',
        meaning: 'These bits are always 0.',
        section: 'Time part format',
      },
      value: {
        label: 'value',
        hue: 'time',
        meaning: 'Ten digits: a time by the calendar and a sequence number, or a name.',
        section: 'Time part format',
      },
      value_int: {
        label: 'value int',
        hue: 'time',
        meaning: 'The 60 bits of the value as an integer.',
        section: 'Time part format',
      },
      zero: {
        label: 'zero',
        hue: 'fixed',
        meaning: 'These bits are always 0.',
        section: 'Origin part format',
      },
      scheme: {
        label: 'scheme',
        hue: 'kind',
        meaning: 'What the UID is: a name, a hash, an event, or derived from an event.',
        section: 'Transcendent UID format',
      },
      origin: {
        label: 'origin',
        hue: 'node',
        meaning: 'The replica that made the UID, or the scope of a name.',
        section: 'Origin part format',
      },
      origin_int: {
        label: 'origin int',
        hue: 'node',
        meaning: 'The 60 bits of the origin as an integer.',
        section: 'Origin part format',
      },
    },
  },
};
