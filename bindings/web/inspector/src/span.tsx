/** The least and the greatest ID of a span of time, and the query for a database. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { rangeQuery, UlidFlake, type Id, type SpecName } from 'sortid/manual';
import { CLASSES } from './extract';
import { DEFAULT_EPOCH } from './options';
import type { Go, Route } from './route';
import { FORM_NAMES, FORMS, isSpec, SPEC_NAMES, SPECS, USUAL } from './specs';
import { messageOf } from './text';
import { between, inWords, readTime, sentence, ZONE } from './time';
import { Choice, CopyButton, Raw, Segments, TextField } from './ui';

const DATABASES = [
  ['postgres', 'PostgreSQL'],
  ['mysql', 'MariaDB, MySQL'],
  ['duckdb', 'DuckDB'],
  ['clickhouse', 'ClickHouse'],
  ['sqlite', 'SQLite'],
] as const;
type Database = (typeof DATABASES)[number][0];

const SPANS: [title: string, since: string, until: string][] = [
  ['Last hour', '-1h', 'now'],
  ['Today', 'today', 'today'],
  ['Yesterday', 'yesterday', 'yesterday'],
  ['Last 7 days', '-7d', 'now'],
];

export function SpanView({ route, go }: { route: Route; go: Go }): JSX.Element {
  const spec: SpecName = isSpec(route.value) ? route.value : USUAL;
  const { params } = route;
  const since = params.since ?? 'today';
  const until = params.until ?? 'today';
  const database: Database = DATABASES.find(([name]) => name === params.database)?.[0] ?? 'postgres';
  const table = params.table ?? 'orders';
  const column = params.column ?? 'id';
  const set = (name: string, value: string) =>
    go({ ...route, value: spec, params: { ...params, [name]: value } }, 'replace');

  const times = useMemo(() => {
    const read = (text: string, isEnd: boolean) => {
      try {
        return { millis: readTime(text, isEnd) };
      } catch (error) {
        return { fault: messageOf(error) };
      }
    };
    return { since: read(since, false), until: read(until, true) };
  }, [since, until]);
  const epoch = useMemo(() => {
    try {
      return { millis: params.epoch ? readTime(params.epoch, false) : DEFAULT_EPOCH };
    } catch (error) {
      return { fault: messageOf(error), millis: DEFAULT_EPOCH };
    }
  }, [params.epoch]);

  const bounds = useMemo((): { least: Id; greatest: Id } | { fault: string } | undefined => {
    const [from, to] = [times.since.millis, times.until.millis];
    if (from === undefined || to === undefined) return undefined;
    if (from > to) return { fault: 'The end of the span is before its beginning.' };
    const last = SPECS[spec].hasMicros ? BigInt(to) * 1000n + 999n : to;
    const options = { epoch: epoch.millis };
    try {
      return spec === 'ulid-flake'
        ? { least: UlidFlake.minAt(from, options), greatest: UlidFlake.maxAt(last, options) }
        : { least: CLASSES[spec].minAt(from), greatest: CLASSES[spec].maxAt(last) };
    } catch (error) {
      if (spec === 'ulid-flake') return { fault: messageOf(error) };
      const { MIN, MAX } = CLASSES[spec];
      const years = [MIN, MAX].map((id) => inWords(id.unixMillis ?? NaN)?.date.split(' ').at(-1) ?? 'the far future');
      return { fault: `No ${SPECS[spec].title} has such a time: its years are ${years.join(' to ')}.` };
    }
  }, [spec, times, epoch]);

  const query = useMemo(() => {
    if (!bounds || 'fault' in bounds) return undefined;
    try {
      const shift = spec === 'ulid-flake' ? epoch.millis - DEFAULT_EPOCH : 0;
      const last = times.until.millis!;
      return {
        sql: rangeQuery(spec, {
          database,
          table,
          column,
          since: times.since.millis! - shift,
          until: SPECS[spec].hasMicros ? BigInt(last) * 1000n + 999n : last - shift,
        }),
      };
    } catch (error) {
      return { fault: messageOf(error) };
    }
  }, [bounds, database, table, column]);

  return (
    <article class="span">
      <h2>IDs of a span of time</h2>
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <Segments
          label="Specification"
          value={spec}
          options={SPEC_NAMES.map((name) => [name, SPECS[name].title] as const)}
          onChange={(value) => go({ ...route, value, params }, 'push')}
        />
        <div class="grid">
          <TextField label="Since" value={since} onInput={(value) => set('since', value)} fault={times.since.fault} />
          <TextField label="Until" value={until} onInput={(value) => set('until', value)} fault={times.until.fault} />
          {spec === 'ulid-flake' && (
            <TextField
              label="Epoch"
              value={params.epoch ?? ''}
              placeholder="2024-01-01"
              onInput={(value) => set('epoch', value)}
              fault={epoch.fault}
            />
          )}
        </div>
        <p class="row" role="group" aria-label="Usual spans">
          {SPANS.map(([title, since, until]) => (
            <button
              type="button"
              onClick={() => go({ ...route, value: spec, params: { ...params, since, until } }, 'replace')}
            >
              {title}
            </button>
          ))}
        </p>
        <p class="hint">
          A time is 2024, 2024-06, 2024-06-06 or 2024-06-06 06:06 (in UTC, or with an offset such as +02:00), now,
          today, yesterday, -1h, or Unix milliseconds. Both ends belong to the span.
        </p>
      </form>
      {times.since.millis !== undefined &&
        times.until.millis !== undefined &&
        times.since.millis <= times.until.millis && (
          <p class="sub" role="status">
            From <strong>{sentence(times.since.millis)}</strong> to <strong>{sentence(times.until.millis)}</strong>:{' '}
            {between(times.since.millis, times.until.millis + 1)}
            {ZONE !== 'UTC' && (
              <>
                <br />
                <span class="hint">
                  In your zone, from {sentence(times.since.millis, ZONE)} to {sentence(times.until.millis, ZONE)}
                </span>
              </>
            )}
          </p>
        )}
      {bounds && 'fault' in bounds && (
        <p class="fault" role="alert">
          {bounds.fault}
        </p>
      )}
      {bounds && 'least' in bounds && (
        <>
          <section aria-labelledby="query">
            <h3 id="query">Query</h3>
            <form class="grid" onSubmit={(event) => event.preventDefault()}>
              <Choice
                label="Database"
                value={database}
                options={DATABASES}
                onChange={(value) => set('database', value)}
              />
              <TextField label="Table" value={table} onInput={(value) => set('table', value)} />
              <TextField label="Column" value={column} onInput={(value) => set('column', value)} />
            </form>
            <p class="hint">
              For a column of the type {SPECS[spec].columns[DATABASES.findIndex(([name]) => name === database)]}.
            </p>
            {query && 'sql' in query && (
              <div class="sql">
                <pre tabIndex={0} aria-label="SQL">
                  <code>
                    <Raw text={query.sql!} most={10_000} />
                  </code>
                </pre>
                <CopyButton text={query.sql!} what="the query" />
              </div>
            )}
            {query && 'fault' in query && (
              <p class="fault" role="alert">
                {query.fault}
              </p>
            )}
          </section>
          <section aria-labelledby="bounds">
            <h3 id="bounds">Least and greatest ID</h3>
            <dl class="forms">
              {FORM_NAMES.map((form) => {
                try {
                  const pair = [bounds.least.to(form), bounds.greatest.to(form)] as const;
                  return (
                    <div>
                      <dt>{FORMS[form]}</dt>
                      {pair.map((text, index) => (
                        <dd>
                          <span class="end">{index === 0 ? 'least' : 'greatest'}</span>{' '}
                          <code>
                            <Raw text={text} />
                          </code>{' '}
                          <CopyButton text={text} what={`${index === 0 ? 'least' : 'greatest'}, ${FORMS[form]}`} />
                        </dd>
                      ))}
                    </div>
                  );
                } catch {
                  return null;
                }
              })}
            </dl>
          </section>
        </>
      )}
    </article>
  );
}
