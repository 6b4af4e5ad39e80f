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
