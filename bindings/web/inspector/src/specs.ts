/** What the page says about each specification and its fields. */
import { SPECS as SPEC_NAMES, TITLES, type Form, type SpecName } from 'sortid/manual';
import { DESCRIBED, type Described, type Hue } from './fields';

export { SPEC_NAMES, type Hue };

interface TextForm {
  length: number;
  /** What the digits are called, and which characters they are. */
  digits: string;
  range: string;
  alphabet: RegExp;
}

export interface SpecInfo extends Described {
  title: string;
  /** The numbers of characters that a text has, with the digits of each. */
  texts: TextForm[];
  document: string;
  address: string;
  /** What the rows of a list can be grouped by. */
  node: string;
}

const HEX = { digits: 'hex', range: '0–9 and a–f', alphabet: /^[\da-f]*$/i };
const CROCKFORD = {
  digits: 'Crockford base32',
  range: '0–9 and A–Z without I, L, O and U',
  alphabet: /^[\da-hjkmnp-tv-z]*$/i,
};

/** What only the page says about a specification. */
const PAGE: Record<SpecName, Omit<SpecInfo, 'title' | 'bits' | 'fields'>> = {
  scru160: {
    texts: [
      { length: 32, digits: 'base32hex', range: '0–9 and A–V', alphabet: /^[\da-v]*$/i },
      { length: 40, ...HEX },
    ],
    document: 'SCRU160 v0.1.0',
    address: 'https://github.com/scru160/spec',
    node: 'the upper bits of random16',
  },
  euid: {
    texts: [{ length: 27, ...CROCKFORD }],
    document: 'EUID draft 5',
    address: 'https://github.com/ardikars/euid',
    node: 'extension',
  },
  'ulid-flake': {
    texts: [{ length: 13, ...CROCKFORD }],
    document: 'Ulid-Flake',
    address: 'https://github.com/ulid-flake/spec',
    node: 'node (scalable version)',
  },
  'ron-uid': {
    texts: [],
    document: 'swarm-ron-docs 2.0',
    address: 'https://github.com/gritzko/swarm-ron-docs/tree/2.0',
    node: 'origin',
  },
  'evently-id': {
    texts: [{ length: 32, ...HEX }],
    document: 'Evently Event ID',
    address: 'https://evently.cloud/concepts/event-id-design/',
    node: 'ledger',
  },
};

export const SPECS = Object.fromEntries(
  SPEC_NAMES.map((name) => [name, { title: TITLES[name], ...DESCRIBED[name], ...PAGE[name] }]),
) as Record<SpecName, SpecInfo>;

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
