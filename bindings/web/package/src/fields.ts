// What the classes of IDs share: their fields, and their least and greatest ID.

import { SortidError, wrongType } from './error.js';
import { kindOf, put, take, type ClassOf, type Id } from './id.js';
import { failure, fieldsOf, idWords, raw } from './module.js';
import type { SpecName } from './spec.js';

/** Reads an integer in the range of a field. */
export function integer(spec: SpecName, what: string, value: unknown, bits: number): bigint {
  const int = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
  if (typeof int !== 'bigint') throw wrongType(what, 'an integer', value);
  if (int < 0n || int >> BigInt(bits) !== 0n) {
    throw new SortidError('overflow', `${what}: expected 0 to ${(1n << BigInt(bits)) - 1n}, found ${value}`, { spec });
  }
  // A number above 2^53 has lost its last bits.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw wrongType(what, 'a bigint, as the integer is above 2^53', value);
  }
  return int;
}

/** Makes an ID of these fields. */
export function ofFields<T extends Id>(Class: ClassOf<T>, values: readonly bigint[]): T {
  const fields = fieldsOf();
  fields.fill(0n);
  values.forEach((value, index) => (fields[index] = value));
  const { number, spec } = kindOf(Class, 'fromFields');
  if (!raw.fromFields(number)) throw failure(spec);
  return take(Class);
}

/** The fields of an ID, in the order of the module. */
export function fieldsIn(id: Id): BigUint64Array {
  raw.fields(put(id));
  return fieldsOf();
}

/** A field that a number can have. */
export function field(id: Id, index: number): number {
  return Number(fieldsIn(id)[index]);
}

/** The least or the greatest ID. */
export function extreme<T extends Id>(Class: ClassOf<T>, isMax: boolean): T {
  const { number } = kindOf(Class);
  idWords();
  if (isMax) raw.max(number);
  else raw.min(number);
  return take(Class);
}
