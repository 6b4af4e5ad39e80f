/** One valid ID: its time first, then its bits, fields and forms. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Field, Form, Inspection, SpecName } from 'sortid/manual';
import { Bits, hueOf } from './bits';
import { millisOf } from './list';
import type { ReadOptions } from './options';
import { FORM_NAMES, formName, FORMS, letters, SPECS } from './specs';
import { capital, withArticle } from './text';
import { ago, inWords, iso, sentence, ZONE } from './time';
import { CopyButton, Raw } from './ui';

export type Candidate = Inspection['candidates'][number];

export function One({
  candidate,
  note,
  options,
  others,
  onChoose,
  remark,
}: {
  candidate: Candidate;
  note?: string | undefined;
  options: ReadOptions;
  others: readonly Candidate[];
  onChoose(spec: SpecName, form: Form): void;
  remark?: string | undefined;
}): JSX.Element {
  const { id, spec, title } = candidate;
  const isOther = isOfAnotherKind(remark, options);
  const [active, setActive] = useState('');
  useEffect(() => setActive(''), [candidate]);
  const answer = (
    <>
      <When candidate={candidate} options={options} isMinor={isOther} />
      {others.length > 1 && (
        <div class="candidates">
          <h3>It can be any of these. The likeliest is first.</h3>
          <ul>
            {others.map((other) => (
              <li>
                <button
                  type="button"
                  aria-pressed={other === candidate}
                  onClick={() => onChoose(other.spec, other.form)}
                >
                  <strong>{other.title}</strong>
                  {other.form === 'text' ? '' : ` from its ${formName(other.form)}`}
                  <span class="why">{other.reasons.join(', ') || 'only its length fits'}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {others.length === 1 && candidate.reasons.length > 0 && (
        <p class="why">Recognised by: {candidate.reasons.join(', ')}.</p>
      )}
    </>
  );
  // First what people copy.
  const parts = (
    <>
      <section aria-labelledby="forms">
        <h3 id="forms">All forms</h3>
        <Forms candidate={candidate} options={options} />
      </section>
      <section aria-labelledby="bits">
        <h3 id="bits">Bits and fields</h3>
        <Bits spec={spec} fields={candidate.fields} bytes={id.toBytes()} active={active} onActive={setActive} />
        <Fields candidate={candidate} active={active} onActive={setActive} />
        {candidate.details.length > 0 && <Details details={candidate.details} />}
        <p class="hint">
          Each field is explained in{' '}
          <a href={SPECS[spec].address} rel="noreferrer">
            {SPECS[spec].document}
          </a>
          , in the section that is named here.
        </p>
      </section>
    </>
  );
  return (
    <article class="one" aria-label={isOther ? 'Another kind of ID' : title}>
      <header>
        <p class="eyebrow">
          <strong>{isOther ? 'Another kind of ID' : title}</strong>
          {isOther ? '' : ` · ${SPECS[spec].bits} bits`}
          {note ? ` · ${note}` : ''}
        </p>
        {isOther ? (
          <h2 class="when">
            <InWords text={capital(remark!)} />
          </h2>
        ) : (
          <>
            {remark && <p class="remark">Note: {remark}</p>}
            {answer}
          </>
        )}
      </header>
      {isOther ? (
        <details>
          <summary>Read it as {withArticle(title)} all the same</summary>
          <div class="reading">
            {answer}
            {parts}
          </div>
        </details>
      ) : (
        parts
      )}
    </article>
  );
}

/** Whether something else is the better answer, unless the reader asks for this specification. */
export function isOfAnotherKind(remark: string | undefined, { spec }: ReadOptions): boolean {
  return spec === undefined && remark !== undefined && remark.startsWith('more likely');
}

/** A sentence with its times in words: a line could break inside of digits. */
function InWords({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text
        .split(/at (\d{4}-\d\d-\d\dT[\d:.]+Z)/)
        .map((part, index) => (index % 2 ? <time dateTime={part}>{sentence(Date.parse(part))}</time> : part))}
    </>
  );
}

/** The answer to the first question of everyone. */
export function When({
  candidate,
  options,
  isMinor = false,
}: {
  candidate: Candidate;
  options: ReadOptions;
  /** Whether something else is more likely than this ID. */
  isMinor?: boolean;
}): JSX.Element {
  const { id } = candidate;
  // Zero is before all times, though its digits are a date.
  const millis = id.spec === 'ron-uid' && id.toBigInt() === 0n ? undefined : millisOf(id, options);
  const Title = isMinor ? 'h3' : 'h2';
  const style = isMinor ? 'then' : 'when';
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  if (millis === undefined) {
    return (
      <>
        <Title class={style}>It has no time</Title>
        <p class="sub">{noTime(candidate)}</p>
      </>
    );
  }
  const micros = SPECS[id.spec].hasMicros ? id.unixMicros : undefined;
  const utc = inWords(millis, 'UTC', micros);
  if (!utc) {
    return (
      <>
        <Title class={style}>made after the year 275760</Title>
        <p class="sub">
          {String(micros ?? millis)} {micros === undefined ? 'ms' : 'µs'} since 1970, which is beyond the calendar of
          browsers
        </p>
      </>
    );
  }
  const here = inWords(millis, ZONE, micros)!;
  return (
    <>
      <Title class={style}>
        <span class="made">made </span>
        <time dateTime={iso(millis)}>
          {utc.date},{' '}
          <span class="clock">
            {utc.clock} <span class="zone">UTC</span>
          </span>
        </time>
      </Title>
      <p class="sub">
        <strong>{ago(millis)}</strong>
        {ZONE === 'UTC' ? (
          ' · your zone is UTC'
        ) : (
          <>
            {' '}
            · {here.date === utc.date ? '' : `${here.date}, `}
            {here.clock} {here.zone} in your zone, {ZONE}
          </>
        )}
      </p>
    </>
  );
}

function noTime({ id, spec }: Candidate): string {
  if (spec !== 'ron-uid') return '';
  const text = id.toString();
  if (text === '0') return 'This UID is zero, which is before all times.';
  if (text === '~') return 'This UID means “never”: it is after all times.';
  if (text.startsWith('~~~~~~~~~~')) return 'This UID means an error.';
  if (text.includes('%')) return 'This RON UID is a hash, or a number.';
  if (!/[-+]/.test(text)) return 'This RON UID is a name, such as a constant of a protocol. Most short words are one.';
  return 'The digits of its value are not a date of the calendar. They may count events instead.';
}

function valueOf({ name, value }: Field): string {
  return value === null ? 'none' : name === 'check' ? `${value} of 0–126` : String(value);
}

function Fields({
  candidate,
  active,
  onActive,
}: {
  candidate: Candidate;
  active: string;
  onActive(letter: string): void;
}): JSX.Element {
  const { fields, spec } = candidate;
  const names = letters(fields);
  let bit = 0;
  return (
    <table class="fields" role="table">
      <caption class="hidden">The fields of the {SPECS[spec].title}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            Field
          </th>
          <th role="columnheader" scope="col">
            Bits
          </th>
          <th role="columnheader" scope="col">
            Value
          </th>
          <th role="columnheader" scope="col">
            Meaning
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {fields.map((field, index) => {
          const info = SPECS[spec].fields[field.name];
          const from = bit;
          bit += field.bits;
          const letter = names[index]!;
          const place = field.bits > 0 ? (field.bits === 1 ? `${from}` : `${from}–${bit - 1}`) : (field.source ?? '');
          const label = (
            <>
              {letter && <span class={`letter h-${hueOf(spec, field.name)}`}>{letter}</span>}{' '}
              <span>{info?.label ?? field.name}</span>
            </>
          );
          return (
            <tr
              role="row"
              class={letter !== '' && letter === active ? 'on' : ''}
              data-letter={letter || undefined}
              onPointerEnter={() => onActive(letter)}
              onPointerLeave={() => onActive('')}
            >
              <th role="rowheader" scope="row">
                {letter ? (
                  <button
                    type="button"
                    class="name"
                    title="Highlight its bits"
                    aria-pressed={letter === active}
                    onFocus={() => onActive(letter)}
                    onBlur={() => onActive('')}
                    onClick={() => onActive(letter)}
                  >
                    {label}
                  </button>
                ) : (
                  <span class="name">{label}</span>
                )}
              </th>
              <td role="cell" class="place">
                {place}
              </td>
              <td role="cell" class="value">
                <code>{valueOf(field)}</code>
              </td>
              <td role="cell" class="meaning">
                {meaningOf(spec, field, candidate)} {info && <cite>{info.section}</cite>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function meaningOf(spec: SpecName, field: Field, candidate: Candidate): string {
  const info = SPECS[spec].fields[field.name];
  if (spec === 'euid' && field.name === 'check' && field.value === null) {
    return 'The text has no check, so mistyped characters are not noticed.';
  }
  if (spec === 'euid' && field.name === 'extension' && field.bits === 0) return 'This ID has no extension.';
  if (spec === 'ron-uid' && field.name === 'value') {
    return candidate.id.unixMillis === undefined
      ? 'Ten digits. They are not a time here.'
      : 'Ten digits: months since 2010, day, hour, minute, second, millisecond and a sequence number.';
  }
  return info?.meaning ?? '';
}

function Details({ details }: { details: Candidate['details'] }): JSX.Element {
  return (
    <table class="details">
      <caption>Digit by digit</caption>
      <thead>
        <tr>
          <th scope="col">Digits</th>
          <th scope="col">Mean</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {details.map(({ text, name, value }) => (
          <tr>
            <td>
              <code>{text}</code>
            </td>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function formsOf({ id }: Candidate, options: ReadOptions): [name: string, text: string, hint: string][] {
  const rows: [string, string, string][] = [];
  for (const form of FORM_NAMES) {
    try {
      rows.push([
        FORMS[form],
        id.to(form),
        form === 'text' ? `the form of ${withArticle(SPECS[id.spec].title)}` : HINTS[form],
      ]);
    } catch {
      // This ID has no such form.
    }
  }
  const millis = millisOf(id, options);
  const micros = SPECS[id.spec].hasMicros ? id.unixMicros : undefined;
  if (millis !== undefined) {
    const text = iso(millis, micros);
    if (text) rows.push(['Time', text, 'RFC 3339']);
    rows.push(
      micros === undefined
        ? ['Unix time', String(millis), 'milliseconds']
        : ['Unix time', String(micros), 'microseconds'],
    );
  }
  return rows;
}

const HINTS: Record<Form, string> = {
  text: '',
  hex: 'the bytes',
  uuid: 'for a column of the type uuid',
  int: 'all bits as a number',
  base64url: 'the bytes, for URLs',
};

function Forms({ candidate, options }: { candidate: Candidate; options: ReadOptions }): JSX.Element {
  return (
    <dl class="forms">
      {formsOf(candidate, options).map(([name, text, hint]) => (
        <div>
          <dt>
            {name} <span class="hint">{hint}</span>
          </dt>
          <dd>
            <code>
              <Raw text={text} />
            </code>{' '}
            <CopyButton text={text} what={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
