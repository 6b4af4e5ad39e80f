// The package as users get it: packed, installed, type-checked, bundled, and run in Chromium.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build as esbuild } from 'esbuild';
import { chromium } from 'playwright-core';
import { build as vite } from 'vite';
import { PACKAGE } from './helpers.mjs';

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--disable-sync',
    '--no-first-run',
  ],
};

/** A program of a user, which uses each entry. */
const PROGRAM = `
import { Euid, EuidGenerator, SortidError, detect, type Candidate, type TimeLike } from 'sortid';
import { LedgerVerifier, type LedgerReport } from 'sortid/ledger';
import { inspect, rangeQuery, type Inspection } from 'sortid/inspect';

const time: TimeLike = new Date('2024-06-06');
const id: Euid = new EuidGenerator({ extension: 5 }).generate();
const ids: Euid[] = [Euid.parse(id.toString()), Euid.minAt(time), id].sort(Euid.compare);
const millis: number = id.unixMillis;
const date: Date = id.date;
const int: bigint = id.toBigInt();
const [candidate]: Candidate[] = detect(id.toString());
const inspection: Inspection = inspect(id.to('uuid'));
const verifier = new LedgerVerifier({ strict: true });
verifier.push(new TextEncoder().encode('{}'));
const report: LedgerReport = verifier.finish();
let kind = '';
try {
  Euid.parse('wrong');
} catch (error) {
  if (error instanceof SortidError) kind = error.kind;
}
const sql = rangeQuery('euid', { database: 'sqlite', table: 't', column: 'id', since: time, until: Date.now() });
const result = [
  ids.length === 3 && ids[2]!.equals(id) && Math.abs(millis - Date.now()) < 60_000 && date.getTime() === millis && int > 0n,
  candidate!.id instanceof Euid && candidate!.id.equals(id),
  inspection.candidates[0]!.id instanceof Euid && report.firstFault!.kind,
  kind,
  sql.slice(0, 6),
];
(globalThis as { result?: string }).result = JSON.stringify(result);
console.log(JSON.stringify(result));
`;

const RESULT = JSON.stringify([true, true, 'missing_member', 'length', 'SELECT']);

/** A program of a project that has neither the types of the DOM nor those of Node.js. */
const SMALL = `
import { CLASSES, Euid, type AnyId, type Id, type IdClass, type SpecName } from 'sortid';
import { init } from 'sortid/manual';
import { LedgerVerifier } from 'sortid/ledger';
import { rangeQuery } from 'sortid/inspect';
import { init as initInspection } from 'sortid/inspect/manual';
import { init as initLedger } from 'sortid/ledger/manual';

function load<T extends Id>(Class: IdClass<T>, text: string): T {
  return Class.parse(text);
}
const id: Euid = load(Euid, Euid.MIN.toString());
const any = (CLASSES['euid' as SpecName] as IdClass<AnyId>).parse('x');
export const bits: number = any.spec === 'euid' ? any.extensionBits : 0;
const bytes: Uint8Array = id.toBytes();
for (const load of [init, initInspection, initLedger]) load(bytes);
new LedgerVerifier().push(bytes);
rangeQuery('ulid-flake', { database: 'sqlite', table: 't', column: 'id', since: 0, until: 1, epoch: 0 });
`;

/** What the types have to refuse. */
const WRONG = `
import { Euid, RonUid, Scru160 } from 'sortid';
new Euid();
Euid.parse(5);
Euid.compare(Euid.MIN, Scru160.MIN);
RonUid.MIN.unixMillis.toFixed();
Euid.MIN.spec = 'euid';
`;

let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortid-package-'));
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename }] = JSON.parse(npm('pack', '--json', PACKAGE));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'user', version: '1.0.0', type: 'module', private: true }),
  );
  npm('install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  writeFileSync(join(folder, 'small.ts'), SMALL);
  writeFileSync(join(folder, 'wrong.ts'), WRONG);
});

after(() => rmSync(folder, { recursive: true, force: true }));

const installed = () => join(folder, 'node_modules/sortid');

test('the package has its files, and no others', () => {
  const names = readdirSync(installed(), { recursive: true });
  for (const name of [
    'README.md',
    'LICENSE-MIT',
    'LICENSE-APACHE',
    'sortid.wasm',
    'ledger.wasm',
    'inspect.wasm',
  ]) {
    assert.ok(names.includes(name), `${name} of ${names}`);
  }
  const { exports, dependencies } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
  for (const entry of Object.values(exports)) {
    for (const path of typeof entry === 'string' ? [entry] : Object.values(entry)) {
      assert.ok(names.includes(path.replace('./', '')), path);
    }
  }
  for (const name of names.filter((name) => name.endsWith('.d.ts'))) {
    const types = readFileSync(join(installed(), name), 'utf8');
    for (const [, path] of types.matchAll(/from '(\.[^']*)'/g))
      assert.ok(names.includes(join(dirname(name), path).replace('.js', '.d.ts')), `${name}: ${path}`);
  }
});

/** Checks the types of a file as a user's project would. */
function typeCheck(file, moduleResolution, lib = ['es2022', 'dom']) {
  const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext';
  const project = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib,
      types: [],
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module,
      moduleResolution,
    },
    files: [file],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const tsc = join(HERE, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '--project', folder], { cwd: folder, encoding: 'utf8' });
}

for (const moduleResolution of ['bundler', 'nodenext']) {
  test(`a strict program type-checks with ${moduleResolution}, and wrong ones do not`, () => {
    const { stdout, status } = typeCheck('program.ts', moduleResolution);
    assert.deepEqual([stdout, status], ['', 0]);
    const wrong = typeCheck('wrong.ts', moduleResolution).stdout;
    const lines = [...wrong.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    assert.deepEqual([...new Set(lines)], [3, 4, 5, 6, 7], wrong);
  });
}

test('the types need no types of browsers or of Node.js', () => {
  const { stdout, status } = typeCheck('small.ts', 'bundler', ['es2022']);
  assert.deepEqual([stdout, status], ['', 0]);
});

test('the declarations have the documentation', () => {
  const types = readFileSync(join(installed(), 'specs/scru160.d.ts'), 'utf8');
  assert.match(types, /\/\*\* The field `counter`, 16 bits/);
  assert.doesNotMatch(readFileSync(join(installed(), 'id.d.ts'), 'utf8'), /#glue|#ids/);
});

test('the package works in Node.js', async () => {
  await esbuild({ entryPoints: [join(folder, 'program.ts')], outfile: join(folder, 'program.mjs'), format: 'esm' });
  assert.equal(execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' }).trim(), RESULT);
});

test('a bundle of Vite runs in Chromium, with a content security policy', async () => {
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
  const html = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><script type="module" src="/program.ts"></script>`;
  writeFileSync(join(folder, 'index.html'), html);
  const outDir = join(folder, 'vite');
  await vite({
    root: folder,
    logLevel: 'error',
    configFile: false,
    build: { outDir, assetsInlineLimit: 0, modulePreload: false },
  });
  assert.equal(readdirSync(join(outDir, 'assets')).filter((name) => name.endsWith('.wasm')).length, 3);
  await runs(outDir);
});

test('a bundle of esbuild runs in Chromium, with the modules beside it', async () => {
  const outDir = join(folder, 'esbuild');
  await esbuild({
    entryPoints: [join(folder, 'program.ts')],
    outdir: outDir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    logLevel: 'error',
  });
  for (const name of ['sortid', 'ledger', 'inspect'])
    cpSync(join(installed(), `${name}.wasm`), join(outDir, `${name}.wasm`));
  writeFileSync(join(outDir, 'index.html'), '<!doctype html><script type="module" src="program.js"></script>');
  await runs(outDir);
});

test('the package runs in Chromium without a bundler', async () => {
  const outDir = join(folder, 'plain');
  mkdirSync(outDir);
  cpSync(installed(), join(outDir, 'sortid'), { recursive: true });
  await esbuild({ entryPoints: [join(folder, 'program.ts')], outfile: join(outDir, 'program.js'), format: 'esm' });
  const imports = {
    sortid: './sortid/index.js',
    'sortid/ledger': './sortid/ledger.js',
    'sortid/inspect': './sortid/inspect.js',
  };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  writeFileSync(join(outDir, 'index.html'), `<!doctype html>${map}<script type="module" src="program.js"></script>`);
  await runs(outDir);
});

/** Asserts that the page of a folder has the result, when a server on this machine serves it. */
async function runs(outDir) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    try {
      const file = readFileSync(join(outDir, path === '/' ? 'index.html' : path));
      response
        .writeHead(200, { 'content-type': types[extname(path) || '.html'] ?? 'application/octet-stream' })
        .end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch(CHROMIUM);
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on(
      'console',
      (message) => message.type() === 'error' && !/favicon/.test(message.location().url) && errors.push(message.text()),
    );
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => globalThis.result !== undefined, null, { timeout: 20_000 }).catch(() => {});
    assert.deepEqual(errors, []);
    assert.equal(await page.evaluate(() => globalThis.result), RESULT);
  } finally {
    await browser.close();
    server.close();
  }
}
