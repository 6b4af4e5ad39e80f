/** Verifies a ledger, of any size, in the worker. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LedgerFault, LedgerOptions } from 'sortid/manual';
import { Background, Cancelled, type Answer } from './background';
import type { Go, Route } from './route';
import { count, messageOf, plural, size } from './text';
import { Check, Choice, CopyButton, Progress, Raw, TextField } from './ui';
import type { ProgressState } from './worker';

type State =
  | { kind: 'empty' }
  | { kind: 'working'; file: File; progress: ProgressState }
  | { kind: 'cancelled'; file: File }
  | { kind: 'failed'; file: File; message: string }
  | { kind: 'done'; file: File; answer: Answer<'ledger'>; params: Route['params'] };

export function LedgerView({
  route,
  go,
  file,
  isHidden,
}: {
  route: Route;
  go: Go;
  file: File | undefined;
  isHidden: boolean;
}): JSX.Element {
  const { params } = route;
  const [state, setState] = useState<State>({ kind: 'empty' });
  const running = useRef<Background>(undefined);
  const set = (name: string, value: string) => go({ ...route, params: { ...params, [name]: value } }, 'replace');

  const verify = (file: File) => {
    running.current?.close();
    const background = new Background();
    running.current = background;
    const isCurrent = () => running.current === background;
    setState({ kind: 'working', file, progress: { done: 0 } });
    const options: LedgerOptions = {
      ...(params.profile === 'classic' || params.profile === 'entities' ? { profile: params.profile } : {}),
      ...(params.strict ? { strict: true } : {}),
      ...(params.after ? { after: params.after.trim() } : {}),
      stopAtFirstFault: !params.all,
    };
    background
      .ask('ledger', { file, options }, (progress) => isCurrent() && setState({ kind: 'working', file, progress }))
      .then(
        (answer) => {
          background.close();
          if (isCurrent()) setState({ kind: 'done', file, answer, params });
        },
        (error: unknown) => {
          background.close();
          if (isCurrent())
            setState(
              error instanceof Cancelled
                ? { kind: 'cancelled', file }
                : { kind: 'failed', file, message: messageOf(error) },
            );
        },
      );
  };
  useEffect(() => {
    if (file) verify(file);
  }, [file]);
  useEffect(() => () => running.current?.close(), []);

  return (
    <article class="ledger" hidden={isHidden}>
      <h2>Verify a ledger</h2>
      <p>
        A ledger of Evently is a file of events, one JSON object a line. Each event ID has a checksum of the event and
        of the ID before it, so most mistakes show, but not forgery. The file is read here, on your computer, whatever
        its size.
      </p>
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <label class="drop">
          <span>
            <strong>Choose a ledger</strong>, or drop it anywhere on this page
          </span>
          <span class="hint">
            .ndjson, also compressed with gzip (.gz), of any size. Decompress zstd first, or use the program.
          </span>
          <input
            type="file"
            onChange={(event) => {
              const [chosen] = event.currentTarget.files ?? [];
              if (chosen) verify(chosen);
            }}
          />
        </label>
        <details class="options">
          <summary>
            Options
            {[params.profile, params.strict && 'strict', params.all && 'all faults', params.after && 'a part']
              .filter(Boolean)
              .map((word, index) => (index ? `, ${word}` : `: ${word}`))}
          </summary>
          <div class="grid">
            <Choice
              label="Profile"
              value={params.profile ?? ''}
              options={[
                ['', 'found in the first line'],
                ['classic', 'classic: entity, key, event, meta, data'],
                ['entities', 'entities: event, entities, meta, data, timestamp'],
              ]}
              onChange={(value) => set('profile', value)}
            />
            <TextField
              label="Start after event"
              value={params.after ?? ''}
              placeholder="32 hex digits"
              hint="for a part of a ledger: the ID before its first event, which you trust"
              onInput={(value) => set('after', value)}
            />
            <Check
              label="Strict"
              hint="refuse members that no checksum protects"
              checked={Boolean(params.strict)}
              onChange={(on) => set('strict', on ? '1' : '')}
            />
            <Check
              label="Count all faults"
              hint="go on after the first one"
              checked={Boolean(params.all)}
              onChange={(on) => set('all', on ? '1' : '')}
            />
          </div>
          {'file' in state && (
            <button type="button" class="main" onClick={() => verify(state.file)}>
              Verify {state.file.name} again
            </button>
          )}
        </details>
      </form>
      {state.kind === 'working' && (
        <Progress
          label={`Verifying ${state.file.name}:`}
          done={state.progress.done}
          onCancel={() => running.current?.close()}
        >
          {state.progress.seconds
            ? ` · ${plural(state.progress.events ?? 0, 'event')} · ${speed(state.progress)}${remaining(state.progress)}`
            : ''}
        </Progress>
      )}
      <div aria-live="polite">
        {state.kind === 'cancelled' && (
          <p>
            <strong>Cancelled.</strong> Nothing is known about {state.file.name}.{' '}
            <button type="button" ref={focus} onClick={() => verify(state.file)}>
              Verify it again
            </button>
          </p>
        )}
        {state.kind === 'failed' && (
          <p class="fault">
            <strong>{state.file.name} could not be verified.</strong> {state.message}
          </p>
        )}
        {state.kind === 'done' && JSON.stringify(state.params) !== JSON.stringify(params) && (
          <p class="remark">
            The options were changed after this result.{' '}
            <button type="button" onClick={() => verify(state.file)}>
              Verify again
            </button>
          </p>
        )}
        {state.kind === 'done' && <Report file={state.file} answer={state.answer} all={Boolean(state.params.all)} />}
      </div>
    </article>
  );
}

/** Focuses an element that takes the place of the focused one. */
function focus(element: HTMLElement | null): void {
  element?.focus();
}

function speed({ bytes = 0, seconds = 0 }: ProgressState): string {
  const rate = bytes / seconds / 1e6;
  return seconds > 0 ? `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} MB/s` : '';
}

function remaining({ done, seconds = 0 }: ProgressState): string {
  const left = done > 0 ? (seconds / done) * (1 - done) : 0;
  return seconds > 1 && left > 1 ? ` · ${Math.ceil(left)} s left` : '';
}

function Report({ file, answer, all }: { file: File; answer: Answer<'ledger'>; all: boolean }): JSX.Element {
  const { report, compression, bytes, seconds } = answer;
  const { valid, isEmpty, firstFault, lastEventId } = report;
  const parts = compression === 'members' ? ' in several parts' : '';
  const packed = compression !== 'none' && `decompressed from ${size(file.size)}${parts}`;
  const timed = seconds >= 0.1 && `in ${seconds.toFixed(1)} s: ${speed(answer)}`;
  const facts: [string, string | undefined][] = [
    ['Events', count(report.events)],
    ['Profile', report.profile],
    ['First event', report.genesis && GENESES[report.genesis]],
    ['Ledger ID', report.ledgerId],
    ['Last event', lastEventId],
    ['Read', [size(bytes), packed, timed].filter(Boolean).join(', ')],
  ];
  return (
    <section class={`report ${valid ? 'good' : 'bad'}`} aria-label="Result">
      <h3 class="when">
        {valid
          ? '✓ The ledger is valid'
          : `✗ ${isEmpty ? 'The file has no events' : report.faults > 1 ? `The ledger has ${count(report.faults)} faults` : 'The ledger has a fault'}`}
      </h3>
      {isEmpty && <p>Nothing was verified: a ledger has at least one event.</p>}
      {firstFault && <Fault fault={firstFault} isOnlyFirst={!all} />}
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd>
                {value}
                {name === 'Last event' && (
                  <>
                    {' '}
                    <CopyButton text={value!} what="the last event ID" />
                  </>
                )}
              </dd>
            </div>
          ))}
      </dl>
      {valid && (
        <p class="hint">
          No ledger shows whether events are missing at its end. Compare the ID of the last event with one that you know
          from elsewhere.
        </p>
      )}
    </section>
  );
}

/** What the first event was checked against. */
const GENESES: Record<string, string> = {
  published: 'as in the specification',
  deployed: 'as the database of Evently makes it',
  trusted: 'follows the event that you gave',
};

/** What each kind of fault means, and what usually causes it. */
const FAULTS: Record<string, [what: string, cause: string]> = {
  malformed_line: [
    'The line is not an event',
    'It is not JSON, or a member has a value of another type. The line may be cut off, or from another file.',
  ],
  unknown_member: [
    'The event has a member that no checksum protects',
    'Anyone can change it without a trace. It is refused because “Strict” is on.',
  ],
  duplicate_member: [
    'An object has two members of one name',
    'The checksum covers only the last of them. It is refused because “Strict” is on.',
  ],
  missing_member: [
    'The event lacks a member',
    'The profile requires it. The event may have been edited, or the ledger may have the other profile.',
  ],
  timestamp_mismatch: [
    'The timestamp is not the one in the event ID',
    'One of them was changed after the event was written.',
  ],
  ledger_changed: [
    'The event belongs to another ledger',
    'Its ledger ID differs from that of the events before. The file may be put together from two ledgers.',
  ],
  time_not_ascending: [
    'The event is not later than the one before it',
    'Lines may be exchanged, or one may be there twice.',
  ],
  id_mismatch: [
    'The event ID does not fit the event',
    'The event or the ID was changed after it was written; or an event before it was removed or inserted.',
  ],
};

function Fault({ fault, isOnlyFirst }: { fault: LedgerFault; isOnlyFirst: boolean }): JSX.Element {
  const [what, usual] = FAULTS[fault.kind] ?? [fault.message, ''];
  const hasMark = fault.found === 'a byte order mark';
  const cause = hasMark ? 'The file begins with a byte order mark, which a ledger does not have. Leave it out.' : usual;
  const { text, column, textColumn } = fault;
  // Columns count characters, of which some are two UTF-16 units.
  const before = column === undefined ? [] : Array.from(text).slice(0, Math.max(0, column - textColumn));
  const at = column === undefined ? -1 : before.join('').length;
  return (
    <div class="flaw">
      <p>
        <strong>
          Line {count(fault.line)}: {what}.
        </strong>{' '}
        {cause}
      </p>
      <dl class="facts">
        <div>
          <dt>Expected</dt>
          <dd>
            <code>
              <Raw text={fault.expected} />
            </code>
          </dd>
        </div>
        <div>
          <dt>Found</dt>
          <dd>
            <code>
              <Raw text={fault.found} />
            </code>
          </dd>
        </div>
      </dl>
      {text !== undefined && (
        <pre class="faulty" tabIndex={0} aria-label={`Line ${fault.line}`}>
          <span class="lineno">{count(fault.line)}</span> <code>{highlight(text, fault.found, at)}</code>
        </pre>
      )}
      {isOnlyFirst && (
        <p class="hint">Verification stopped here. To count the others, check “Count all faults” in the options.</p>
      )}
    </div>
  );
}

/** The line with the fault marked: at its column, or where the value that was found stands. */
function highlight(text: string, found: string, at: number): JSX.Element {
  const value = found.replace(/^["']|["']$/g, '');
  const from = at >= 0 && at < text.length ? at : value.length > 3 ? text.indexOf(value) : -1;
  if (from < 0) return <Raw text={text} most={1200} />;
  const to = from + (at >= 0 ? 1 : value.length);
  return (
    <>
      <Raw text={text.slice(Math.max(0, from - 400), from)} />
      <mark>
        <Raw text={text.slice(from, to)} />
      </mark>
      <Raw text={text.slice(to, to + 400)} />
    </>
  );
}
