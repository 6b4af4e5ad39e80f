/** Small parts that all views share. */
import type { ComponentChildren, InputHTMLAttributes, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { visible } from './text';

/** Copies in the way that the browser allows; pages from a plain HTTP server have no clipboard. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'hidden';
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    if (!isDone) throw new Error('the browser does not allow copying');
  }
}

export function CopyButton({
  text,
  what,
  children = 'Copy',
}: {
  text: string | (() => string | Promise<string>);
  /** What is copied, for those who do not see where the button is. */
  what: string;
  children?: ComponentChildren;
}): JSX.Element {
  const [state, setState] = useState<'' | 'Copied' | 'Not copied'>('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = async () => {
    try {
      await copy(typeof text === 'string' ? text : await text());
      setState('Copied');
    } catch {
      setState('Not copied');
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState(''), 1600);
  };
  return (
    <button type="button" class="copy" onClick={run}>
      <span aria-live="polite">{state || children}</span>
      <span class="hidden"> {what}</span>
    </button>
  );
}

export function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Text of the reader: invisible characters are escapes, and the direction of letters cannot change what is around it.
 */
export function Raw({ text, most = 2000 }: { text: string; most?: number }): JSX.Element {
  const short = text.length > most ? [text.slice(0, most / 2), '…', text.slice(-most / 2)] : [text];
  const parts: (string | JSX.Element)[] = [];
  for (const char of short.join('')) {
    const look = visible(char);
    if (look !== char) parts.push(<span class="escape">{look}</span>);
    else if (typeof parts.at(-1) === 'string') parts[parts.length - 1] += char;
    else parts.push(char);
  }
  return <bdi class="raw">{parts}</bdi>;
}

type InputProps = Pick<InputHTMLAttributes<HTMLInputElement>, 'placeholder' | 'maxLength' | 'inputMode'>;

export function TextField({
  label,
  hint,
  fault,
  value,
  onInput,
  ...rest
}: InputProps & {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  value: string;
  onInput(value: string): void;
}): JSX.Element {
  const id = useId();
  const described = [hint ? `${id}h` : '', fault ? `${id}f` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        autocomplete="off"
        spellcheck={false}
        {...rest}
        {...(described ? { 'aria-describedby': described } : {})}
        {...(fault ? { 'aria-invalid': 'true' } : {})}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {hint && (
        <p class="hint" id={`${id}h`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}f`}>
          {fault}
        </p>
      )}
    </div>
  );
}

export function Choice({
  label,
  value,
  options,
  onChange,
  hint,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, title: string])[];
  onChange(value: string): void;
  hint?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...(hint ? { 'aria-describedby': `${id}h` } : {})}
      >
        {options.map(([value, title]) => (
          <option value={value}>{title}</option>
        ))}
      </select>
      {hint && (
        <p class="hint" id={`${id}h`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function Check({
  label,
  checked,
  onChange,
  hint,
}: {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
  hint?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        {...(hint ? { 'aria-describedby': `${id}h` } : {})}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}h`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The choice of one of a few, as buttons. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [value: T, title: ComponentChildren])[];
  onChange(value: T): void;
}): JSX.Element {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([option, title]) => (
        <button type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {title}
        </button>
      ))}
    </div>
  );
}

export function Progress({
  label,
  done,
  children,
  onCancel,
}: {
  label: string;
  done: number;
  children?: ComponentChildren;
  onCancel(): void;
}): JSX.Element {
  return (
    <div class="progress">
      <progress aria-label={label} max={1} value={done} />
      <p class="row">
        <span>
          {label} {Math.floor(done * 100)} %{children}
        </span>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </div>
  );
}

/** Says what changed to those who do not see it. The pause keeps it from speaking at each key. */
export function Status({ text }: { text: string }): JSX.Element {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), 500);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
