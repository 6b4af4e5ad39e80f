/** What the page has for each specification: a new one has an entry in PAGE. */
import {
  EuidGenerator,
  EventIdGenerator,
  LamportClock,
  RonUidGenerator,
  ScalableGenerator,
  Scru160Generator,
  SPECS as SPEC_NAMES,
  TITLES,
  UlidFlakeGenerator,
  type CLASSES,
  type Form,
  type Id,
  type SpecName,
} from 'sortid/manual';
import { DESCRIBED, type Described, type Hue } from './fields';
import { flag, option, refuse, text, type Filled, type MakeOption } from './make-options';

export { SPEC_NAMES, type Hue };

interface TextForm {
  length: number;
  /** What the digits are called, and which characters they are. */
  digits: string;
  range: string;
  alphabet: RegExp;
}

interface Page<T extends Id> {
  /** The numbers of characters that a text has, with the digits of each. */
  texts: TextForm[];
  /** The most characters of a text, if their number is not fixed. */
  longest?: number;
  document: string;
  address: string;
  /** Whether the time of an ID is in microseconds. */
  hasMicros?: boolean;
  /** The types that a column has to have for a query, in the order of the databases in `span.tsx`. */
  columns: string[];
  /** The part of an ID that shows who made it. The rows of a list can be grouped by it. */
  node?: { name: string; of(id: T, isScalable: boolean): string | number | undefined };
  /** The options of the generator, as `sortid new` has them. */
  options: MakeOption[];
  generator(form: Filled): { generateMany(count: number): T[] };
}

export interface SpecInfo extends Described, Page<Id> {
  title: string;
}

const HEX = { digits: 'hex', range: '0–9 and a–f', alphabet: /^[\da-f]*$/i };
const CROCKFORD = {
  digits: 'Crockford base32',
  range: '0–9 and A–Z without I, L, O and U',
  alphabet: /^[\da-hjkmnp-tv-z]*$/i,
};

const PAGE: { [Name in SpecName]: Page<(typeof CLASSES)[Name]['prototype']> } = {
  scru160: {
    texts: [
      { length: 32, digits: 'base32hex', range: '0–9 and A–V', alphabet: /^[\da-v]*$/i },
      { length: 40, ...HEX },
    ],
    document: 'SCRU160 v0.1.0',
    address: 'https://github.com/scru160/spec',
    columns: ['bytea', 'BINARY(20)', 'BLOB', 'FixedString(20)', 'BLOB'],
    options: [
      text('start', 'Random bits at the start of the counter', '0 to 15; with the microsecond 0 to 5', '15'),
      text('extend', 'Bits that extend the counter', 'bits of random16', '0'),
      text('node', 'Node', 'number and bits: 3:5 is node 3 of 32', '3:5'),
      flag('micros', 'Keep the microsecond', 'in the upper 10 bits of the counter'),
    ],
    generator(form) {
      const node = form.withBits('node', false);
      return new Scru160Generator({
        counterStartBits: form.number('start'),
        counterExtensionBits: form.number('extend'),
        microsCounter: form.given('micros') !== undefined,
        node: node?.value,
        nodeBits: node?.bits,
      });
    },
  },
  euid: {
    texts: [{ length: 27, ...CROCKFORD }],
    document: 'EUID draft 5',
    address: 'https://github.com/ardikars/euid',
    columns: ['uuid', 'BINARY(16)', 'UUID', 'FixedString(16)', 'BLOB'],
    node: { name: 'extension', of: (id) => id.extension?.value },
    options: [
      text('extension', 'Extension', 'a value up to 32767, and its bits: 5:8; 5 alone takes 3', '5:8'),
      flag('no-check', 'Leave out the check', 'mistyped characters are then not noticed'),
    ],
    generator(form) {
      const extension = form.withBits('extension', true);
      return new EuidGenerator({ extension: extension?.value, extensionBits: extension?.bits });
    },
  },
  'ulid-flake': {
    texts: [{ length: 13, ...CROCKFORD }],
    document: 'Ulid-Flake',
    address: 'https://github.com/ulid-flake/spec',
    columns: ['bigint', 'BIGINT', 'BIGINT', 'Int64', 'INTEGER'],
    node: { name: 'node', of: (id, isScalable) => (isScalable ? id.scalable.scalability : undefined) },
    options: [
      flag('scalable', 'Scalable version', '15 random bits and a node ID'),
      text('node', 'Node', '0 to 31, of the scalable version', '7'),
      text('epoch', 'Epoch', 'the time that timestamps count from', '2024-01-01'),
      text('entropy', 'Random bytes of a step', '1 to 3; in the scalable version 1 or 2', '1'),
    ],
    generator(form) {
      const options = { epoch: form.time('epoch'), entropyBytes: form.number('entropy') };
      if (!form.given('scalable')) {
        if (!form.given('node')) return new UlidFlakeGenerator(options);
        refuse('node', 'Only the scalable version has a node. Check “Scalable version”, or leave the node out.');
      }
      const node = form.number('node') ?? refuse('node', 'The scalable version needs a node ID, 0 to 31.');
      return new ScalableGenerator({ node, ...options });
    },
  },
  'ron-uid': {
    texts: [],
    longest: 21,
    document: 'swarm-ron-docs 2.0',
    address: 'https://github.com/gritzko/swarm-ron-docs/tree/2.0',
    columns: ['bytea', 'BINARY(16)', 'BLOB', 'FixedString(16)', 'BLOB'],
    node: { name: 'origin', of: (id) => id.origin },
    options: [
      text('origin', 'Origin', 'the replica: up to 10 digits of Base64x64', 'Xgritzk0_D'),
      text('length', 'Least digits of a time', '5 to 10; with a count, the number of digits: 1 to 10', '10'),
      flag('logical', 'Count instead of reading the clock', 'a Lamport clock'),
    ],
    generator(form) {
      const [origin, length] = [form.given('origin'), form.number('length')];
      if (form.given('logical')) return new LamportClock(origin ?? '0', length ?? 5);
      if (origin !== undefined) return new RonUidGenerator({ origin, minLength: length });
      refuse('origin', 'A RON UID needs an origin: up to 10 digits that name the replica, such as Xgritzk0_D.');
    },
  },
  'evently-id': {
    texts: [{ length: 32, ...HEX }],
    document: 'Evently Event ID',
    address: 'https://evently.cloud/concepts/event-id-design/',
    hasMicros: true,
    columns: ['uuid', 'BINARY(16)', 'UUID', 'FixedString(16)', 'BLOB'],
    node: { name: 'ledger', of: (id) => ledger(parseInt(id.ledgerId, 16)) },
    options: [text('ledger', 'Ledger ID', '8 hex digits; random if it is empty', 'c0331dd8')],
    generator(form) {
      const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
      return option('ledger', () => new EventIdGenerator(form.given('ledger') ?? ledger(random)));
    },
  },
};

/** A ledger ID of version 0. */
function ledger(int: number): string {
  return ((int & ~3) >>> 0).toString(16).padStart(8, '0');
}

export const SPECS = Object.fromEntries(
  SPEC_NAMES.map((name): [SpecName, SpecInfo] => [name, { title: TITLES[name], ...DESCRIBED[name], ...PAGE[name] }]),
) as Record<SpecName, SpecInfo>;

/** What the views begin with: the specification for whoever has no reason for another. */
export const USUAL: SpecName = 'euid';

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
