import { fetched } from './fetched.js';
import { init } from './manual.js';

export * from './manual.js';

// Bundlers know this form of an address, and copy the file.
init(await fetched(new URL('./sortid.wasm', import.meta.url)));
