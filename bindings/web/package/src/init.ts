import { requireModule, type ModuleSource } from './error.js';
import { load } from './module.js';

/**
 * Loads the WebAssembly module, at once. Only `sortid/manual` needs it: `sortid` has called it. Later calls do nothing.
 *
 * ```js
 * import { Euid, init } from 'sortid/manual';
 *
 * init(await (await fetch('/sortid.wasm')).arrayBuffer());
 * console.log(`${Euid.generate()}`);
 * ```
 */
export function init(module: ModuleSource): void {
  load(requireModule(module));
}
