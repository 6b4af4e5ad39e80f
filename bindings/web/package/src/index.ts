import { init } from './manual.js';

export * from './manual.js';

// Bundlers know this form of an address, and copy the file.
const response = await fetch(new URL('./sortid.wasm', import.meta.url));
if (!response.ok) throw new Error(`cannot load ${response.url}: ${response.status} ${response.statusText}`);
init(await response.arrayBuffer());
