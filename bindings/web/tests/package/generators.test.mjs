// Generators with the clock and the random bytes of the host, even when these fail.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import * as ids from '../../../../target/web/package/node.js';
import { PACKAGE, refused, withClock } from './helpers.mjs';

const MINUTE = 60_000;
const now = Date.now;
const LEDGER = 'c0331dd8';

const MAKERS = {
  scru160: (options) => new ids.Scru160Generator(options),
  euid: (options) => new ids.EuidGenerator(options),
  ulidFlake: (options) => new ids.UlidFlakeGenerator(options),
  scalable: (options) => new ids.ScalableGenerator({ node: 7, ...options }),
  ronUid: (options) => new ids.RonUidGenerator({ origin: 'Xgritzk0_D', ...options }),
  eventId: (options) => new ids.EventIdGenerator(LEDGER, options),
};

let copies = 0;

/** The package with a memory of its own, which has drawn no random bytes yet. */
async function load() {
  copies += 1;
  const copy = await import(`${PACKAGE}manual.js?copy=${copies}`);
  copy.init(readFileSync(`${PACKAGE}sortid.wasm`));
  return copy;
}

/** Runs `body` with another source of random bytes. */
function withCrypto(value, body) {
  const host = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  Object.defineProperty(globalThis, 'crypto', { value, configurable: true });
  try {
    return body();
  } finally {
    Object.defineProperty(globalThis, 'crypto', host);
  }
}

/** Uses up the IDs of a millisecond of a clock that stands still. */
function useUp(generator) {
  // A small step may fit after a greater one did not.
  for (let refusals = 0; refusals < 5000;) {
    try {
      generator.tryGenerate();
    } catch {
      refusals += 1;
    }
  }
}

function assertAscending(made) {
  for (let at = 1; at < made.length; at += 1)
    assert.ok(made[at - 1].compare(made[at]) < 0, `${made[at - 1]}, ${made[at]}`);
}

test('generate() of a class returns ascending IDs of the current time', () => {
  for (const Class of [ids.Scru160, ids.Euid, ids.UlidFlake]) {
    const made = Array.from({ length: 10_000 }, () => Class.generate());
    assertAscending(made);
    assert.ok(Math.abs(made.at(-1).unixMillis - now()) < MINUTE);
  }
});

test('100 000 IDs of each generator are in order, however they are made', async () => {
  for (const [name, make] of Object.entries(MAKERS)) {
    const generator = make();
    const made = generator.generateMany(50_000);
    assert.equal(made.length, 50_000);
    for (let count = 0; count < 50_000; count += 1) made.push(generator.generate());
    made.push(await generator.generateAsync(), ...generator.generateMany(257));
    assertAscending(made);
    assert.ok(Math.abs(made[0].unixMillis - now()) < MINUTE, name);
    assert.deepEqual(generator.generateMany(0), []);
    assert.equal(generator.resets, 0);
  }
});

test('generators have the options of their specification', () => {
  const scru160 = new ids.Scru160Generator({
    counterStartBits: 8,
    counterExtensionBits: 4,
    node: 3,
    nodeBits: 5,
  }).generate();
  assert.ok(scru160.counter < 256);
  assert.deepEqual([scru160.random16 >> 12, (scru160.random16 >> 7) & 0b11111], [0, 3]);
  assert.ok(new ids.Scru160Generator({ microsCounter: true }).generate().counter >> 6 < 1000);
  assert.deepEqual(new ids.EuidGenerator({ extension: 5, extensionBits: 8 }).generate().extension, {
    value: 5,
    bits: 8,
  });
  assert.deepEqual(new ids.EuidGenerator({ extension: 5 }).generate().extension, { value: 5, bits: 3 });
  const epoch = new Date('2020-01-01');
  const flake = new ids.UlidFlakeGenerator({ epoch, entropyBytes: 2 }).generate();
  assert.ok(Math.abs(flake.unixMillisWith(epoch) - now()) < MINUTE);
  assert.equal(new ids.ScalableGenerator({ node: 31 }).generate().scalable.scalability, 31);
  const uid = new ids.RonUidGenerator({ origin: 'abc', minLength: 5 }).generate();
  assert.deepEqual([uid.origin, uid.scheme], ['abc', 'event']);
  const place = new ids.EventIdGenerator(LEDGER).generate();
  assert.deepEqual([place.ledgerId, place.checksum], [LEDGER, 0]);
  assert.equal(place.withChecksum(0xffffffff).checksum, 0xffffffff);
});

test('options that are out of range are refused', () => {
  const cases = [
    () => new ids.Scru160Generator({ counterStartBits: 16 }),
    () => new ids.Scru160Generator({ node: 3, nodeBits: 17 }),
    () => new ids.Scru160Generator({ node: 65536, nodeBits: 16 }),
    () => new ids.Scru160Generator({ node: 4, nodeBits: 2 }),
    () => new ids.Scru160Generator({ node: 4 }),
    () => new ids.EuidGenerator({ extension: 32768 }),
    () => new ids.EuidGenerator({ extension: 65536 + 5 }),
    () => new ids.EuidGenerator({ extension: 9, extensionBits: 3 }),
    () => new ids.EuidGenerator({ extensionBits: 3 }),
    () => new ids.UlidFlakeGenerator({ entropyBytes: 4 }),
    () => new ids.ScalableGenerator({ node: 32 }),
    () => new ids.ScalableGenerator({ node: 256 + 1 }),
    () => new ids.ScalableGenerator({ node: 2 ** 32 }),
    () => new ids.ScalableGenerator({ node: -1 }),
    () => new ids.RonUidGenerator({ origin: 'abc', sessionDigits: 3 }),
    () => new ids.RonUidGenerator({ origin: 'abc', minLength: 4 }),
    () => new ids.LamportClock('X', 11),
    () => new ids.EuidGenerator({ rollback: 'Reset' }),
    () => new ids.EuidGenerator().generateMany(2 ** 31),
  ];
  for (const make of cases) assert.match(refused('option', make).message, /: |expected/);
  refused('character', () => new ids.RonUidGenerator({ origin: 'a b' }));
  refused('length', () => new ids.EventIdGenerator('c0331dd'));
  for (const value of [1.5, NaN, '1', null, {}]) {
    assert.throws(() => new ids.ScalableGenerator({ node: value }), TypeError);
    assert.throws(() => new ids.EuidGenerator({ extension: value }), TypeError);
    assert.throws(() => new ids.EuidGenerator().generateMany(value), TypeError);
  }
  for (const value of [NaN, -1, '1', null]) {
    assert.throws(() => new ids.EuidGenerator({ rollbackAllowance: value }), TypeError);
    assert.throws(() => new ids.EuidGenerator({ spill: value }), TypeError);
  }
  refused('option', () => new ids.EuidGenerator({ rollback: 5 }));
  const { message } = refused('option', () => new ids.EventIdGenerator(LEDGER, { rollback: 'x' }));
  assert.equal(message, 'rollback: expected one of fail, continue, reset, found "x"');
  assert.throws(() => new ids.ScalableGenerator(), TypeError);
  assert.throws(() => new ids.RonUidGenerator(), TypeError);
  assert.ok(new ids.EuidGenerator({ rollbackAllowance: Infinity }).generate());
});

test('random bytes do not repeat, and half of the bits are set', () => {
  const count = 10_000;
  const made = new ids.Scru160Generator().generateMany(count);
  assert.equal(new Set(made.map((id) => Buffer.from(id.random80).toString('hex'))).size, count);
  let ones = 0;
  for (const id of made) {
    for (const byte of id.random80) for (let bit = 0; bit < 8; bit += 1) ones += (byte >> bit) & 1;
  }
  const bits = count * 80;
  // Six standard deviations.
  assert.ok(Math.abs(ones - bits / 2) < 3 * Math.sqrt(bits), `${ones} of ${bits}`);
});

test('two copies of the module have other random bytes', async () => {
  const [first, second] = [await load(), await load()];
  assert.notDeepEqual(first.Scru160.generate().random80, second.Scru160.generate().random80);
});

test('the order outlives a small setback of the clock, and a large one is counted or refused', async () => {
  for (const make of [MAKERS.scru160, MAKERS.euid, MAKERS.ulidFlake]) {
    const generator = make();
    const first = generator.generate();
    await withClock(
      () => now() - 5000,
      () => {
        assert.ok(generator.generate().compare(first) > 0);
        assert.ok(generator.ahead > 4000 && generator.ahead < 6000);
      },
    );
    await withClock(
      () => now() - 3600_000,
      () => {
        if (make === MAKERS.ulidFlake) {
          for (const call of ['generate', 'tryGenerate']) {
            const error = refused('clock_rollback', () => generator[call]());
            assert.match(error.message, /behind the last ID, expected at most 10.000000 s/);
            assert.equal(error.retryAfter, undefined);
          }
          assert.equal(generator.resets, 0);
        } else {
          assert.ok(generator.tryGenerate().compare(first) < 0);
          assert.equal(generator.resets, 1);
        }
      },
    );
  }
});

test('the user chooses what happens when the clock is set back', async () => {
  for (const [name, make] of Object.entries(MAKERS)) {
    for (const rollback of ['fail', 'continue', 'reset']) {
      const generator = make({ rollback });
      const first = generator.generate();
      const hasNoRandomBits = name === 'ronUid' || name === 'eventId';
      await withClock(
        () => now() - 3600_000,
        () => {
          if (rollback === 'fail' || (rollback === 'reset' && hasNoRandomBits)) {
            refused('clock_rollback', () => generator.generate());
          } else {
            assert.equal(generator.generate().compare(first) > 0, rollback === 'continue', name);
          }
        },
      );
      assert.equal(generator.resets, rollback === 'reset' && !hasNoRandomBits ? 1 : 0, name);
    }
  }
});

test('sessions of RON UIDs reset', async () => {
  const generator = new ids.RonUidGenerator({ origin: 'Xgritzk', sessionDigits: 2 });
  generator.generate();
  await withClock(
    () => now() - 3600_000,
    () => assert.equal(generator.generate().origin, 'Xgritzk001'),
  );
  assert.equal(generator.resets, 1);
});

test('the rollback allowance is in milliseconds', async () => {
  for (const make of [MAKERS.ulidFlake, MAKERS.ronUid]) {
    const generator = make({ rollbackAllowance: 500 });
    generator.generate();
    await withClock(
      () => now() - 1000,
      () => refused('clock_rollback', () => generator.tryGenerate()),
    );
  }
});

test('a long wait is refused at once, and generateAsync does not block the host', async () => {
  const generator = MAKERS.scalable();
  const start = now();
  await withClock(
    () => start,
    () => useUp(generator),
  );
  let [readings, refusals] = [0, 0];
  const back = () => ((readings += 1), start - 200);
  await withClock(back, () => {
    for (let calls = 0; calls < 100; calls += 1) {
      try {
        generator.generate();
      } catch (error) {
        refusals += 1;
        assert.match(error.message, /are used up: try again when /);
        assert.ok(error.retryAfter >= 200);
      }
    }
  });
  assert.ok(refusals > 0 && readings < 1000, `${refusals} of 100 refused, ${readings} readings of the clock`);

  // The clock is still 200 ms behind, but goes on.
  const behind = now() - start + 200;
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const made = await withClock(
    () => now() - behind,
    async () => {
      const made = [];
      while (turns === 0) made.push(await generator.generateAsync());
      return made;
    },
  );
  clearInterval(timer);
  assertAscending(made);
  assert.equal(generator.resets, 0);
});

test('a clock that stands still is an error, and generateAsync waits until it goes on', async () => {
  const start = now();
  let time = start;
  await withClock(
    () => time,
    async () => {
      const generator = MAKERS.scalable();
      useUp(generator);
      // The greatest random step is 255 of 32 768: some calls find a small step that fits.
      const fails = async (generate) => {
        for (;;) await generate();
      };
      await assert.rejects(
        fails(() => generator.generate()),
        { kind: 'exhausted', message: /are used up/ },
      );
      useUp(generator);
      setTimeout(() => (time += 20), 20);
      // The last IDs of the millisecond come at once.
      while ((await generator.generateAsync()).unixMillis === start);
      assert.equal(time, start + 20);
    },
  );
});

test('a clock without a valid time is an error', async () => {
  for (const time of [NaN, -1, Infinity, 0]) {
    await withClock(
      () => time,
      () => {
        const error = refused('clock_out_of_range', () => MAKERS.ulidFlake().generate());
        assert.match(error.message, /the time is .*: correct the time/);
      },
    );
  }
  assert.ok(MAKERS.ulidFlake().generate());
});

test('without random bytes of the host, there is no ID, and IDs without random bits do not need them', async () => {
  const refusing = {
    getRandomValues() {
      throw new Error('refused');
    },
  };
  for (const crypto of [undefined, {}, refusing]) {
    const copy = await load();
    const generator = new copy.Scru160Generator();
    withCrypto(crypto, () => {
      const error = refused('entropy', () => generator.generate());
      assert.match(error.message, /^no random bytes: `crypto.getRandomValues` of/);
      refused('entropy', () => copy.Euid.generate());
      refused('entropy', () => generator.backfill([now()]));
      assert.ok(new copy.RonUidGenerator({ origin: 'X' }).generate());
      assert.ok(new copy.EventIdGenerator(LEDGER).generate());
    });
    assert.equal(`${generator.generate()}`.length, 32);
    assert.equal(`${copy.Euid.generate()}`.length, 27);
  }
});

test('a backfill makes distinct IDs for its times, in their order', () => {
  const times = [1717653966666, 1704067200000, new Date(1717653966666), 1717653966666000n, 1704067200000];
  for (const [name, make] of Object.entries(MAKERS)) {
    const generator = make();
    const made = generator.backfill(times);
    assert.deepEqual(
      made.map((id) => Number(id.unixMillis)),
      times.map((time) => Number(new Date(Number(typeof time === 'bigint' ? time / 1000n : time)))),
      name,
    );
    assert.ok(made[0].compare(made[2]) < 0 && made[2].compare(made[3]) < 0 && made[1].compare(made[4]) < 0, name);
    const more = generator.backfill(new Set(times.slice(0, 2)));
    assert.equal(new Set([...made, ...more].map(String)).size, 7, name);
    const error = refused('out_of_range', () => generator.backfill([1717653966666, -1]));
    assert.deepEqual([error.index, error.message.startsWith('time 1: ')], [1, true]);
    assert.throws(() => generator.backfill([NaN]), TypeError);
    assert.throws(() => generator.backfill(5), TypeError);
    assert.ok(Math.abs(generator.generate().unixMillis - now()) < MINUTE);
  }
});

test('IDs of a full tick spill into following ticks', () => {
  const times = new Array(2).fill(1717653966666000n);
  const error = refused('full', () => new ids.EventIdGenerator(LEDGER, { spill: 0 }).backfill(times));
  assert.match(error.message, /let IDs take later ticks with `spill`/);
  const made = new ids.EventIdGenerator(LEDGER, { spill: 1 }).backfill(times);
  assert.deepEqual(
    made.map((id) => id.unixMicros - times[0]),
    [0n, 1n],
  );
});

test('a generator continues after an ID, unless it is too far ahead', () => {
  for (const [name, make] of Object.entries(MAKERS)) {
    const last = make().generate();
    const generator = make();
    generator.resumeAfter(last);
    assert.ok(generator.generate().compare(last) > 0, name);
    assert.throws(() => generator.resumeAfter(name === 'euid' ? ids.Scru160.MIN : ids.Euid.MIN), TypeError);
  }
  refused('ahead', () => MAKERS.euid().resumeAfter(ids.Euid.maxAt(now() + 60_000)));
  refused('no_time', () => MAKERS.ronUid().resumeAfter(ids.RonUid.parse('name')));
});

test('a RON clock is ahead of the UIDs that it observed', () => {
  const [ours, theirs] = [MAKERS.ronUid(), MAKERS.ronUid({ origin: 'Xmarcus0_D' })];
  const question = theirs.generateMany(5000).at(-1);
  ours.observe(question);
  assert.ok(ours.generate().compare(question) > 0);
  refused('no_time', () => ours.observe(ids.RonUid.parse('~')));
  refused('ahead', () => MAKERS.ronUid({ futureBound: 5000 }).observe(ids.RonUid.minAt(now() + 20_000)));
  assert.throws(() => ours.observe(ids.Euid.MIN), TypeError);
});

test('a Lamport clock counts at its digit', () => {
  const clock = new ids.LamportClock('X', 5);
  assert.deepEqual([clock.generate(), ...clock.generateMany(1)].map(String), ['00001-X', '00002-X']);
  clock.observe(ids.RonUid.parse('000AbC-Y'));
  assert.equal(`${clock.generate()}`, '000Ac-X');
  refused('no_time', () => clock.observe(ids.RonUid.parse('name')));
  assert.throws(() => clock.observe('x'), TypeError);
});
