/** A text that is not a valid ID: which character is wrong, what was expected, and what it might have been. */
import type { JSX } from 'preact';
import type { Inspection, Refusal, SpecName } from 'sortid/manual';
import { readAs } from './extract';
import { SPECS } from './specs';
import { capital, count, plural, visible, withArticle } from './text';
import { sentence } from './time';
import { Raw, Status } from './ui';

export function Refused({
  text,
  note,
  inspection,
  onText,
}: {
  text: string;
  note?: string | undefined;
  inspection: Inspection;
  onText(text: string): void;
}): JSX.Element {
  const { refusals, suggestions } = inspection;
  const nearest = inspection.note ? undefined : nearestOf(text, inspection);
  const { headline, expected } = inspection.note ? { headline: capital(inspection.note) } : explain(text, nearest);
  return (
    <article class="refused" aria-label="Not an ID">
      <p class="eyebrow">
        {nearest ? `Not ${withArticle(SPECS[nearest.spec].title)}` : 'Not an ID of these specifications'}
        {note ? ` · ${note}` : ''}
      </p>
      <h2 class="when">{headline}</h2>
      <Marked text={text} refusal={nearest} />
      {expected && <p class="expected">{expected}</p>}
      {suggestions.length > 0 && (
        <div class="meant">
          <h3>What it might have been</h3>
          <ul class="suggestions">
            {suggestions.map(({ text: meant, spec, why }) => (
              <li>
                {/* A “?” stands for a character that cannot be known. */}
                {meant.includes('?') ? (
                  <code>
                    <Differing text={meant} from={text} />
                  </code>
                ) : (
                  <button type="button" onClick={() => onText(meant)}>
                    <code>
                      <Differing text={meant} from={text} />
                    </code>
                  </button>
                )}
                <span>
                  {SPECS[spec].title}: {meant.includes('?') ? (timeOf(meant, spec) ?? why) : why}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {refusals.length > 0 && (
        <details>
          <summary>
            Why {nearest && refusals.length > 1 ? 'the other specifications refuse' : 'no specification accepts'} it
          </summary>
          <table class="reasons">
            <thead>
              <tr>
                <th scope="col">Specification</th>
                <th scope="col">Reason</th>
              </tr>
            </thead>
            <tbody>
              {refusals
                .filter((refusal) => refusals.length === 1 || refusal !== nearest)
                .map(({ title, message }) => (
                  <tr>
                    <th scope="row">{title}</th>
                    <td>
                      <Raw text={message} />
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </details>
      )}
      <Status text={headline} />
    </article>
  );
}

/**
 * The refusal that helps most: the one that the suggestions are about, or whose specification fits most of the text.
 */
function nearestOf(text: string, { refusals, nearest, suggestions }: Inspection): Refusal | undefined {
  const chars = Array.from(text).length;
  const spec = nearest ?? suggestions[0]?.spec;
  const fit = ({ spec, kind, index = 0 }: Refusal): number => {
    const { texts } = SPECS[spec];
    if (kind === 'length') {
      return Math.max(
        -1,
        ...texts.filter(({ alphabet }) => alphabet.test(text)).map(({ length }) => 6 - Math.abs(length - chars)),
      );
    }
    if (kind === 'character') return texts.some(({ length }) => length === chars) ? 10 + index : -1;
    return 1000;
  };
  const [best] = [...refusals].sort((a, b) => fit(b) - fit(a));
  return (
    refusals.find((refusal) => refusal.spec === spec) ??
    (best && (fit(best) > 0 || refusals.length === 1) ? best : undefined)
  );
}

/** The sentence for the reader: what fits, what does not, and what was expected. */
export function explain(text: string, refusal: Refusal | undefined): { headline: string; expected?: string } {
  const chars = Array.from(text).length;
  if (!refusal) {
    return {
      headline: 'No specification has an ID like this',
      expected: 'The page reads the texts of IDs, and their bytes as UUIDs, integers, hex digits and base64.',
    };
  }
  const info = SPECS[refusal.spec];
  const form = info.texts.find(({ length }) => length === chars) ?? info.texts[0];
  const { index } = refusal;
  if (refusal.kind === 'character' && index !== undefined && form) {
    const char = charAt(text, index);
    const place = Array.from(text.slice(0, index)).length;
    const length =
      form.length === chars ? `${count(chars)} characters, as ${withArticle(info.title)} has. But the ` : 'The ';
    return {
      headline: `${length}${ordinal(place, chars)}, ${quoted(char)}, is not a ${form.digits} digit`,
      expected: `Expected there: one of ${form.range}, in either case.`,
    };
  }
  if (refusal.kind === 'character' && index !== undefined) {
    return {
      headline: `Character ${Array.from(text.slice(0, index)).length + 1}, ${quoted(charAt(text, index))}, is not a Base64x64 digit`,
      expected: 'Expected there: one of 0–9, A–Z, _, a–z and ~, or a sign: - + $ %.',
    };
  }
  if (refusal.kind === 'length' && info.texts.length > 0) {
    const lengths = info.texts.map(({ length }) => length);
    const target = closest(lengths, chars);
    const wrong = chars < target ? `${count(target - chars)} too few` : `${count(chars - target)} too many`;
    return {
      headline: `${plural(chars, 'character')}: ${wrong} for ${withArticle(info.title)}`,
      expected: `Expected: ${lengths.join(' or ')} characters.`,
    };
  }
  if (refusal.kind === 'check') {
    return {
      headline: 'The check at the end does not match: a character is wrong, or two are exchanged',
      expected: `The check cannot tell which one: ${refusal.message}.`,
    };
  }
  if (refusal.kind === 'overflow') {
    return { headline: `It is greater than the greatest ${info.title}`, expected: `${capital(refusal.message)}.` };
  }
  return { headline: `${capital(refusal.message)}` };
}

function closest(values: readonly number[], to: number): number {
  return values.reduce((best, value) => (Math.abs(value - to) < Math.abs(best - to) ? value : best));
}

function charAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0xfffd);
}

function quoted(char: string): string {
  if (char === ' ') return 'a space';
  return `“${visible(char)}”`;
}

function ordinal(index: number, length: number): string {
  if (index === length - 1) return 'last character';
  if (index === 0) return 'first character';
  const number = index + 1;
  const ending = number % 100 >= 11 && number % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending} character`;
}

/** The text with the wrong character marked: by a frame, an arrow below it and a colour. */
function Marked({ text, refusal }: { text: string; refusal: Refusal | undefined }): JSX.Element {
  const index = refusal?.index;
  const { texts } = SPECS[refusal?.spec ?? ('scru160' satisfies SpecName)];
  const target =
    refusal?.kind === 'length' && texts.length > 0
      ? closest(
          texts.map(({ length }) => length),
          Array.from(text).length,
        )
      : undefined;
  if (index !== undefined && index < text.length) {
    const char = charAt(text, index);
    return (
      <p class="marked">
        <Raw text={text.slice(Math.max(0, index - 300), index)} />
        <mark>
          <span class="hidden">Wrong: </span>
          {char === ' ' ? '␣' : visible(char)}
        </mark>
        <Raw text={text.slice(index + char.length, index + 300)} />
      </p>
    );
  }
  const tail =
    target !== undefined && text.length > target
      ? { from: target, what: 'Too many' }
      : // The check follows the bits of the ID, and a digit has five bits.
        refusal?.kind === 'check'
        ? { from: Math.floor(SPECS[refusal.spec].bits / 5), what: 'The check' }
        : undefined;
  if (tail) {
    return (
      <p class="marked">
        <Raw text={text.slice(0, tail.from)} />
        <mark>
          <span class="hidden">{tail.what}: </span>
          <Raw text={text.slice(tail.from)} most={300} />
        </mark>
      </p>
    );
  }
  if (target !== undefined && target - text.length < 20) {
    return (
      <p class="marked">
        <Raw text={text} />
        <span class="missing" aria-hidden="true">
          {'·'.repeat(target - text.length)}
        </span>
      </p>
    );
  }
  return (
    <p class="marked">
      <Raw text={text} most={600} />
    </p>
  );
}

/** The time of an ID with an unknown character, on which the time does not depend. */
function timeOf(text: string, spec: SpecName): string | undefined {
  const millis = readAs(text.replaceAll('?', '0'), spec, 'text')?.unixMillis;
  return millis === undefined ? undefined : `whatever the character was, it was made ${sentence(millis)}`;
}

/** A suggestion with the changed characters marked. */
function Differing({ text, from }: { text: string; from: string }): JSX.Element {
  if (text.length !== from.length) return <Raw text={text} />;
  return (
    <bdi class="raw">
      {Array.from(text, (char, index) => (char.toUpperCase() === from[index]?.toUpperCase() ? char : <b>{char}</b>))}
    </bdi>
  );
}
