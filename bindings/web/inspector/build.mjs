// Builds the page: one HTML file with its style, its script and the WebAssembly module, and the service worker beside
// it. It is one file because a page of several files cannot load its parts from a `file:` address. Style, script and
// module are compressed in it, as base64. The security policy names the hashes of the unpacked parts, so no other script
// runs. The worker is the same script, from a blob.
//
//     node inspector/build.mjs [PACKAGE] [OUT]

import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build as bundle } from 'esbuild';

const HERE = import.meta.dirname;
const MOST_BYTES = 300_000;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1d4f91"/><path d="M3 5h10M3 8h7M3 11h4" stroke="#fff" stroke-width="1.6"/></svg>`;

/** Compressed, as text of an HTML file. */
const pack = (content) => gzipSync(content, { level: 9 }).toString('base64');

/** Builds the page with the package in `packageDir`, and writes it to `outDir`. */
export async function build(packageDir, outDir) {
  const resolvePackage = {
    name: 'package',
    setup(build) {
      build.onResolve({ filter: /^sortid\/manual$/ }, () => ({ path: join(packageDir, 'manual.js') }));
    },
  };
  const bundled = async (entry, options = {}) => {
    const {
      outputFiles: [file],
    } = await bundle({
      entryPoints: [join(HERE, entry)],
      bundle: true,
      minify: true,
      write: false,
      charset: 'utf8',
      legalComments: 'none',
      target: ['es2023', 'chrome116', 'firefox121', 'safari17'],
      ...options,
    });
    return file.text.trim();
  };
  const [script, start, style] = await Promise.all([
    bundled('src/main.tsx', { format: 'iife', jsx: 'automatic', jsxImportSource: 'preact', plugins: [resolvePackage] }),
    bundled('src/start.ts', { format: 'iife' }),
    bundled('style.css'),
  ]);
  const packed = {
    style: pack(style),
    script: pack(script),
    module: pack(await readFile(join(packageDir, 'sortid.wasm'))),
  };

  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const csp = [
    "default-src 'none'",
    `script-src ${hash(start)} ${hash(script)} 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    "worker-src 'self' blob:",
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types inspector',
  ].join('; ');
  const parts = { csp, start, ...packed, icon: `data:image/svg+xml,${encodeURIComponent(ICON)}` };
  const template = await readFile(join(HERE, 'index.html'), 'utf8');
  const page = template.replace(/%(csp|start|style|script|module|icon)%/g, (_, name) => parts[name]);

  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'index.html'), page);
  await copyFile(join(HERE, 'sw.js'), join(outDir, 'sw.js'));
  const bytes = Buffer.byteLength(page);
  const sizes = Object.entries(packed)
    .map(([name, text]) => `${name} ${Buffer.byteLength(text)}`)
    .join(', ');
  console.log(`inspector/index.html: ${bytes} bytes (${sizes}); at most ${MOST_BYTES}`);
  if (bytes > MOST_BYTES) throw new Error(`inspector/index.html has ${bytes} bytes, more than ${MOST_BYTES}`);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [packageDir = join(HERE, '../../../target/web/all'), outDir = join(HERE, '../../../target/web/inspector')] =
    process.argv.slice(2);
  await build(resolve(packageDir), resolve(outDir));
}
