/** What the page says about each specification and its fields. */
import type { Form, SpecName } from 'sortid/manual';

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

interface TextForm {
  length: number;
  /** What the digits are called, and which characters they are. */
  digits: string;
  range: string;
  alphabet: RegExp;
}

export interface SpecInfo {
  title: string;
  bits: number;
  /** The numbers of characters that a text has, with the digits of each. */
  texts: TextForm[];
  document: string;
  address: string;
  /** What the rows of a list can be grouped by. */
  node: string;
  fields: Record<string, FieldInfo>;
}

const HEX = { digits: 'hex', range: '0–9 and a–f', alphabet: /^[\da-f]*$/i };
const CROCKFORD = {
  digits: 'Crockford base32',
  range: '0–9 and A–Z without I, L, O and U',
  alphabet: /^[\da-hjkmnp-tv-z]*$/i,
};

export const SPECS: Record<SpecName, SpecInfo> = {
  scru160: {
    title: 'SCRU160',
    bits: 160,
    texts: [
      { length: 32, digits: 'base32hex', range: '0–9 and A–V', alphabet: /^[\da-v]*$/i },
      { length: 40, ...HEX },
    ],
    document: 'SCRU160 v0.1.0',
    address: 'https://github.com/scru160/spec',
    node: 'the upper bits of random16',
    fields: {
      timestamp_ms: {
        label: 'timestamp',
        hue: 'time',
        meaning: 'When the ID was made: milliseconds since 1970.',
        section: 'Binary Layout and Byte Order',
      },
      counter: {
        label: 'counter',
        hue: 'count',
        meaning: 'Orders the IDs of one millisecond. It starts at a random value, and goes up by one.',
        section: 'Default counter usage',
      },
      random16: {
        label: 'random16',
        hue: 'random2',
        meaning: 'Random, unless the generator keeps a node number or more bits of the counter here.',
        section: 'Binary Layout and Byte Order',
      },
      random80: {
        label: 'random80',
        hue: 'random',
        meaning: 'Random, and new in each ID, in hex.',
        section: 'Quality of random values',
      },
    },
  },
  euid: {
    title: 'EUID',
    bits: 128,
    texts: [{ length: 27, ...CROCKFORD }],
    document: 'EUID draft 5',
    address: 'https://github.com/ardikars/euid',
    node: 'extension',
    fields: {
      timestamp_ms: {
        label: 'timestamp',
        hue: 'time',
        meaning: 'When the ID was made: milliseconds since 1970.',
        section: 'Timestamps and Randomness',
      },
      random: {
        label: 'random',
        hue: 'random2',
        meaning: 'The bits that the extension leaves free are random. They stay the same within a millisecond.',
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
        meaning: 'The ID modulo 127. It is a part of the text only, and shows mistyped characters.',
        section: 'Encoding, Decoding and Check-Mod Symbols',
      },
      random_high: {
        label: 'random high',
        hue: 'count',
        meaning: 'Random in the first ID of a millisecond. It goes up by one in each further ID.',
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
    title: 'Ulid-Flake',
    bits: 64,
    texts: [{ length: 13, ...CROCKFORD }],
    document: 'Ulid-Flake',
    address: 'https://github.com/ulid-flake/spec',
    node: 'node (scalable version)',
    fields: {
      int: {
        label: 'integer',
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
        meaning: 'When the ID was made: milliseconds since the epoch, which is 2024-01-01 by default.',
        section: 'Timestamp',
      },
      randomness: {
        label: 'randomness',
        hue: 'count',
        meaning: 'Random in the first ID of a millisecond. A random step is added in each further ID.',
        section: 'Randomness',
      },
      scalability: {
        label: 'scalability',
        hue: 'node',
        meaning: 'The number of the node that made the ID, 0 to 31.',
        section: 'Scalability',
      },
    },
  },
  'ron-uid': {
    title: 'RON UID',
    bits: 128,
    texts: [],
    document: 'swarm-ron-docs 2.0',
    address: 'https://github.com/gritzko/swarm-ron-docs/tree/2.0',
    node: 'origin',
    fields: {
      variety: { label: 'variety', hue: 'fixed', meaning: 'These bits are always 0.', section: 'Time part format' },
      value: {
        label: 'value',
        hue: 'time',
        meaning: 'Ten digits: a time by the calendar and a sequence number, or a name.',
        section: 'Time part format',
      },
      value_int: {
        label: 'value as an integer',
        hue: 'time',
        meaning: 'The same 60 bits.',
        section: 'Time part format',
      },
      zero: { label: 'zero', hue: 'fixed', meaning: 'These bits are always 0.', section: 'Origin part format' },
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
        label: 'origin as an integer',
        hue: 'node',
        meaning: 'The same 60 bits.',
        section: 'Origin part format',
      },
    },
  },
  'evently-id': {
    title: 'Event ID',
    bits: 128,
    texts: [{ length: 32, ...HEX }],
    document: 'Evently Event ID',
    address: 'https://evently.cloud/concepts/event-id-design/',
    node: 'ledger',
    fields: {
      timestamp_us: {
        label: 'timestamp',
        hue: 'time',
        meaning: 'When the event happened: microseconds since 1970.',
        section: 'Event ID Composition',
      },
      checksum: {
        label: 'checksum',
        hue: 'check',
        meaning: 'CRC-32C of the event and of the ID before it, which makes the ledger a chain.',
        section: 'Event Checksum',
      },
      ledger_id: {
        label: 'ledger',
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
};

export const SPEC_NAMES: SpecName[] = ['scru160', 'euid', 'ulid-flake', 'ron-uid', 'evently-id'];

export function isSpec(name: string | undefined): name is SpecName {
  return name !== undefined && Object.hasOwn(SPECS, name);
}

export const FORMS: Record<Form, string> = {
  text: 'Text',
  hex: 'Hex',
  uuid: 'UUID',
  int: 'Integer',
  base64url: 'Base64url',
};

/** `hex form`, `UUID form`. */
export const formName = (form: Form) => `${form === 'uuid' ? 'UUID' : FORMS[form].toLowerCase()} form`;

export const FORM_NAMES = Object.keys(FORMS) as Form[];

export function isForm(name: string | undefined): name is Form {
  return name !== undefined && Object.hasOwn(FORMS, name);
}

/** A, B, C… for the fields that have bits. */
export function letters(fields: readonly { bits: number }[]): string[] {
  let next = 0;
  return fields.map(({ bits }) => (bits > 0 ? String.fromCharCode(65 + next++) : ''));
}
