import assert from 'node:assert/strict';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { launch, scratch, show, visit } from './browser.mjs';
import { ledger, write } from './ledgers.mjs';

const LARGE = 300_000_000;
const GOOD = [...ledger(1000)];
let browser;
let dir;
before(async () => {
  browser = await launch();
  dir = await scratch();
});
after(() => browser.close());

const choose = (page, content, name = 'shop.ndjson') =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
const result = (page) => page.locator('.report h3, .ledger .fault').first();
const facts = async (page) =>
  Object.fromEntries(
    await page
      .locator('.report > dl > div')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('dt').textContent, row.querySelector('dd').firstChild.textContent]),
      ),
  );
/** The lines with one changed. */
const changed = (line, change) => GOOD.with(line - 1, change(GOOD[line - 1])).join('');

test('a valid ledger is reported as one', async () => {
  await visit(browser, '#ledger', async (page) => {
    await choose(page, GOOD.join(''));
    await page.getByText('The ledger is valid').waitFor();
    const { Read, ...rest } = await facts(page);
    assert.deepEqual(rest, {
      Events: '1\u202f000',
      Profile: 'classic',
      'First event': 'as in the specification',
      'Ledger ID': JSON.parse(GOOD[0]).eventId.slice(24),
      'Last event': JSON.parse(GOOD.at(-1)).eventId,
    });
    assert.match(Read, /^\d+ kB/);
    await page.getByText('No ledger shows whether events are missing at its end').waitFor();
    await page.getByRole('link', { name: 'Make' }).click();
    await page.getByText('The ledger is valid').waitFor({ state: 'hidden' });
    await page.goBack();
    await page.getByText('The ledger is valid').waitFor();
    assert.ok(page.url().endsWith('#ledger'), 'a file is not part of the address');
  });
});

test('the first fault is explained, and shown in its line', async () => {
  const cases = [
    [
      'a changed event',
      changed(500, (line) => line.replace('"amount":499.50', '"amount":0.50')),
      500,
      /does not fit the event.*changed after it was written/,
    ],
    ['a removed event', GOOD.toSpliced(499, 1).join(''), 500, /does not fit the event.*removed or inserted/],
    ['exchanged events', GOOD.with(10, GOOD[11]).with(11, GOOD[10]).join(''), 11, /fault|fit/],
    ['a byte order mark', `\ufeff${GOOD[0]}`, 1, /begins with a byte order mark.*Leave it out/],
    ['half a line', GOOD.slice(0, 20).join('') + GOOD[20].slice(0, 60), 21, /not an event/],
    ['markup', `${GOOD.slice(0, 3).join('')}<img src=x onerror=alert(1)>\u202e\n`, 4, /not an event/],
    [
      'another timestamp',
      changed(7, (line) => line.replace('"timestamp":"2024', '"timestamp":"2025')),
      7,
      /timestamp is not the one in the event ID/,
    ],
  ];
  await visit(browser, '#ledger', async (page) => {
    for (const [name, content, line, words] of cases) {
      await choose(page, content, `${name}.ndjson`);
      const flaw = page.locator('.flaw', { hasText: `Line ${line}:` });
      await flaw.waitFor().catch(() => assert.fail(`${name}: no fault in line ${line}`));
      await page.getByText('The ledger has a fault').waitFor();
      assert.match(await flaw.textContent(), words, name);
      assert.match(await flaw.textContent(), /Expected.+Found.+/s, name);
      assert.equal(await page.locator('.faulty .lineno').textContent(), String(line), name);
      assert.equal(await page.locator('main img').count(), 0);
      await show(page, '#ledger');
    }
    await choose(page, cases.find(([name]) => name === 'markup')[1]);
    await page.locator('.faulty', { hasText: '<img src=x onerror=alert(1)>\\u{202e}' }).waitFor();
  });
});

test('the options of a verification are kept in the address', async () => {
  const two = GOOD.map((line, index) => ([2, 5].includes(index) ? line.replace('"ada"', '"eve"') : line)).join('');
  await visit(browser, '#ledger', async (page) => {
    await choose(page, two);
    await page.getByText('The ledger has a fault').waitFor();
    await page.locator('.options summary').click();
    await page.getByLabel('Count all faults').check();
    await page.getByRole('button', { name: 'Verify shop.ndjson again' }).click();
    await page.getByText('The ledger has 2 faults').waitFor();
    await page.getByLabel('Profile').selectOption('entities');
    await page.getByRole('button', { name: 'Verify shop.ndjson again' }).click();
    await page.locator('.report', { hasText: 'lacks a member' }).waitFor();
    await page.waitForURL(/#ledger&all=1&profile=entities$/);
  });
  await visit(browser, '#ledger&strict=1', async (page) => {
    await choose(
      page,
      changed(3, (line) => line.replace('{', '{"extra":1,')),
    );
    await page.locator('.flaw', { hasText: 'has a member that no checksum protects' }).waitFor();
  });
  await visit(browser, `#ledger&after=${JSON.parse(GOOD[99]).eventId}`, async (page) => {
    await choose(page, GOOD.slice(100).join(''));
    await page.getByText('The ledger is valid').waitFor();
  });
  await visit(browser, '#ledger&after=nonsense', async (page) => {
    await choose(page, GOOD.join(''));
    await page.locator('.fault', { hasText: 'could not be verified' }).waitFor();
  });
});

test('gzip is decompressed, also in several parts; what is damaged or compressed otherwise is told', async () => {
  const text = GOOD.join('');
  const zipped = gzipSync(text);
  const parts = Buffer.concat([
    gzipSync(GOOD.slice(0, 300).join('')),
    gzipSync(GOOD.slice(300, 301).join('')),
    gzipSync(''),
    gzipSync(GOOD.slice(301).join('')),
  ]);
  const flip = (bytes, at) =>
    Buffer.from(bytes).fill(
      bytes.at(at) ^ 0xff,
      at < 0 ? bytes.length + at : at,
      (at < 0 ? bytes.length + at : at) + 1,
    );
  const members = Buffer.concat(GOOD.map((line) => gzipSync(line)));
  const good = { 'shop.ndjson.gz': zipped, 'parts.gz': parts, 'members.gz': members, 'no-name': zipped };
  const bad = {
    'cut.gz': [zipped.subarray(0, -2000), /ends too early|its end is missing/],
    'cut-in-trailer.gz': [zipped.subarray(0, -3), /its end is missing/],
    'parts-cut.gz': [parts.subarray(0, -5), /its end is missing/],
    'damaged.gz': [flip(zipped, 2000), /damaged/],
    'checksum.gz': [flip(zipped, -6), /does not match its checksum/],
    // A changed byte that decompresses: the event has a fault, but so has the file.
    'stored.gz': [flip(gzipSync(text, { level: 0 }), 40_000), /does not match its checksum/],
    'member.gz': [flip(members, members.length >> 1), /damaged|does not match its checksum/],
    'windows.ndjson': [Buffer.from(`\ufeff${text}`, 'utf16le'), /UTF-16.*Convert it to UTF-8/],
    'garbage.gz': [Buffer.concat([zipped, Buffer.from('garbage garbage garbage')]), /damaged/],
    'head.gz': [zipped.subarray(0, 5), /damaged|too early|missing/],
    'shop.zst': [Buffer.from('28b52ffd0458690000', 'hex'), /zstd.*Decompress it first/],
    'shop.zip': [Buffer.from('504b030414000000', 'hex'), /zip.*Decompress it first/],
  };
  await visit(browser, '#ledger', async (page) => {
    for (const [name, content] of Object.entries(good)) {
      await choose(page, content, name);
      await result(page).waitFor();
      assert.match(await page.locator('.ledger').textContent(), /The ledger is valid.*decompressed from/, name);
      await show(page, '#ledger');
    }
    for (const [name, [content, words]] of Object.entries(bad)) {
      await choose(page, content, name);
      await page
        .locator('.fault', { hasText: `${name} could not be verified.` })
        .waitFor()
        .catch(async () => assert.fail(`${name}: ${await page.locator('main').innerText()}`));
      assert.match(await page.locator('.ledger .fault').textContent(), words, name);
      await show(page, '#ledger');
    }
    for (const content of ['', '\n', ' \r\n\n', gzipSync('')]) {
      await choose(page, content, 'empty.ndjson');
      await page.locator('.report.bad', { hasText: 'The file has no events' }).waitFor();
      assert.equal((await facts(page)).Events, '0');
      await show(page, '#ledger');
    }
  });
});

test('a ledger of 300 MB is verified in the background, plain and compressed, and can be cancelled', async (context) => {
  const path = join(dir, 'large.ndjson');
  const events = await write(path, LARGE);
  assert.ok((await stat(path)).size >= LARGE);
  await pipeline(createReadStream(path), createGzip({ level: 1 }), createWriteStream(`${path}.gz`));
  await visit(browser, '#ledger', async (page) => {
    for (const file of [path, `${path}.gz`]) {
      await page.locator('input[type=file]').setInputFiles(file);
      await page.locator('.progress', { hasText: /\d+ %.* events · \d+ MB\/s/ }).waitFor();
      // The page answers while the worker works.
      assert.equal(await page.evaluate(() => 1 + 1), 2);
      await page.getByText('The ledger is valid').waitFor({ timeout: 60_000 });
      assert.equal((await facts(page)).Events.replaceAll('\u202f', ''), String(events));
      context.diagnostic((await facts(page)).Read);
      await show(page, '#ledger');
    }
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing is known about large.ndjson.').waitFor();
    await page.getByRole('button', { name: 'Verify it again' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    // A dropped file, from another view, is verified as well.
    await page.getByRole('link', { name: 'Make' }).click();
    const small = join(dir, 'small.ndjson');
    await writeFile(small, GOOD.join(''));
    await page.evaluate(
      (text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'small.ndjson'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      await readFile(small, 'utf8'),
    );
    await page.getByText('The ledger is valid').waitFor();
    assert.equal((await facts(page)).Events, '1 000'.replace(' ', '\u202f'));
  });
});
