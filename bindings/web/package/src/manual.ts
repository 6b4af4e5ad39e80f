/**
 * The whole package, without the loading of its WebAssembly module: call {@link init} first.
 *
 * @module
 */

export { detect, type Candidate } from './detect.js';
export { SortidError, type ErrorKind, type ModuleSource } from './error.js';
export * from './generators.js';
export { Id, type ClassOf, type IdClass } from './id.js';
export {
  CLASSES,
  Euid,
  EventId,
  RonUid,
  Scru160,
  UlidFlake,
  type AnyId,
  type EpochOption,
  type Extension,
  type RonScheme,
} from './ids.js';
export { init } from './init.js';
export { FORMS, SPECS, TITLES, type Form, type SpecName } from './spec.js';
export type { TimeLike } from './time.js';
