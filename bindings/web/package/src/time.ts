import { isDate, SortidError, timeOf, wrongType } from './error.js';

/** A time: a `Date`, milliseconds since 1970 (a number), or microseconds since 1970 (a bigint). */
export type TimeLike = Date | number | bigint;

/** A `Uint8Array` with memory of its own. TypeScript can tell that from 5.7 on. */
export type Bytes = ReturnType<typeof Uint8Array.of>;

const HALF = 4294967296;

/** Microseconds as two numbers: `high` × 2^32 + `low`. */
export interface Micros {
  readonly high: number;
  readonly low: number;
}

/** Converts a time. No bits are lost: the milliseconds of a number can be many, and can have a fraction. */
export function micros(time: TimeLike, what = 'time'): Micros {
  const value = isDate(time) ? timeOf(time) : time;
  if (typeof value === 'number' && Number.isFinite(value)) {
    const millis = Math.floor(value);
    return split(BigInt(millis) * 1000n + BigInt(Math.floor((value - millis) * 1000)));
  }
  if (typeof value === 'bigint') return split(value);
  throw wrongType(what, 'a valid Date, milliseconds (a number) or microseconds (a bigint)', time);
}

// No time of an ID is nearly so far away, so that the error stays the same.
const FAR = 1n << 80n;

function split(value: bigint): Micros {
  const near = value > FAR ? FAR : value < -FAR ? -FAR : value;
  return { high: Number(near >> 32n), low: Number(near & BigInt(HALF - 1)) };
}

/** Milliseconds since 1970, for an epoch. */
export function epochMillis(epoch: TimeLike): number {
  const { high, low } = micros(epoch, 'epoch');
  const millis = Math.floor((high * HALF + low) / 1000);
  if (millis < 0 || !Number.isSafeInteger(millis)) {
    throw new SortidError('option', `epoch: expected 0 to 2^53 − 1 milliseconds after 1970, found ${millis}`);
  }
  return millis;
}

/** The bytes of hex digits. */
export function bytesOf(hex: string): Bytes {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}
