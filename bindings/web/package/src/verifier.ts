import * as raw from '#ledger';
import {
  failureOf,
  flag,
  isBytes,
  notLoaded,
  readOptions,
  requireModule,
  SortidError,
  wrongType,
  type ModuleSource,
} from './error.js';
import type { EventId } from './ids.js';

/** Which members of an event the checksums cover: `entity` and `key`, or `entities`. */
export type LedgerProfile = 'classic' | 'entities';

/** The options of a verifier. */
export interface LedgerOptions {
  /** Which members the checksums cover. By default, the profile of the first event without a fault. */
  profile?: LedgerProfile | undefined;
  /** Refuse members that no checksum protects: unknown ones, and those that an object has twice. */
  strict?: boolean | undefined;
  /** Begin with the event after this one, which you trust, instead of with the first one of the ledger. */
  after?: EventId | string | undefined;
  /** Ignore all lines after the first fault. */
  stopAtFirstFault?: boolean | undefined;
}

/** What a verifier found. */
export interface LedgerReport {
  /** Whether there are events, and no line has a fault. */
  valid: boolean;
  /** Whether there are no events, so that nothing was verified: `valid` is false then, but there is no fault. */
  isEmpty: boolean;
  /** The number of lines that are not blank, faulty lines included. */
  events: number;
  /** The number of all lines. */
  lines: number;
  /** Which members the checksums cover; `undefined` if no line determined it. */
  profile?: LedgerProfile;
  /**
   * What the first event was checked against: it is the `published` or the `deployed` first event of a ledger, or
   * follows a `trusted` one. `undefined` if it is faulty, or there is none.
   */
  genesis?: 'published' | 'deployed' | 'trusted';
  /** The ledger ID: 8 hex digits. */
  ledgerId?: string;
  /** The ID of the last event. Compare it with the one that you expect: missing lines at the end are not a fault. */
  lastEventId?: string;
  /** The number of lines with a fault. */
  faults: number;
  /** The first fault. */
  firstFault?: LedgerFault;
  /** The first faults, at most 100. */
  listed: LedgerFault[];
}

/** A fault in a line of a ledger. */
export interface LedgerFault {
  /** The line, counted from 1, blank lines included. */
  line: number;
  /** What is wrong. If several things are, the first of this list. */
  kind:
    | 'malformed_line'
    | 'unknown_member'
    | 'duplicate_member'
    | 'missing_member'
    | 'timestamp_mismatch'
    | 'ledger_changed'
    | 'time_not_ascending'
    | 'id_mismatch';
  /** What was expected, in words or as the ID or time that is right. */
  expected: string;
  /** What was found instead. */
  found: string;
  /** The fault in a sentence. */
  message: string;
  /** The column of the fault in characters, counted from 1, if it has one. */
  column?: number;
  /** The line without its line ending; of a line of more than 4 KB, a part of it around the column. */
  text: string;
  /** The column of the first character of `text`: 1, or more if it is a part from the middle of the line. */
  textColumn: number;
}

let isLoaded = false;

/**
 * Loads the WebAssembly module, at once. Only `sortid/ledger/manual` needs it: `sortid/ledger` has called it. Later
 * calls do nothing.
 */
export function init(source: ModuleSource): void {
  const module = requireModule(source);
  if (!isLoaded) raw.initSync({ module });
  isLoaded = true;
}

/** How many bytes are copied into the module at once. */
const PIECE = 1 << 18;

/**
 * Verifies a ledger of Evently's events, which arrives in pieces: computes the ID of each event again, from the event
 * and the ID before it. Pieces may end anywhere, even within a line or a character.
 *
 * ```js
 * const verifier = new LedgerVerifier();
 * const reader = file.stream().getReader();
 * for (let next = await reader.read(); !next.done; next = await reader.read()) verifier.push(next.value);
 * const { valid, isEmpty, firstFault } = verifier.finish();
 * ```
 */
export class LedgerVerifier {
  #ledger: raw.Ledger | undefined;
  #bytes = 0;
  #report: LedgerReport | undefined;

  /** @throws {SortidError} `option` if the profile is unknown; those of `EventId.parse` if `after` is not an ID. */
  constructor(options: LedgerOptions = {}) {
    const { profile, strict, after, stopAtFirstFault } = readOptions('LedgerVerifier', options, {
      profile: 0,
      strict: 0,
      after: 0,
      stopAtFirstFault: 0,
    });
    const isId = after === undefined || typeof after === 'string' || after?.spec === 'evently-id';
    if (!isId) throw wrongType('after', 'an EventId or its text', after);
    if (profile !== undefined && typeof profile !== 'string') throw wrongType('profile', 'a string', profile);
    if (!isLoaded) throw notLoaded('sortid/ledger');
    const previous = after === undefined ? undefined : `${after}`;
    this.#ledger = raw.Ledger.start(profile, flag('strict', strict), flag('stopAtFirstFault', stopAtFirstFault), previous);
    if (!this.#ledger) throw failureOf(raw, 'evently-id');
  }

  /**
   * Verifies the lines that end in this piece.
   *
   * @throws {SortidError} `line_length` if no memory is left for a line. The verifier cannot go on then.
   */
  push(chunk: Uint8Array): void {
    if (!isBytes(chunk)) throw wrongType('push', 'a Uint8Array', chunk);
    const ledger = this.#open();
    for (let at = 0; at < chunk.length && !ledger.isDone(); at += PIECE) {
      if (!ledger.push(chunk.subarray(at, at + PIECE))) {
        const error = failureOf(raw, 'evently-id');
        this.free();
        throw error;
      }
    }
    this.#bytes += chunk.length;
  }

  /** Verifies the last line, which may lack its line feed, and returns the report. The verifier has ended then. */
  finish(): LedgerReport {
    if (!this.#report) {
      const report = JSON.parse(this.#open().finish()) as LedgerReport;
      report.isEmpty = report.events === 0;
      if (report.listed.length > 0) report.firstFault = report.listed[0]!;
      this.#report = report;
      this.free();
    }
    return this.#report;
  }

  /** How many bytes were pushed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many events were verified. */
  get events(): number {
    return this.#report?.events ?? this.#ledger?.events() ?? 0;
  }

  /** How many lines have a fault so far. */
  get faults(): number {
    return this.#report?.faults ?? this.#ledger?.faults() ?? 0;
  }

  /** Whether all further lines are ignored, after {@link LedgerOptions.stopAtFirstFault}. */
  get isDone(): boolean {
    return this.#ledger?.isDone() ?? true;
  }

  /** Frees the memory of a verifier that is not finished. The garbage collector does it, too, but later. */
  free(): void {
    this.#ledger?.free();
    this.#ledger = undefined;
  }

  #open(): raw.Ledger {
    if (!this.#ledger) throw new SortidError('other', 'the verifier has ended: make a new LedgerVerifier', { spec: 'evently-id' });
    return this.#ledger;
  }
}
