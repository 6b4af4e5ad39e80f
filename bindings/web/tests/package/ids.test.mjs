// IDs: properties of random ones, forms, times, and input that is not an ID.

import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect as shown } from 'node:util';
import RonUuid from 'swarm-ron-uuid';
import {
  CLASSES,
  detect,
  Euid,
  EventId,
  Id,
  RonUid,
  Scru160,
  SortidError,
  SPECS,
  TITLES,
  UlidFlake,
} from '../../../../target/web/package/node.js';
import { inspect } from '../../../../target/web/package/inspect-node.js';
import { random, randomBytes, refused } from './helpers.mjs';

const ALL = Object.values(CLASSES);
const CASES = 2000;

/** The forms that the IDs of a class have. */
const forms = (Class) =>
  ['text', 'hex', 'base64url', 'int', 'uuid'].filter((form) => {
    const size = Class.MIN.toBytes().length;
    return form === 'int' ? size <= 16 : form === 'uuid' ? size === 16 : true;
  });

test('a random ID is the same after each of its forms', () => {
  const next = random(1);
  for (const Class of ALL) {
    for (let made = 0; made < CASES; made += 1) {
      const bytes = randomBytes(Class, next);
      const id = Class.fromBytes(bytes);
      assert.deepEqual(id.toBytes(), bytes);
      assert.ok(id instanceof Class && id instanceof Id && id.spec === Class.spec);
      assert.ok(Class.parse(`${id}`).equals(id), `${id}`);
      for (const form of forms(Class)) {
        assert.ok(Class.from(id.to(form), form).equals(id), `${form} of ${id}`);
      }
      if (bytes.length <= 16) assert.ok(Class.fromBigInt(id.toBigInt()).equals(id));
      assert.equal(JSON.stringify({ id }), `{"id":"${id}"}`);
    }
  }
});

test('from() and the module of inspect() read the same texts as the same IDs', () => {
  const next = random(2);
  for (const Class of ALL) {
    for (let made = 0; made < 200; made += 1) {
      const id = Class.fromBytes(randomBytes(Class, next));
      for (const form of forms(Class)) {
        const text = id.to(form);
        const [candidate] = inspect(text, { spec: Class.spec, from: form }).candidates;
        assert.ok(candidate.id.equals(id), `${form}: ${text}`);
        if (form === 'base64url') continue;
        const [guess] = inspect(text, { spec: Class.spec }).candidates;
        assert.ok(
          guess.id.equals(Class.from(text)),
          `${Class.spec}, ${form}: ${text}, ${guess.id} or ${Class.from(text)}`,
        );
      }
      for (const text of [`0x${id.toHex()}`, `\\x${id.toHex()}`, `\\\\x${id.toHex().toUpperCase()}`]) {
        const [guess] = inspect(text, { spec: Class.spec }).candidates;
        assert.ok(guess.id.equals(Class.from(text)) && guess.id.equals(id), text);
      }
      // Both refuse damaged texts.
      for (const form of forms(Class)) {
        const text = id.to(form);
        const at = next() % text.length;
        const wrong = [text.slice(0, at), '!', text.slice(at + 1)].join('');
        const other = inspect(wrong, { spec: Class.spec, from: form }).refusals[0];
        const error = refused(other.kind === 'sign' && form !== 'text' ? 'length' : other.kind, () => Class.from(wrong, form));
        if (other.kind === 'character') assert.equal(error.index, other.index, `${form}: ${wrong}`);
      }
    }
  }
});

test('the order of IDs is that of their bytes, and of their texts', () => {
  const next = random(3);
  for (const Class of [Scru160, Euid, UlidFlake, EventId]) {
    const ids = Array.from({ length: CASES }, () => Class.fromBytes(randomBytes(Class, next)));
    ids.push(...ids.slice(0, 50).map((id) => Class.parse(`${id}`)), Class.MIN, Class.MAX);
    const sorted = ids.toSorted?.(Class.compare) ?? [...ids].sort(Class.compare);
    const hex = sorted.map((id) => id.toHex());
    assert.deepEqual(hex, [...hex].sort());
    const texts = sorted.map(String);
    assert.deepEqual(texts, [...texts].sort());
    assert.equal(sorted[0].compare(Class.MIN), 0);
    assert.equal(sorted.at(-1).compare(Class.MAX), 0);
    for (let at = 1; at < sorted.length; at += 1) {
      const [a, b] = [sorted[at - 1], sorted[at]];
      assert.equal(a.compare(b), -b.compare(a) + 0 || 0);
      assert.equal(a.compare(b) === 0, a.equals(b));
    }
  }
});

test('RON UIDs are in the order of value, origin and scheme', () => {
  const ordered = ['0', 'A-X', 'A+X', 'A$X', 'A%X', 'A-Y', 'B', '~'].map((text) => RonUid.parse(text));
  const shuffled = [4, 1, 7, 3, 0, 6, 2, 5].map((index) => ordered[index]);
  assert.deepEqual(shuffled.sort(RonUid.compare).map(String), ordered.map(String));
});

test("RON UIDs are read and printed as npm's swarm-ron-uuid does", () => {
  const next = random(4);
  const compared = { read: 0 };
  for (let made = 0; made < CASES; made += 1) {
    const uid = RonUid.fromBytes(randomBytes(RonUid, next));
    // The published implementation has these schemes, too, but trims zeros of bare names too late.
    const theirs = RonUuid.fromString(`${uid}`);
    assert.equal(theirs.toString(), `${uid}`);
    assert.equal(theirs.value, uid.value);
    assert.equal(theirs.origin, uid.origin);
    compared.read += 1;
  }
  assert.equal(compared.read, CASES);
});

test('an ID has the time of its fields, and lies between the bounds of its time', () => {
  const next = random(5);
  for (const Class of ALL) {
    for (let made = 0; made < 500; made += 1) {
      const id = Class.fromBytes(randomBytes(Class, next));
      const { unixMicros, unixMillis, date } = id;
      if (unixMicros === undefined) {
        assert.deepEqual([unixMillis, date], [undefined, undefined]);
        continue;
      }
      const [least, greatest] = [Class.minAt(unixMicros), Class.maxAt(unixMicros)];
      assert.ok(least.compare(id) <= 0 && id.compare(greatest) <= 0, `${id}`);
      assert.equal(least.unixMicros, unixMicros);
      if (unixMillis !== undefined) assert.equal(BigInt(unixMillis), unixMicros / 1000n);
      if (date !== undefined) assert.equal(date.getTime(), unixMillis);
    }
  }
  const id = Euid.parse('C8EE934SR007G5Q94QKKXFRFV8B');
  assert.equal(id.unixMillis, 13484529128248);
  for (const time of [id.date, id.unixMillis, id.unixMicros, id.unixMillis + 0.75]) {
    assert.ok(Euid.minAt(time).compare(id) < 0 && Euid.maxAt(time).compare(id) > 0);
  }
  assert.equal(EventId.minAt(1717653966666.25).unixMicros, 1717653966666250n);
});

test('times that no ID has are refused, and so is what is not a time', () => {
  for (const Class of ALL) {
    for (const time of [-1, -1n, new Date(-1), -(2n ** 200n), 2n ** 64n * 1000n, 2n ** 500n, Number.MIN_SAFE_INTEGER]) {
      const error = refused('overflow', () => Class.minAt(time));
      assert.match(error.message, /^the time is .*, expected /);
      assert.equal(error.spec, Class.spec);
      refused('overflow', () => Class.maxAt(time));
    }
    for (const time of [NaN, Infinity, new Date(NaN), '2024', null, undefined, {}, [], true, Symbol('time')]) {
      assert.throws(() => Class.minAt(time), TypeError, String(time));
    }
    assert.ok(Class.parse(`${Class.MAX}`).equals(Class.MAX));
  }
});

test('the epoch of a Ulid-Flake shifts its time', () => {
  const id = UlidFlake.parse('00CMXB6TAK4SA');
  const epoch = new Date('2020-01-01');
  assert.equal(id.unixMillisWith(epoch), epoch.getTime() + id.timestamp);
  const least = UlidFlake.minAt(new Date('2024-06-06'), { epoch });
  assert.equal(least.unixMillisWith(epoch), Date.parse('2024-06-06'));
  refused('overflow', () => UlidFlake.minAt(new Date('2019-06-06'), { epoch }));
  refused('option', () => id.unixMillisWith(2n ** 63n - 1n));
  refused('option', () => id.unixMillisWith(-1));
});

test('a wrong character is named with its place', () => {
  const error = refused('character', () => Scru160.parse('05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW'));
  assert.equal(error.message, "'W' at position 31 is not a base32hex digit");
  assert.deepEqual([error.index, error.spec, error.name], [31, 'scru160', 'SortidError']);
  assert.ok(error instanceof SortidError && error instanceof Error);
  assert.equal(refused('sign', () => RonUid.parse('1CQKn-my-X')).index, 8);
  assert.equal(refused('check', () => Euid.parse('C8X2HA87098A0W837DX13FEAWVV')).index, undefined);
});

test('texts of every kind that are not IDs are refused, and all works afterwards', () => {
  const long = 'A'.repeat(10_000_000);
  const texts = [
    '',
    ' ',
    '\0',
    '\ud800',
    '\udfff'.repeat(13),
    'é'.repeat(13),
    '💥'.repeat(8),
    '\u202e'.repeat(32),
    long,
  ];
  texts.push('0'.repeat(64), '0'.repeat(65), 'z'.repeat(27), '<script>', "' OR 1=1", '0x', '\\x', '{}', 'urn:uuid:');
  for (const Class of ALL) {
    const before = `${Class.MAX}`;
    for (const text of texts) {
      for (const read of [
        () => Class.parse(text),
        () => Class.from(text),
        ...forms(Class).map((form) => () => Class.from(text, form)),
      ]) {
        try {
          assert.ok(read() instanceof Class);
        } catch (error) {
          assert.ok(error instanceof SortidError, `${Class.spec} ${shown(text.slice(0, 40))}: ${error.stack}`);
          assert.equal(error.spec, Class.spec);
          assert.ok(error.message.length < 300 && error.message.includes(' '), error.message);
        }
      }
      assert.ok(Array.isArray(detect(text)));
      assert.ok(Array.isArray(inspect(text).candidates));
    }
    assert.equal(`${Class.parse(before)}`, before);
  }
  assert.equal(refused('character', () => EventId.parse('é'.repeat(16))).index, 0);
  assert.equal(refused('character', () => RonUid.parse('ab💥')).index, 2);
});

test('arguments of the wrong type are TypeErrors that say what was expected', () => {
  const values = [undefined, null, 1, NaN, 1n, true, {}, [], () => {}, new Date(NaN), Object.create(null)];
  for (const Class of ALL) {
    for (const value of values) {
      assert.throws(() => Class.parse(value), { name: 'TypeError', message: /expected a string, found / });
      assert.throws(() => Class.from(value), TypeError);
      assert.throws(() => Class.fromBytes(value), { name: 'TypeError', message: /expected a Uint8Array, found / });
      if (value !== undefined) assert.throws(() => Class.from('x', value), TypeError);
      if (typeof value !== 'bigint') assert.throws(() => Class.fromBigInt(value), TypeError);
      assert.throws(() => Class.MIN.compare(value), TypeError);
      assert.equal(Class.MIN.equals(value), false);
      assert.throws(() => Class.MIN.to(value), TypeError);
    }
    assert.throws(() => new Class(), { name: 'TypeError', message: /parse/ });
    const { parse } = Class;
    assert.throws(() => parse('x'), TypeError);
  }
  assert.throws(() => detect(1), TypeError);
  assert.throws(() => Euid.MIN.compare(EventId.MIN), TypeError);
  assert.equal(Euid.MIN.equals(EventId.MIN), false);
});

test('bytes and integers of the wrong size are refused', () => {
  for (const Class of ALL) {
    const size = Class.MIN.toBytes().length;
    for (const length of [0, 1, size - 1, size + 1, 1 << 20]) {
      assert.match(
        refused('length', () => Class.fromBytes(new Uint8Array(length))).message,
        /^expected \d+ bytes, found \d+$/,
      );
    }
    if (size === 20) refused('form', () => Class.fromBigInt(0n));
    else
      for (const int of [-1n, 1n << BigInt(8 * size), -(2n ** 5000n), 2n ** 5000n])
        refused('overflow', () => Class.fromBigInt(int));
  }
  refused('overflow', () => UlidFlake.fromBytes(new Uint8Array(8).fill(255)));
  refused('overflow', () => RonUid.fromBytes(new Uint8Array(16).fill(255)));
  refused('form', () => Scru160.MAX.to('int'));
  refused('form', () => Scru160.MAX.toBigInt());
  refused('form', () => UlidFlake.MAX.to('uuid'));
});

test('fields that are out of range are refused', () => {
  refused('overflow', () => Scru160.fromFields({ timestamp: 2 ** 48 }));
  refused('overflow', () => Scru160.fromFields({ timestamp: -1 }));
  refused('overflow', () => Scru160.fromFields({ timestamp: 0, counter: 65536 }));
  refused('length', () => Scru160.fromFields({ timestamp: 0, random80: new Uint8Array(9) }));
  refused('overflow', () => Euid.fromFields({ timestamp: 2 ** 45 }));
  refused('option', () => Euid.fromFields({ timestamp: 0, extension: { value: 9, bits: 2 } }));
  refused('overflow', () => UlidFlake.fromFields({ timestamp: 0, randomness: 1 << 20 }));
  refused('overflow', () => UlidFlake.fromFields({ timestamp: 0, randomness: 0, scalability: 32 }));
  refused('character', () => RonUid.fromFields({ value: 'a b' }));
  refused('character', () => RonUid.fromFields({ value: 'é' }));
  refused('overflow', () => RonUid.fromFields({ value: 1n << 60n }));
  refused('overflow', () => EventId.fromFields({ timestamp: 1n << 64n, ledgerId: 'c0331dd8' }));
  refused('length', () => EventId.fromFields({ timestamp: 0n, ledgerId: 'c0331dd' }));
  refused('character', () => EventId.fromFields({ timestamp: 0n, ledgerId: 'c0331ddX' }));
  assert.throws(() => Scru160.fromFields({ timestamp: 1.5 }), TypeError);
  assert.throws(() => RonUid.fromFields({ value: 'A', scheme: 'x' }), TypeError);
});

test('IDs are immutable', () => {
  for (const Class of ALL) {
    const id = Class.MAX;
    id.toBytes().fill(0);
    assert.ok(id.equals(Class.MAX));
    assert.throws(() => {
      'use strict';
      id.spec = 'x';
    }, TypeError);
  }
});

test('an ID shows its text in templates, and its class in the console', () => {
  const id = UlidFlake.parse('00CMXB6TAK4SA');
  assert.equal(`${id}`, '00CMXB6TAK4SA');
  assert.equal(shown(id), 'UlidFlake(00CMXB6TAK4SA)');
  assert.ok(UlidFlake.MIN < id && id < UlidFlake.MAX);
  const titles = { 'evently-id': 'Event ID', scru160: 'SCRU160', euid: 'EUID', 'ulid-flake': 'Ulid-Flake', 'ron-uid': 'RON UID' };
  assert.deepEqual({ ...TITLES, ...titles }, TITLES);
  assert.deepEqual(Object.keys(TITLES), SPECS);
});

test('detection gives the reasons, the likeliest first', () => {
  const [euid] = detect('C8EE934SR007G5Q94QKKXFRFV8B');
  assert.ok(euid.id.equals(Euid.parse('C8EE934SR007G5Q94QKKXFRFV8B')));
  assert.deepEqual(euid.reasons, ['27 Crockford base32 digits', 'the check is right']);
  assert.equal(euid.weight, 34);
  const specs = (input) => detect(input).map(({ spec }) => spec);
  assert.deepEqual(specs('0005cd755a43d79238c05790c0331dd8'), ['evently-id', 'scru160']);
  assert.deepEqual(specs(new Uint8Array(16)), ['evently-id', 'euid', 'ron-uid']);
  assert.deepEqual(specs(new Uint8Array(7)), []);
  assert.deepEqual(specs('a text'), []);
});
