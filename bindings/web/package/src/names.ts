// Written by `cargo xtask layouts` from the descriptions in the crates.

/** The name of a specification. */
export type SpecName = 'evently-id' | 'scru160' | 'euid' | 'ulid-flake' | 'ron-uid';

/** The specifications, in the order of the module's numbers. */
export const SPECS: readonly SpecName[] = Object.freeze(['evently-id', 'scru160', 'euid', 'ulid-flake', 'ron-uid']);

/** The names of the specifications for people. */
export const TITLES: Readonly<Record<SpecName, string>> = Object.freeze({
  'evently-id': 'Event ID',
  scru160: 'SCRU160',
  euid: 'EUID',
  'ulid-flake': 'Ulid-Flake',
  'ron-uid': 'RON UID',
});

/** The number of bytes of an ID. */
export const BYTES: Readonly<Record<SpecName, number>> = Object.freeze({
  'evently-id': 16,
  scru160: 20,
  euid: 16,
  'ulid-flake': 8,
  'ron-uid': 16,
});
