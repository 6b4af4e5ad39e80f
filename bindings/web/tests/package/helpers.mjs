// What the tests of the package share.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as ids from '../../../../target/web/package/node.js';

export const ROOT = new URL('../../../../', import.meta.url);
export const PACKAGE = fileURLToPath(new URL('target/web/package/', ROOT));

/** A file of vectors/. */
export function data(name) {
  return readFileSync(new URL(`vectors/${name}`, ROOT), 'utf8');
}

/** The groups of vectors/NAME.json. */
export function vectors(name) {
  return JSON.parse(data(`${name}.json`)).groups;
}

/** Asserts that the function throws a SortidError of this kind, and returns it. */
export function refused(kind, body) {
  let error;
  try {
    body();
  } catch (caught) {
    error = caught;
  }
  assert.ok(
    error instanceof ids.SortidError || error?.name === 'SortidError',
    `expected a SortidError, found ${error}`,
  );
  assert.equal(error.kind, kind, error.message);
  return error;
}

/** Random integers of a seed (mulberry32), so that a failure can be repeated. */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Bytes that are an ID of the class. */
export function randomBytes(Class, next) {
  // Some bits are the same in all IDs.
  const greatest = Class.MAX.toBytes();
  return Class.MIN.toBytes().map((least, index) => least | (next() & (least ^ greatest[index])));
}

/** Runs `body` with another clock. */
export async function withClock(clock, body) {
  const { now } = Date;
  Date.now = clock;
  try {
    return await body();
  } finally {
    Date.now = now;
  }
}
