/** Times in words. All times are milliseconds since 1970, with a fraction for microseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.436875 * DAY;
const YEAR = 365.2425 * DAY;

export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
const LAST = 8.64e15; // the last time that a Date has

const formats = new Map<string, Intl.DateTimeFormat>();

function parts(millis: number, timeZone: string): Record<string, string> {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      era: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
      timeZone,
      timeZoneName: 'short',
    });
    formats.set(timeZone, format);
  }
  return Object.fromEntries(format.formatToParts(Math.floor(millis)).map(({ type, value }) => [type, value]));
}

export interface Shown {
  /** `Thu 6 June 2024` */
  date: string;
  /** `06:06:06.666` */
  clock: string;
  /** `UTC`, `CEST` */
  zone: string;
}

/** The time in words, or nothing if it is beyond the year 275760, where the calendar of browsers ends. */
export function inWords(millis: number, timeZone = 'UTC', micros?: bigint): Shown | undefined {
  if (!(Math.abs(millis) <= LAST)) return undefined;
  const part = parts(millis, timeZone);
  const below = micros === undefined ? '' : String(micros % 1000n).padStart(3, '0');
  return {
    date: `${part.weekday} ${part.day} ${part.month} ${part.year}`,
    clock: `${part.hour}:${part.minute}:${part.second}.${part.fractionalSecond}${below}`,
    zone: part.timeZoneName ?? timeZone,
  };
}

export function sentence(millis: number, timeZone = 'UTC'): string {
  const words = inWords(millis, timeZone);
  return words ? `${words.date}, ${words.clock} ${words.zone}` : 'after the year 275760';
}

/** `2024-06-06T06:06:06.666Z`, with microseconds if they are given. */
export function iso(millis: number, micros?: bigint): string | undefined {
  if (!(Math.abs(millis) <= LAST)) return undefined;
  const text = new Date(Math.floor(millis)).toISOString().replace(/^\+0*(\d{5,})/, '+$1');
  return micros === undefined ? text : text.replace('Z', `${String(micros % 1000n).padStart(3, '0')}Z`);
}

/** A short form for tables and axes: only as exact as the unit. */
export function short(millis: number, unit = 1): string {
  const text = iso(millis);
  if (!text) return 'far future';
  const [date = '', clock = ''] = text.split('T');
  if (unit >= YEAR * 0.9) return date.replace(/-\d\d-\d\d$/, '');
  if (unit >= 28 * DAY) return date.slice(0, -3);
  if (unit >= DAY) return date;
  if (unit >= MINUTE) return `${date} ${clock.slice(0, 5)}`;
  if (unit >= SECOND) return `${date} ${clock.slice(0, 8)}`;
  return `${date} ${clock.slice(0, 12)}`;
}

const UNITS: [number, string][] = [
  [YEAR, 'year'],
  [MONTH, 'month'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
];

/** `3 days 4 hours`: the two greatest units. */
export function duration(millis: number): string {
  const span = Math.abs(millis);
  if (span < SECOND) {
    const value = span < 1 ? span * 1000 : span;
    const digits = Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 1 : 0);
    const name = span > 0 && span < 1 ? 'microsecond' : 'millisecond';
    return `${digits} ${name}${digits === '1' ? '' : 's'}`;
  }
  const index = UNITS.findIndex(([unit]) => span >= unit);
  const [unit, name] = UNITS[index]!;
  if (index === UNITS.length - 1) {
    const seconds = String(Math.floor(span) / SECOND);
    return `${seconds} second${seconds === '1' ? '' : 's'}`;
  }
  const whole = Math.floor(span / unit);
  const [lower, lowerName] = UNITS[index + 1]!;
  const rest = Math.floor((span - whole * unit) / lower);
  const text = `${whole} ${name}${whole === 1 ? '' : 's'}`;
  return rest === 0 ? text : `${text} ${rest} ${lowerName}${rest === 1 ? '' : 's'}`;
}

/** The span between two times, by the calendar from a month on: `1 year`, `2 months 3 days`. */
export function between(from: number, to: number): string {
  if (to - from < 27 * DAY || !(Math.abs(from) <= LAST && Math.abs(to) <= LAST)) return duration(to - from);
  const [first, last] = [new Date(from), new Date(to)];
  const addMonths = (count: number) => {
    const month = first.getUTCMonth() + count;
    const days = new Date(Date.UTC(2000, month + 1, 0)).setUTCFullYear(first.getUTCFullYear() + Math.floor(month / 12));
    const date = new Date(from);
    // A month that lacks the day ends before it.
    date.setUTCFullYear(first.getUTCFullYear(), month, Math.min(first.getUTCDate(), new Date(days).getUTCDate()));
    return date.getTime();
  };
  let months = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
  if (addMonths(months) > to) months--;
  const units: [number, string][] =
    months < 1
      ? []
      : months < 12
        ? [[months, 'month'], [Math.floor((to - addMonths(months)) / DAY), 'day']]
        : [[Math.floor(months / 12), 'year'], [months % 12, 'month']];
  const words = units.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`);
  return words.join(' ') || duration(to - from);
}

/** `2 years 5 months ago`, `in 3 days`. */
export function ago(millis: number, now = Date.now()): string {
  const span = now - millis;
  if (Math.abs(span) < SECOND) return 'just now';
  const whole = Math.floor(Math.abs(span) / SECOND) * SECOND;
  return span > 0 ? `${between(now - whole, now)} ago` : `in ${between(now, now + whole)}`;
}

const RELATIVE: Record<string, number> = {
  s: SECOND,
  m: MINUTE,
  min: MINUTE,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
  mo: MONTH,
  y: YEAR,
};

/**
 * Reads a time: `2024`, `2024-06`, `2024-06-06`, `2024-06-06 06:06[:06.666][Z|+02:00]`, `now`, `today`, `-1h`, Unix
 * milliseconds, or `@` and Unix seconds. `isEnd` means the last moment of a year, month or day.
 */
export function readTime(text: string, isEnd: boolean, now = Date.now()): number {
  const input = text.trim().toLowerCase();
  const today = Math.floor(now / DAY) * DAY;
  const day = { yesterday: today - DAY, today, tomorrow: today + DAY }[input];
  if (day !== undefined) return isEnd ? day + DAY - 1 : day;
  if (input === 'now') return now;
  if (/^\d{12,16}$/.test(input)) return Number(input);
  if (/^\d{5,11}$/.test(input)) {
    throw new Error(`“${input}” could be seconds or milliseconds since 1970. For seconds, write @${input}.`);
  }
  if (/^@\d{1,13}(\.\d+)?$/.test(input)) return Math.round(Number(input.slice(1)) * 1000);
  const relative = /^([+-])\s*(\d+)\s*([a-z]+)$/.exec(input);
  const unit = relative && RELATIVE[relative[3]!];
  if (unit) {
    const time = Math.round(now + Number(`${relative[1]}${relative[2]}`) * unit);
    if (Math.abs(time) <= LAST) return time;
  }
  const match =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?\s*(z|utc|[+-]\d\d:?\d\d)?)?)?)?$/.exec(
      input,
    );
  const fault = () =>
    new Error(
      `“${shownTime(text)}” is not a time. Write a date such as 2024-06 or 2024-06-06 06:06, or now, today, -1h, or Unix milliseconds.`,
    );
  if (!match) throw fault();
  const [, year, month, date, hour, minute, second, fraction, zone] = match;
  const at = [
    Number(year),
    Number(month ?? 1) - 1,
    Number(date ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    Number((fraction ?? '').padEnd(3, '0')),
  ] as const;
  const start = utc(...at);
  const check = new Date(start);
  if (check.getUTCMonth() !== at[1] || check.getUTCDate() !== at[2] || at[3] > 23 || at[4] > 59 || at[5] > 59)
    throw fault();
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '');
  if (offset && (Number(offset[2]) > 23 || Number(offset[3]) > 59)) throw fault();
  const shift = offset ? Number(`${offset[1]}1`) * (Number(offset[2]) * HOUR + Number(offset[3]) * MINUTE) : 0;
  let end = start;
  if (isEnd && hour === undefined) {
    if (date !== undefined) end += DAY;
    else if (month !== undefined) end = utc(at[0], at[1] + 1, 1);
    else end = utc(at[0] + 1, 0, 1);
    end -= 1;
  }
  return end - shift;
}

/** `Date.UTC`, which takes the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number, day: number, ...rest: number[]): number {
  const date = new Date(Date.UTC(2000, month, day, ...rest));
  date.setUTCFullYear(date.getUTCFullYear() - 2000 + year, month, day);
  return date.getTime();
}

function shownTime(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
