/** Makes IDs of each specification, with its options. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Id, SpecName } from 'sortid/manual';
import { filled, type MakeOption } from './make-options';
import { FORM_NAMES, FORMS, isForm, isSpec, SPEC_NAMES, SPECS, USUAL } from './specs';
import { count, messageOf, plural } from './text';
import { Check, Choice, CopyButton, download, Raw, Segments, Status, TextField } from './ui';
import type { Go, Route } from './route';

const MOST = 100_000;
const SHOWN = 200;

export function MakeView({ route, go }: { route: Route; go: Go }): JSX.Element {
  const spec: SpecName = isSpec(route.value) ? route.value : USUAL;
  const { params } = route;
  const form = isForm(params.format) ? params.format : 'text';
  const [ids, setIds] = useState<{ ids: Id[]; noCheck: boolean; fault?: string; option?: string }>({
    ids: [],
    noCheck: false,
  });
  const [round, setRound] = useState(0);
  const set = (name: string, value: string) =>
    go({ ...route, value: spec, params: { ...params, [name]: value } }, 'replace');
  const options = SPECS[spec].options.map(({ name }) => params[name]).join('\n');

  useEffect(() => {
    try {
      const number = Number(params.count ?? 1);
      if (!Number.isInteger(number) || number < 1 || number > MOST) {
        throw Object.assign(new Error(`Expected a number from 1 to ${count(MOST)}, found “${params.count}”.`), {
          option: 'count',
        });
      }
      // A new generator, so that the options of the form hold for all IDs.
      const ids = SPECS[spec].generator(filled(params)).generateMany(number);
      setIds({ ids, noCheck: Boolean(params['no-check']) });
    } catch (error) {
      const { option } = error as { option?: string };
      setIds({ ids: [], noCheck: false, fault: messageOf(error), ...(option ? { option } : {}) });
    }
  }, [spec, options, params.count, round]);

  const { lines, fault } = useMemo(() => {
    if (ids.fault !== undefined) return { lines: [] };
    try {
      return { lines: ids.ids.map((id) => (form === 'text' && ids.noCheck ? withoutCheck(id) : id.to(form))) };
    } catch (error) {
      return { lines: [], fault: `${messageOf(error)}. Choose another form.` };
    }
  }, [ids, form]);
  const all = () => `${lines.join('\n')}\n`;
  const faultOf = (name: string) => (ids.option === name ? ids.fault : undefined);

  return (
    <article class="make">
      <h2>Make IDs</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          setRound(round + 1);
        }}
      >
        <Segments
          label="Specification"
          value={spec}
          options={SPEC_NAMES.map((name) => [name, SPECS[name].title] as const)}
          onChange={(value) => go({ view: 'make', value, params: keep(params) }, 'push')}
        />
        <div class="grid">
          <TextField
            label="How many"
            inputMode="numeric"
            value={params.count ?? '1'}
            onInput={(value) => set('count', value)}
            fault={faultOf('count')}
          />
          <Choice
            label="Form"
            value={form}
            options={FORM_NAMES.map((name) => [name, FORMS[name]] as const)}
            onChange={(value) => set('format', value === 'text' ? '' : value)}
          />
          {SPECS[spec].options.map((option) => (
            <Option option={option} value={params[option.name] ?? ''} set={set} fault={faultOf(option.name)} />
          ))}
        </div>
        <button type="submit" class="main">
          Make {Number(params.count ?? 1) === 1 ? 'another' : 'others'}
        </button>
      </form>
      {(fault ?? (ids.option ? undefined : ids.fault)) && (
        <p class="fault" role="alert">
          {fault ?? ids.fault}
        </p>
      )}
      {lines.length > 0 && (
        <section aria-labelledby="made">
          <div class="row">
            <h3 id="made">{plural(lines.length, `new ${SPECS[spec].title}`)}</h3>
            <CopyButton text={all} what="all IDs">
              Copy{lines.length > 1 ? ' all' : ''}
            </CopyButton>
            <button type="button" onClick={() => download(all(), `${spec}.txt`)}>
              Download
            </button>
          </div>
          <ol class="fresh">
            {lines.slice(0, SHOWN).map((line) => (
              <li>
                <a
                  href={`#inspect=${encodeURIComponent(line)}`}
                  onClick={(event) => {
                    event.preventDefault();
                    go({
                      view: 'inspect',
                      value: line,
                      params: {
                        spec: form === 'text' ? '' : spec,
                        scalable: params.scalable ?? '',
                        epoch: params.epoch ?? '',
                      },
                    });
                  }}
                >
                  <code>
                    <Raw text={line} />
                  </code>
                </a>
                {lines.length > 1 && lines.length <= 20 && <CopyButton text={line} what={line} />}
              </li>
            ))}
          </ol>
          <Status text={`${plural(lines.length, `new ${SPECS[spec].title}`)}: ${lines[0]}`} />
          {lines.length > SHOWN && (
            <p class="hint">
              The first {count(SHOWN)} of {count(lines.length)}.
            </p>
          )}
        </section>
      )}
    </article>
  );
}

function withoutCheck(id: Id): string {
  return 'toStringWithoutCheck' in id
    ? (id as Id & { toStringWithoutCheck(): string }).toStringWithoutCheck()
    : id.toString();
}

/** What stays when another specification is chosen. */
function keep({ count, format }: Readonly<Record<string, string>>): Record<string, string> {
  return { ...(count ? { count } : {}), ...(format ? { format } : {}) };
}

function Option({
  option,
  value,
  set,
  fault,
}: {
  option: MakeOption;
  value: string;
  set(name: string, value: string): void;
  fault: string | undefined;
}): JSX.Element {
  const { name, label, hint } = option;
  if (option.kind === 'flag')
    return <Check label={label} hint={hint} checked={value !== ''} onChange={(on) => set(name, on ? '1' : '')} />;
  return (
    <TextField
      label={label}
      hint={hint}
      value={value}
      placeholder={option.example}
      onInput={(value) => set(name, value)}
      fault={fault}
    />
  );
}
