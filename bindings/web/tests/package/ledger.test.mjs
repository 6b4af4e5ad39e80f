// Ledgers that arrive in pieces.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { EventId } from '../../../../target/web/package/node.js';
import { LedgerVerifier } from '../../../../target/web/package/ledger-node.js';
import { data, PACKAGE, refused } from './helpers.mjs';

const CLASSIC = data('ledger-classic.ndjson');
const ENCODER = new TextEncoder();

/** The report of a ledger in pieces of this size. */
function verify(ledger, options, size = Infinity) {
  const bytes = typeof ledger === 'string' ? ENCODER.encode(ledger) : ledger;
  const verifier = new LedgerVerifier(options);
  for (let at = 0; at < bytes.length; at += size) verifier.push(bytes.subarray(at, Math.min(at + size, bytes.length)));
  assert.equal(verifier.bytes, bytes.length);
  return verifier.finish();
}

const LINES = CLASSIC.trimEnd().split('\n');

/** The ledger with another line at this place. */
function damaged(line, change) {
  const lines = [...LINES];
  lines[line - 1] = change(lines[line - 1]);
  return lines.join('\n');
}

const DAMAGED = {
  malformed_line: damaged(7, (line) => line.replace('"event":', '"event";')),
  missing_member: damaged(7, (line) => line.replace('"event":', '"even":')),
  id_mismatch: damaged(7, (line) => line.replace(/"event":"[^"]*"/, '"event":"changed"')),
  timestamp_mismatch: damaged(7, (line) => line.replace(/"timestamp":"2021/, '"timestamp":"2022')),
  time_not_ascending: [...LINES.slice(0, 7), LINES[5], ...LINES.slice(7)].join('\n'),
  ledger_changed: damaged(7, (line) => line.replace(/("eventId":"[0-9a-f]{24})[0-9a-f]{8}/, '$100000000')),
};

test('each size of the pieces gives the same report, of a good ledger and of damaged ones', () => {
  for (const ledger of [CLASSIC, CLASSIC.trimEnd(), CLASSIC.replaceAll('\n', '\r\n\n'), ...Object.values(DAMAGED)]) {
    const bytes = ENCODER.encode(ledger);
    const whole = verify(bytes);
    for (const size of [1, 2, 3, 5, 7, 64, 255, 256, 257, 1000, 4096, bytes.length - 1, bytes.length]) {
      assert.deepEqual(verify(bytes, {}, size), whole, `pieces of ${size} bytes`);
    }
  }
});

test('every cut of a ledger into two pieces gives the same report, also within a character', () => {
  const bytes = ENCODER.encode(LINES.slice(0, 4).join('\n'));
  assert.ok(bytes.some((byte) => byte > 127));
  const whole = verify(bytes);
  assert.ok(whole.valid);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const verifier = new LedgerVerifier();
    verifier.push(bytes.subarray(0, cut));
    verifier.push(bytes.subarray(cut));
    assert.deepEqual(verifier.finish(), whole, `cut at ${cut}`);
  }
});

test('each kind of fault is found in its line, with the text of the line', () => {
  for (const [kind, ledger] of Object.entries(DAMAGED)) {
    const report = verify(ledger);
    const { firstFault: fault, listed } = report;
    assert.equal(report.valid, false);
    assert.equal(fault.kind, kind);
    assert.equal(listed.length, report.faults);
    assert.equal(listed[0], fault);
    assert.equal(fault.line, kind === 'time_not_ascending' ? 8 : 7);
    assert.equal(fault.text, ledger.split('\n')[fault.line - 1]);
    assert.equal(fault.textColumn, 1);
    assert.ok(fault.message.startsWith(`line ${fault.line}: `) && fault.message.includes(fault.expected));
  }
  const { column, text } = verify(DAMAGED.malformed_line).firstFault;
  assert.equal([...text][column - 1], ';');
});

test('a strict verifier refuses what no checksum protects', () => {
  const unknown = damaged(7, (line) => line.replace('{', '{"note":"x",'));
  assert.equal(verify(unknown).valid, true);
  const { firstFault } = verify(unknown, { strict: true });
  assert.deepEqual([firstFault.kind, firstFault.line], ['unknown_member', 7]);
  assert.equal(firstFault.text.slice(firstFault.column, firstFault.column + 4), 'note');
  const twice = damaged(7, (line) => line.replace('{', '{"event":"x",'));
  assert.equal(verify(twice, { strict: true }).firstFault.kind, 'duplicate_member');
});

test('a verifier that stops at the first fault ignores all that follows', () => {
  const verifier = new LedgerVerifier({ stopAtFirstFault: true });
  assert.equal(verifier.isDone, false);
  verifier.push(ENCODER.encode(`${DAMAGED.id_mismatch}\nnonsense\n`));
  assert.equal(verifier.isDone, true);
  verifier.push(ENCODER.encode('nonsense\n'));
  const report = verifier.finish();
  assert.deepEqual([report.faults, report.events], [1, 7]);
  assert.equal(verify(`${DAMAGED.id_mismatch}\nnonsense\n`).faults, 2);
});

test('a part of a ledger is verified after an event that is trusted', () => {
  const after = JSON.parse(LINES[9]).eventId;
  const rest = LINES.slice(10).join('\n');
  for (const trusted of [after, EventId.parse(after), after.toUpperCase()]) {
    const report = verify(rest, { after: trusted });
    assert.deepEqual([report.valid, report.genesis, report.events], [true, 'trusted', LINES.length - 10]);
  }
  assert.equal(verify(rest).valid, false);
  assert.equal(refused('character', () => verify(rest, { after: 'z'.repeat(32) })).index, 0);
  refused('length', () => verify(rest, { after: '' }));
  assert.throws(() => verify(rest, { after: 5 }), TypeError);
});

test('an empty ledger is not valid, but has no fault', () => {
  for (const empty of ['', '\n', ' \n\t\r\n\n'.repeat(100)]) {
    const report = verify(empty);
    assert.deepEqual([report.valid, report.isEmpty, report.events], [false, true, 0]);
    assert.deepEqual([report.faults, report.listed], [0, []]);
    assert.deepEqual([report.profile, report.genesis, report.firstFault], [undefined, undefined, undefined]);
  }
});

test('a long line is quoted in part, around its fault', () => {
  const long = `{"a":"${'é'.repeat(100_000)}",nonsense${'b'.repeat(50_000)}}`;
  const { firstFault: fault } = verify(long);
  assert.equal(fault.kind, 'malformed_line');
  assert.ok(fault.text.length <= 4096 && ENCODER.encode(fault.text).length <= 4096);
  assert.equal([...fault.text][fault.column - fault.textColumn], 'n');
  const start = verify(JSON.stringify({ event: 'x', data: 'y'.repeat(100_000) })).firstFault;
  assert.deepEqual([start.kind, start.textColumn, start.text.startsWith('{"event"')], ['missing_member', 1, true]);
});

test('at most 100 faults are listed, and all are counted', () => {
  const report = verify('{}\n'.repeat(1000));
  assert.deepEqual([report.faults, report.listed.length, report.lines], [1000, 100, 1000]);
});

test('a line has at most 64 MiB without its line feed, however it comes, and a longer one needs no more memory', () => {
  const longest = 64 << 20;
  for (const [length, end] of [
    [longest, '\n'],
    [longest, ''],
    [longest + 1, '\n'],
    [longest + 1, ''],
    [5 * longest, '\n'],
  ]) {
    for (const size of [1 << 20, (1 << 20) - 7, 1 << 26]) {
      const verifier = new LedgerVerifier();
      verifier.push(ENCODER.encode(CLASSIC));
      const blanks = new Uint8Array(size).fill(32);
      for (let at = 0; at < length; at += size) verifier.push(blanks.subarray(0, Math.min(size, length - at)));
      verifier.push(ENCODER.encode(end));
      const { valid, firstFault: fault, lines } = verifier.finish();
      assert.deepEqual([valid, lines], [length <= longest, 65], `${length} ${size}`);
      if (valid) continue;
      assert.deepEqual([fault.kind, fault.line], ['malformed_line', 65]);
      assert.equal(fault.expected, `a line of at most ${longest} bytes`);
      assert.equal(fault.found, 'a longer one');
    }
  }
});

test('bytes of every kind are faults, not traps', () => {
  const inputs = [
    new Uint8Array(10_000),
    Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7919) & 255),
    ENCODER.encode('['.repeat(100_000)),
    ENCODER.encode(`{"data":${'{"a":'.repeat(10_000)}`),
    ENCODER.encode('{"data":1e999999999}\n{"data":-0e-99999}\n"\\ud800"\n'),
    Uint8Array.of(0xef, 0xbb, 0xbf, ...ENCODER.encode(LINES[0])),
    Uint8Array.of(0xc3, 10, 0xc3, 0xa9, 10, 0xff, 0xfe),
  ];
  for (const input of inputs) {
    for (const size of [Infinity, 100]) assert.equal(verify(input, {}, size).valid, false);
  }
  assert.equal(verify(CLASSIC).valid, true);
});

test('arguments of the wrong type are TypeErrors, and an unknown profile is refused', () => {
  const verifier = new LedgerVerifier();
  for (const chunk of [undefined, null, 'text', 5, [1], new ArrayBuffer(8)]) {
    assert.throws(() => verifier.push(chunk), { name: 'TypeError', message: /expected a Uint8Array/ });
  }
  verifier.push(ENCODER.encode(CLASSIC));
  assert.deepEqual([verifier.events, verifier.faults], [64, 0]);
  assert.equal(verifier.finish().valid, true);
  assert.deepEqual([verifier.finish().events, verifier.events, verifier.isDone], [64, 64, true]);
  assert.match(refused('option', () => new LedgerVerifier({ profile: 'other' })).message, /classic/);
  assert.throws(() => new LedgerVerifier({ profile: 5 }), TypeError);
  const freed = new LedgerVerifier();
  freed.free();
  freed.free();
  assert.throws(() => freed.push(new Uint8Array(1)), /has ended/);
});

test('without the module, the verifier says what to call', async () => {
  const manual = await import(`${PACKAGE}ledger-manual.js?copy`);
  assert.throws(
    () => new manual.LedgerVerifier(),
    /the module is not loaded: call init\(\) first, or import 'sortid\/ledger'/,
  );
  assert.throws(() => manual.init('x'), TypeError);
  manual.init(new WebAssembly.Module(readFileSync(`${PACKAGE}ledger.wasm`)));
  assert.ok(new manual.LedgerVerifier());
});
