import { failureOf, readOptions, SortidError, wrongType } from './error.js';
import { loaded } from './inspection.js';
import { CLASSES, UlidFlake, type AnyId, type IdClass, type TimeLike } from './manual.js';
import { specNumber, TITLES, type SpecName } from './spec.js';
import { micros } from './time.js';

/** A database that {@link rangeQuery} has SQL for. `mysql` stands for MariaDB, too. */
export type DatabaseName = 'postgres' | 'mysql' | 'duckdb' | 'clickhouse' | 'sqlite';

/** The databases that {@link rangeQuery} has SQL for. */
export const DATABASES: readonly DatabaseName[] = Object.freeze([
  'postgres',
  'mysql',
  'duckdb',
  'clickhouse',
  'sqlite',
]);

/** A span of time in a table of a database. */
export interface RangeOptions {
  database: DatabaseName;
  /** The table. Dots separate the names of a schema and a table; quotes are not needed. */
  table: string;
  /** The column of the IDs, in their natural type, such as `uuid` for EUIDs in PostgreSQL. */
  column: string;
  /** The first time. */
  since: TimeLike;
  /** The last time, not a day: `new Date('2024-06-30')` is the first millisecond of that day. It belongs to the span. */
  until: TimeLike;
  /** The time from which the timestamps of Ulid-Flakes count: 2024-01-01T00:00:00Z by default. */
  epoch?: TimeLike | undefined;
}

/**
 * Writes the SQL of a query for the rows whose IDs were made in a span of time.
 *
 * ```js
 * const times = { since: new Date('2024-06-06'), until: Date.now() };
 * rangeQuery('ulid-flake', { database: 'postgres', table: 'orders', column: 'id', ...times });
 * ```
 *
 * @throws {SortidError} `option` if a name is empty or has a control character, the database is unknown, `until` is
 * before `since`, or an epoch is not for Ulid-Flakes; `overflow` if no ID has one of the times.
 */
export function rangeQuery(spec: SpecName, options: RangeOptions): string {
  const number = specNumber(spec);
  const { database, table, column, since, until, epoch } = readOptions('rangeQuery', options, {
    database: 0,
    table: 0,
    column: 0,
    since: 0,
    until: 0,
    epoch: 0,
  });
  for (const [name, value] of Object.entries({ database, table, column })) {
    if (typeof value !== 'string') throw wrongType(name, 'a string', value);
  }
  const [first, last] = [micros(since, 'since'), micros(until, 'until')];
  if ((first.high - last.high || first.low - last.low) > 0) {
    throw new SortidError('option', 'until: expected a time after since, found one before it', { spec });
  }
  if (epoch !== undefined && spec !== 'ulid-flake') {
    throw new SortidError('option', `epoch: ${TITLES[spec]}s have none, only Ulid-Flakes do`, { spec });
  }
  const Class = CLASSES[spec] as IdClass<AnyId>;
  const [least, greatest] =
    epoch === undefined
      ? [Class.minAt(since), Class.maxAt(until)]
      : [UlidFlake.minAt(since, { epoch }), UlidFlake.maxAt(until, { epoch })];
  const raw = loaded();
  const sql = raw.rangeQuery(number, database, table, column, least.toBytes(), greatest.toBytes());
  if (sql === undefined) throw failureOf(raw, spec);
  return sql;
}
