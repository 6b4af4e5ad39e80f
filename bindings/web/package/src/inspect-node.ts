import './node.js';
import { readFileSync } from 'node:fs';
import { init } from './inspect-manual.js';

export * from './inspect-manual.js';

init(readFileSync(new URL('./inspect.wasm', import.meta.url)));
