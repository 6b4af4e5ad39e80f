import './index.js';
import { fetched } from './fetched.js';
import { init } from './inspect-manual.js';

export * from './inspect-manual.js';

// Bundlers know this form of an address, and copy the file.
init(await fetched(new URL('./inspect.wasm', import.meta.url)));
