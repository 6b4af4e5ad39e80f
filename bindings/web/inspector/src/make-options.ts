/** How the texts of a form become the options of a generator. */
import { messageOf } from './text';
import { readTime } from './time';

export interface MakeOption {
  name: string;
  label: string;
  hint: string;
  kind: 'text' | 'flag';
  example?: string;
}

export const text = (name: string, label: string, hint: string, example: string): MakeOption => ({
  name,
  label,
  hint,
  kind: 'text',
  example,
});
export const flag = (name: string, label: string, hint: string): MakeOption => ({ name, label, hint, kind: 'flag' });

/** The error of a wrong option, with its name. */
export function refuse(name: string, message: string): never {
  throw Object.assign(new Error(message), { option: name });
}

/** Reads an option, and adds its name to the error of a wrong one. */
export function option<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return refuse(name, messageOf(error));
  }
}

function integer(text: string): number {
  if (!/^\d{1,10}$/.test(text.trim())) throw new Error(`Expected a whole number, found “${text}”.`);
  return Number(text);
}

export type Filled = ReturnType<typeof filled>;

/** Reads what the form has in its fields; nothing from an empty one. */
export function filled(params: Readonly<Record<string, string>>) {
  const given = (name: string) => params[name]?.trim() || undefined;
  const read = <T>(name: string, of: (text: string) => T): T | undefined => {
    const text = given(name);
    return text === undefined ? undefined : option(name, () => of(text));
  };
  return {
    given,
    number: (name: string) => read(name, integer),
    time: (name: string) => read(name, (text) => readTime(text, false)),
    withBits: (name: string, bitsAreOptional: boolean) =>
      read(name, (text) => {
        const [first = '', bits, ...rest] = text.split(':');
        if (rest.length > 0 || (bits === undefined && !bitsAreOptional)) {
          throw new Error(`Expected a number and its bits, such as 3:5, found “${text}”.`);
        }
        return { value: integer(first), ...(bits === undefined ? {} : { bits: integer(bits) }) };
      }),
  };
}
