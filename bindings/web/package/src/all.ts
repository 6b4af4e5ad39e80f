/**
 * Everything in one module of WebAssembly, for the inspector.
 *
 * @module
 */

import type { ModuleSource } from './error.js';
import { init as initIds } from './init.js';
import { init as initInspection } from './inspection.js';
import { init as initLedger } from './verifier.js';

export * from './inspect-manual.js';
export * from './ledger-manual.js';
export * from './manual.js';

/** Loads the module, at once. */
export function init(module: ModuleSource): void {
  initIds(module);
  initInspection(module);
  initLedger(module);
}
