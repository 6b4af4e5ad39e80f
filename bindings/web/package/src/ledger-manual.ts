/**
 * `sortid/ledger` without the loading of its WebAssembly module: call {@link init} first.
 *
 * @module
 */

export { SortidError, type ErrorKind, type ModuleSource } from './error.js';
export {
  init,
  LedgerVerifier,
  type LedgerFault,
  type LedgerOptions,
  type LedgerProfile,
  type LedgerReport,
} from './verifier.js';
