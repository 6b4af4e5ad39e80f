// What all tests of the page share: a browser, the page from a file and from a server, and guards that fail a test if
// the page asks for anything, breaks its own security policy, or logs an error.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const TARGET = resolve(import.meta.dirname, '../../../../target/web');

/** The built page. */
export const DIR = process.env.SORTID_INSPECTOR ?? join(TARGET, 'inspector');
export const FILE = pathToFileURL(join(DIR, 'index.html')).href;
export const SCREENSHOTS = join(TARGET, 'screenshots');

/** A directory for files that a test makes. */
export async function scratch() {
  const dir = join(TARGET, 'tests');
  await mkdir(dir, { recursive: true });
  return dir;
}

export async function launch() {
  assert.ok(existsSync(join(DIR, 'index.html')), `${DIR}/index.html is missing: run node build.mjs`);
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** Serves the built page, and nothing else. */
export async function serve() {
  const types = { html: 'text/html; charset=utf-8', js: 'text/javascript' };
  const asked = [];
  const server = createServer(async ({ url }, response) => {
    asked.push(url);
    const name = { '/': 'index.html', '/index.html': 'index.html', '/sw.js': 'sw.js' }[url.replace(/[?#].*/, '')];
    if (!name) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[name.split('.')[1]], 'cache-control': 'no-cache' });
    response.end(await readFile(join(DIR, name)));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    asked,
    close: () => new Promise((done) => (server.close(done), server.closeAllConnections())),
  };
}

/**
 * Opens the page at a fragment. The callback gets the page; afterwards, nothing may have been asked for but the page
 * itself, and nothing may have been logged or refused by the security policy.
 */
export async function visit(browser, fragment, test, { url = FILE, expectLogs = false, init, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    acceptDownloads: true,
    ...options,
  });
  const faults = [];
  const isOwn = (address) => address.split('#')[0] === url.split('#')[0] || address === new URL('sw.js', url).href;
  context.on('request', (request) => {
    if (!isOwn(request.url()) && !/^(blob|data):/.test(request.url())) faults.push(`request to ${request.url()}`);
  });
  await context.route(
    (address) => !isOwn(address.href) && !/^(blob|data):/.test(address.href),
    (route) => route.abort(),
  );
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`refused: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  if (init) await page.addInitScript(init);
  page.setDefaultTimeout(20_000);
  try {
    await page.goto(url + fragment);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await test(page, { context, url });
    if (!expectLogs) assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}

/**
 * Shows another fragment in the same page, which takes less time than another visit. Nothing of the view before stays.
 */
export async function show(page, fragment) {
  const go = (fragment) =>
    page.evaluate((fragment) => {
      location.hash = fragment;
    }, fragment);
  const isLedger = fragment.startsWith('#ledger');
  const between = page.getByRole('heading', { name: isLedger ? 'IDs of a span of time' : 'Verify a ledger' });
  await go(isLedger ? '#span' : '#ledger');
  await between.waitFor();
  await go(fragment);
  await between.waitFor({ state: 'detached' });
}

/** Pastes into the question, as the keys do, but without a clipboard. */
export async function paste(page, text) {
  await page.locator('#ids').evaluate((area, text) => {
    area.focus();
    const data = new DataTransfer();
    data.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    if (area.dispatchEvent(event)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  }, text);
}

/** The largest heading: the answer. */
export const answer = (page) => page.locator('h2.when').first();

/** Waits until the answer has this text. */
export async function answers(page, text) {
  await page.locator('h2.when', { hasText: text }).first().waitFor();
}

/** The rows of the table of fields: [letter, name, bits, value]. */
export function fields(page) {
  return page
    .locator('.fields tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector('.letter')?.textContent ?? '',
        row.querySelector('.name > span:last-child').textContent,
        row.querySelector('.place').textContent,
        row.querySelector('.value').textContent,
      ]),
    );
}
