/** Many IDs: what they are, when they were made, and what is wrong with some of them. The worker does the work. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Form } from 'sortid/manual';
import { Background, Cancelled } from './background';
import type { Filter, Row, Summary } from './list';
import type { ReadOptions } from './options';
import { MOST_IN_ADDRESS, type Go, type Route } from './route';
import { FORM_NAMES, FORMS, isForm, SPECS } from './specs';
import { count, messageOf, plural } from './text';
import { duration, sentence, short } from './time';
import { Timeline, type OfList } from './timeline';
import { Choice, CopyButton, download, Progress, Raw, Segments, Status } from './ui';

type State =
  | { kind: 'working'; done: number }
  | { kind: 'cancelled' }
  | { kind: 'failed'; message: string }
  | { kind: 'done'; summary: Summary; background: Background };

export function Many({
  text,
  options,
  route,
  go,
}: {
  text: string;
  options: ReadOptions;
  route: Route;
  go: Go;
}): JSX.Element {
  const [state, setState] = useState<State>({ kind: 'working', done: 0 });
  const [attempt, setAttempt] = useState(0);
  const cancel = useRef(() => {});
  const key = JSON.stringify(options);
  useEffect(() => {
    const background = new Background();
    let isOver = false;
    const isLong = text.length > MOST_IN_ADDRESS;
    // A short list is read before anyone sees its progress, so the answer before stays until then.
    if (isLong) setState({ kind: 'working', done: 0 });
    cancel.current = () => background.close();
    background
      .ask('list', { text, options }, ({ done }) => isLong && !isOver && setState({ kind: 'working', done }))
      .then(
        (summary) => isOver || setState({ kind: 'done', summary, background }),
        (error: unknown) =>
          isOver ||
          setState(error instanceof Cancelled ? { kind: 'cancelled' } : { kind: 'failed', message: messageOf(error) }),
      );
    return () => {
      isOver = true;
      background.close();
    };
  }, [text, key, attempt]);

  if (state.kind === 'working') return <Progress label="Reading" done={state.done} onCancel={() => cancel.current()} />;
  if (state.kind === 'cancelled') {
    return (
      <div>
        <h2 class="when">Cancelled</h2>
        <p>
          <button type="button" onClick={() => setAttempt(attempt + 1)}>
            Read it again
          </button>
        </p>
      </div>
    );
  }
  if (state.kind === 'failed')
    return (
      <p class="fault" role="alert">
        The list could not be read: {state.message}
      </p>
    );
  return <Listed {...state} route={route} go={go} />;
}

function Listed({ summary, background, route, go }: OfList): JSX.Element {
  const { valid, invalid, duplicates, unordered, specs, first, last, leftOut, leftOutExamples, lines } = summary;
  const said = `${plural(valid, 'ID')} in ${plural(lines, 'line')}`;
  if (summary.rows === 0) {
    return (
      <div>
        <h2 class="when">No ID found</h2>
        <p class="sub">
          A word among others is taken for an ID if it has the length of one, and a time from 2000 to 2099 or a right
          check. To inspect another word, paste it alone.
        </p>
      </div>
    );
  }
  return (
    <article class="many" aria-label="Many IDs">
      <p class="eyebrow">
        <strong>
          {specs.map(({ spec, count: n }) => `${count(n)} ${SPECS[spec].title}${n === 1 ? '' : 's'}`).join(' · ') ||
            'No valid ID'}
        </strong>
      </p>
      <h2 class="when">{said}</h2>
      {summary.note && <p class="remark">Note on most of them: {summary.note}</p>}
      {first !== undefined && last !== undefined && (
        <p class="sub">
          made from <strong>{sentence(first)}</strong> to <strong>{sentence(last)}</strong>,{' '}
          {last === first ? 'all in the same millisecond' : `within ${duration(last - first)}`}
        </p>
      )}
      <ul class="facts">
        <li class={invalid ? 'bad' : ''}>
          {invalid ? plural(invalid, 'is not valid', 'are not valid') : 'All are valid'}
        </li>
        <li class={duplicates ? 'bad' : ''}>{duplicates ? plural(duplicates, 'duplicate') : 'No duplicates'}</li>
        <li class={unordered ? 'bad' : ''}>
          {unordered ? `${plural(unordered, 'place')} out of order` : 'In order'}
          {specs.length > 1 && ' within each specification'}
        </li>
        {leftOut > 0 && <li class="note">{plural(leftOut, 'line')} without an ID left out</li>}
      </ul>
      {leftOut > 0 && (
        <details>
          <summary>Lines that were left out</summary>
          <ul class="leftout">
            {leftOutExamples.map(({ line, text }) => (
              <li>
                <span class="hint">line {count(line)}</span>{' '}
                <code>
                  <Raw text={text} />
                </code>
              </li>
            ))}
          </ul>
          {leftOut > leftOutExamples.length && <p class="hint">and {count(leftOut - leftOutExamples.length)} more</p>}
        </details>
      )}
      {summary.timed >= 2 && first !== last && (
        <Timeline summary={summary} background={background} route={route} go={go} />
      )}
      <Rows summary={summary} background={background} route={route} go={go} />
      {valid > 0 && <Convert background={background} valid={valid} route={route} go={go} />}
      <Status text={`${said}; ${invalid} not valid, ${duplicates} duplicates, ${unordered} out of order`} />
    </article>
  );
}

const PAGE = 50;

function Rows({ summary, background, route, go }: OfList): JSX.Element {
  const filter = (['invalid', 'duplicate', 'unordered'].find((name) => name === route.params.show) ?? 'all') as Filter;
  const [page, setPage] = useState(0);
  const [rows, setRows] = useState<{ rows: Row[]; total: number; page: number }>({ rows: [], total: 0, page: 0 });
  useEffect(() => {
    let isOver = false;
    background.ask('rows', { filter, from: page * PAGE, count: PAGE }).then(
      (rows) => isOver || setRows({ ...rows, page }),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [background, filter, page]);
  const last = Math.max(0, Math.ceil(rows.total / PAGE) - 1);
  const hasNode = rows.rows.some(({ node }) => node !== undefined);
  const choose = (name: Filter) => {
    setPage(0);
    go({ ...route, params: { ...route.params, show: name === 'all' ? '' : name } }, 'replace');
  };
  return (
    <section aria-labelledby="rows">
      <h3 id="rows">The IDs</h3>
      <Segments<Filter>
        label="Which IDs"
        value={filter}
        options={[
          ['all', `All ${count(summary.rows)}`],
          ['invalid', `Not valid ${count(summary.invalid)}`],
          ['duplicate', `Duplicates ${count(summary.duplicates)}`],
          ['unordered', `Out of order ${count(summary.unordered)}`],
        ]}
        onChange={choose}
      />
      {rows.total === 0 ? (
        <p>None.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Table of the IDs">
          <table class="rows">
            <thead>
              <tr>
                <th scope="col" class="number">
                  Line
                </th>
                <th scope="col">ID</th>
                <th scope="col">Made (UTC)</th>
                <th scope="col">What</th>
                {hasNode && <th scope="col">Who</th>}
                <th scope="col">Remark</th>
              </tr>
            </thead>
            <tbody>
              {rows.rows.map((row) => (
                <tr class={row.spec ? '' : 'bad'}>
                  <td class="number">{count(row.line)}</td>
                  <td>
                    <a
                      href={`#inspect=${encodeURIComponent(row.text.toWellFormed())}`}
                      onClick={(event) => {
                        event.preventDefault();
                        const { spec, epoch, scalable, scheme } = route.params;
                        go({
                          view: 'inspect',
                          value: row.text,
                          params: {
                            spec: spec ?? '',
                            epoch: epoch ?? '',
                            scalable: scalable ?? '',
                            scheme: scheme ?? '',
                          },
                        });
                        scrollTo(0, 0);
                      }}
                    >
                      <code>
                        <Raw text={row.text} most={80} />
                      </code>
                    </a>
                  </td>
                  <td class="time">{row.millis === undefined ? '' : short(row.millis, 0)}</td>
                  <td>
                    {row.spec
                      ? `${SPECS[row.spec].title}${row.form && row.form !== 'text' ? `, ${FORMS[row.form]}` : ''}`
                      : ''}
                  </td>
                  {hasNode && <td>{row.node}</td>}
                  <td>
                    {row.why ? (
                      <>
                        not valid: <Raw text={row.why} most={160} />
                      </>
                    ) : (
                      [row.sameAs && `same as line ${count(row.sameAs)}`, row.isUnordered && 'less than the ID before']
                        .filter(Boolean)
                        .join(', ')
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {last > 0 && (
        <nav class="pages" aria-label="Pages of the table">
          <button type="button" disabled={page === 0} onClick={() => setPage(0)}>
            First
          </button>
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Previous
          </button>
          <span role="status">
            Page {count(rows.page + 1)} of {count(last + 1)}
          </span>
          <button type="button" disabled={page >= last} onClick={() => setPage(page + 1)}>
            Next
          </button>
          <button type="button" disabled={page >= last} onClick={() => setPage(last)}>
            Last
          </button>
        </nav>
      )}
    </section>
  );
}

function Convert({
  background,
  valid,
  route,
  go,
}: {
  background: Background;
  valid: number;
  route: Route;
  go: Go;
}): JSX.Element {
  const form: Form = isForm(route.params.to) ? route.params.to : 'text';
  const [note, setNote] = useState('');
  const run = async () => {
    const { text, converted, without } = await background.ask('convert', { form });
    setNote(
      without
        ? `${plural(converted, 'ID')}. ${plural(without, 'has', 'have')} no such form, and ${without === 1 ? 'is' : 'are'} left out.`
        : `${plural(converted, 'ID')}.`,
    );
    return text;
  };
  return (
    <section aria-labelledby="convert">
      <h3 id="convert">Convert</h3>
      <div class="row">
        <Choice
          label="All valid IDs to"
          value={form}
          options={FORM_NAMES.map((name) => [name, FORMS[name]] as const)}
          onChange={(value) => {
            setNote('');
            go({ ...route, params: { ...route.params, to: value === 'text' ? '' : value } }, 'replace');
          }}
        />
        <CopyButton text={run} what={`${count(valid)} IDs`}>
          Copy {count(valid)} lines
        </CopyButton>
        <button type="button" onClick={async () => download(await run(), `ids-${form}.txt`)}>
          Download
        </button>
        <span role="status">{note}</span>
      </div>
    </section>
  );
}
