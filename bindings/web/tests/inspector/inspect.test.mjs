import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SPECS } from '../../../../target/web/package/node.js';
import { answer, answers, fields, launch, paste, show, visit } from './browser.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());
const SCRU160 = '05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6';

test('the time of an ID is the first and largest text after the question', async () => {
  await visit(browser, '', async (page) => {
    assert.equal(await page.evaluate(() => document.activeElement.id), 'ids', 'the question has the focus');
    await page.keyboard.type('00CMXB6TAK4SA');
    await answers(page, 'made Thu 6 June 2024, 06:06:06.666 UTC');
    const sizes = await page
      .locator('main *')
      .evaluateAll((all) =>
        all
          .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
          .map((element) => [parseFloat(getComputedStyle(element).fontSize), element.closest('h2')?.className]),
      );
    const [largest] = sizes.sort((a, b) => b[0] - a[0]);
    assert.equal(largest[1], 'when');
    const box = await answer(page).boundingBox();
    assert.ok(box.y < 500, 'the time is visible without scrolling');
    const local = await page.locator('.sub').first().textContent();
    assert.match(local, /^\d+ years? .*ago · 08:06:06\.666 CEST in your zone, Europe\/Berlin$/);
    assert.equal(await page.locator('time').getAttribute('datetime'), '2024-06-06T06:06:06.666Z');
  });
});

test('how long ago is in words, also for times to come', async () => {
  const at = (clock) => ({ init: `Date.now = () => ${Date.parse(clock)}` });
  await visit(
    browser,
    '#inspect=00CMXB6TAK4SA',
    async (page) => {
      assert.match(await page.locator('.sub').first().textContent(), /^2 years 5 months ago/);
    },
    at('2026-11-22T22:00:00Z'),
  );
  await visit(
    browser,
    '#inspect=00CMXB6TAK4SA',
    async (page) => {
      assert.match(await page.locator('.sub').first().textContent(), /^in 6 seconds/);
    },
    at('2024-06-06T06:06:00Z'),
  );
});

test('each field has one letter in the bits, the hex digits and the table', async () => {
  await visit(browser, '#inspect=C8EE934SR007G5Q94QKKXFRFV8B', async (page) => {
    assert.deepEqual(await fields(page), [
      ['A', 'timestamp', '0–44', '13484529128248'],
      ['B', 'random upper', '45–51', '0'],
      ['C', 'extension', '52–59', '7'],
      ['D', 'extension bits', '60–63', '8'],
      ['', 'check', 'the text', '11 of 0–126'],
      ['E', 'random high', '64–95', '384378343'],
      ['F', 'random low', '96–127', '1052708826'],
    ]);
    const bits = await page
      .locator('.bit')
      .evaluateAll((cells) => cells.map((cell) => [cell.textContent, cell.dataset.f]));
    assert.equal(bits.length, 128);
    const int = BigInt(`0b${bits.map(([bit]) => bit).join('')}`);
    assert.equal(int.toString(16), '621ce48c99c0007816e925e73ebf0fda');
    assert.equal(
      bits.map(([, letter]) => letter).join(''),
      'A'.repeat(45) + 'B'.repeat(7) + 'C'.repeat(8) + 'D'.repeat(4) + 'E'.repeat(32) + 'F'.repeat(32),
    );
    assert.equal((await page.locator('.nibble').allTextContents()).join(''), '621ce48c99c0007816e925e73ebf0fda');
    // The letters are text, so they stay when all colours are gone.
    assert.deepEqual(
      (await page.locator('.bar').allTextContents()).filter((letter) => !/^[A-F]$/.test(letter)),
      [],
    );
    assert.match(
      await page.locator('.bits').getAttribute('aria-label'),
      /128 bits\. A: timestamp, 45 bits; B: random upper, 7 bits/,
    );
  });
});

test('all fields of each specification are explained, with the section', async () => {
  await visit(browser, '', async (page) => {
    for (const id of [
      SCRU160,
      'C8EE934SR007G5Q94QKKXFRFV8B',
      '00CMXB6TAK4SA',
      '1CQKneD1-Xgritzk0_D',
      '0005cd755a43d79238c05790c0331dd8',
    ]) {
      await show(page, `#inspect=${id}`);
      await answers(page, 'made');
      const meanings = await page.locator('.fields .meaning').allTextContents();
      assert.ok(meanings.length >= 4);
      for (const meaning of meanings) assert.match(meaning, /^[A-Z].{8,}\. \S/, `${id}: ${meaning}`);
      const links = await page.locator('article a').evaluateAll((all) => all.map((link) => [link.href, link.rel]));
      assert.ok(links.every(([href, rel]) => href.startsWith('https://') && rel === 'noreferrer'));
    }
  });
});

test('a field that is pointed at or focused is highlighted everywhere', async () => {
  await visit(browser, `#inspect=${SCRU160}`, async (page) => {
    const lit = () =>
      page
        .locator('.bits .on')
        .evaluateAll((all) => [...new Set(all.map((cell) => `${cell.classList[0]} ${cell.dataset.f}`))].sort());
    assert.deepEqual(await lit(), []);
    await page.locator('.bit[data-f=B]').first().hover();
    assert.deepEqual(await lit(), ['bar B', 'bit B', 'nibble B']);
    assert.equal(await page.locator('.fields tr.on .letter').textContent(), 'B');
    await page.mouse.move(5, 5);
    assert.deepEqual(await lit(), []);
    await page.locator('.fields button', { hasText: 'random80' }).focus();
    assert.deepEqual(await lit(), ['bar D', 'bit D', 'nibble D']);
  });
});

test('all forms are there, and are copied', async () => {
  await visit(browser, '#inspect=0005cd755a43d79238c05790c0331dd8&spec=evently-id', async (page, { context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const forms = await page
      .locator('.forms > div')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('dt').firstChild.data.trim(), row.querySelector('code').textContent]),
      );
    assert.deepEqual(Object.fromEntries(forms), {
      Text: '0005cd755a43d79238c05790c0331dd8',
      Hex: '0005cd755a43d79238c05790c0331dd8',
      UUID: '0005cd75-5a43-d792-38c0-5790c0331dd8',
      Integer: String(0x0005cd755a43d79238c05790c0331dd8n),
      Base64url: 'AAXNdVpD15I4wFeQwDMd2A',
      Time: '2021-10-03T16:33:12.816530Z',
      'Unix time': '1633278792816530',
    });
    for (const [name, text] of forms) {
      await page.getByRole('button', { name: `Copy ${name}`, exact: true }).click();
      await page.getByRole('button', { name: `Copied ${name}`, exact: true }).waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
    }
  });
});

test('an ID that can be several is shown as each of them, with reasons', async () => {
  await visit(browser, '#inspect=0005cd755a43d79238c05790c0331dd8', async (page) => {
    const choices = page.locator('.candidates button');
    assert.match(await choices.nth(0).textContent(), /Event ID.*32 hex digits.*time from 2000 to 2099/);
    assert.equal(await choices.nth(0).getAttribute('aria-pressed'), 'true');
    await page.locator('.candidates button', { hasText: 'SCRU160' }).click();
    await page.locator('.eyebrow strong', { hasText: 'SCRU160' }).waitFor();
    await page.waitForURL(/as=scru160/);
    await page.reload();
    await page.locator('.eyebrow strong', { hasText: 'SCRU160' }).waitFor();
  });
});

test('a UUID of version 7 and other kinds of IDs are named as what they are', async () => {
  await visit(browser, '#inspect=01890a5d-ac96-774b-bcce-b302099a8057', async (page) => {
    await answers(page, 'More likely a UUID of version 7, made Fri 30 June 2023, 03:34:18.518 UTC, which is another kind of ID');
    // The reading in which it is not one is behind a click.
    assert.equal(await page.locator('.eyebrow').textContent(), 'Another kind of ID · read from its UUID form');
    assert.ok(!(await page.getByText('in 3').isVisible()));
    await page.getByText('Read it as an Event ID all the same').click();
    await page.locator('.bits').waitFor();
  });
  for (const [text, kind] of [
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'a ULID'],
    ['507f1f77bcf86cd799439011', 'an ObjectId'],
    ['0ujsswThIGTUYm2K8FjOOfXtY1K', 'a KSUID'],
  ]) {
    await visit(browser, `#inspect=${text}`, (page) => answers(page, `It looks like ${kind}, which is another kind of ID`));
  }
});

test('the check of a wrong EUID is marked', async () => {
  await visit(browser, '#inspect=C8EE934SR007G5Q94QKKXFRFV8C', async (page) => {
    await answers(page, 'The check at the end does not match');
    assert.equal(await page.locator('.marked').textContent(), 'C8EE934SR007G5Q94QKKXFRFVThe check: 8C');
  });
});

test('on a phone nothing is cut, and the forms come before the bits', async () => {
  const phone = { viewport: { width: 390, height: 844 } };
  const isWide = (page, selector) =>
    page.locator(selector).evaluateAll((all) => all.some((one) => one.scrollWidth > one.clientWidth + 1));
  await visit(
    browser,
    '#inspect=C8EE934SR007G5Q94QKKXFRFV8B',
    async (page) => {
      const [forms, bits] = await Promise.all(
        ['.forms', '.bits'].map((name) => page.locator(name).evaluate((one) => one.getBoundingClientRect().top)),
      );
      assert.ok(forms < bits);
      const ids = Array.from({ length: 60 }, (_, index) => `00CMXB6TA${'0123456789'[index % 10]}${index % 2}SA`);
      await paste(page, `\n${ids.join('\n')}`);
      await page.locator('.rows').waitFor();
      assert.ok(!(await isWide(page, '.scroll')), 'a row of the list is cut');
      const [from, , to] = await page
        .locator('.axis span')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      assert.equal(from, to);
    },
    phone,
  );
});

test('the wrong character of an ID is marked, and explained', async () => {
  await visit(browser, '#inspect=05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW', async (page) => {
    await answers(page, '32 characters, as a SCRU160 has. But the last character, “W”, is not a base32hex digit');
    assert.equal(await page.locator('.marked').textContent(), '05TTUP1HNCPNA1QHTDHRTCU3V32PD7CWrong: W');
    assert.equal(await page.locator('.expected').textContent(), 'Expected there: one of 0–9 and A–V, in either case.');
    const mark = await page
      .locator('.marked mark')
      .evaluate((mark) => [getComputedStyle(mark).borderTopStyle, getComputedStyle(mark, '::after').content]);
    assert.deepEqual(mark, ['solid', '"▲"'], 'the mark is more than a colour');
    // The time does not depend on the wrong character.
    await page.locator('.suggestions', { hasText: 'made Mon 13 September 2021, 13:41:30.683 UTC' }).waitFor();
    assert.ok(!(await page.getByText('expected 27 characters').isVisible()), 'the other reasons are folded away');
    await page.getByText('Why the other specifications refuse it').click();
    assert.equal(await page.locator('.reasons tbody tr').count(), SPECS.length - 1);
    await page.getByText('expected 27 characters').waitFor();
  });
});

test('what a wrong ID might have been is one click away', async () => {
  await visit(browser, '#inspect=00CMXB6TAK4SU', async (page) => {
    await answers(page, 'last character, “U”, is not a Crockford base32 digit');
    const [first] = await page.locator('.suggestions li').all();
    assert.ok(first, 'there is a suggestion');
  });
  await visit(browser, '#inspect=00CMXB6TAK4SI', async (page) => {
    const button = page.locator('.suggestions button').first();
    const meant = await button.textContent();
    await button.click();
    await answers(page, 'made Thu 6 June 2024');
    assert.equal(await page.locator('#ids').inputValue(), meant);
    await page.goBack();
    await answers(page, 'is not a Crockford base32 digit');
  });
});

test('too few and too many characters, a wrong check and too great an ID are told in words', async () => {
  const cases = {
    [SCRU160.slice(0, -2)]: ['30 characters: 2 too few for a SCRU160', '··'],
    [`${SCRU160}AB`]: ['34 characters: 2 too many for a SCRU160', 'AB'],
    C8X2HA87098A0W837DX13FEAWVV: ['The check at the end does not match', ''],
    '8ZZZZZZZZZZZZ': ['It is greater than the greatest Ulid-Flake', ''],
  };
  await visit(browser, '', async (page) => {
    for (const [text, [headline, marked]] of Object.entries(cases)) {
      await show(page, `#inspect=${text}`);
      await answers(page, headline);
      assert.ok((await page.locator('.marked').textContent()).endsWith(marked));
    }
  });
});

test('an ID is found in whatever a database, a program or a log prints around it', async () => {
  const hex = '017bdf6431bb33750751eb63beb3c3f8c5969d86';
  const uuid = '621ce48c-99c0-0078-16e9-25e73ebf0fda';
  const bytes = [...Buffer.from(hex, 'hex')];
  const scru160 = [
    ` ${SCRU160}\n`,
    `"${SCRU160}"`,
    `'${SCRU160}',`,
    `["${SCRU160}"]`,
    `('${SCRU160}');`,
    `b'${SCRU160}'`,
    `id=${SCRU160}`,
    SCRU160.toLowerCase(),
    `{"id": "${SCRU160}", "n": 1}`,
    `| 7 | ${SCRU160} | tea |`,
    `Scru160("${SCRU160}")`,
    `2024-06-06T06:06:06.666Z INFO [api] order ${SCRU160}: created in 12 ms`,
    `https://shop.example/orders/${SCRU160}?page=2`,
    SCRU160.match(/.{8}/g).join(' '),
    `order_${SCRU160}`,
    `“${SCRU160}”`,
    hex,
    `\\x${hex}`,
    `0x${hex}`,
    `X'${hex.toUpperCase()}'`,
    `'\\x${hex}'`,
    `"\\\\x${hex}"`,
    hex.match(/../g).join(' '),
    hex.match(/../g).join(':'),
    JSON.stringify(bytes),
    `b'${bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`,
    Buffer.from(hex, 'hex').toString('base64'),
  ];
  await visit(browser, '', async (page) => {
    for (const text of scru160) {
      await page.locator('#ids').fill(text);
      await answers(page, 'made Mon 13 September 2021, 13:41:30.683 UTC').catch(() =>
        assert.fail(`${text}: not found`),
      );
      assert.equal(await page.locator('.eyebrow strong').textContent(), 'SCRU160', text);
      await page.locator('#ids').fill('');
      await page.locator('h2.when').waitFor({ state: 'detached' });
    }
    for (const text of [uuid, `{${uuid}}`, `urn:uuid:${uuid}`, `UUID('${uuid}')`, `"${uuid}",`, uuid.toUpperCase()]) {
      await page.locator('#ids').fill(text);
      await page.locator('.candidates button', { hasText: 'EUID' }).click();
      await answers(page, 'made Tue 22 April 2397, 22:32:08.248 UTC');
      await page.locator('#ids').fill('');
      await page.locator('h2.when').waitFor({ state: 'detached' });
    }
  });
});

test('two IDs are compared', async () => {
  await visit(browser, '', async (page) => {
    await paste(page, '00CQ1TQFJ4Q7F\n00CMXB6TAK4SA');
    await answers(page, 'The second is earlier, by 19 hours 56 minutes');
    await page.getByText('The second sorts before the other. 27 bits of 64 differ.').waitFor();
    assert.equal(await page.locator('.bit.differs').count(), 54);
    const rows = await page
      .locator('.differences tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.lastChild.textContent.replaceAll('\u202f', ' ')));
    assert.deepEqual(rows, ['−75 300 079 192 517', 'equal', '−71 811 752', '+472 635']);
    await page.locator('#ids').fill('0005cd755a43d79238c05790c0331dd8 0005cd755a43d79338c05790c0331dd8');
    await answers(page, 'The first is earlier, by 1 microsecond');
    await page.getByText('Both are of the same ledger: c0331dd8.').waitFor();
    await page.locator('#ids').fill('00CMXB6TAK4SA,00CMXB6TAK4SA');
    await answers(page, 'They are the same ID');
    await page.locator('#ids').fill(`00CMXB6TAK4SA ${SCRU160}`);
    await answers(page, 'The second is earlier, by 2 years 8 months');
    await page.getByText('IDs of two specifications have no order').waitFor();
    await page.locator('#ids').fill('1CQKneD1-Xgritzk0_D 1CQKneD2-other');
    await page.getByText('They are of different origins: origin Xgritzk0_D and origin other.').waitFor();
  });
});

test('the options decide how a text is read', async () => {
  await visit(browser, '#inspect=00CMXB6TAK4SA', async (page) => {
    await page.locator('.options summary').click();
    await page.getByLabel('scalable version').check();
    await page.locator('.fields', { hasText: 'scalability' }).waitFor();
    assert.deepEqual((await fields(page)).at(-1), ['D', 'scalability', '59–63', '10']);
    await page.getByLabel('Epoch').fill('2020-01-01');
    await answers(page, 'made Sat 6 June 2020');
    await page.getByLabel('Epoch').fill('nonsense');
    await page.getByRole('alert').filter({ hasText: '“nonsense” is not a time' }).waitFor();
    await page.getByLabel('Epoch').fill('');
    await page.getByLabel('Read as').selectOption('scru160');
    await answers(page, 'too few for a SCRU160').catch(() => {});
    await page.locator('.eyebrow', { hasText: 'Not a SCRU160' }).waitFor();
    await page.waitForURL(/#inspect=00CMXB6TAK4SA&scalable=1&spec=scru160$/);
  });
  await visit(browser, '#inspect=1CQKneD1-Xgritzk0_D&scheme=0163', async (page) => {
    await page.locator('.details tr', { hasText: 'gritzk' }).filter({ hasText: 'user' }).waitFor();
  });
});

test('the address has the view, and the Back key leads to the views before', async () => {
  await visit(browser, '', async (page, { context, url }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#ids').fill('00CMXB6TAK4SA');
    await answers(page, 'made Thu 6 June 2024');
    await page.waitForURL(/#inspect=00CMXB6TAK4SA$/);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${url}#inspect=00CMXB6TAK4SA`);
    await page.getByRole('link', { name: 'Make' }).click();
    await page.getByRole('heading', { name: 'Make IDs' }).waitFor();
    assert.equal(await page.title(), 'Make · sortid inspector');
    await page.getByRole('link', { name: 'Span of time' }).click();
    await page.getByRole('heading', { name: 'IDs of a span of time' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Make IDs' }).waitFor();
    await page.goBack();
    await answers(page, 'made Thu 6 June 2024');
    assert.equal(await page.locator('#ids').inputValue(), '00CMXB6TAK4SA');
    await page.goBack();
    await page.getByText('No ID at hand?').waitFor();
    await page.goForward();
    await answers(page, 'made Thu 6 June 2024');
  });
  await visit(browser, '#inspect=00CMXB6TAK4SA%0A%22x%26y%3Dz%25%22%20%C3%A4', async (page) => {
    assert.equal(await page.locator('#ids').inputValue(), '00CMXB6TAK4SA\n"x&y=z%" ä');
  });
  for (const broken of [
    '#inspect=%E0%A4%A',
    '#nothing=1',
    '#',
    '#&&==&',
    '#inspect&as=x.y&spec=zzz&by=&unit=999&__proto__=1',
    '#make=constructor',
    '#span=__proto__&since=&until=x',
  ]) {
    await visit(browser, broken, async (page) => page.locator('main').waitFor());
  }
});

test('the examples lead to answers', async () => {
  await visit(browser, '', async (page) => {
    const names = await page.locator('.examples button').allTextContents();
    assert.equal(names.length, 7);
    for (const name of names) {
      await page.locator('.examples button', { hasText: name }).click();
      await answer(page).waitFor();
      await page.goBack();
      await page.locator('.examples').waitFor();
    }
  });
});

test('hostile text is only text', async () => {
  const hostile = [
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    'javascript:alert(1)',
    '"><svg onload=alert(1)>',
    '{{constructor.constructor("alert(1)")()}}',
    'a\0b',
    '\u001b[31mred',
    'abc\u202edef\u2066',
    '\ud800',
    'x\udfff',
    '\ufeff00CMXB6TAK4SA',
    '00CMXB6TAK4S\u0391',
    '👩‍👩‍👧‍👦',
    '%00%',
    '__proto__',
    'constructor',
    '𝟎𝟎𝐂𝐌𝐗𝐁𝟔𝐓𝐀𝐊𝟒𝐒𝐀',
  ];
  await visit(browser, '', async (page) => {
    for (const text of hostile) {
      await page.locator('#ids').evaluate((area, text) => {
        area.value = text;
        area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }, text);
      await answer(page).waitFor();
      const shown = await page.locator('main').innerText();
      assert.doesNotMatch(shown, /[\u202a-\u202e\u2066-\u2069\0\u001b]/, JSON.stringify(text));
      assert.equal(await page.locator('main img, main script, main svg:not(.icon)').count(), 0, text);
    }
    assert.match(await page.locator('main').innerText(), /𝟎/u);
  });
  await visit(browser, '', async (page) => {
    for (const text of hostile) {
      await show(page, `#inspect=${encodeURIComponent(text.toWellFormed())}`);
      await answer(page).waitFor();
      assert.equal(await page.locator('main img, main script').count(), 0, text);
    }
    await show(page, `#inspect=${encodeURIComponent('abc\u202e\0')}`);
    await page.locator('.marked', { hasText: 'abc\\u{202e}\\0' }).waitFor();
  });
});
