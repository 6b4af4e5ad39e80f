/** The units of time of a histogram, in UTC. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday. */
const WEEK_0 = Date.UTC(1970, 0, 5);

interface Unit {
  name: string;
  size: number;
  start(millis: number): number;
  next(start: number): number;
}

function fixed(name: string, size: number, origin = 0): Unit {
  return {
    name,
    size,
    start: (millis) => Math.floor((millis - origin) / size) * size + origin,
    next: (start) => start + size,
  };
}

function months(name: string, count: number): Unit {
  const at = (month: number) => new Date(0).setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1);
  const monthOf = (millis: number) => new Date(millis).getUTCFullYear() * 12 + new Date(millis).getUTCMonth();
  return {
    name,
    size: count * 30.4369 * DAY,
    start: (millis) => at(Math.floor(monthOf(millis) / count) * count),
    next: (start) => at(monthOf(start) + count),
  };
}

export const UNITS = [
  fixed('0.1 ms', 0.1),
  fixed('1 ms', 1),
  fixed('10 ms', 10),
  fixed('100 ms', 100),
  fixed('1 s', SECOND),
  fixed('10 s', 10 * SECOND),
  fixed('1 min', MINUTE),
  fixed('10 min', 10 * MINUTE),
  fixed('1 h', HOUR),
  fixed('6 h', 6 * HOUR),
  fixed('1 day', DAY),
  fixed('1 week', 7 * DAY, WEEK_0),
  months('1 month', 1),
  months('1 year', 12),
  months('10 years', 120),
  months('100 years', 1200),
  months('1000 years', 12000),
] satisfies Unit[];

export type UnitName = string;

export function unitOf(name: UnitName): Unit {
  return UNITS.find((unit) => unit.name === name) ?? UNITS.at(-1)!;
}

/** The smallest unit of which at most about 90 cover the span. */
export function chooseUnit(span: number): UnitName {
  return (UNITS.find(({ size }) => span / size <= 90) ?? UNITS.at(-1)!).name;
}

export function startOf(millis: number, unit: UnitName): number {
  return unitOf(unit).start(millis);
}
