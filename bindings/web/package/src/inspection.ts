import * as raw from '#inspect';
import {
  characterAt,
  failureOf,
  flag,
  notLoaded,
  readOptions,
  requireModule,
  wrongType,
  type ErrorKind,
  type ModuleSource,
} from './error.js';
import { CLASSES, type AnyId, type Candidate, type IdClass, type TimeLike } from './manual.js';
import { formNumber, specNumber, TITLES, type Form, type SpecName } from './spec.js';
import { bytesOf, epochMillis } from './time.js';

let isLoaded = false;

/**
 * Loads the WebAssembly module, at once. Only `sortid/inspect/manual` needs it, and `init` of `sortid/manual`:
 * `sortid/inspect` has called both. Later calls do nothing.
 */
export function init(source: ModuleSource): void {
  const module = requireModule(source);
  if (!isLoaded) raw.initSync({ module });
  isLoaded = true;
}

/**
 * The module.
 *
 * @internal
 */
export function loaded(): typeof raw {
  if (!isLoaded) throw notLoaded('sortid/inspect');
  return raw;
}

/** How to read a text, and what an ID does not contain. */
export interface InspectOptions {
  /** Only IDs of this specification. */
  spec?: SpecName | undefined;
  /** Only IDs in this form. */
  from?: Form | undefined;
  /** Ulid-Flakes are of the scalable version. */
  scalable?: boolean | undefined;
  /** The time from which the timestamps of Ulid-Flakes count. */
  epoch?: TimeLike | undefined;
  /**
   * How many digits of a RON UID's origin name the peer, the server, the user and the session, such as `0280`.
   */
  scheme?: string | undefined;
}

/** What a text can be. */
export interface Inspection {
  /** The IDs that the text can be, the likeliest first. */
  candidates: Inspected[];
  /** Why each specification does not accept the text. Empty if there are candidates. */
  refusals: Refusal[];
  /** The specification whose refusal helps most. */
  nearest?: SpecName;
  /** What else the text is likely to be: `it looks like a ULID, which is another kind of ID`. */
  note?: string;
  /** What a wrong ID might have been. */
  suggestions: Suggestion[];
}

/** An ID that a text can be, taken apart. */
export interface Inspected extends Omit<Candidate, 'weight'> {
  /** The prefix of a typed ID: `order` of `order_1HZP2F3TARAH1VEXW8BDJPEKP44`. */
  prefix?: string;
  /** The time in RFC 3339, with milliseconds, or with the microseconds of an Event ID. */
  time?: string;
  /** The fields. */
  fields: Field[];
  /** Pieces of the text that have a meaning of their own: the digits of a RON UID's time, the parts of its origin. */
  details: { text: string; name: string; value: string }[];
}

/** A field of an ID. */
export interface Field {
  /** The name. */
  name: string;
  /** The value; `null` if the ID does not have the field. Integers that can be above 2^53 are bigints. */
  value: bigint | number | string | null;
  /** How many bits the field takes. They follow those of the fields before. */
  bits: number;
  /** Where a field of 0 bits comes from. */
  source?: string;
}

/** Why a specification does not accept a text. */
export interface Refusal {
  /** The specification. */
  spec: SpecName;
  /** The name of the specification for people. */
  title: string;
  /** What is wrong. */
  kind: ErrorKind;
  /** What was expected, what was found, and where. */
  message: string;
  /** The index of the wrong character. */
  index?: number;
  /** The ID in a text that has something around it, such as quotes. */
  inner?: string;
}

/** What a wrong ID might have been. */
export interface Suggestion {
  /** The text. A `?` stands for a character that cannot be known. */
  text: string;
  /** The specification. */
  spec: SpecName;
  /** Why this text, in words. */
  why: string;
}

const ENCODER = new TextEncoder();

/** Only the beginning of longer texts is read, because none of them is an ID. */
const LONGEST = 4096;

/**
 * Says what a text can be: the ID of each specification that it fits, in each form, taken apart. If there is none: what
 * is wrong, where, and what the text might have been.
 *
 * ```js
 * const { suggestions, refusals } = inspect('05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW');
 * ```
 *
 * @throws {SortidError} `option` if the epoch is out of range; `length` or `character` if the scheme is not valid.
 */
export function inspect(input: string, options: InspectOptions = {}): Inspection {
  if (typeof input !== 'string') throw wrongType('inspect', 'a string', input);
  const { spec, from, scalable, epoch, scheme } = readOptions('inspect', options, {
    spec: 0,
    from: 0,
    scalable: 0,
    epoch: 0,
    scheme: 0,
  });
  if (scheme !== undefined && typeof scheme !== 'string') throw wrongType('scheme', 'a string', scheme);
  const specOrAny = spec === undefined ? -1 : specNumber(spec);
  const formOrAny = from === undefined ? -1 : formNumber(from);
  const since = epoch === undefined ? NaN : epochMillis(epoch);
  const start = input.length > LONGEST ? input.slice(0, LONGEST) : input;
  const bytes = ENCODER.encode(start);
  const length = bytes.length + (input.length - start.length);
  const json = loaded().inspect(bytes, length, specOrAny, formOrAny, flag('scalable', scalable), since, scheme);
  if (json === undefined) throw failureOf(raw);
  const { candidates, ...rest } = JSON.parse(json) as Omit<Inspection, 'candidates'> & { candidates: RawCandidate[] };
  const inspection = { candidates: candidates.map(inspected), ...rest };
  for (const refusal of inspection.refusals) {
    refusal.title = TITLES[refusal.spec];
    if (refusal.index !== undefined) refusal.index = characterAt(start, refusal.index);
  }
  return inspection;
}

/** What the module writes of a candidate. */
interface RawCandidate extends Omit<Inspected, 'id' | 'title' | 'reasons' | 'fields'> {
  id: string;
  reasons?: string;
  fields: (Omit<Field, 'value'> & { value?: number | string | null; int?: string })[];
}

function inspected({ id, spec, form, reasons, fields, ...rest }: RawCandidate): Inspected {
  const Class = CLASSES[spec] as IdClass<AnyId>;
  return {
    id: Class.fromBytes(bytesOf(id)),
    spec,
    title: TITLES[spec],
    form,
    reasons: reasons?.split(', ') ?? [],
    fields: fields.map(({ name, value = null, int, ...place }) => ({
      name,
      value: int === undefined ? value : BigInt(int),
      ...place,
    })),
    ...rest,
  };
}
