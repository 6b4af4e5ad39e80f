import { readFileSync } from 'node:fs';
import { init } from './manual.js';

export * from './manual.js';

init(readFileSync(new URL('./sortid.wasm', import.meta.url)));
