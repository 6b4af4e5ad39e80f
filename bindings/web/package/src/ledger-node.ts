import { readFileSync } from 'node:fs';
import { init } from './ledger-manual.js';

export * from './ledger-manual.js';

init(readFileSync(new URL('./ledger.wasm', import.meta.url)));
