/** Two IDs: which is earlier, by how much, and what differs. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Inspection } from 'sortid/manual';
import { Bits, hueOf } from './bits';
import { millisOf, nodeOf } from './list';
import type { Candidate } from './one';
import type { ReadOptions } from './options';
import { letters, SPECS } from './specs';
import { count, plural } from './text';
import { ago, duration, sentence } from './time';
import { CopyButton, Raw, Status } from './ui';

export function Compare({
  inspections,
  texts,
  options,
}: {
  inspections: [Inspection, Inspection];
  texts: [string, string];
  options: ReadOptions;
}): JSX.Element {
  const [a, b] = useMemo(() => pair(inspections), [inspections]);
  const [active, setActive] = useState('');
  const isSame = a.spec === b.spec;
  const [first, second] = [millisOf(a.id, options), millisOf(b.id, options)];
  const bytes: [Uint8Array, Uint8Array] = [a.id.toBytes(), b.id.toBytes()];
  const differs = isSame ? bytes[0].map((byte, index) => byte ^ bytes[1][index]!) : undefined;
  const bits = differs?.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0) ?? 0;
  const nodes = isSame ? nodeWords(a, b, options) : '';
  const headline = headlineOf(a, b, first, second);
  const sides = [
    ['First', a, first, texts[0]],
    ['Second', b, second, texts[1]],
  ] as const;
  return (
    <article class="compare" aria-label="Two IDs">
      <p class="eyebrow">
        <strong>{isSame ? `Two ${a.title}s` : `${a.title} and ${b.title}`}</strong>
      </p>
      <h2 class="when">{headline}</h2>
      {isSame && <p class="sub">{orderOf(a, b, bits)}</p>}
      {nodes && <p class="sub">{nodes}</p>}
      <div class="sides">
        {sides.map(([name, candidate, millis]) => (
          <section aria-label={`${name} ID`}>
            <h3>{name}</h3>
            <p class="id">
              <code>
                <Raw text={candidate.id.toString()} />
              </code>{' '}
              <CopyButton text={candidate.id.toString()} what={`the ${name.toLowerCase()} ID`} />
            </p>
            <p>
              {millis === undefined ? (
                'It has no time.'
              ) : (
                <>
                  {sentence(millis)}
                  <br />
                  <span class="hint">{ago(millis)}</span>
                </>
              )}
            </p>
            <Bits
              spec={candidate.spec}
              fields={candidate.fields}
              bytes={candidate.id.toBytes()}
              {...(differs ? { differs } : {})}
              active={active}
              onActive={setActive}
              label={`Bits of the ${name.toLowerCase()} ID${differs ? `; ${plural(bits, 'bit differs', 'bits differ')}, framed` : ''}`}
            />
          </section>
        ))}
      </div>
      {isSame && <Differences a={a} b={b} />}
      {!isSame && (
        <p class="hint">IDs of two specifications have no order among themselves. Only their times can be compared.</p>
      )}
      <Status text={headline} />
    </article>
  );
}

/** Both as the same specification, if they can be. */
function pair([a, b]: [Inspection, Inspection]): [Candidate, Candidate] {
  for (const first of a.candidates) {
    const second =
      b.candidates.find(({ spec, form }) => spec === first.spec && form === first.form) ??
      b.candidates.find(({ spec }) => spec === first.spec);
    if (second) return [first, second];
  }
  return [a.candidates[0]!, b.candidates[0]!];
}

function headlineOf(a: Candidate, b: Candidate, first: number | undefined, second: number | undefined): string {
  if (a.spec === b.spec && a.id.equals(b.id)) return 'They are the same ID';
  if (first === undefined || second === undefined) return 'Their times cannot be compared';
  // Microseconds are integers, so their difference is exact. Only the epoch of Ulid-Flakes may shift one of the times.
  const exact = a.spec === b.spec ? Number(b.id.unixMicros! - a.id.unixMicros!) / 1000 : second - first;
  if (exact === 0) return 'Both have the same time';
  return `The ${exact > 0 ? 'first' : 'second'} is earlier, by ${duration(exact)}`;
}

function orderOf(a: Candidate, b: Candidate, bits: number): string {
  const order = a.id.compare(b.id as never);
  if (order === 0) return 'All bits are equal.';
  return `The ${order < 0 ? 'first' : 'second'} sorts before the other. ${plural(bits, 'bit')} of ${count(SPECS[a.spec].bits)} ${bits === 1 ? 'differs' : 'differ'}.`;
}

function nodeWords(a: Candidate, b: Candidate, options: ReadOptions): string {
  const [first, second] = [nodeOf(a.id, options), nodeOf(b.id, options)];
  if (first === undefined && second === undefined) return '';
  if (first === second) return `Both are of the same ${first!.replace(' ', ': ')}.`;
  return `They are of different ${SPECS[a.spec].node!.name}s: ${first ?? 'none'} and ${second ?? 'none'}.`;
}

function Differences({ a, b }: { a: Candidate; b: Candidate }): JSX.Element {
  const names = letters(a.fields);
  const rows = a.fields.map((field, index) => {
    const other = b.fields.find(({ name }) => name === field.name);
    const [x, y] = [field.value, other?.value ?? null];
    const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';
    const isTime = /^timestamp|_int$|^int$|counter|random_high|randomness/.test(field.name);
    const step = isTime && isNumber(x) && isNumber(y) ? BigInt(y as bigint) - BigInt(x as bigint) : undefined;
    return { field, letter: names[index]!, x, y, step };
  });
  return (
    <section aria-labelledby="differences">
      <h3 id="differences">Field by field</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of the fields">
        <table class="differences">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">First</th>
              <th scope="col">Second</th>
              <th scope="col">Difference</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, letter, x, y, step }) => (
              <tr class={x === y ? 'equal' : ''}>
                <th scope="row">
                  {letter && (
                    <span class={`letter h-${hueOf(a.spec, field.name)}`} aria-hidden="true">
                      {letter}
                    </span>
                  )}{' '}
                  {SPECS[a.spec].fields[field.name]?.label ?? field.name}
                </th>
                <td>
                  <code>{x === null ? 'none' : String(x)}</code>
                </td>
                <td>
                  <code>{y === null ? 'none' : String(y)}</code>
                </td>
                <td>
                  {x === y
                    ? 'equal'
                    : step !== undefined
                      ? `${step > 0n ? '+' : '−'}${count(step < 0n ? -step : step)}`
                      : 'different'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
