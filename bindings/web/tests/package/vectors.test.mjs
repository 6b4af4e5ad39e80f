// The vectors of the crates: the same files, which have the results of the published implementations.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Euid, EventId, RonUid, Scru160, UlidFlake, detect } from '../../../../target/web/package/node.js';
import { LedgerVerifier } from '../../../../target/web/package/ledger-node.js';
import { inspect } from '../../../../target/web/package/inspect-node.js';
import { data, refused, vectors } from './helpers.mjs';

const specs = (text) => detect(text).map(({ spec }) => spec);
const inspected = (text) => inspect(text).candidates.map(({ spec }) => spec);

test('every SCRU160 is parsed and printed as published', () => {
  const { ids, rejects } = vectors('scru160/tests/data/scru160.json');
  assert.ok(ids.length > 60);
  for (const { hex, base32hex, timestamp_ms, counter, random16, random80 } of ids) {
    const id = Scru160.parse(base32hex);
    for (const text of [hex, base32hex.toLowerCase(), hex.toUpperCase()])
      assert.ok(Scru160.parse(text).equals(id), text);
    assert.equal(`${id}`, base32hex);
    assert.equal(id.toHex(), hex);
    assert.equal(id.timestamp, timestamp_ms);
    assert.equal(id.unixMillis, timestamp_ms);
    assert.equal(id.counter, counter);
    assert.equal(id.random16, random16);
    assert.equal(Buffer.from(id.random80).toString('hex'), random80);
    const fields = { timestamp: id.timestamp, counter, random16, random80: id.random80 };
    assert.ok(Scru160.fromFields(fields).equals(id));
    assert.ok(specs(base32hex).includes('scru160'));
    assert.ok(inspected(base32hex).includes('scru160'));
  }
  assert.ok(rejects.length > 20);
  for (const { text } of rejects) {
    refused([32, 40].includes(Buffer.byteLength(text)) ? 'character' : 'length', () => Scru160.parse(text));
    assert.ok(!specs(text).includes('scru160'));
  }
});

test('every EUID is parsed and printed as published', () => {
  const { ids, aliases, damaged, rejects } = vectors('euid/tests/data/euid.json');
  assert.ok(ids.length > 60 && aliases.length > 10 && damaged.length > 40 && rejects.length > 5);
  for (const vector of ids) {
    const id = Euid.parse(vector.text);
    assert.equal(`${id}`, vector.text);
    assert.equal(id.toHex(), vector.hex);
    assert.equal(id.toStringWithoutCheck(), vector.text_unchecked);
    assert.ok(Euid.parse(vector.text_unchecked).equals(id));
    assert.deepEqual([Euid.hasCheck(vector.text), Euid.hasCheck(vector.text_unchecked)], [true, false]);
    assert.equal(id.timestamp, vector.timestamp_ms);
    assert.equal(id.extension?.value ?? null, vector.extension);
    assert.equal(id.extensionBits, vector.extension_bits);
    assert.deepEqual(specs(vector.text), ['euid']);
    const { timestamp, randomUpper, extension, randomHigh, randomLow } = id;
    assert.ok(Euid.fromFields({ timestamp, randomUpper, extension, randomHigh, randomLow }).equals(id));
  }
  for (const { hex, text } of aliases) assert.equal(Euid.parse(text).toHex(), hex);
  for (const { ok_hex, text } of damaged) {
    if (ok_hex === null) refused('check', () => Euid.parse(text));
    else assert.equal(Euid.parse(text).toHex(), ok_hex);
  }
  for (const { text } of rejects) {
    const isDigits = /^[A-Za-z0-9]*$/.test(text) && !/u/i.test(text);
    refused(Buffer.byteLength(text) !== 27 ? 'length' : isDigits ? 'check' : 'character', () => Euid.parse(text));
  }
});

test('every Ulid-Flake is parsed and printed as published', () => {
  const { ids, lower_case, rejects } = vectors('ulid-flake/tests/data/ulid_flake.json');
  assert.ok(ids.length > 60 && lower_case.length > 10 && rejects.length > 20);
  for (const vector of ids) {
    const id = UlidFlake.parse(vector.text);
    assert.equal(`${id}`, vector.text);
    assert.equal(id.toBigInt(), BigInt(vector.int));
    assert.equal(id.to('int'), vector.int);
    assert.ok(UlidFlake.fromBigInt(BigInt(vector.int)).equals(id));
    assert.equal(id.timestamp, vector.timestamp_ms);
    assert.equal(id.unixMillis, vector.unix_ms);
    assert.equal(id.randomness, vector.randomness);
    assert.deepEqual(id.scalable, vector.scalable);
    const { timestamp, randomness, scalable } = id;
    assert.ok(UlidFlake.fromFields({ timestamp, randomness }).equals(id));
    assert.ok(UlidFlake.fromFields({ timestamp, ...scalable }).equals(id));
    assert.deepEqual(specs(vector.text), ['ulid-flake']);
  }
  for (const { text, int } of lower_case) assert.equal(UlidFlake.parse(text).to('int'), int);
  for (const { text, kind } of rejects) {
    refused(kind === 'overflow' ? kind : Buffer.byteLength(text) === 13 ? 'character' : 'length', () =>
      UlidFlake.parse(text),
    );
  }
});

test('every RON UID is parsed, printed and compressed as published', () => {
  const { base64x64, canonical, compressed, vectors: lists } = vectors('ron-uid/tests/data/ron_uid.json');
  const schemes = { '-': 'event', '+': 'derived', $: 'name', '%': 'hash' };
  assert.ok(base64x64.length > 70 && canonical.length > 80 && compressed.length > 60 && lists.length >= 8);
  for (const { text, decimal } of base64x64) {
    const uid = RonUid.fromFields({ value: text });
    assert.equal(uid.valueInt, BigInt(decimal));
    assert.equal(uid.value, text);
    assert.ok(RonUid.fromFields({ value: BigInt(decimal) }).equals(uid));
  }
  for (const { text, value, origin, sep, printed } of canonical) {
    const uid = RonUid.parse(text);
    assert.ok(uid.equals(RonUid.fromFields({ value, origin, scheme: schemes[sep] })), text);
    assert.equal(`${uid}`, printed);
    assert.ok(RonUid.fromBytes(uid.toBytes()).equals(uid));
    assert.deepEqual(specs(text), ['ron-uid']);
  }
  for (const vector of compressed) {
    const [context, uid] = [RonUid.parse(vector.context), RonUid.parse(vector.uid)];
    assert.equal(uid.zip(context), vector.compressed);
    assert.ok(RonUid.unzip(vector.compressed, context).equals(uid));
  }
  for (const { body, uids } of lists) {
    const all = uids.map((text) => RonUid.parse(text));
    assert.deepEqual(RonUid.parseVector(body).map(String), all.map(String));
    assert.equal(RonUid.formatVector(all), body);
  }
});

test('1500 pairs of RON UIDs are compressed as published', () => {
  const lines = data('ron-uid/tests/data/zip.tsv')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  assert.equal(lines.length, 1500);
  for (const line of lines) {
    const [context, uid, text] = line.split('\t');
    assert.equal(RonUid.parse(uid).zip(RonUid.parse(context)), text);
    assert.ok(RonUid.unzip(text, RonUid.parse(context)).equals(RonUid.parse(uid)), line);
  }
});

test('the values that the specification of RON gives are right', () => {
  assert.equal(RonUid.parse('inc').valueInt, 824893205576155136n);
  assert.equal(RonUid.parse('~').valueInt, 1134907106097364992n);
  assert.equal(RonUid.parse('1CQKn-').unixMillis, 1464382200000);
  assert.equal(RonUid.parse('inc').toHex(), '0b729c00000000000000000000000000');
});

test('both ledgers are valid to their last event, and each event ID has the fields of its line', () => {
  const known = vectors('evently-ledger/tests/data/evently_classic.json');
  for (const [name, events, ledgerId, lastEventId, genesis] of [
    ['classic', known.events, known.ledger_id, known.last_event_id, 'published'],
    ['entities', 61, 'bed67a78', '000660be5c2aed09fce5fbabbed67a78', 'deployed'],
  ]) {
    const ledger = data(`evently-ledger/tests/data/evently_${name}.ndjson`);
    for (const profile of [undefined, name]) {
      const verifier = new LedgerVerifier({ profile });
      verifier.push(new TextEncoder().encode(ledger));
      const { valid, isEmpty, lines, listed, ...report } = verifier.finish();
      assert.deepEqual([valid, isEmpty, listed], [true, false, []]);
      assert.deepEqual(report, { events, profile: name, genesis, ledgerId, lastEventId, faults: 0 });
    }
    let last = EventId.MIN;
    for (const line of ledger.trimEnd().split('\n')) {
      const { eventId } = JSON.parse(line);
      const id = EventId.parse(eventId);
      assert.equal(`${id}`, eventId);
      assert.equal(id.checksum.toString(16).padStart(8, '0'), eventId.slice(16, 24));
      assert.equal(id.ledgerId, ledgerId);
      assert.ok(last.compare(id) < 0);
      assert.equal(specs(eventId)[0], 'evently-id');
      last = id;
    }
  }
});
