// IDs, errors and options as objects of JavaScript: compared, copied, wrapped, extended, and from other realms.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import * as ids from '../../../../target/web/package/node.js';
import * as inspection from '../../../../target/web/package/inspect-node.js';
import * as ledger from '../../../../target/web/package/ledger-node.js';
import { PACKAGE, refused } from './helpers.mjs';

const { CLASSES, Euid, EventId, RonUid, Scru160, SortidError, UlidFlake } = ids;
const ALL = Object.values(CLASSES);

test('deep equality tells IDs apart', () => {
  for (const Class of ALL) {
    assert.ok(isDeepStrictEqual({ id: Class.MAX }, { id: Class.parse(`${Class.MAX}`) }));
    assert.ok(!isDeepStrictEqual({ id: Class.MIN }, { id: Class.MAX }));
    assert.throws(() => assert.deepStrictEqual(Class.MIN, Class.MAX), assert.AssertionError);
  }
  assert.ok(!isDeepStrictEqual(Euid.generate(), Euid.generate()));
  assert.ok(!isDeepStrictEqual(Euid.MIN, EventId.MIN));
});

test('an ID is frozen, and works behind a proxy', () => {
  for (const Class of ALL) {
    const id = Class.MAX;
    assert.ok(Object.isFrozen(id));
    assert.throws(() => (id.constructor = Object), TypeError);
    const proxy = new Proxy(id, {});
    assert.equal(`${proxy}`, `${id}`);
    assert.deepEqual([proxy.toHex(), proxy.spec], [id.toHex(), Class.spec]);
    assert.ok(proxy.equals(id) && id.equals(proxy) && proxy.compare(id) === 0);
  }
});

test('a clone of an ID is a plain object, which is not an ID', () => {
  const clone = structuredClone(Euid.MAX);
  assert.equal(Object.getPrototypeOf(clone), Object.prototype);
  assert.equal(Euid.MAX.equals(clone), false);
  assert.throws(() => Euid.parse(clone), TypeError);
});

test('a class that extends a class of IDs makes no IDs', () => {
  class Order extends Euid {
    static number = 42;
    static words = 1;
  }
  const [text, bytes] = [`${Euid.MAX}`, Euid.MAX.toBytes()];
  for (const read of [
    () => Order.parse(text),
    () => Order.from(text),
    () => Order.fromBytes(bytes),
    () => Order.fromBigInt(0n),
    () => Order.minAt(0),
    () => new Order(),
  ]) {
    assert.throws(read, TypeError);
  }
  assert.throws(() => new (class Made extends ids.Generator {})(), /Made: extend one of the generators/);
});

test('the entries throw errors of one class', () => {
  assert.equal(inspection.SortidError, SortidError);
  assert.equal(ledger.SortidError, SortidError);
  for (const wrong of [
    () => new ledger.LedgerVerifier({ profile: 'x' }),
    () => inspection.rangeQuery('euid', { database: 'x', table: 't', column: 'id', since: 0, until: 1 }),
    () => inspection.inspect('x', { epoch: -1 }),
    () => Scru160.parse(''),
    () => Scru160.fromFields({ timestamp: 0, random80: new Uint8Array(9) }),
  ]) {
    assert.throws(wrong, (error) => error instanceof SortidError);
  }
});

test('every error of a specification names it', () => {
  assert.equal(refused('overflow', () => Scru160.fromFields({ timestamp: -1 })).spec, 'scru160');
  assert.equal(refused('overflow', () => RonUid.fromFields({ value: 1n << 60n })).spec, 'ron-uid');
  assert.equal(refused('option', () => new ledger.LedgerVerifier({ profile: 'x' })).spec, 'evently-id');
});

test('a number above 2^53 is not an integer field, as its last bits are lost', () => {
  assert.throws(() => EventId.fromFields({ timestamp: 2 ** 60, ledgerId: 0 }), { name: 'TypeError', message: /bigint/ });
  assert.equal(EventId.fromFields({ timestamp: 2n ** 60n, ledgerId: 0 }).timestamp, 2n ** 60n);
});

test('bytes, dates and buffers of another realm are taken', () => {
  const other = runInNewContext('({ bytes: new Uint8Array(16), date: new Date(1717653966666), wrong: new Date(NaN) })');
  assert.ok(!(other.bytes instanceof Uint8Array) && !(other.date instanceof Date));
  assert.ok(Euid.fromBytes(other.bytes).equals(Euid.MIN));
  assert.equal(Euid.minAt(other.date).unixMillis, 1717653966666);
  assert.ok(ids.detect(other.bytes).length > 0);
  new ledger.LedgerVerifier().push(other.bytes);
  assert.throws(() => Euid.minAt(other.wrong), /an invalid Date/);
  assert.throws(() => Euid.minAt({ [Symbol.toStringTag]: 'Date' }), TypeError);
  assert.throws(() => Euid.fromBytes({ [Symbol.toStringTag]: 'Uint8Array' }), TypeError);
});

test('messages name dates and functions briefly', () => {
  assert.throws(() => Euid.parse(new Date()), /found a Date$/);
  assert.throws(() => Euid.parse(Euid), /found the function Euid$/);
});

test('options with unknown names, and of wrong types, are TypeErrors that name the known ones', () => {
  const table = { database: 'sqlite', table: 't', column: 'id', since: 0, until: 1 };
  for (const [wrong, known] of [
    [() => new ids.EuidGenerator({ extention: 5 }), /"extention" is unknown, expected extension, extensionBits/],
    [() => new ids.Scru160Generator({ extension: 5 }), /microsCounter/],
    [() => new ids.ScalableGenerator({ node: 1, nodes: 5 }), /entropyBytes/],
    [() => new ids.EventIdGenerator(0, { ledger: 5 }), /rollbackAllowance/],
    [() => new ids.RonUidGenerator({ origin: 'a', length: 5 }), /minLength/],
    [() => new ledger.LedgerVerifier({ strikt: true }), /strict/],
    [() => inspection.inspect('x', { form: 'hex' }), /from/],
    [() => inspection.rangeQuery('euid', { ...table, to: 5 }), /until/],
    [() => UlidFlake.minAt(0, { epohc: 0 }), /epoch/],
    [() => Euid.fromFields({ timestamp: 0, random: 0 }), /randomHigh/],
  ]) {
    assert.throws(wrong, { name: 'TypeError', message: known });
  }
  assert.throws(() => new ids.Scru160Generator({ microsCounter: 'false' }), /expected true or false, found "false"/);
  assert.throws(() => new ledger.LedgerVerifier({ strict: 1 }), /expected true or false/);
  for (const wrong of [null, 5, 'x']) {
    assert.throws(() => new ids.EuidGenerator(wrong), /EuidGenerator: expected an object/);
    assert.throws(() => Euid.fromFields(wrong), /Euid.fromFields: expected an object/);
  }
  assert.throws(() => Euid.fromFields(), /expected an object, found undefined/);
  assert.throws(() => new ids.EuidGenerator().backfill(5), /backfill: expected an array of times, found 5/);
});

test('the count of generateMany() is required', () => {
  for (const maker of [new ids.EuidGenerator(), new ids.LamportClock('a', 5)]) {
    assert.throws(() => maker.generateMany(), { name: 'TypeError', message: /count: expected an integer/ });
    assert.deepEqual(maker.generateMany(0), []);
  }
});

test('UUIDs in braces, and the integer 0, are read', () => {
  const uuid = '0c46cc0b-ac08-1800-f4f8-a5bb5a4ca54c';
  for (const text of [`{${uuid}}`, `{${uuid.replaceAll('-', '')}}`, `{${uuid.toUpperCase()}}`, `urn:uuid:${uuid}`]) {
    assert.equal(Euid.from(text).to('uuid'), uuid, text);
    assert.equal(Euid.from(text, 'uuid').to('uuid'), uuid, text);
  }
  assert.equal(refused('character', () => Euid.from(`{${uuid.replace('c', 'x')}}`)).index, 2);
  assert.ok(UlidFlake.from(UlidFlake.MIN.to('int')).equals(UlidFlake.MIN));
});

test('a vector that is too long is refused', () => {
  const error = refused('length', () => RonUid.parseVector(','.repeat((1 << 24) + 1)));
  assert.match(error.message, /at most 16777216 characters/);
});

test('the query of a span has an epoch, and refuses an end before the beginning', () => {
  const table = { database: 'sqlite', table: 't', column: 'id' };
  const [since, until, epoch] = [new Date('2021-01-01'), new Date('2021-02-01'), new Date('2020-01-01')];
  const sql = inspection.rangeQuery('ulid-flake', { ...table, since, until, epoch });
  const shifted = Object.fromEntries(
    Object.entries({ since, until }).map(([name, time]) => [name, time.getTime() - epoch + Date.UTC(2024, 0)]),
  );
  assert.equal(sql, inspection.rangeQuery('ulid-flake', { ...table, ...shifted }));
  refused('option', () => inspection.rangeQuery('euid', { ...table, since: until, until: since }));
  refused('option', () => inspection.rangeQuery('euid', { ...table, since, until, epoch }));
  assert.ok(inspection.rangeQuery('euid', { ...table, since, until: since }));
});

test('the types need neither the DOM nor a new TypeScript', () => {
  for (const name of readdirSync(PACKAGE, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
    const code = readFileSync(`${PACKAGE}${name}`, 'utf8').replace(/\/\*.*?\*\//gs, '');
    assert.doesNotMatch(code, /Uint8Array<|BufferSource|WebAssembly\.|\bBlob\b|ReadableStream/, name);
  }
});
