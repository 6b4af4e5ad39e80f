// Measures the package beside those of npm, in Node.js: `cargo xtask web --bench`. It prints the median of the rounds in
// nanoseconds a call, and the ratio to the first line of each group.

import { readFileSync } from 'node:fs';
import RonUuid from 'swarm-ron-uuid';
import { decodeTime, monotonicFactory } from 'ulid';
import { parse, stringify, v7, validate } from 'uuid';
import {
  Euid,
  RonUid,
  RonUidGenerator,
  Scru160,
  Scru160Generator,
  UlidFlake,
} from '../../../../target/web/package/node.js';
import { LedgerVerifier } from '../../../../target/web/package/ledger-node.js';

const ROUNDS = 15;
const CALLS = 20_000;
const BATCH = 1000;

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** What the calls return: it is used, so that no call is left out. */
let sink = 0;

function measure(body, calls) {
  const started = performance.now();
  for (let call = 0; call < calls; call += 1) sink += body(call).length ?? 1;
  return ((performance.now() - started) * 1e6) / calls;
}

/** Measures all of a group in turns, so that a busy moment of the machine hits all of them. */
function group(title, cases) {
  const times = cases.map(() => []);
  for (const [, body, many = 1] of cases) measure(body, Math.ceil(CALLS / many));
  for (let round = 0; round < ROUNDS; round += 1) {
    cases.forEach(([, body, many = 1], index) => times[index].push(measure(body, Math.ceil(CALLS / many)) / many));
  }
  const medians = times.map(median);
  console.log(`\n${title}`);
  cases.forEach(([name], index) => {
    const ratio = (medians[index] / medians[0]).toFixed(2);
    console.log(`  ${name.padEnd(44)} ${medians[index].toFixed(0).padStart(6)} ns  ${ratio.padStart(6)}`);
  });
}

const ulid = monotonicFactory();
const generator = new Scru160Generator();
const ronGenerator = new RonUidGenerator({ origin: 'Xgritzk' });
const many = (make) => Array.from({ length: BATCH }, make);
const uuids = many(() => v7());
const uuidBytes = uuids.map((text) => parse(text));
const ulids = many(() => ulid());
const scru160s = many(() => Scru160.generate());
const scru160Texts = scru160s.map(String);
const scru160Bytes = scru160s.map((id) => id.toBytes());
const euids = many(() => Euid.generate());
const euidTexts = euids.map(String);
const euidBytes = euids.map((id) => id.toBytes());
const flakeTexts = many(() => `${UlidFlake.generate()}`);
const rons = many(() => ronGenerator.generate());
const ronTexts = rons.map(String);
const theirs = ronTexts.map((text) => RonUuid.fromString(text));
const at = (array) => (call) => array[call % BATCH];
const [uuidAt, uuidBytesAt, ulidAt] = [at(uuids), at(uuidBytes), at(ulids)];

group('generate, as text', [
  ['uuid v7()', () => v7()],
  ['ulid monotonicFactory()', () => ulid()],
  ['Euid.generate().toString()', () => Euid.generate().toString()],
  ['Scru160Generator generate().toString()', () => generator.generate().toString()],
  ['RonUidGenerator generate().toString()', () => ronGenerator.generate().toString()],
]);
group('generate', [
  ['uuid v7(), into bytes', () => v7({}, new Uint8Array(16))],
  ['Euid.generate()', () => Euid.generate()],
  ['Scru160Generator generate()', () => generator.generate()],
  [`Scru160Generator generateMany(${BATCH}), each`, () => generator.generateMany(BATCH), BATCH],
  ['RonUidGenerator generate()', () => ronGenerator.generate()],
]);
group('parse', [
  ['uuid parse()', (call) => parse(uuidAt(call))],
  ['uuid validate()', (call) => (validate(uuidAt(call)) ? 'x' : '')],
  ['swarm-ron-uuid fromString()', (call) => RonUuid.fromString(at(ronTexts)(call))],
  ['Euid.parse()', (call) => Euid.parse(at(euidTexts)(call))],
  ['Scru160.parse()', (call) => Scru160.parse(at(scru160Texts)(call))],
  ['UlidFlake.parse()', (call) => UlidFlake.parse(at(flakeTexts)(call))],
  ['RonUid.parse()', (call) => RonUid.parse(at(ronTexts)(call))],
]);
group('print', [
  ['uuid stringify()', (call) => stringify(uuidBytesAt(call))],
  ['swarm-ron-uuid toString()', (call) => at(theirs)(call).toString()],
  ['Euid toString()', (call) => at(euids)(call).toString()],
  ['Scru160 toString()', (call) => at(scru160s)(call).toString()],
  ['RonUid toString()', (call) => at(rons)(call).toString()],
  ['Euid toHex()', (call) => at(euids)(call).toHex()],
]);
group('from bytes, and to bytes', [
  ['uuid stringify(), then parse()', (call) => parse(stringify(uuidBytesAt(call)))],
  ['Euid.fromBytes()', (call) => Euid.fromBytes(at(euidBytes)(call))],
  ['Scru160.fromBytes()', (call) => Scru160.fromBytes(at(scru160Bytes)(call))],
  ['Euid toBytes()', (call) => at(euids)(call).toBytes()],
]);
group('time, and order', [
  ['ulid decodeTime()', (call) => `${decodeTime(ulidAt(call))}`],
  ['Euid.parse().unixMillis', (call) => `${Euid.parse(at(euidTexts)(call)).unixMillis}`],
  ['Euid unixMillis', (call) => `${at(euids)(call).unixMillis}`],
  ['Euid compare()', (call) => `${at(euids)(call).compare(euids[0])}`],
  ['RonUid compare()', (call) => `${at(rons)(call).compare(rons[0])}`],
]);

const ledger = readFileSync(
  process.env.SORTID_LEDGER ??
    new URL('../../../../vectors/ledger-classic.ndjson', import.meta.url),
);
const rates = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const rounds = Math.max(1, Math.ceil(5e6 / ledger.length));
  const started = performance.now();
  for (let copy = 0; copy < rounds; copy += 1) {
    const verifier = new LedgerVerifier();
    verifier.push(ledger);
    sink += verifier.finish().events;
  }
  rates.push((rounds * ledger.length) / (performance.now() - started) / 1000);
}
const what =
  process.env.SORTID_LEDGER ?? 'the ledger of the tests, whose lines are all unusual (SORTID_LEDGER names another one)';
console.log(`\nLedgerVerifier: ${median(rates).toFixed(0)} MB/s, ${what}`);
if (sink < 0) console.log(sink);
