import { isBytes, wrongType } from './error.js';
import type { IdClass } from './id.js';
import { CLASSES, type AnyId } from './ids.js';
import { idWords, raw } from './module.js';
import { TITLES, type Form, type SpecName } from './spec.js';
import { bytesOf } from './time.js';

/** An ID that a text or bytes can be. */
export interface Candidate {
  /** The ID. */
  id: AnyId;
  /** Its specification. */
  spec: SpecName;
  /** The name of the specification for people. */
  title: string;
  /** The form of the text; `hex` for bytes. */
  form: Form;
  /** How many bits of the text or bytes the reasons explain. A word has 0: it may be a RON name or anything else. */
  weight: number;
  /** Why the text can be this ID: `27 Crockford base32 digits`, `the check is right`. */
  reasons: string[];
}

const ENCODER = new TextEncoder();

/** No text of an ID is longer, in any form. */
const LONGEST = 256;

/**
 * Finds every specification whose ID the bytes can be, or whose natural text the input can be, with the reasons. The
 * likeliest comes first; there may be none. `inspect` of `sortid/inspect` reads the other forms, too, such as UUIDs.
 *
 * ```js
 * const [first] = detect('C8EE934SR007G5Q94QKKXFRFV8B');
 * if (first) console.log(first.spec, first.reasons); // euid [ '27 Crockford base32 digits', 'the check is right' ]
 * ```
 */
export function detect(input: string | Uint8Array): Candidate[] {
  const isText = typeof input === 'string';
  if (!isText && !isBytes(input)) throw wrongType('detect', 'a string or a Uint8Array', input);
  idWords();
  if (input.length > LONGEST) return [];
  const json = isText ? raw.detectText(ENCODER.encode(input)) : raw.detectBytes(input);
  const found = JSON.parse(json) as { spec: SpecName; id: string; weight: number; reasons: string[] }[];
  return found.map(({ spec, id, weight, reasons }) => ({
    id: (CLASSES[spec] as IdClass<AnyId>).fromBytes(bytesOf(id)),
    spec,
    title: TITLES[spec],
    form: isText ? 'text' : 'hex',
    weight,
    reasons,
  }));
}
