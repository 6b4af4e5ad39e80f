// The examples of the README: each runs, and prints the output that its comments have.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { PACKAGE } from './helpers.mjs';

const README = readFileSync(new URL('../../package/README.md', import.meta.url), 'utf8');

test('every example of the README prints what it says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sortid-readme-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(PACKAGE, join(folder, 'node_modules/sortid'));
    const examples = [...README.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
    assert.ok(examples.length >= 5);
    for (const [index, code] of examples.entries()) {
      const file = join(folder, `${index}.mjs`);
      writeFileSync(file, code);
      const printed = execFileSync(process.execPath, ['--preserve-symlinks', file], { encoding: 'utf8' });
      for (const [, expected] of code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)) {
        assert.ok(printed.includes(`${expected}\n`), `expected ${expected}, printed:\n${printed}`);
      }
      assert.doesNotMatch(printed, /undefined|NaN/);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
