// Builds the package from the modules and their JavaScript, which `cargo xtask web` has put into target/web/glue/, and then
// the inspector: `node build.mjs`.

import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TARGET = join(HERE, '../../target/web');
const GLUE = join(TARGET, 'glue');
const SOURCE = join(HERE, 'package/src');
const PACKAGE = join(TARGET, 'package');

/** The package with one module that has everything, for the inspector. */
const ALL = join(TARGET, 'all');

/** The entries of the package, each with the files that it loads in a browser. */
const ENTRIES = {
  sortid: ['index.js', 'manual.js', 'error.js', 'sortid.wasm'],
  'sortid/ledger': ['ledger.js', 'ledger-manual.js', 'error.js', 'ledger.wasm'],
  'sortid/inspect, in addition to sortid': ['inspect.js', 'inspect-manual.js', 'inspect.wasm'],
};

/** The most bytes of the files of an entry, each compressed, for each specification. */
const MOST_EACH = 12.2 * 1024;

/** The most bytes of the ledger's files: 20 KB read and print numbers as Evently's published validator does. */
const MOST_OF_LEDGER = 78 * 1024;

const OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  minify: true,
  // Messages have the names of classes.
  keepNames: true,
  legalComments: 'none',
  external: ['node:fs'],
};

async function buildPackage() {
  rmSync(PACKAGE, { recursive: true, force: true });
  mkdirSync(PACKAGE, { recursive: true });
  const names = [
    'index',
    'manual',
    'node',
    'error',
    ...['ledger', 'inspect'].flatMap((it) => [it, `${it}-manual`, `${it}-node`]),
  ];
  await build({
    ...OPTIONS,
    entryPoints: names.map((name) => join(SOURCE, `${name}.ts`)),
    outdir: PACKAGE,
    alias: Object.fromEntries(['ids', 'ledger', 'inspect'].map((part) => [`#${part}`, glue(part)])),
    plugins: [{ name: 'entries', setup: shareEntries }],
  });
  for (const [part, name] of [
    ['ids', 'sortid'],
    ['ledger', 'ledger'],
    ['inspect', 'inspect'],
  ]) {
    cpSync(join(GLUE, part, 'sortid_wasm_bg.wasm'), join(PACKAGE, `${name}.wasm`));
  }
  for (const name of ['package.json', 'README.md']) {
    if (existsSync(join(HERE, 'package', name))) cpSync(join(HERE, 'package', name), join(PACKAGE, name));
  }
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(join(HERE, '../..', name), join(PACKAGE, name));
  compile('package');
}

/** Checks the types, and writes the declarations of the package. */
function compile(project) {
  const program = join(HERE, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [program, '--project', join(HERE, project, 'tsconfig.json')], { stdio: 'inherit' });
}

/** The entries import each other, so that there is one class of each name, and one module of each kind in memory. */
function shareEntries({ onResolve }) {
  const entry = /^\.\.?\/((ledger-|inspect-)?manual|index|node|error)\.js$/;
  // The modules in a folder of the sources are bundled into files beside the entries.
  onResolve({ filter: entry }, ({ path }) => ({ path: path.replace('../', './'), external: true }));
}

async function buildAll() {
  rmSync(ALL, { recursive: true, force: true });
  await build({
    ...OPTIONS,
    entryPoints: { manual: join(SOURCE, 'all.ts') },
    outdir: ALL,
    alias: Object.fromEntries(['ids', 'ledger', 'inspect'].map((part) => [`#${part}`, glue('all')])),
  });
  cpSync(join(GLUE, 'all/sortid_wasm_bg.wasm'), join(ALL, 'sortid.wasm'));
  // The package with one module has the same types.
  for (const name of readdirSync(PACKAGE, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
    cpSync(join(PACKAGE, name), join(ALL, 'types', name));
  }
  cpSync(join(HERE, 'package/all.d.ts'), join(ALL, 'manual.d.ts'));
  rmSync(join(PACKAGE, 'all.d.ts'));
}

function glue(part) {
  return join(GLUE, part, 'sortid_wasm.js');
}

/** Prints what each entry loads. Only modules that have no ready-made standard library are as small as they should be. */
async function checkSizes() {
  const { SPECS } = await import(pathToFileURL(join(PACKAGE, 'node.js')));
  for (const [entry, names] of Object.entries(ENTRIES)) {
    const most = entry === 'sortid/ledger' ? MOST_OF_LEDGER : MOST_EACH * SPECS.length;
    const sizes = names.map((name) => gzipSync(readFileSync(join(PACKAGE, name)), { level: 9 }).length);
    const sum = sizes.reduce((a, b) => a + b);
    const parts = names.map((name, index) => `${name} ${sizes[index]}`).join(', ');
    console.log(`${entry}: ${sum} bytes gzipped, at most ${most} (${parts})`);
    if (sum > most) throw new Error(`${entry} is too large`);
  }
}

await buildPackage();
await buildAll();
await checkSizes();
const inspector = join(HERE, 'inspector/build.mjs');
if (existsSync(inspector)) {
  const { build } = await import(pathToFileURL(inspector));
  compile('inspector');
  await build(ALL, join(TARGET, 'inspector'));
}
