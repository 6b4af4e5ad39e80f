/** Text of the user, made safe to look at, and numbers in words. */

const NAMES: Record<number, string> = { 0: '\\0', 9: '\\t', 10: '\\n', 13: '\\r', 27: '\\e' };

/**
 * Whether a character is invisible, or changes how the text around it is shown: control and bidi characters, halves.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[^\S ]|[\u115F\u1160\u3164\uFFA0\u2800\uFE00-\uFE0F]/u;

/** The character as the page shows it: itself, or an escape such as `\u{202e}` if it would be invisible. */
export function visible(char: string): string {
  if (!hidden.test(char)) return char;
  const code = char.codePointAt(0)!;
  return NAMES[code] ?? `\\u{${code.toString(16).padStart(4, '0')}}`;
}

/** The text with an escape for each invisible character, and shortened in the middle if it is long. */
export function shown(text: string, most = 400): string {
  const half = most >> 1;
  const short = text.length > most ? `${text.slice(0, half)} … ${text.slice(-half)}` : text;
  return Array.from(short, visible).join('');
}

const integers = new Intl.NumberFormat('en-GB');

/** `300 000`: digits in groups of three, with spaces that do not break. */
export function count(value: number | bigint): string {
  return integers.format(value).replaceAll(',', '\u202F');
}

/** `1 line`, `2 lines`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const [unit, name] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  const value = bytes / unit;
  return `${value.toFixed(value < 10 ? 1 : 0)} ${name}`;
}

/** `a SCRU160`, `an Event ID`: the article by the sound of the name. */
export function withArticle(title: string): string {
  return `${/^E/.test(title) ? 'an' : 'a'} ${title}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
