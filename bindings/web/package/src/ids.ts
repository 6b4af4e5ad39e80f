// Written by `cargo xtask layouts` from the descriptions in the crates.

import { EventId } from './specs/evently-id.js';
import { Scru160 } from './specs/scru160.js';
import { Euid } from './specs/euid.js';
import { UlidFlake } from './specs/ulid-flake.js';
import { RonUid } from './specs/ron-uid.js';

export * from './specs/evently-id.js';
export * from './specs/scru160.js';
export * from './specs/euid.js';
export * from './specs/ulid-flake.js';
export * from './specs/ron-uid.js';

/** The class of each specification. */
export const CLASSES = Object.freeze({
  'evently-id': EventId,
  scru160: Scru160,
  euid: Euid,
  'ulid-flake': UlidFlake,
  'ron-uid': RonUid,
});

/** An ID of any of the classes. */
export type AnyId = EventId | Scru160 | Euid | UlidFlake | RonUid;
