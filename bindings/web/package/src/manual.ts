/**
 * The whole package, without the loading of its WebAssembly module: call {@link init} first.
 *
 * @module
 */

export { detect, type Candidate } from './detect.js';
export { SortidError, type ErrorKind, type ModuleSource } from './error.js';
export { Generator, type GeneratorOptions, type Rollback } from './generator.js';
export { Id, type ClassOf, type IdClass } from './id.js';
export * from './ids.js';
export { init } from './init.js';
export { FORMS, SPECS, TITLES, type Form, type SpecName } from './spec.js';
export type { TimeLike } from './time.js';
