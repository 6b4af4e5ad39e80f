import { failureOf, wrongType } from './error.js';
import { loaded } from './inspection.js';
import { CLASSES, type AnyId, type Id, type IdClass, type TimeLike } from './manual.js';
import { specNumber, type SpecName } from './spec.js';

/** A database that {@link rangeQuery} has SQL for. `mysql` is MariaDB, too. */
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
  /** The last time. It belongs to the span. */
  until: TimeLike;
}

/**
 * Writes the SQL of a query for the rows whose IDs were made in a span of time.
 *
 * ```js
 * const times = { since: new Date('2024-06-06'), until: Date.now() };
 * rangeQuery('ulid-flake', { database: 'postgres', table: 'orders', column: 'id', ...times });
 * ```
 *
 * @throws {SortidError} `option` if a name is empty or has a control character, or the database is unknown; `overflow`
 * if no ID has one of the times.
 */
export function rangeQuery(spec: SpecName, options: RangeOptions): string {
  const number = specNumber(spec);
  const { database, table, column, since, until } = options;
  for (const [name, value] of Object.entries({ database, table, column })) {
    if (typeof value !== 'string') throw wrongType(name, 'a string', value);
  }
  const Class = CLASSES[spec] as IdClass<AnyId> & typeof Id;
  const [least, greatest] = [Class.minAt(since), Class.maxAt(until)];
  const raw = loaded();
  const sql = raw.rangeQuery(number, database, table, column, least.toBytes(), greatest.toBytes());
  if (sql === undefined) throw failureOf(raw, spec);
  return sql;
}
