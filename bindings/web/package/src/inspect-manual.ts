/**
 * `sortid/inspect` without the loading of its WebAssembly module: call {@link init} first, and `init` of
 * `sortid/manual`.
 *
 * @module
 */

export { SortidError, type ErrorKind, type ModuleSource } from './error.js';
export {
  init,
  inspect,
  type Field,
  type Inspected,
  type Inspection,
  type InspectOptions,
  type Refusal,
  type Suggestion,
} from './inspection.js';
export { DATABASES, rangeQuery, type DatabaseName, type RangeOptions } from './range.js';
