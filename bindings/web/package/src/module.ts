// The WebAssembly module, and the tray in its memory: the place where IDs and texts are passed. `src/tray.rs` is the
// other side.

import * as raw from '#ids';
import { failureOf, notLoaded, SortidError } from './error.js';
import type { SpecName } from './spec.js';

export { raw };

/** The longest text that the tray holds. */
const LONGEST_TEXT = 64;

/** No text of an ID is nearly as long. Longer texts are refused before they are copied. */
const LONGEST_INPUT = 1 << 16;

/** How many IDs the tray holds, and the words of each. */
export const BATCH = 256;
export const BATCH_WORDS = 5;

/** The views of the tray. They lose their memory when it grows. */
let id = new Int32Array(0);
let other = id;
let batch = id;
let text = new Uint8Array(0);
let fields = new BigUint64Array(0);
let memory: WebAssembly.Memory | undefined;

/**
 * Loads the module, unless it is loaded.
 *
 * @internal
 */
export function load(module: WebAssembly.Module | BufferSource): void {
  memory ??= raw.initSync({ module }).memory;
}

function refresh(): void {
  if (!memory) throw notLoaded('sortid');
  const { buffer } = memory;
  const at = raw.tray();
  id = new Int32Array(buffer, at, BATCH_WORDS);
  other = new Int32Array(buffer, at + 32, BATCH_WORDS);
  text = new Uint8Array(buffer, at + 64, LONGEST_TEXT);
  fields = new BigUint64Array(buffer, at + 64, LONGEST_TEXT / 8);
  batch = new Int32Array(buffer, at + 128, BATCH * BATCH_WORDS);
}

/** The words of the ID in the tray. */
export function idWords(): Int32Array {
  if (id.length === 0) refresh();
  return id;
}

/** The words of the second ID in the tray. */
export function otherWords(): Int32Array {
  if (id.length === 0) refresh();
  return other;
}

/** The words of many IDs in the tray. */
export function batchWords(): Int32Array {
  if (id.length === 0) refresh();
  return batch;
}

/** The integers in the tray. */
export function fieldsOf(): BigUint64Array {
  if (id.length === 0) refresh();
  return fields;
}

/** Characters of each length, which become a string without more allocations. */
const CODES: number[][] = Array.from({ length: LONGEST_TEXT + 1 }, (_, length) => new Array<number>(length).fill(0));

/** The text in the tray. */
export function takeText(length: number): string {
  if (id.length === 0) refresh();
  const codes = CODES[length]!;
  for (let i = 0; i < length; i += 1) codes[i] = text[i]!;
  return String.fromCharCode.apply(null, codes);
}

/** Puts a text into the tray. Returns whether it fits, and all characters are ASCII. */
export function putText(value: string): boolean {
  if (id.length === 0) refresh();
  const { length } = value;
  if (length > LONGEST_TEXT) return false;
  let all = 0;
  for (let i = 0; i < length; i += 1) {
    const code = value.charCodeAt(i);
    all |= code;
    text[i] = code;
  }
  return all < 128;
}

const ENCODER = new TextEncoder();

/** The bytes of a text that is not longer than any input should be. */
export function encode(value: string, spec: SpecName): Uint8Array {
  if (value.length > LONGEST_INPUT) {
    const found = `expected at most ${LONGEST_INPUT} characters, found ${value.length}`;
    throw new SortidError('length', found, { spec });
  }
  return ENCODER.encode(value);
}

/** The error of the call that has just failed. `input` is the text that it read. */
export function failure(spec?: SpecName, input?: string): SortidError {
  return failureOf(raw, spec, input);
}
