// Checks the module of this package in Node.js. `cargo xtask wasm` builds it and its JavaScript into target/glue/.

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { createRequire } from 'node:module';
import test from 'node:test';

const require = createRequire(import.meta.url);
const PATH = require.resolve('./target/glue/wasm_check.js');
const MINUTE = 60_000;
const now = Date.now;

// Node.js 18 does not have it as a global.
globalThis.crypto ??= webcrypto;

/** A module with a memory of its own, whose random bytes have no seed yet. */
function load() {
  delete require.cache[PATH];
  return require(PATH);
}

const ids = load();
const CLASSES = [ids.Scru160Ids, ids.EuidIds, ids.UlidFlakeIds, ids.ScalableIds, ids.RonUidIds, ids.EventIds];

/** Runs `body` with another clock. */
async function withClock(clock, body) {
  Date.now = clock;
  try {
    return await body();
  } finally {
    Date.now = now;
  }
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
  for (let refused = 0; refused < 5000; ) {
    try {
      generator.tryGenerate();
    } catch {
      refused += 1;
    }
  }
}

test('new() returns ascending IDs of the current time', () => {
  const functions = [
    [ids.newScru160, ids.Scru160Ids, 32],
    [ids.newEuid, ids.EuidIds, 27],
    [ids.newUlidFlake, ids.UlidFlakeIds, 13],
  ];
  for (const [generate, { millis }, length] of functions) {
    let last = '';
    for (let made = 0; made < 10_000; made += 1) {
      const id = generate();
      assert.ok(id > last && id.length === length, `${id} after ${last}`);
      last = id;
    }
    assert.ok(Math.abs(millis(last) - now()) < MINUTE, last);
  }
});

test('100 000 IDs of each generator are in order, also many at once', () => {
  for (const Ids of CLASSES) {
    assert.equal(new Ids().areInOrder(100_000), true, Ids.name);
    const id = new Ids().generate();
    assert.ok(Math.abs(Ids.millis(id) - now()) < MINUTE, `${Ids.name}: ${id}`);
  }
});

test('random bytes do not repeat, and half of the bits are set', () => {
  const [count, size] = [10_000, 10];
  const bytes = ids.randomBytes(count);
  const parts = Array.from({ length: count }, (_, at) => bytes.slice(at * size, (at + 1) * size).join());
  assert.equal(new Set(parts).size, count);
  let ones = 0;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit += 1) ones += (byte >> bit) & 1;
  }
  const bits = count * size * 8;
  // Six standard deviations.
  assert.ok(Math.abs(ones - bits / 2) < 3 * Math.sqrt(bits), `${ones} of ${bits}`);
});

test('two instances of the module have other random bytes', () => {
  assert.notDeepEqual(ids.randomBytes(1), load().randomBytes(1));
});

test('the order outlives a small setback of the clock, and a large one is counted', async () => {
  for (const Ids of [ids.Scru160Ids, ids.EuidIds, ids.UlidFlakeIds]) {
    const generator = new Ids();
    const first = generator.generate();
    await withClock(
      () => now() - 5000,
      () => assert.ok(generator.generate() > first)
    );
    await withClock(
      () => now() - 3600_000,
      () => {
        assert.throws(() => generator.tryGenerate(), /behind the last ID, expected at most 10.000000 s/);
        assert.equal(generator.rollbacks(), 0);
        assert.ok(generator.generate() < first);
        assert.equal(generator.rollbacks(), 1);
      }
    );
  }
});

test('a long wait is refused at once, and generateAsync does not block the host', async () => {
  const generator = new ids.ScalableIds();
  const start = now();
  await withClock(() => start, () => useUp(generator));
  let [readings, refused] = [0, 0];
  const back = () => ((readings += 1), start - 200);
  await withClock(back, () => {
    for (let calls = 0; calls < 100; calls += 1) {
      try {
        generator.generate();
      } catch (error) {
        refused += 1;
        assert.match(error.message, /are used up: try again when .*, or wait with `generate_async`$/);
      }
    }
  });
  assert.ok(refused > 0 && readings < 1000, `${refused} of 100 refused, ${readings} readings of the clock`);

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
    }
  );
  clearInterval(timer);
  assert.deepEqual(made, [...made].sort());
  assert.equal(generator.rollbacks(), 0);
});

test('a clock that stands still is an error, also of generateAsync', async () => {
  const start = now();
  await withClock(() => start, async () => {
    const generator = new ids.ScalableIds();
    useUp(generator);
    const isUsedUp = { message: /are used up/ };
    // The greatest random step is 255 of 32 768: some calls find a small one that fits.
    const fails = async (generate) => {
      for (;;) await generate();
    };
    await assert.rejects(fails(() => generator.generate()), isUsedUp);
    await assert.rejects(fails(() => generator.generateAsync()), isUsedUp);
  });
});

test('a clock without a valid time is an error', async () => {
  for (const time of [NaN, -1, Infinity, 0]) {
    await withClock(
      () => time,
      () => assert.throws(() => new ids.UlidFlakeIds().generate(), { message: /the time is .*: check the clock/ })
    );
  }
});

test('without random bytes of the host, there is no ID', () => {
  const refusing = {
    getRandomValues() {
      throw new Error('refused');
    },
  };
  for (const crypto of [undefined, {}, refusing]) {
    const module = load();
    const generator = new module.Scru160Ids();
    withCrypto(crypto, () => {
      assert.throws(() => generator.generate(), { message: /^no random bytes: `crypto.getRandomValues` of/ });
      assert.throws(() => module.newEuid(), WebAssembly.RuntimeError);
    });
    assert.equal(generator.generate().length, 32);
    assert.equal(module.newEuid().length, 27);
  }
});
