// Takes pictures of the page, to look at, and writes the picture in docs/.
//
//     node tests/inspector/screenshots.mjs

import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { answers, launch, paste, SCREENSHOTS, visit } from './browser.mjs';
import { ledger } from './ledgers.mjs';

const PICTURE = resolve(import.meta.dirname, '../../../../docs/inspector.png');
const MOST_BYTES = 150_000;

/** Ulid-Flakes of two nodes over a fortnight, with a burst and a gap, as a log has them. */
function log() {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const id = (millis, random) => {
    let int = (BigInt(millis - Date.UTC(2024, 0)) << 20n) | BigInt(random);
    let text = '';
    for (let digit = 0; digit < 13; digit++, int >>= 5n) text = digits[Number(int & 31n)] + text;
    return text;
  };
  const times = [];
  for (let hour = 0; hour < 24 * 14; hour++) {
    const busy = Math.round(6 + 5 * Math.sin((hour / 12) * Math.PI));
    const count = hour > 130 && hour < 170 ? 0 : hour === 220 ? 160 : busy;
    for (let index = 0; index < count; index++)
      times.push(Date.UTC(2026, 9, 5) + hour * 3_600_000 + ((index * 7919 + hour * 104_729) % 3_600_000));
  }
  times.sort((a, b) => a - b);
  const lines = times.map(
    (millis, index) =>
      `${new Date(millis).toISOString()} INFO order ${id(millis, ((index * 7919) % 32768) * 32 + (index % 3 ? 3 : 8))} paid`,
  );
  lines.splice(40, 0, lines[7], 'restarted', lines[9].replace(/ order (.{9}).{2}/, ' order $1UU'));
  return lines.join('\n');
}

const open = (fragment, act) => ({ fragment, act });
const SHOTS = {
  start: open('#inspect'),
  scru160: open('#inspect=05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6', (page) => page.locator('.bit[data-f=B]').first().hover()),
  euid: open('#inspect=C8EE934SR007G5Q94QKKXFRFV8B'),
  'ulid-flake': open('#inspect=00CMXB6TAK4SA'),
  'ron-uid': open('#inspect=1CQKneD1-Xgritzk0_D&scheme=0163'),
  'event-id': open('#inspect=0005cd755a43d79238c05790c0331dd8'),
  'wrong-euid': open('#inspect=C8EE934SR007G5Q94QKKXFRFV8C'),
  wrong: open('#inspect=05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW'),
  uuid: open('#inspect=019ad2b6-1c00-7a4b-bcce-b302099a8057'),
  two: open('#inspect=00CMXB6TAK4SA%0A00CQ1TQFJ4Q7F'),
  many: open('#inspect&scalable=1', async (page) => {
    const text = log();
    await page.goto(page.url().replace(/#.*/, '#inspect&scalable=1'));
    await paste(page, text);
    await answers(page, 'IDs in');
    await page.locator('.bars rect').first().waitFor();
  }),
  make: open('#make=scru160&count=5&node=3:5'),
  span: open('#span=euid&since=2026-11&until=2026-11'),
  ledger: open('#ledger', async (page) => {
    const lines = [...ledger(1000)];
    lines[499] = lines[499].replace('"amount":499.50', '"amount":0.50');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'shop.ndjson', mimeType: '', buffer: Buffer.from(lines.join('')) });
    await page.locator('.report').waitFor();
  }),
};

const only = process.argv.slice(2);
await mkdir(SCREENSHOTS, { recursive: true });
const browser = await launch();
const init =
  'const now = Date.now() - Date.parse("2026-11-22T12:00:00Z"), real = Date.now; Date.now = () => real() - now';
for (const [name, { fragment, act }] of Object.entries(SHOTS)) {
  if (only.length > 0 && !only.includes(name)) continue;
  for (const [look, options] of Object.entries({
    light: { colorScheme: 'light' },
    dark: { colorScheme: 'dark' },
    320: { colorScheme: 'light', viewport: { width: 320, height: 640 } },
    390: { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    '4k': { colorScheme: 'light', viewport: { width: 3840, height: 2160 } },
  })) {
    await visit(
      browser,
      fragment,
      async (page) => {
        await page.locator('main > *').first().waitFor();
        await act?.(page);
        await page.waitForTimeout(200);
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${look}.png`), fullPage: true });
      },
      { init, ...options },
    );
  }
}
await visit(
  browser,
  '#inspect=05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6',
  async (page) => {
    await answers(page, 'made');
    await page.screenshot({ path: PICTURE });
  },
  { init, viewport: { width: 1280, height: 820 } },
);
await browser.close();
const { size } = await stat(PICTURE);
if (size > MOST_BYTES) throw new Error(`${PICTURE} has ${size} bytes, more than ${MOST_BYTES}`);
console.log(`${SCREENSHOTS}, docs/inspector.png: ${size} bytes`);
