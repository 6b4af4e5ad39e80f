import { fetched } from './fetched.js';
import { init } from './ledger-manual.js';

export * from './ledger-manual.js';

// Bundlers know this form of an address, and copy the file.
init(await fetched(new URL('./ledger.wasm', import.meta.url)));
