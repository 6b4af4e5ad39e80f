import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { answers, DIR, launch, paste, serve, visit } from './browser.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = {
  start: '#inspect',
  one: '#inspect=05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6',
  several: '#inspect=0005cd755a43d79238c05790c0331dd8',
  wrong: '#inspect=05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW',
  two: '#inspect=00CMXB6TAK4SA%0A00CQ1TQFJ4Q7F',
  many: `#inspect=${['1CQKneD1-X', '1CQKneD2-X', '1CQKneD3-Y', '1CQKneD9-Y', '1CQKneD3-Y', '1CQ$$'].join('%0A')}&by=node`,
  make: '#make=euid&count=3&extension=x',
  span: '#span=ulid-flake&since=2024-06&until=2024-06',
  ledger: '#ledger',
};
let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** Shows what is folded away. */
const unfold = (page) =>
  page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));

test('the page is one file of at most 300 KB, with a strict security policy', async () => {
  const html = await readFile(join(DIR, 'index.html'), 'utf8');
  assert.ok(Buffer.byteLength(html) <= 300_000);
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html);
  assert.match(
    policy,
    /^default-src 'none'; script-src ('sha256-[^ ]+' )+'wasm-unsafe-eval'; style-src 'sha256-[^ ]+'; /,
  );
  assert.match(policy, /connect-src 'none'/);
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types inspector$/);
  assert.doesNotMatch(policy, /unsafe-(?!eval')|'unsafe-eval'|https?:|\*/);
  assert.doesNotMatch(html.replace(/<script type="text\/plain"[\s\S]*?<\/script>/g, ''), / style=| on\w+=| src=/);
});

test('the page works from a web server, and later without a network', async () => {
  const server = await serve();
  await visit(
    browser,
    '#inspect=00CMXB6TAK4SA',
    async (page, { context }) => {
      await answers(page, 'made Thu 6 June 2024');
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      await context.setOffline(true);
      await server.close();
      await page.reload();
      await answers(page, 'made Thu 6 June 2024');
      await page.goto(`${server.url}#make=euid`);
      await page.locator('.fresh a').first().waitFor();
      await page.goto(`${server.url}index.html#inspect=C8EE934SR007G5Q94QKKXFRFV8B`);
      await answers(page, 'made Tue 22 April 2397');
      await paste(page, `${'00CMXB6TAK4SA\n'.repeat(1000)}`);
      await answers(page, '1 000 IDs');
      assert.deepEqual([...new Set(server.asked)].sort(), ['/', '/sw.js']);
    },
    { url: server.url, expectLogs: true },
  );
});

test('the page asks a web server for itself only', async () => {
  const server = await serve();
  await visit(
    browser,
    '#inspect=00CMXB6TAK4SA',
    async (page) => {
      await answers(page, 'made Thu 6 June 2024');
      for (const name of ['Make', 'Span of time', 'Ledger']) await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { name: 'Verify a ledger' }).waitFor();
    },
    { url: server.url },
  );
  assert.deepEqual([...new Set(server.asked)].sort(), ['/', '/sw.js']);
  await server.close();
});

test('the browser refuses every request that a script of the page might make', async () => {
  await visit(
    browser,
    '',
    async (page) => {
      const refused = await page.evaluate(async () => {
        const tries = {
          fetch: () => fetch('https://example.com/'),
          image: () =>
            new Promise((done, fail) =>
              Object.assign(new Image(), {
                onload: done,
                onerror: () => fail(new Error('refused')),
                src: 'https://example.com/x.png',
              }),
            ),
          beacon: () =>
            new Promise(
              (done, fail) => (
                addEventListener('securitypolicyviolation', () => fail(new Error('refused')), { once: true }),
                navigator.sendBeacon('https://example.com/', 'x')
              ),
            ),
          socket: () =>
            new Promise((done, fail) => {
              const socket = new WebSocket('wss://example.com/');
              socket.onopen = done;
              socket.onerror = () => fail(new Error('refused'));
            }),
          html: async () => {
            document.body.innerHTML = '<p>';
          },
          eval: async () => {
            eval('1');
          },
        };
        const refused = [];
        for (const [name, run] of Object.entries(tries)) await run().catch(() => refused.push(name));
        return refused;
      });
      assert.deepEqual(refused, ['fetch', 'image', 'beacon', 'socket', 'html', 'eval']);
    },
    { expectLogs: true },
  );
});

test('axe finds nothing, in light and dark, narrow and wide', async () => {
  // All rules on a narrow and a wide page, and the rules that depend on colours and room in each case.
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [320, 1280]) {
      await visit(
        browser,
        VIEWS.start,
        async (page) => {
          await page.evaluate(AXE);
          for (const [name, fragment] of Object.entries(VIEWS)) {
            await page.evaluate((fragment) => {
              location.hash = fragment;
            }, fragment);
            await page
              .locator(name === 'many' ? '.chart .name' : 'main > *')
              .first()
              .waitFor();
            await page.waitForTimeout(150);
            await unfold(page);
            const faults = await page.evaluate(
              async (isWhole) => {
                const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
                const runOnly = isWhole
                  ? tags
                  : { type: 'rule', values: ['color-contrast', 'target-size', 'scrollable-region-focusable'] };
                const { violations } = await globalThis.axe.run(document, {
                  runOnly,
                  preload: false,
                  resultTypes: ['violations'],
                });
                return violations.map(
                  ({ id, nodes }) =>
                    `${id}: ${nodes
                      .map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
                      .slice(0, 3)
                      .join(' | ')}`,
                );
              },
              (colorScheme === 'dark') === (width === 320),
            );
            assert.deepEqual(faults, [], `${name}, ${colorScheme}, ${width} px`);
          }
        },
        { colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' },
      );
    }
  }
});

test('nothing is wider than the page, from 320 pixels to 4K', async () => {
  for (const width of [320, 768, 3840]) {
    await visit(
      browser,
      '',
      async (page) => {
        for (const [name, fragment] of Object.entries(VIEWS)) {
          await page.evaluate((fragment) => {
            location.hash = fragment;
          }, fragment);
          await page
            .locator(name === 'many' ? '.chart .name' : 'main > *')
            .first()
            .waitFor();
          await page.waitForTimeout(80);
          await unfold(page);
          const wide = await page.evaluate(
            () => document.scrollingElement.scrollWidth - document.documentElement.clientWidth,
          );
          assert.ok(wide <= 0, `${name} is ${wide} px too wide at ${width} px`);
        }
      },
      { viewport: { width, height: 900 } },
    );
  }
});

test('the keys alone are enough for a whole task', async () => {
  await visit(browser, '', async (page, { context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        return {
          name: (element.getAttribute('aria-label') ?? element.innerText ?? '').trim(),
          tag: element.tagName,
          outline: getComputedStyle(element).outlineStyle,
        };
      });
    const tabTo = async (wanted, most = 60) => {
      for (let presses = 0; presses < most; presses++) {
        await page.keyboard.press('Tab');
        const { name, outline, tag } = await focused();
        if (!['INPUT', 'BODY'].includes(tag)) assert.notEqual(outline, 'none', `the focus on ${name} is visible`);
        if (wanted.test(name)) return;
      }
      assert.fail(`the Tab key does not reach ${wanted}`);
    };
    // Inspect an ID, highlight a field, copy its hex form.
    await page.keyboard.insertText('05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6');
    await answers(page, 'made Mon 13 September 2021');
    await tabTo(/counter/);
    assert.ok((await page.locator('.bit.on').count()) === 16);
    await tabTo(/^Copy\s*Hex/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied Hex' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '017bdf6431bb33750751eb63beb3c3f8c5969d86');
    // Make five IDs: by the skip link's neighbours in the head of the page.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('Tab');
    await tabTo(/^Make$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Make IDs' }).waitFor();
    await tabTo(/^EUID$/);
    await page.keyboard.press('Space');
    await page.locator('.fresh a').first().waitFor();
    await page.keyboard.press('Tab');
    while (!(await page.getByLabel('How many').evaluate((input) => input === document.activeElement)))
      await page.keyboard.press('Tab');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('5');
    await page.locator('.fresh li').nth(4).waitFor();
    await tabTo(/^Make others$/);
    await page.keyboard.press('Enter');
    await tabTo(/^[0-9A-Z]{27}$/);
    await page.keyboard.press('Enter');
    await answers(page, 'made');
  });
  await visit(browser, '#span', async (page) => {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  });
});

test('results are announced, and the structure is there for those who do not see it', async () => {
  await visit(browser, '#inspect=00CMXB6TAK4SA', async (page) => {
    await page
      .getByRole('status')
      .filter({ hasText: 'Ulid-Flake: made Thu 6 June 2024, 06:06:06.666 UTC' })
      .waitFor({ state: 'attached' });
    for (const role of ['banner', 'navigation', 'main', 'contentinfo'])
      assert.equal(await page.getByRole(role).count(), 1, role);
    assert.equal(await page.getByRole('link', { name: 'Inspect', exact: true }).getAttribute('aria-current'), 'page');
    assert.equal(await page.getByRole('table', { name: 'The fields of the Ulid-Flake' }).getByRole('row').count(), 5);
  });
  await visit(
    browser,
    '#inspect=00CMXB6TAK4SA',
    async (page) => {
      // The table keeps its roles when it is laid out in one column.
      assert.equal(await page.getByRole('table').getByRole('row').count(), 5);
    },
    { viewport: { width: 320, height: 800 } },
  );
});

test('forced colours, monochrome and paper lose nothing', async () => {
  await visit(browser, '#inspect=05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6', async (page) => {
    await page.emulateMedia({ forcedColors: 'active' });
    assert.equal(
      await page
        .locator('.bar')
        .first()
        .evaluate((bar) => getComputedStyle(bar).borderTopStyle),
      'solid',
    );
    await page.emulateMedia({ forcedColors: 'none', media: 'print' });
    assert.ok(!(await page.locator('.ask').isVisible()));
    assert.ok(await page.locator('h2.when').isVisible());
    assert.ok(await page.getByText('timestamp', { exact: true }).isVisible(), 'the names of the fields are on paper');
    assert.ok(await page.locator('.letter').first().isVisible());
  });
});

test('without scripts, the page says what it needs', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const { FILE } = await import('./browser.mjs');
  await page.goto(FILE);
  assert.match(await page.locator('noscript').innerText(), /needs JavaScript and WebAssembly/);
  await context.close();
});
