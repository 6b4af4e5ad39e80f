// The conformance vectors of vectors/, whose README says what each check asks.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Euid, EventId, RonUid, Scru160, UlidFlake, detect } from '../../../../target/web/package/node.js';
import { LedgerVerifier } from '../../../../target/web/package/ledger-node.js';
import { inspect } from '../../../../target/web/package/inspect-node.js';
import { data, refused, ROOT, vectors } from './helpers.mjs';

const bytes = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));
const specs = (text) => detect(text).map(({ spec }) => spec);
const inspected = (text) => inspect(text).candidates.map(({ spec }) => spec);

/** The fields of an ID as the vectors have them, and the properties that `fromFields` takes. */
const FIELDS = {
  scru160: ({ timestamp, counter, random16, random80 }) => [
    { timestamp_ms: timestamp, counter, random16, random80: Buffer.from(random80).toString('hex') },
    { timestamp, counter, random16, random80 },
  ],
  euid: ({ timestamp, randomUpper, extension, extensionBits, check, randomHigh, randomLow }) => [
    {
      timestamp_ms: timestamp,
      random_upper: randomUpper,
      extension: extension?.value ?? null,
      extension_bits: extensionBits,
      check,
      random_high: randomHigh,
      random_low: randomLow,
    },
    { timestamp, randomUpper, extension, randomHigh, randomLow },
  ],
  'ulid-flake': (id) => [
    { int: id.to('int'), timestamp_ms: id.timestamp, randomness: id.randomness },
    { timestamp: id.timestamp, randomness: id.randomness },
  ],
  'ron-uid': ({ value, valueInt, scheme, origin, originInt }) => [
    { value, value_int: `${valueInt}`, scheme, origin, origin_int: `${originInt}` },
    { value, origin, scheme },
  ],
  'evently-id': ({ timestamp, checksum, ledgerId, ledgerVersion }) => [
    {
      timestamp_us: `${timestamp}`,
      checksum: checksum.toString(16).padStart(8, '0'),
      ledger_id: ledgerId,
      version: ledgerVersion,
    },
    { timestamp, checksum, ledgerId },
  ],
};

const OTHER_TEXT = { scru160: (id) => id.toHex(), euid: (id) => id.toStringWithoutCheck() };

const CHECKS = {
  id(Class, { text, hex, unix_us, fields }) {
    const id = Class.parse(text);
    assert.equal(`${id}`, text);
    assert.equal(id.toHex(), hex);
    assert.ok(Class.fromBytes(bytes(hex)).equals(id));
    assert.equal(id.unixMicros?.toString() ?? null, unix_us);
    if (Class !== EventId) assert.equal(id.unixMillis, unix_us === null ? undefined : Number(BigInt(unix_us) / 1000n));
    const [found, parts] = FIELDS[Class.spec](id);
    assert.deepEqual(found, fields);
    assert.ok(Class.fromFields(parts).equals(id));
    if (Class !== Scru160) assert.ok(Class.fromBigInt(BigInt(`0x${hex}`)).equals(id));
    if (Class === Euid) assert.equal(Euid.hasCheck(text), true);
    assert.ok(specs(text).includes(Class.spec) && inspected(text).includes(Class.spec), text);
  },
  scalable(Class, { text, hex, fields }) {
    const id = Class.parse(text);
    assert.equal(id.toHex(), hex);
    assert.deepEqual({ int: id.to('int'), timestamp_ms: id.timestamp, ...id.scalable }, fields);
    assert.ok(Class.fromFields({ timestamp: id.timestamp, ...id.scalable }).equals(id));
  },
  other_text(Class, { text, hex }) {
    assert.equal(OTHER_TEXT[Class.spec](Class.parse(text)), text);
    assert.equal(Class.parse(text).toHex(), hex);
    if (Class === Euid) assert.equal(Euid.hasCheck(text), false);
  },
  parse(Class, { text, hex }) {
    assert.equal(Class.parse(text).toHex(), hex);
    assert.ok(specs(text).includes(Class.spec), text);
  },
  reject(Class, { text, error, position }) {
    assert.equal(refused(error, () => Class.parse(text)).index, position);
    assert.ok(!specs(text).includes(Class.spec), text);
  },
  reject_bytes(Class, { hex, error }) {
    refused(error, () => Class.fromBytes(bytes(hex)));
  },
  bounds(Class, { unix_us, min, max }) {
    const time = BigInt(unix_us);
    assert.deepEqual([Class.minAt(time).toHex(), Class.maxAt(time).toHex()], [min, max]);
  },
  reject_time(Class, { unix_us, error }) {
    for (const bound of ['minAt', 'maxAt']) refused(error, () => Class[bound](BigInt(unix_us)));
  },
  limits(Class, { min, max, min_unix_us, max_unix_us }) {
    assert.deepEqual([Class.MIN.toHex(), Class.MAX.toHex()], [min, max]);
    for (const [last, beyond] of [[min_unix_us, -1n], [max_unix_us, 1n]]) {
      Class.minAt(BigInt(last));
      refused('overflow', () => Class.minAt(BigInt(last) + beyond));
    }
  },
  order(Class, { texts }) {
    const ids = texts.map((text) => Class.parse(text));
    assert.deepEqual([...ids].reverse().sort(Class.compare).map(String), texts);
    for (let i = 1; i < ids.length; i += 1) assert.equal(ids[i - 1].compare(ids[i]), -1);
  },
  base64x64(_, { text, int }) {
    const uid = RonUid.fromFields({ value: text });
    assert.deepEqual([uid.value, uid.valueInt], [text, BigInt(int)]);
    assert.ok(RonUid.fromFields({ value: BigInt(int) }).equals(uid));
  },
  zip(_, { context, id, text }) {
    assert.equal(RonUid.parse(id).zip(RonUid.parse(context)), text);
    CHECKS.unzip(_, { context, id, text });
  },
  unzip(_, { context, id, text }) {
    assert.ok(RonUid.unzip(text, RonUid.parse(context)).equals(RonUid.parse(id)), `${text} after ${context}`);
  },
  list(_, { ids, text }) {
    const uids = ids.map((id) => RonUid.parse(id));
    assert.deepEqual(RonUid.parseVector(text).map(String), uids.map(String));
    assert.equal(RonUid.formatVector(uids), text);
  },
};

function verify(ledger, options) {
  const verifier = new LedgerVerifier(options);
  verifier.push(new TextEncoder().encode(ledger));
  return verifier.finish();
}

const LEDGER_CHECKS = {
  // The package has no function for canonical JSON. Its verifier writes it for the other checks.
  canonical_json() {},
  reject_json() {},
  event_id(_, { profile, event, unix_us, previous, text }) {
    const iso = new Date(Number(BigInt(unix_us) / 1000n)).toISOString();
    const timestamp = iso.replace('Z', `${unix_us.slice(-3)}Z`);
    const line = event.replace('{', `{"eventId":"${text}","timestamp":"${timestamp}",`);
    const { valid, lastEventId } = verify(line, { profile, after: previous ?? undefined });
    assert.deepEqual([valid, lastEventId], [true, text]);
  },
  ledger(_, { file, profile: name, genesis, events, ledger_id: ledgerId, last_event_id: lastEventId }) {
    for (const profile of [undefined, name]) {
      const { valid, isEmpty, lines, listed, ...report } = verify(data(file), { profile });
      assert.deepEqual([valid, isEmpty, listed], [true, false, []]);
      assert.deepEqual(report, { events, profile: name, genesis, ledgerId, lastEventId, faults: 0 });
    }
  },
  verdict(_, { ledger, valid, events }) {
    const report = verify(ledger);
    assert.deepEqual([report.valid, report.events, report.isEmpty], [valid, events, events === 0]);
  },
  fault(_, { ledger, strict = false, error, line }) {
    const { firstFault } = verify(ledger, { strict });
    assert.deepEqual([firstFault.kind, firstFault.line], [error, line]);
    if (strict) assert.ok(verify(ledger).valid);
  },
};

for (const [file, checks, Class] of [
  ...[Scru160, Euid, UlidFlake, RonUid, EventId].map((Class) => [Class.spec, CHECKS, Class]),
  ['ledger', LEDGER_CHECKS],
]) {
  test(`every case of ${file}.json holds`, () => {
    for (const { check, cases } of vectors(file)) {
      const run = checks[check] ?? assert.fail(`no test runs the check ${check}`);
      for (const each of cases) run(Class, each);
    }
  });
}

test('every file has the form of schema.json', () => {
  const names = readdirSync(new URL('vectors/', ROOT)).filter((name) => /(?<!schema)\.json$/.test(name));
  assert.equal(names.length, 6);
  const matches = new Ajv2020({ strictTypes: false }).compile(JSON.parse(data('schema.json')));
  for (const name of names) {
    const file = JSON.parse(data(name));
    assert.ok(matches(file), `${name}: ${JSON.stringify(matches.errors)}`);
    const [{ cases }] = file.groups;
    // The schema notices a member that is missing, one that is unknown, and a case of another check.
    const wrong = Object.keys(cases[0]).map((member) => [{ ...cases[0], [member]: undefined }]);
    for (const other of [...wrong, [{ ...cases[0], other: '' }]]) {
      assert.ok(!matches(JSON.parse(JSON.stringify({ ...file, groups: [{ ...file.groups[0], cases: other }] }))));
    }
    const check = name === 'ledger.json' ? 'id' : 'ledger';
    assert.ok(!matches({ ...file, groups: [{ ...file.groups[0], check }] }));
  }
});
