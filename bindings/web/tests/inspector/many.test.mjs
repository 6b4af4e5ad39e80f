import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { answers, launch, paste, show, visit } from './browser.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The text of a Ulid-Flake. This function has code of its own, so that the page is compared with something else. */
function ulidFlake(millis, random) {
  let int = (BigInt(millis - Date.UTC(2024, 0)) << 20n) | BigInt(random);
  let text = '';
  for (let digit = 0; digit < 13; digit++, int >>= 5n) text = CROCKFORD[Number(int & 31n)] + text;
  return text;
}

const START = Date.UTC(2025, 2, 1);
const series = (count, step = 60_000) =>
  Array.from({ length: count }, (_, index) => ulidFlake(START + index * step, (index * 7919) % (1 << 20)));
const facts = (page) => page.locator('.many > .facts li').allTextContents();
const cells = (page) =>
  page
    .locator('.rows tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

test('a list is counted: valid IDs, wrong ones, duplicates, places out of order', async () => {
  const ids = series(100);
  const lines = [...ids.slice(0, 50), ids[10], ids[49].slice(0, 12) + 'U', 'nonsense', '', ...ids.slice(50)];
  await visit(browser, '', async (page) => {
    await paste(page, lines.join('\n'));
    await answers(page, '101 IDs in 104 lines');
    assert.equal(await page.locator('.eyebrow').textContent(), '101 Ulid-Flakes');
    assert.deepEqual(await facts(page), ['2 are not valid', '1 duplicate', '1 place out of order']);
    await page
      .getByText(
        'made from Sat 1 March 2025, 00:00:00.000 UTC to Sat 1 March 2025, 01:39:00.000 UTC, within 1 hour 39 minutes',
      )
      .waitFor();
    await page.getByRole('button', { name: 'Not valid 2' }).click();
    await page.locator('.rows tbody tr', { hasText: 'nonsense' }).waitFor();
    const wrong = await cells(page);
    assert.deepEqual(
      wrong.map(([line, text]) => [line, text]),
      [
        ['52', `${ids[49].slice(0, 12)}U`],
        ['53', 'nonsense'],
      ],
    );
    assert.match(wrong[0].at(-1), /not valid: 'U' at position 12 is not a Crockford base32 digit/);
    await page.getByRole('button', { name: 'Duplicates 1' }).click();
    await page.locator('.rows', { hasText: 'same as line 11' }).waitFor();
    await page.getByRole('button', { name: 'Out of order 1' }).click();
    await page.locator('.rows', { hasText: 'less than the ID before' }).waitFor();
    await page.waitForURL(/show=unordered/);
    await page.getByRole('button', { name: 'All 103' }).click();
    await page.getByText('Page 1 of 3').waitFor();
    await page.getByRole('button', { name: 'Last' }).click();
    await page.getByText('Page 3 of 3').waitFor();
    assert.equal((await cells(page)).length, 3);
    // A row leads to its ID, and Back to the list.
    await page.locator('.rows a').first().click();
    await answers(page, 'made Sat 1 March 2025');
    await page.goBack();
    await answers(page, '101 IDs in 104 lines');
  });
});

test('IDs are found in JSON, CSV, SQL and logs, and the other lines are counted', async () => {
  const ids = series(30);
  const uuids = ids.map((_, index) => `0c7e88c4-a000-0000-0000-0000000000${(index + 16).toString(16)}`);
  const inputs = {
    json: [JSON.stringify(ids, null, 2), '30 Ulid-Flakes', 30],
    line: [JSON.stringify(ids), '30 Ulid-Flakes', 30],
    objects: [
      ids.map((id, index) => JSON.stringify({ index, id, name: 'tea and cups', at: 1717653966666 + index })).join('\n'),
      '30 Ulid-Flakes',
      30,
    ],
    column: [`order_id\n${ids.join('\n')}`, '30 Ulid-Flakes', 30],
    csv: [
      `id,name,price\n${ids.map((id, index) => `"${id}","tea, green",${index}.50`).join('\n')}`,
      '30 Ulid-Flakes',
      30,
    ],
    sql: [
      `INSERT INTO orders VALUES\n${ids.map((id) => `  ('${id}', 'tea', 2, now()),`).join('\n')}`,
      '30 Ulid-Flakes',
      30,
    ],
    psql: [` id | name\n----+------\n${uuids.map((id) => ` ${id} | tea`).join('\n')}\n(30 rows)`, '30 EUIDs', 30],
    log: [
      `starting\n${ids.map((id) => `2025-03-01T00:00:00.000Z INFO [pid=4711] GET /orders/${id} 200 12ms trace=5b8aa5a2d2c872e8321cf37308d69df2`).join('\n')}\nstopped by signal 15`,
      '30 Ulid-Flakes',
      30,
    ],
    integers: [
      ids.map((id) => [...id].reduce((int, char) => int * 32n + BigInt(CROCKFORD.indexOf(char)), 0n)).join('\n'),
      '30 Ulid-Flakes',
      30,
    ],
    columns: [ids.map((id, index) => `${id} ${uuids[index]}`).join('\n'), '30 EUIDs · 30 Ulid-Flakes', 60],
  };
  await visit(browser, '', async (page) => {
    for (const [name, [text, specs, count]] of Object.entries(inputs)) {
      await show(page, '#inspect');
      await paste(page, text);
      await answers(page, `${count} IDs in`).catch(async () =>
        assert.fail(`${name}: ${await page.locator('main').innerText()}`),
      );
      const found = (await page.locator('article > .eyebrow').textContent()).split(' · ').sort().join(' · ');
      assert.equal(found, specs, name);
      assert.equal((await facts(page))[0], 'All are valid', name);
    }
    await show(page, '#inspect');
    await paste(page, inputs.log[0]);
    await answers(page, '30 IDs in');
    await page.getByText('Lines that were left out').click();
    assert.deepEqual(await page.locator('.leftout code').allTextContents(), ['starting', 'stopped by signal 15']);
  });
});

test('names of RON UIDs count among RON UIDs only', async () => {
  await visit(browser, '', async (page) => {
    await paste(page, 'inc\nsum\n1CQKneD1-X\n1CQKneD2-X\n1CQKneD3-Y');
    await answers(page, '5 IDs in 5 lines');
    await page.getByLabel('A row for each origin').check();
    await page.locator('.chart .name', { hasText: 'origin X' }).waitFor();
    assert.deepEqual(await page.locator('.chart .name').allTextContents(), ['origin X 2', 'origin Y 1']);
  });
});

test('a list is converted to another form, copied and downloaded', async () => {
  const ids = series(3);
  await visit(browser, '', async (page, { context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await paste(page, `${ids.join('\n')}\nC8EE934SR007G5Q94QKKXFRFV8B`);
    await answers(page, '4 IDs in 4 lines');
    await page.getByLabel('All valid IDs to').selectOption('uuid');
    await page.getByRole('button', { name: /Copy 4 lines/ }).click();
    await page.getByText('1 ID. 3 have no such form, and are left out.').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '621ce48c-99c0-0078-16e9-25e73ebf0fda\n');
    await page.getByLabel('All valid IDs to').selectOption('int');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'ids-int.txt');
    const lines = (await readFile(await download.path(), 'utf8')).split('\n');
    assert.equal(lines.length, 5);
    assert.equal(BigInt(lines[0]) >> 20n, BigInt(START - Date.UTC(2024, 0)));
  });
});

test('the timeline shows when IDs were made, and names bursts and gaps', async () => {
  const hour = 3_600_000;
  const times = [];
  for (let index = 0; index < 24 * 10; index++) if (index < 100 || index > 150) times.push(START + index * hour);
  for (let index = 0; index < 200; index++) times.push(START + 60 * hour + index * 1000);
  times.sort((a, b) => a - b);
  await visit(browser, '#inspect&scalable=1', async (page) => {
    await paste(page, times.map((millis, index) => ulidFlake(millis, index % 2 ? 33 : 64)).join('\n'));
    await answers(page, `${times.length} IDs in`);
    await page.locator('.bars rect').first().waitFor();
    await page
      .locator('.findings', {
        hasText: 'Gap: no ID for 2 days 4 hours, from 2025-03-05 03:00:00 to 2025-03-07 07:00:00 UTC',
      })
      .waitFor();
    const burst = page.locator('.findings li', { hasText: /Burst: 20\d IDs within/ });
    await burst.waitFor();
    const sum = () =>
      page
        .locator('.bars')
        .evaluateAll((all) =>
          all
            .flatMap((bars) =>
              [...bars.querySelectorAll('title')].map((title) =>
                Number(title.textContent.split(': ').at(-1).replace(/\D/g, '')),
              ),
            )
            .reduce((a, b) => a + b, 0),
        );
    // The bars come from the worker, after the rest of the view.
    const sumIs = async (isExpected) => {
      for (const end = Date.now() + 15_000; !isExpected(await sum()); await page.waitForTimeout(50)) {
        assert.ok(Date.now() < end, `the bars have ${await sum()} IDs`);
      }
    };
    await sumIs((all) => all === times.length);
    // The table has the same numbers as the bars.
    await page.getByText(/The same as a table/).click();
    const table = await page.locator('.chart tbody .number').allTextContents();
    assert.equal(
      table.map(Number).reduce((a, b) => a + b),
      times.length,
    );
    await burst.getByRole('button').click();
    await page.getByRole('button', { name: 'Zoom out' }).and(page.locator(':enabled')).waitFor();
    await sumIs((zoomed) => zoomed >= 200 && zoomed < times.length);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByLabel('One bar is').selectOption('1 day');
    await page.waitForFunction(() => document.querySelectorAll('.bars rect').length === 9);
    await page.waitForURL(/unit=1%20day/);
    await page.getByLabel('A row for each node').check();
    await page.locator('.chart .name').nth(1).waitFor();
    assert.deepEqual(
      (await page.locator('.chart .name').allTextContents()).map((name) => name.replace(/ \d+$/, '')).sort(),
      ['node 0', 'node 1'],
    );
    await sumIs((all) => all === times.length);
    await page.locator('.bars rect').first().click();
    await page.getByRole('button', { name: 'Earlier' }).waitFor();
  });
});

test('300 000 IDs, 10 MB and more, are read in the background', async () => {
  const ids = series(300_000, 1000).map((id) => `order ${id} of customer 7, paid`);
  const text = ids.join('\n');
  assert.ok(text.length > 10_000_000);
  await visit(browser, '', async (page) => {
    await paste(page, text);
    await page.locator('.chip', { hasText: 'Pasted text: 12 MB, 300 000 lines' }).waitFor();
    await answers(page, '300 000 IDs in 300 000 lines');
    assert.deepEqual(await facts(page), ['All are valid', 'No duplicates', 'In order']);
    await page.getByText('This text is too long for a link').waitFor();
    assert.ok(page.url().length < 200);
    await page.getByRole('button', { name: 'Last' }).click();
    await page.getByText('Page 6 000 of 6 000').waitFor();
    await page.locator('.rows', { hasText: '300 000' }).waitFor();
    // The list stays in the history of the browser.
    await page.getByRole('link', { name: 'Make' }).click();
    await page.goBack();
    await page.locator('.chip').waitFor();
    await answers(page, '300 000 IDs');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No ID at hand?').waitFor();
  });
});

test('reading a large list can be cancelled', async () => {
  const text = series(400_000, 10).join('\n');
  await visit(browser, '', async (page) => {
    await paste(page, text);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await answers(page, 'Cancelled');
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No ID at hand?').waitFor();
  });
});

test('huge and hostile pastes neither hang the page nor become HTML', async () => {
  const pastes = {
    'one line of 1 MB': 'x'.repeat(1_000_000),
    'one line of 1 MB with separators': '<b>'.repeat(333_000),
    'one line of 2 MB with quotes': '"'.repeat(2_000_000),
    'control characters': '\0\u001b[31m\u202e\n'.repeat(5000),
    'lone surrogates': '\ud800 \udfff\n'.repeat(5000),
    '10 MB of markup': '<img src=x onerror=alert(1)> <script>alert(1)</script>\n'.repeat(190_000),
    'very many lines': '\n'.repeat(3_000_000),
    brackets: '((((((((('.repeat(100_000),
    digits: '1'.repeat(1_000_000),
  };
  await visit(browser, '', async (page) => {
    for (const [name, text] of Object.entries(pastes)) {
      await paste(page, text);
      await page
        .locator('h2.when')
        .waitFor({ timeout: 30_000 })
        .catch(() => assert.fail(`${name}: no answer`));
      assert.equal(await page.locator('main img, main script, main b').count(), 0, name);
      assert.doesNotMatch(await page.locator('main').innerText(), /[\u202a-\u202e\0\u001b]/, name);
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('No ID at hand?').waitFor();
    }
    const ids = series(5);
    await paste(page, ids.map((id) => `<b onclick="alert(1)">${id}</b> \u202e`).join('\n'));
    await answers(page, '5 IDs in 5 lines');
    assert.equal(await page.locator('main b').count(), 0);
  });
});

test('a file with IDs is read when it is dropped', async () => {
  await visit(browser, '#ledger', async (page) => {
    await page.getByRole('link', { name: 'Inspect', exact: true }).click();
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'orders.csv'));
      dispatchEvent(new DragEvent('dragenter', { dataTransfer: data, bubbles: true }));
      dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, series(10).join('\n'));
    await page.locator('.chip', { hasText: 'orders.csv' }).waitFor();
    await answers(page, '10 IDs in 10 lines');
  });
});
