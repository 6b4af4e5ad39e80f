// Ledgers for the tests. This file has code of its own, so that the page is compared with something else.

import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** CRC-32C of texts, one after the other. */
function crc32c(...texts) {
  let crc = -1;
  for (const byte of Buffer.from(texts.join(''))) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

const hex = (int, digits) => int.toString(16).padStart(digits, '0');

/** The lines of a ledger of the classic profile. `content` makes the text of an event's note. */
export function* ledger(count, content = (index) => `note ${index}`) {
  let last = '';
  let ledgerId = '';
  for (let index = 0; index < count; index++) {
    const micros = 1_717_653_966_000_000n + BigInt(index) * 1500n;
    const [entity, key, event] = ['order', `${index}`, index % 3 ? 'order paid' : 'order placed'];
    const [meta, data] = ['{"actor":"ada"}', `{"amount":${index % 1000}.50,"note":"${content(index)}"}`];
    if (index === 0) {
      ledgerId = hex((crc32c(entity, key, event, meta, data) & ~3) >>> 0, 8);
      last = `${'0'.repeat(24)}${ledgerId}`;
    }
    const timestamp = hex(micros, 16);
    last = `${timestamp}${hex(crc32c(entity, key, event, meta, data, ledgerId, timestamp, last), 8)}${ledgerId}`;
    const clock = `${new Date(Number(micros / 1000n)).toISOString().slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`;
    yield `{"eventId":"${last}","timestamp":"${clock}","event":"${event}","entity":"${entity}","key":"${key}","meta":${meta},"data":${data}}\n`;
  }
}

/** Writes a ledger of about this many bytes, and returns its number of events. */
export async function write(path, bytes) {
  const pad = Array.from({ length: 64 }, (_, index) =>
    Buffer.from(`${index * index * 7919}-`.repeat(120))
      .toString('base64')
      .slice(0, 900 + index),
  );
  const file = createWriteStream(path);
  let [written, events, part] = [0, 0, ''];
  for (const line of ledger(Infinity, (index) => `${index} ${pad[index & 63]}`)) {
    part += line;
    events++;
    if (part.length > 4_000_000) {
      written += part.length;
      if (!file.write(part)) await once(file, 'drain');
      part = '';
      if (written >= bytes) break;
    }
  }
  file.end(part);
  await once(file, 'finish');
  return events;
}
