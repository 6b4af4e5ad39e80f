/** When were these IDs made? A histogram over time, with its table. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Background } from './background';
import type { Histogram, Summary } from './list';
import type { Go, Route } from './route';
import { SPECS } from './specs';
import { count, plural } from './text';
import { duration, short } from './time';
import { unitOf } from './units';
import { Check, Choice } from './ui';

interface Span {
  from: number;
  to: number;
}

/** What the views of a list need: its summary, and the worker that has its rows. */
export interface OfList {
  summary: Summary;
  background: Background;
  route: Route;
  go: Go;
}

export function Timeline({ summary, background, route, go }: OfList): JSX.Element {
  const whole: Span = { from: summary.first!, to: summary.last! };
  const [span, setSpan] = useState<Span>(whole);
  const [data, setData] = useState<Histogram>();
  const unit = route.params.unit ?? 'auto';
  const byNode = route.params.by === 'node';
  const canGroup = summary.specs.some(
    ({ spec }) => SPECS[spec].node && (spec !== 'ulid-flake' || route.params.scalable),
  );
  const set = (name: string, value: string) => go({ ...route, params: { ...route.params, [name]: value } }, 'replace');
  useEffect(() => {
    let isOver = false;
    background.ask('histogram', { ...span, unit, byNode: byNode && canGroup }).then(
      (data) => isOver || setData(data),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [background, span, unit, byNode, canGroup]);

  const length = span.to - span.from;
  const move = (share: number) => {
    const by = Math.max(whole.from - span.from, Math.min(whole.to - span.to, length * share));
    setSpan({ from: span.from + by, to: span.to + by });
  };
  const zoom = (factor: number) => {
    const middle = span.from + length / 2;
    const half = Math.max(1, length * factor) / 2;
    setSpan({ from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) });
  };
  const isWhole = span.from === whole.from && span.to === whole.to;
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h3 id="timeline">When they were made</h3>
      <div class="row controls">
        <Choice
          label="One bar is"
          value={unit}
          options={[
            ['auto', data && unit === 'auto' ? `automatic (${data.unit})` : 'automatic'],
            ...(data?.unitsAllowed ?? []).map((name) => [name, name] as const),
          ]}
          onChange={(value) => set('unit', value === 'auto' ? '' : value)}
        />
        <div class="segments" role="group" aria-label="Part of the time">
          <button type="button" onClick={() => zoom(0.4)} disabled={length <= 2}>
            Zoom in
          </button>
          <button type="button" onClick={() => zoom(2.5)} disabled={isWhole}>
            Zoom out
          </button>
          <button type="button" onClick={() => move(-0.5)} disabled={span.from <= whole.from}>
            Earlier
          </button>
          <button type="button" onClick={() => move(0.5)} disabled={span.to >= whole.to}>
            Later
          </button>
          <button type="button" onClick={() => setSpan(whole)} disabled={isWhole}>
            All
          </button>
        </div>
        {canGroup && (
          <Check
            label={`A row for each ${groupName(summary)}`}
            checked={byNode}
            onChange={(on) => set('by', on ? 'node' : '')}
          />
        )}
      </div>
      {data && <Chart data={data} onSpan={setSpan} />}
      {data && <Findings data={data} summary={summary} span={span} onSpan={setSpan} />}
    </section>
  );
}

function groupName({ specs }: Summary): string {
  const [first] = specs.flatMap(({ spec }) => SPECS[spec].node ?? []);
  return first?.name ?? 'node';
}

function Chart({ data, onSpan }: { data: Histogram; onSpan(span: Span): void }): JSX.Element {
  const { edges, counts, groups, total, unit, otherGroups } = data;
  const size = unitOf(unit).size;
  const filled = counts.filter((n) => n > 0).length;
  const label = `${plural(total, 'ID')} from ${short(edges[0]!, size)} to ${short(edges.at(-1)!, size)}, at most ${count(Math.max(...counts))} in ${unit}`;
  const rows = groups.length > 0 ? groups : [{ name: '', count: total, counts }];
  return (
    <figure class="chart">
      {rows.map((row) => (
        <div class="line">
          {row.name && (
            <p class="name">
              <code>{row.name}</code> <span class="hint">{count(row.count)}</span>
            </p>
          )}
          <Bars
            counts={row.counts}
            edges={edges}
            unit={size}
            tall={!row.name}
            label={row.name ? `${row.name}: ${count(row.count)} of ${label}` : label}
            onSpan={onSpan}
          />
        </div>
      ))}
      <p class="axis" aria-hidden="true">
        <span>{short(edges[0]!, size)}</span>
        <span>
          {unit} a bar{groups.length ? '' : `, highest ${count(Math.max(...counts))}`}
        </span>
        <span>{short(edges.at(-1)!, size)}</span>
      </p>
      {otherGroups > 0 && <p class="hint">{count(otherGroups)} more are not shown.</p>}
      <figcaption>
        <details>
          <summary>The same as a table ({plural(filled, 'row')}; times in UTC)</summary>
          <div class="scroll" tabIndex={0} role="region" aria-label="IDs over time">
            <table>
              <thead>
                <tr>
                  <th scope="col">From</th>
                  <th scope="col" class="number">
                    IDs
                  </th>
                  <th scope="col">
                    <span class="hidden">Zoom</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {counts.map(
                  (n, index) =>
                    n > 0 && (
                      <tr>
                        <th scope="row">{short(edges[index]!, size)}</th>
                        <td class="number">{count(n)}</td>
                        <td>
                          <button
                            type="button"
                            class="link"
                            onClick={() => onSpan({ from: edges[index]!, to: edges[index + 1]! })}
                          >
                            Look closer<span class="hidden"> at {short(edges[index]!, size)}</span>
                          </button>
                        </td>
                      </tr>
                    ),
                )}
              </tbody>
            </table>
          </div>
        </details>
      </figcaption>
    </figure>
  );
}

function Bars({
  counts,
  edges,
  unit,
  tall,
  label,
  onSpan,
}: {
  counts: number[];
  edges: number[];
  unit: number;
  tall: boolean;
  label: string;
  onSpan(span: Span): void;
}): JSX.Element {
  const most = Math.max(1, ...counts);
  const width = 100 / counts.length;
  return (
    <svg class={tall ? 'bars tall' : 'bars'} role="img" aria-label={label}>
      {counts.map((n, index) => {
        if (n === 0) return null;
        const height = Math.max(2, (n / most) * 100);
        return (
          <rect
            x={`${index * width}%`}
            y={`${100 - height}%`}
            width={`${counts.length > 200 ? width : width * 0.86}%`}
            height={`${height}%`}
            onClick={() => onSpan({ from: edges[index]!, to: edges[index + 1]! })}
          >
            <title>
              {short(edges[index]!, unit)}: {count(n)}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}

function Findings({
  data,
  summary,
  span,
  onSpan,
}: {
  data: Histogram;
  summary: Summary;
  span: Span;
  onSpan(span: Span): void;
}): JSX.Element | null {
  const gaps = summary.gaps.filter(({ from, to }) => from >= span.from && to <= span.to);
  if (gaps.length === 0 && data.bursts.length === 0) return null;
  const size = unitOf(data.unit).size;
  return (
    <ul class="findings">
      {data.bursts.map(({ from, to, count: n }) => (
        <li>
          <strong>Burst:</strong> {plural(n, 'ID')} within {duration(to - from)} from {short(from, size)} UTC{' '}
          <button type="button" class="link" onClick={() => onSpan({ from, to })}>
            Look closer<span class="hidden"> at the burst of {count(n)} IDs</span>
          </button>
        </li>
      ))}
      {gaps.map(({ from, to }) => (
        <li>
          <strong>Gap:</strong> no ID for {duration(to - from)}, from {short(from, 1000)} to {short(to, 1000)} UTC
        </li>
      ))}
    </ul>
  );
}
