import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { answers, fields, launch, show, visit } from './browser.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());
const made = (page) => page.locator('.fresh a').allTextContents();

test('IDs of each specification are made, in order, and can be inspected', async () => {
  const shapes = {
    scru160: /^[0-9A-V]{32}$/,
    euid: /^[0-9A-HJKMNP-TV-Z]{27}$/,
    'ulid-flake': /^[0-7][0-9A-HJKMNP-TV-Z]{12}$/,
    'ron-uid&origin=Xgritzk0_D': /^[\w~]{5,10}-Xgritzk0_D$/,
    'evently-id': /^[0-9a-f]{32}$/,
  };
  await visit(browser, '', async (page) => {
    for (const [spec, shape] of Object.entries(shapes)) {
      await show(page, `#make=${spec}&count=5`);
      await page.locator('.fresh li').nth(4).waitFor();
      const ids = await made(page);
      assert.equal(ids.length, 5);
      for (const id of ids) assert.match(id, shape);
      assert.deepEqual(ids, ids.toSorted(), 'in order');
      assert.equal(new Set(ids).size, 5);
      await page.getByRole('button', { name: 'Make others' }).click();
      await page.waitForFunction((first) => document.querySelector('.fresh a').textContent !== first, ids[0]);
      await page.locator('.fresh a').first().click();
      await answers(page, 'made');
      assert.match(await page.locator('.sub').first().textContent(), /^(just now|\d+(\.\d+)? (milli)?seconds? ago)/);
      await page.goBack();
      await page.getByRole('heading', { name: 'Make IDs' }).waitFor();
    }
  });
});

test('the options of the generators are those of the program', async () => {
  const inspect = async (page) => {
    await page.locator('.fresh a').first().click();
    await page.locator('.fields').waitFor();
    return Object.fromEntries((await fields(page)).map(([, name, , value]) => [name, value]));
  };
  await visit(browser, '#make=euid', async (page) => {
    await page.getByLabel('Extension').fill('5:8');
    await page.waitForURL(/#make=euid&extension=5:8$/);
    const { extension, 'extension bits': bits } = await inspect(page);
    assert.deepEqual([extension, bits], ['5', '8']);
    await show(page, '#make=euid&no-check=1');
    assert.equal((await inspect(page)).check, 'none');
    await show(page, '#make=ulid-flake&scalable=1&node=7');
    assert.equal((await inspect(page)).scalability, '7');
    await show(page, '#make=scru160&node=3:5');
    assert.equal(Number((await inspect(page)).random16) >> 11, 3);
    await show(page, '#make=evently-id&ledger=c0331dd8');
    assert.equal((await inspect(page))['ledger id'], 'c0331dd8');
    await show(page, '#make=ron-uid&origin=ada&length=5');
    await page.locator('.fresh a', { hasText: /^[\w~]{1,10}-ada$/ }).waitFor();
    await show(page, '#make=ron-uid&logical=1&origin=ada&count=2');
    await page.locator('.fresh a', { hasText: '00002-ada' }).waitFor();
    assert.deepEqual(await made(page), ['00001-ada', '00002-ada']);
    await show(page, '#make=ulid-flake&format=int&count=3');
    await page.locator('.fresh a').nth(2).waitFor();
    for (const id of await made(page)) assert.match(id, /^\d{16,19}$/);
  });
});

test('a wrong option is told in words, beside its field', async () => {
  const cases = {
    'euid&extension=99999': /extension: expected 0 to/,
    'euid&extension=x': /whole number/,
    'ulid-flake&scalable=1': /needs a node ID, 0 to 31/,
    'ulid-flake&node=3': /Only the scalable version has a node/,
    'ulid-flake&epoch=x': /is not a time/,
    'ron-uid': /needs an origin/,
    'ron-uid&origin=%C3%A4': /digit|character/,
    'evently-id&ledger=xyz': /hex|expected 8/,
    'scru160&count=0': /from 1 to 100 000/,
    'scru160&count=1e9': /from 1 to 100 000/,
    'scru160&node=3': /number and its bits, such as 3:5/,
    'scru160&start=99': /15|range/,
    'scru160&format=int': /Choose another form/,
  };
  await visit(browser, '', async (page) => {
    for (const [options, words] of Object.entries(cases)) {
      await show(page, `#make=${options}`);
      const fault = page.locator('.fault').first();
      await fault.waitFor();
      assert.match((await fault.textContent()).replaceAll('\u202f', ' '), words, options);
      assert.equal(await page.locator('.fresh li').count(), 0);
    }
  });
});

test('many IDs are made at once, copied and downloaded', async () => {
  await visit(browser, '#make=scru160', async (page, { context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('How many').fill('5000');
    await page.getByText('The first 200 of 5 000.').waitFor();
    await page.getByRole('button', { name: 'Copy all' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
    assert.equal(new Set(lines).size, 5000);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'scru160.txt');
    assert.deepEqual((await readFile(await download.path(), 'utf8')).trim().split('\n'), lines);
  });
});

test('a span of time has a least and a greatest ID, in all forms', async () => {
  await visit(browser, '#span=euid&since=2024-06&until=2024-06', async (page) => {
    await page
      .getByText('From Sat 1 June 2024, 00:00:00.000 UTC to Sun 30 June 2024, 23:59:59.999 UTC: 1 month')
      .waitFor();
    const text = await page.locator('.forms > div').first().locator('code').allTextContents();
    assert.deepEqual(text, ['1HZ8HH500000000000000000011', '1J1NSEPZZZZZZZZZZZZZZZZZZYM']);
    assert.equal(await page.locator('.forms > div').count(), 5);
  });
  await visit(browser, '#span=ulid-flake&since=2024-06-01&until=2024-06-30', async (page) => {
    const int = await page.locator('.forms > div', { hasText: 'Integer' }).locator('code').allTextContents();
    assert.deepEqual(int, ['13770738892800000', '16488647884799999']);
    await page.getByLabel('Epoch').fill('2023-01-01');
    await page.locator('.forms code', { hasText: '13770738892800000' }).waitFor({ state: 'detached' });
  });
});

test('each database gets its query', async () => {
  const queries = {
    postgres: `SELECT * FROM "orders" WHERE "id" BETWEEN '0c7e88c4-a000-0000-0000-000000000000' AND '0c835cba-dfff-ffff-ffff-ffffffffffff' ORDER BY "id";`,
    mysql:
      "SELECT * FROM `orders` WHERE `id` BETWEEN X'0c7e88c4a00000000000000000000000' AND X'0c835cbadfffffffffffffffffffffff' ORDER BY `id`;",
    sqlite: /FROM "orders" WHERE .*X'0c7e88c4a/,
    duckdb: /BETWEEN/,
    clickhouse: /BETWEEN/,
  };
  await visit(browser, '#span=euid&since=2024-06&until=2024-06', async (page) => {
    for (const [database, expected] of Object.entries(queries)) {
      await page.getByLabel('Database').selectOption(database);
      await page.waitForFunction((name) => location.hash.includes(`database=${name}`), database);
      const sql = await page.locator('.sql pre').textContent();
      if (typeof expected === 'string') assert.equal(sql, expected);
      else assert.match(sql, expected);
    }
    await page.getByLabel('Database').selectOption('postgres');
    await page.getByLabel('Table').fill('a"; DROP TABLE b; --');
    await page.locator('.sql', { hasText: 'FROM "a""; DROP TABLE b; --"' }).waitFor();
    await page.getByLabel('Table').fill('');
    await page.locator('.fault').waitFor();
    await page.getByLabel('Table').fill('shop.orders');
    await page.getByLabel('Column').fill('<img src=x>');
    await page.locator('.sql', { hasText: '"shop"."orders" WHERE "<img src=x>"' }).waitFor();
  });
});

test('times are read in many forms, and wrong ones are told', async () => {
  const now = Date.parse('2024-06-06T06:06:06.666Z');
  const times = {
    'since=-1h&until=now': 'From Thu 6 June 2024, 05:06:06.666 UTC to Thu 6 June 2024, 06:06:06.666 UTC',
    'since=yesterday&until=today': 'From Wed 5 June 2024, 00:00:00.000 UTC to Thu 6 June 2024, 23:59:59.999 UTC',
    'since=2024&until=2024-02': 'From Mon 1 January 2024, 00:00:00.000 UTC to Thu 29 February 2024, 23:59:59.999 UTC',
    'since=1717653966666&until=@1717653967':
      'From Thu 6 June 2024, 06:06:06.666 UTC to Thu 6 June 2024, 06:06:07.000 UTC',
    'since=2024-06-06 06:06%2B02:00&until=2024-06-06T06:06:06.5Z':
      'From Thu 6 June 2024, 04:06:00.000 UTC to Thu 6 June 2024, 06:06:06.500 UTC',
  };
  await visit(
    browser,
    '',
    async (page) => {
      for (const [params, words] of Object.entries(times)) {
        await show(page, `#span=scru160&${params}`);
        await page
          .getByText(words)
          .waitFor()
          .catch(async () => assert.fail(`${params}: ${await page.locator('main').innerText()}`));
      }
    },
    { init: `Date.now = () => ${now}` },
  );
  await visit(browser, '', async (page) => {
    for (const params of [
      'since=tea',
      'since=2024-13',
      'until=2024-02-30',
      'since=2024-06-06 25:00',
      'since=2025&until=2024',
      'since=1900',
    ]) {
      await show(page, `#span=scru160&${params}`);
      await page.locator('.fault').first().waitFor();
    }
    await show(page, '#span=scru160');
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.getByText(/: 7 days/).waitFor();
    await page.waitForURL(/#span=scru160&since=-7d&until=now$/);
  });
});
