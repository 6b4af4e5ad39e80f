/** The first view: what is this ID? */
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { inspect, type Inspection } from 'sortid/manual';
import { Compare } from './compare';
import { read, remarkOf, wordsOf, type Input, type Word } from './extract';
import { formName, SPECS } from './specs';
import { Many } from './many';
import { isOfAnotherKind, One } from './one';
import { Refused } from './refused';
import { inspectOptions, readOptions, type ReadOptions } from './options';
import { MOST_IN_ADDRESS, type Big, type Go, type Route } from './route';
import { capital, plural, size } from './text';
import { Check, Choice, Status, TextField } from './ui';
import { readTime, sentence } from './time';

const EXAMPLES: [text: string, title: string][] = [
  ['05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6', 'SCRU160'],
  ['C8EE934SR007G5Q94QKKXFRFV8B', 'EUID'],
  ['00CMXB6TAK4SA', 'Ulid-Flake'],
  ['1CQKneD1-Xgritzk0_D', 'RON UID'],
  ['0005cd755a43d79238c05790c0331dd8', 'Event ID'],
  ['05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW', 'one with a mistake'],
  ['00CMXB6TAK4SA\n00CQ1TQFJ4Q7F', 'two, to compare'],
];

/** What to show for a text. */
type Shown =
  Exclude<Input, { kind: 'many' }> | { kind: 'two'; texts: [string, string] } | { kind: 'many'; text: string };

function decide(text: string): Shown {
  const input = read(text);
  if (input.kind !== 'many') return input;
  const words: Word[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const found = wordsOf(line, index + 1);
    words.push(...found.words, ...found.misses);
  }
  if (words.length === 1) return { kind: 'one', text: words[0]!.text, note: 'found among other words' };
  if (words.length === 2) return { kind: 'two', texts: [words[0]!.text, words[1]!.text] };
  return { kind: 'many', text };
}

export function InspectView({ route, go }: { route: Route; go: Go }): JSX.Element {
  const { value, params, big } = route;
  const area = useRef<HTMLTextAreaElement>(null);
  const isSettled = useRef(true);
  const remove = useRef<HTMLButtonElement>(null);
  // With the change of the page, so that no key is pressed while nothing has the focus.
  useLayoutEffect(() => (area.current ?? remove.current)?.focus({ preventScroll: true }), [Boolean(route.big)]);

  const { options, fault } = useMemo(() => readOptions(params), [params]);
  const shown = useMemo<Shown>(() => (big ? { kind: 'many', text: big.text } : decide(value)), [value, big]);

  const type = (text: string) => {
    const { as: _, ...rest } = params;
    go({ view: 'inspect', value: text, params: rest }, isSettled.current ? 'push' : 'replace');
    isSettled.current = false;
  };
  const load = (big: Big) => {
    const { as: _, ...rest } = params;
    go({ view: 'inspect', value: '', params: rest, big });
  };
  const settle = () => (isSettled.current = true);
  const clear = () => {
    settle();
    type('');
    settle();
  };
  /** Takes the text of a button, which then is gone, so the focus goes to the answer. */
  const take = (text: string) => {
    settle();
    type(text);
    settle();
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const set = (name: string, text: string) => {
    const { as: _, ...rest } = params;
    go({ ...route, params: { ...rest, [name]: text } }, 'replace');
  };

  return (
    <>
      <form class="ask" onSubmit={(event) => event.preventDefault()}>
        <label for="ids">An ID, or many: from a column, a log or a program</label>
        {big ? (
          <p class="chip">
            <span>
              <strong>{big.name}</strong>: {size(big.text.length).replace('bytes', 'characters')},{' '}
              {plural(lineCount(big.text), 'line')}
            </span>
            <button type="button" ref={remove} onClick={clear}>
              Remove
            </button>
          </p>
        ) : (
          <textarea
            id="ids"
            ref={area}
            rows={
              value.includes('\n')
                ? Math.min(12, value.split('\n').length + 1)
                : Math.min(4, Math.ceil(value.length / 60) || 1)
            }
            value={value}
            placeholder="Paste here"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={(event) => type(event.currentTarget.value)}
            onBlur={settle}
            onPaste={(event) => {
              settle();
              const text = event.clipboardData?.getData('text/plain') ?? '';
              if (text.length <= MOST_IN_ADDRESS) return;
              event.preventDefault();
              load({ name: 'Pasted text', text });
            }}
          />
        )}
        <div class="under">
          <p class="private">
            <Lock /> Nothing you paste leaves this page: its security policy (<code>connect-src 'none'</code>) makes the
            browser refuse every request.
          </p>
          <details class="options">
            <summary>Options{optionsInWords(options)}</summary>
            <div class="grid">
              <Choice
                label="Read as"
                value={params.spec ?? ''}
                options={[
                  ['', 'whatever fits'],
                  ...Object.entries(SPECS).map(([name, { title }]) => [name, title] as const),
                ]}
                onChange={(value) => set('spec', value)}
              />
              <TextField
                label="Epoch of Ulid-Flakes"
                value={params.epoch ?? ''}
                placeholder="2024-01-01"
                onInput={(value) => set('epoch', value)}
              />
              <TextField
                label="Scheme of RON origins"
                value={params.scheme ?? ''}
                placeholder="0163"
                maxLength={4}
                hint="Digits for peer, server, user, session"
                onInput={(value) => set('scheme', value)}
              />
              <Check
                label="Ulid-Flakes are of the scalable version"
                checked={Boolean(params.scalable)}
                onChange={(on) => set('scalable', on ? '1' : '')}
              />
            </div>
          </details>
          {fault && (
            <p class="fault" role="alert">
              {fault}
            </p>
          )}
        </div>
      </form>
      <Result shown={shown} options={options} route={route} go={go} onText={take} />
      {shown.kind === 'none' && (
        <section class="examples" aria-labelledby="examples">
          <h2 id="examples">No ID at hand?</h2>
          <ul>
            {EXAMPLES.map(([text, title]) => (
              <li>
                <button type="button" class="link" onClick={() => take(text)}>
                  {title}
                </button>{' '}
                <code>{text.replace('\n', ' ')}</code>
              </li>
            ))}
          </ul>
          <p>Or drop a file with IDs, such as a log or a CSV, anywhere on this page.</p>
        </section>
      )}
    </>
  );
}

function Result({
  shown,
  options,
  route,
  go,
  onText,
}: {
  shown: Shown;
  options: ReadOptions;
  route: Route;
  go: Go;
  onText(text: string): void;
}): JSX.Element | null {
  const texts = shown.kind === 'one' ? [shown.text] : shown.kind === 'two' ? shown.texts : [];
  const key = texts.join('\n');
  const inspections = useMemo(() => texts.map((text) => safeInspect(text, options)), [key, options]);
  if (shown.kind === 'none') return <Status text="" />;
  if (shown.kind === 'time') return <Time text={shown.text} />;
  if (shown.kind === 'many')
    return <Many key={route.big ? undefined : 'typed'} text={shown.text} options={options} route={route} go={go} />;
  if (shown.kind === 'one') {
    const [inspection] = inspections;
    return (
      <Single
        text={shown.text}
        note={shown.note}
        inspection={inspection!}
        options={options}
        route={route}
        go={go}
        onText={onText}
      />
    );
  }
  const [a, b] = inspections as [Inspection, Inspection];
  const [first, second] = [a.candidates[0], b.candidates[0]];
  if (first && second) return <Compare inspections={[a, b]} texts={shown.texts} options={options} />;
  return (
    <>
      {inspections.map((inspection, index) => (
        <section class="pair" aria-label={index === 0 ? 'First ID' : 'Second ID'}>
          <Single
            text={texts[index]!}
            inspection={inspection}
            options={options}
            route={route}
            go={go}
            onText={(text) => onText(texts.with(index, text).join('\n'))}
          />
        </section>
      ))}
    </>
  );
}

function Single({
  text,
  note,
  inspection,
  options,
  route,
  go,
  onText,
}: {
  text: string;
  note?: string | undefined;
  inspection: Inspection;
  options: ReadOptions;
  route: Route;
  go: Go;
  onText(text: string): void;
}): JSX.Element {
  const { candidates } = inspection;
  const asked = candidates.findIndex(({ spec, form }) => `${spec}.${form}` === route.params.as);
  const index = Math.max(0, asked);
  const candidate = candidates[index];
  if (!candidate) return <Refused text={text} note={note} inspection={inspection} onText={onText} />;
  const remark = remarkOf(text, inspection);
  return (
    <>
      <One
        candidate={candidate}
        note={
          [note, candidate.form !== 'text' && `read from its ${formName(candidate.form)}`]
            .filter(Boolean)
            .join(' · ') || undefined
        }
        options={options}
        others={candidates}
        onChoose={(spec, form) => go({ ...route, params: { ...route.params, as: `${spec}.${form}` } }, 'replace')}
        remark={remark}
      />
      <Status
        text={
          isOfAnotherKind(remark, options)
            ? capital(remark!)
            : `${candidate.title}: ${candidate.id.unixMillis === undefined ? 'it has no time' : `made ${sentence(candidate.id.unixMillis)}`}`
        }
      />
    </>
  );
}

/** A time instead of an ID. */
function Time({ text }: { text: string }): JSX.Element {
  let [headline, range] = ['It looks like a time, but there is no such time', ''];
  try {
    headline = `It is a time: ${sentence(readTime(text, false))}`;
    range = `#span&since=${encodeURIComponent(text)}&until=${encodeURIComponent(text)}`;
  } catch {
    // The headline says it.
  }
  return (
    <article class="refused" aria-label="Not an ID">
      <p class="eyebrow">Not an ID</p>
      <h2 class="when">{headline}</h2>
      {range && (
        <p class="expected">
          <a href={range}>The least and the greatest ID of this time</a>
        </p>
      )}
      <Status text={headline} />
    </article>
  );
}

function safeInspect(text: string, options: ReadOptions): Inspection {
  try {
    return inspect(text.toWellFormed(), inspectOptions(options));
  } catch (error) {
    return { candidates: [], refusals: [], suggestions: [], note: (error as Error).message };
  }
}

function optionsInWords(options: ReadOptions): string {
  const words = [
    options.spec && `read as ${SPECS[options.spec].title}`,
    options.scalable && 'scalable',
    options.epoch !== undefined && 'own epoch',
    options.scheme && `scheme ${options.scheme}`,
  ].filter(Boolean);
  return words.length ? `: ${words.join(', ')}` : '';
}

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function Lock(): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3 7h10v7H3z" />
    </svg>
  );
}
