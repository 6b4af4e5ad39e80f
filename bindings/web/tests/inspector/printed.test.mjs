// The page finds an ID as databases, languages, tools and people print it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { answers, launch, paste, visit } from './browser.mjs';

const PACKAGE = resolve(import.meta.dirname, '../../../../target/web/package');
const { init, CLASSES } = await import(pathToFileURL(`${PACKAGE}/manual.js`));
init(await readFile(`${PACKAGE}/sortid.wasm`));

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const SCRU160 = '05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6';
const EUID = 'C8EE934SR007G5Q94QKKXFRFV8B';
const FLAKE = '00CMXB6TAK4SA';
const RON = '1CQKneD1-Xgritzk0_D';
const EVENT = '0005cd755a43d79238c05790c0331dd8';
const SPECS = {
  [SCRU160]: 'scru160',
  [EUID]: 'euid',
  [FLAKE]: 'ulid-flake',
  [RON]: 'ron-uid',
  [EVENT]: 'evently-id',
  '012345678901M': 'ulid-flake',
};
const idOf = (text) => CLASSES[SPECS[text]].parse(text);

/** Ways to print the bytes of an ID. */
function printedBytes(id) {
  const bytes = [...id.toBytes()];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  const escaped = (escape) =>
    bytes
      .map((byte, index) =>
        byte >= 32 && byte < 127 && !`\\'"`.includes(String.fromCharCode(byte))
          ? String.fromCharCode(byte)
          : escape(byte, hex[index]),
      )
      .join('');
  const lower = escaped((_, digits) => `\\x${digits}`);
  const octal = escaped((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  const c = hex.map((digits) => `0x${digits}`).join(', ');
  const short = bytes.map((byte) => `0x${byte.toString(16)}`).join(', ');
  const padded = bytes.map((byte) => String(byte).padStart(3)).join(', ');
  const base64 = Buffer.from(bytes).toString('base64');
  const fours = hex.join('').match(/.{4}/g);
  const dump = (list, size, name) =>
    Array.from({ length: Math.ceil(list.length / size) }, (_, line) =>
      name(line * 16, list.slice(line * size, (line + 1) * size)),
    ).join('\n');
  const at = (offset) => offset.toString(16).padStart(8, '0');
  return {
    'Java, Kotlin': `[${bytes.map((byte) => (byte << 24) >> 24).join(', ')}]`,
    Scala: `Array(${bytes.map((byte) => (byte << 24) >> 24).join(', ')})`,
    'Go, %v': `[${bytes.join(' ')}]`,
    'Go, %#v': `[]byte{${short}}`,
    'Go, array': `[${bytes.length}]uint8{${short}}`,
    'Rust, Debug': `[${bytes.join(', ')}]`,
    'Rust, pretty Debug': `[\n${bytes.map((byte) => `    ${byte},\n`).join('')}]`,
    'Rust, vec': `vec![${bytes.join(', ')}]`,
    'Rust, literal': `let id: [u8; ${bytes.length}] = [${hex.map((digits) => `0x${digits}_u8`).join(', ')}];`,
    C: `{ ${c} }`,
    'C, declaration': `unsigned char id[${bytes.length}] = { ${c}, };`,
    'C#': `new byte[] { ${bytes.join(', ')} }`,
    'BitConverter of C#': hex.join('-').toUpperCase(),
    'Node, Buffer': `<Buffer ${hex.join(' ')}>`,
    'Node, Uint8Array': `Uint8Array(${bytes.length}) [ ${padded} ]`,
    'Node, Uint8Array in lines': `Uint8Array(${bytes.length}) [\n  ${padded.replace(/((?:\d+, +){8})/, '$1\n')}\n]`,
    'Node, Buffer in JSON': JSON.stringify({ type: 'Buffer', data: bytes }),
    'Node, Buffer in pretty JSON': JSON.stringify({ id: { type: 'Buffer', data: bytes } }, null, 2),
    'Buffer.from': `Buffer.from('${hex.join('')}', 'hex')`,
    NumPy: `array([${padded}], dtype=uint8)`,
    'Elixir, Erlang': `<<${bytes.join(', ')}>>`,
    Python: `b'${lower}'`,
    'Python, double quotes': `b"${lower}"`,
    'Python, bytearray': `bytearray(b'${lower}')`,
    'Python, a row': `(b'${lower}',)`,
    'Python, rows': `[(b'${lower}', 'tea')]`,
    'Redis, Ruby': `"${lower}"`,
    'DuckDB, BLOB': escaped((_, digits) => `\\x${digits.toUpperCase()}`),
    'PostgreSQL, escape': octal,
    'PostgreSQL, a column': ` ${octal} | tea`,
    'PostgreSQL, hex': `\\x${hex.join('')}`,
    'PostgreSQL, bytea': `'\\x${hex.join('')}'::bytea`,
    'PostgreSQL, decode': `decode('${hex.join('')}','hex')`,
    'GDB, protobuf': `"${octal}"`,
    'MongoDB, Binary': `Binary.createFromBase64('${base64}', 0)`,
    'MongoDB, BinData': `BinData(0,"${base64}")`,
    'MongoDB, JSON': `{"_id": {"$binary": {"base64": "${base64}", "subType": "00"}}}`,
    xxd: dump(fours, 8, (offset, list) => `${at(offset)}: ${list.join(' ').padEnd(39)}  ................`),
    'hexdump -C': `${dump(hex, 16, (offset, list) => `${at(offset)}  ${list.slice(0, 8).join(' ')}  ${list.slice(8).join(' ')}  |.........|`)}\n${at(bytes.length)}`,
    'od -t x1': `${dump(hex, 16, (offset, list) => `${at(offset).slice(1)} ${list.join(' ')}`)}\n0000020`,
    'pairs with colons': hex.join(':'),
    'pairs with spaces': hex.join(' '),
    'pairs with commas': hex.join(', '),
    'numbers with spaces': bytes.join(' '),
    Base64: base64,
    'Base64 without =': base64.replaceAll('=', ''),
    'Base64 in JSON': JSON.stringify({ id: base64 }),
    ...Object.fromEntries(
      ['base64url', 'int', 'uuid'].flatMap((form) => (hasForm(id, form) ? [[form, id.to(form)]] : [])),
    ),
    '0x': `0x${hex.join('')}`,
  };
}

function hasForm(id, form) {
  try {
    return Boolean(id.to(form));
  } catch {
    return false;
  }
}

/** Ways to print an integer. */
function printedIntegers(id, suffixes) {
  const int = BigInt(id.to('int'));
  return {
    ...Object.fromEntries(suffixes.map((suffix) => [`with ${suffix}`, `${int}${suffix}`])),
    ...Object.fromEntries(
      ['en', 'de', 'fr', 'de-CH'].map((locale) => [`in groups, ${locale}`, int.toLocaleString(locale)]),
    ),
    'in groups, Rust': int.toLocaleString('en').replaceAll(',', '_'),
  };
}

const around = (id) => ({
  'with a full stop': `${id}.`,
  'with an exclamation mark': `${id}!`,
  'in a sentence': `The order is ${id}.`,
  'in Markdown': `**${id}**`,
  'as a tag': `#${id}`,
  'in angle brackets': `<${id}>`,
  'in a path': `/data/2026/${id}.json`,
  'in a path of Windows': `C:\\data\\${id}.json`,
  'in the name of a file': `backup-${id}.tar.gz`,
  'with %22': `%22${id}%22`,
  'in a query': `https://shop.example/orders?filter=%7B%22id%22%3A%22${id}%22%7D`,
});

/** Fills in each text, and returns those of which the page does not find the ID. */
async function notFound(cases, id) {
  const faults = [];
  const all = Object.entries(cases);
  // Browsers refuse too many changes of the address.
  for (let from = 0; from < all.length; from += 60) {
    await visit(browser, `#inspect&spec=${SPECS[id]}`, async (page) => {
      const fill = async ([texts, id]) => {
        const area = document.querySelector('#ids');
        const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
        const shows = (text) => [...document.querySelectorAll('.forms code')].some((code) => code.textContent === text);
        const until = async (test) => {
          for (let turn = 0; turn < 300 && !test(); turn++) await new Promise((done) => setTimeout(done, 10));
          return test();
        };
        const missing = [];
        for (const text of texts) {
          for (const value of [text, '']) {
            setValue.call(area, value);
            area.dispatchEvent(new Event('input', { bubbles: true }));
            if (!(await until(() => (value ? shows(id) : !document.querySelector('h2.when'))))) missing.push(value);
          }
        }
        return missing;
      };
      const part = all.slice(from, from + 60);
      const missing = await page.evaluate(fill, [part.map(([, text]) => text), id]);
      for (const [name, text] of part) if (missing.includes(text)) faults.push(`${name}: ${text}`);
    });
  }
  return faults;
}

test('the bytes of an ID are read as programs print them', async () => {
  const cases = printedBytes(idOf(EVENT));
  assert.ok(Object.keys(cases).length >= 50);
  assert.deepEqual(await notFound(cases, EVENT), []);
});

test('each form that the page shows is one that it reads', async () => {
  for (const id of [SCRU160, EUID, FLAKE, RON, EVENT]) {
    const forms = ['hex', 'uuid', 'int', 'base64url'].filter((form) => hasForm(idOf(id), form));
    const cases = Object.fromEntries(forms.map((form) => [form, idOf(id).to(form)]));
    assert.deepEqual(await notFound(cases, id), [], id);
  }
});

test('integers are read with a suffix, and in groups', async () => {
  const small = printedIntegers(idOf(FLAKE), ['L', 'n', 'i64', '_i64', 'UL', 'ull']);
  assert.deepEqual(await notFound(small, FLAKE), []);
  assert.deepEqual(await notFound({ text: '012345678901M' }, '012345678901M'), []);
  const large = printedIntegers(idOf(EVENT), ['n', 'u128', '_u128', 'm']);
  assert.deepEqual(await notFound(large, EVENT), []);
});

test('an ID is found in a path, a URL and a sentence', async () => {
  assert.deepEqual(await notFound(around(FLAKE), FLAKE), []);
  assert.deepEqual(await notFound(around(SCRU160), SCRU160), []);
});

test('a list of IDs in Base64, or of bytes, is read', async () => {
  const ids = Array.from({ length: 20 }, (_, index) =>
    CLASSES['evently-id'].parse((BigInt(`0x${EVENT}`) + (BigInt(index) << 64n)).toString(16).padStart(32, '0')),
  );
  const ways = ['Java, Kotlin', 'DuckDB, BLOB', 'PostgreSQL, a column', 'Python, a row', 'MongoDB, JSON', 'base64url'];
  await visit(browser, '', async (page) => {
    for (const way of ways) {
      await paste(page, ids.map((id) => printedBytes(id)[way]).join('\n'));
      await answers(page, '20 IDs in 20 lines').catch(async () =>
        assert.fail(`${way}: ${await page.locator('main').innerText()}`),
      );
      assert.equal(await page.locator('article > .eyebrow').textContent(), '20 Event IDs', way);
      await page.locator('#ids').fill('');
      await page.locator('h2.when').waitFor({ state: 'detached' });
    }
  });
});

test('words, names and IDs of other kinds are not taken for Base64', async () => {
  await visit(browser, '', async (page) => {
    for (const text of [
      'information',
      'JavaScripts',
      '1.2.3.4',
      '1ujz4gGGUsRKzmPRNsC1f4jZYdx',
      'https://example.com/',
    ]) {
      await page.locator('#ids').fill(text);
      await page
        .locator('article.refused')
        .waitFor({ timeout: 3000 })
        .catch(() => assert.fail(text));
      await page.locator('#ids').fill('');
      await page.locator('h2.when').waitFor({ state: 'detached' });
    }
  });
});

test('a time is told from an ID, and leads to its span', async () => {
  await visit(browser, '', async (page) => {
    await page.locator('#ids').fill('"2021-10-03T16:33:12.816530Z",');
    await answers(page, 'It is a time: Sun 3 October 2021, 16:33:12.816 UTC');
    await page.getByRole('link', { name: 'The least and the greatest ID of this time' }).click();
    await page.getByRole('heading', { name: 'IDs of a span of time' }).waitFor();
    assert.equal(await page.getByLabel('Since').inputValue(), '2021-10-03T16:33:12.816530Z');
    await page.goBack();
    await page.locator('#ids').fill('2021-13-03 16:33');
    await answers(page, 'It looks like a time, but there is no such time');
  });
});

test('a number that is a Unix time, and an Event ID with a mistake, are remarked on', async () => {
  const remarks = {
    1631540490683: 'it is also a Unix time: 2021-09-13T13:41:30.683Z',
    1633278792816530: 'it is also a Unix time: 2021-10-03T16:33:12.816Z',
    '0005cd755a43d79238c05790c0331dg8':
      'all characters but “g” are hex digits, so it can be an Event ID with a mistake',
  };
  await visit(browser, '', async (page) => {
    for (const [text, remark] of Object.entries(remarks)) {
      await page.locator('#ids').fill(text);
      await page.locator('.remark', { hasText: remark }).waitFor({ timeout: 5000 });
    }
    await page.locator('#ids').fill(SCRU160);
    await answers(page, 'made Mon 13 September 2021');
    assert.equal(await page.locator('.remark').count(), 0);
  });
});

test('a list of UUIDs of another kind is remarked on', async () => {
  const uuids = [1, 2, 3].map((digit) => `01890a5d-ac96-774b-bcce-b302099a805${digit}`);
  await visit(browser, '', async (page) => {
    await page.locator('#ids').fill(uuids.join('\n'));
    await page
      .locator('.remark', { hasText: 'more likely a UUID of version 7, which is another kind of ID' })
      .waitFor({ timeout: 5000 });
    await page.locator('#ids').fill([SCRU160, '0'.repeat(32), SCRU160, SCRU160].join('\n'));
    await page.locator('.eyebrow', { hasText: '4 SCRU160s' }).waitFor();
    assert.equal(await page.locator('.remark').count(), 0);
    await page.locator('#ids').fill([SCRU160, FLAKE, FLAKE].join('\n'));
    await page.locator('.facts', { hasText: 'In order within each specification' }).waitFor();
  });
});

test('a fault of an option in a link is visible', async () => {
  await visit(browser, `#inspect=${FLAKE}&epoch=1.1.2020`, async (page) => {
    await page.getByRole('alert').filter({ hasText: '“1.1.2020” is not a time' }).waitFor();
    assert.ok(await page.getByRole('alert').isVisible());
  });
});

test('the focus stays in the page, and a long text in the history', async () => {
  await visit(browser, '', async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
    await page.getByRole('button', { name: 'Ulid-Flake' }).press('Enter');
    await answers(page, 'made Thu 6 June 2024');
    assert.equal(await focused(), 'main');
    const long = Array.from({ length: 280 }, () => FLAKE).join('\n');
    await page.locator('#ids').fill(long);
    await answers(page, '280 IDs in 280 lines');
    await page.getByRole('link', { name: 'Make' }).click();
    await page.getByRole('heading', { name: 'Make IDs' }).waitFor();
    await page.goBack();
    await answers(page, '280 IDs in 280 lines');
    await page.locator('#ids').fill('');
    await paste(page, `${long}\n${long}`);
    await page.locator('.chip').waitFor();
    assert.equal(await focused(), 'Remove');
    await page.keyboard.press('Enter');
    await page.getByText('No ID at hand?').waitFor();
    assert.equal(await focused(), 'ids');
  });
});
