// Builds the package from the module and its JavaScript, which `cargo xtask web` has put into target/web/glue/, and then
// the inspector: `node build.mjs`.

import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TARGET = join(HERE, '../../target/web');
const PACKAGE = join(TARGET, 'package');

/** The most bytes of the module and its JavaScript, each compressed. */
const MOST = 60 * 1024;

/** What no user imports has no types in the package. */
const PRIVATE = ['module.d.ts'];

async function buildPackage() {
  rmSync(PACKAGE, { recursive: true, force: true });
  mkdirSync(PACKAGE, { recursive: true });
  const source = join(HERE, 'package/src');
  await build({
    entryPoints: ['index', 'node', 'manual'].map((name) => join(source, `${name}.ts`)),
    outdir: PACKAGE,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    // The names of classes stay: messages have them.
    keepNames: true,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    alias: { '#glue': join(TARGET, 'glue/sortid_wasm.js') },
    external: ['node:fs'],
    plugins: [{ name: 'entries', setup: shareManual }],
  });
  cpSync(join(TARGET, 'glue/sortid_wasm_bg.wasm'), join(PACKAGE, 'sortid.wasm'));
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md']) {
    if (existsSync(join(HERE, 'package', name))) cpSync(join(HERE, 'package', name), join(PACKAGE, name));
  }
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(join(HERE, '../..', name), join(PACKAGE, name));
  tsc('package/tsconfig.json');
  for (const name of PRIVATE) rmSync(join(PACKAGE, name), { force: true });
}

/** The entries share one `manual.js`, so that there is one class of each name, and one module in memory. */
function shareManual({ onResolve }) {
  onResolve({ filter: /^\.\/manual\.js$/ }, () => ({ path: './manual.js', external: true }));
}

function tsc(project) {
  const program = join(HERE, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [program, '--project', join(HERE, project)], { stdio: 'inherit' });
}

function checkSize() {
  const files = readdirSync(PACKAGE).filter((name) => /\.(js|wasm)$/.test(name));
  let all = 0;
  for (const name of files) {
    const content = readFileSync(join(PACKAGE, name));
    const compressed = gzipSync(content, { level: 9 }).length;
    all += compressed;
    console.log(`${name}: ${content.length} bytes, ${compressed} gzipped`);
  }
  console.log(`the package: ${all} bytes gzipped, at most ${MOST}`);
  writeFileSync(join(TARGET, 'size.json'), JSON.stringify({ gzipped: all }));
  if (all > MOST) throw new Error(`the package has ${all} bytes gzipped, expected at most ${MOST}`);
}

await buildPackage();
if (!process.env.SORTID_ANY_SIZE) checkSize();
const inspector = join(HERE, 'inspector/build.mjs');
if (existsSync(inspector)) await import(pathToFileURL(inspector));
