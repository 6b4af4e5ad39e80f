//! The SQL of `sortid-sql` for SQLite, in memory, and the library: both give the same answers for any ID, text and
//! time.

use rusqlite::{
    Connection, params,
    types::{Value as Column, ValueRef},
};
use sortid_sql::{Database, RangeQuery, Script, statements};
use std::{cell::RefCell, collections::HashMap};
use subject::{Subject, Value, hex};

#[allow(dead_code, reason = "the proof of the SQL on servers uses the rest")]
#[path = "../../lab/sql/src/subject.rs"]
mod subject;

/// The microseconds since 1970 at the end of the year 9999, where SQLite's times end.
const END_OF_SQLITE: i128 = 253_402_300_799_999_999;

thread_local! {
    static SQLITE: RefCell<Sqlite> = RefCell::new(Sqlite::new());
}

struct Sqlite {
    connection: Connection,
    /// The queries of the file, by the prefix of the specification and the argument.
    queries: HashMap<(&'static str, &'static str), String>,
}

/// The first two bytes choose a specification and a question. The others are an ID, a text, a time, IDs and their
/// bounds, or a name.
pub(crate) fn sql(data: &[u8]) {
    let Some(([spec, question], data)) = data.split_first_chunk() else { return };
    let subject = &subject::ALL[usize::from(*spec) % subject::ALL.len()];
    SQLITE.with_borrow_mut(|sqlite| match question % 5 {
        0 => sqlite.id(subject, data),
        1 => sqlite.text(subject, data),
        2 => sqlite.moment(subject, data),
        4 => sqlite.name(subject, data),
        _ => sqlite.range(subject, data),
    });
}

impl Sqlite {
    fn new() -> Self {
        let connection = Connection::open_in_memory().expect("SQLite needs only memory");
        connection.set_prepared_statement_cache_capacity(64);
        let mut queries = HashMap::new();
        for subject in &*subject::ALL {
            let script = Script::new(Database::Sqlite).spec(subject.spec).install().expect("no name is used");
            for argument in ["id", "input", "moment"] {
                let query = statements(&script).find_map(|statement| replaced(&statement, argument));
                let query = query.expect("the section has a query of each argument");
                queries.insert((subject.prefix(), argument), query);
            }
            let ty = if subject.is_int() { "INTEGER" } else { "BLOB" };
            connection
                .execute_batch(&format!("CREATE TABLE {} (id {ty})", subject.prefix()))
                .expect("a new table");
            let texts = format!("{}_texts", subject.prefix());
            let view = Script::new(Database::Sqlite).spec(subject.spec).text_column(&texts, "id").install();
            let view = view.expect("the names are right");
            connection
                .execute_batch(&format!("CREATE TABLE {texts} (id TEXT); {view}"))
                .expect("a table and its view");
        }
        Self { connection, queries }
    }

    /// The only row of a query, with the columns of these names.
    fn row(
        &self,
        subject: &Subject,
        argument: &'static str,
        value: Column,
        columns: &[String],
    ) -> Vec<Column> {
        let query = &self.queries[&(subject.prefix(), argument)];
        let mut statement = self.connection.prepare_cached(query).expect("the query is right");
        let indexes =
            columns.iter().map(|name| statement.column_index(name).expect("the query has the column"));
        let indexes: Vec<_> = indexes.collect();
        let row = statement.query_row(params![value], |row| {
            indexes.iter().map(|&index| row.get_ref(index).map(owned)).collect::<Result<Vec<_>, _>>()
        });
        row.unwrap_or_else(|error| panic!("{} of {argument} {value:?}: {error}", subject.prefix()))
    }

    /// The time, the text and the fields of an ID; NULL for what is not an ID.
    fn id(&self, subject: &Subject, bytes: &[u8]) {
        let columns: Vec<_> = subject.functions.iter().map(|(name, _)| subject.name(name)).collect();
        let Some(value) = column(subject, bytes) else { return };
        let found = self.row(subject, "id", value, &columns);
        let Some(expected) = (subject.values)(bytes) else {
            assert!(found.iter().all(|it| *it == Column::Null), "{} is not an ID: {found:?}", hex(bytes));
            return;
        };
        for (((name, _), found), expected) in subject.functions.iter().zip(found).zip(expected) {
            assert_eq!(found, shown(expected, subject), "{name} of {}", hex(bytes));
        }
    }

    /// The ID of a text.
    fn text(&self, subject: &Subject, text: &[u8]) {
        // SQLite's texts end at a NUL for some of its functions.
        let Some(text) = std::str::from_utf8(text).ok().filter(|text| !text.contains('\0')) else { return };
        let columns = [subject::PARSE, subject::IS_VALID].map(|name| subject.name(name));
        let found = self.row(subject, "input", Column::Text(text.to_owned()), &columns);
        let id = (subject.parse)(text);
        let is_valid = Column::Integer(id.is_some().into());
        let id = id.map_or(Column::Null, |id| column(subject, &id).expect("an ID fits its column"));
        assert_eq!(found, [id, is_valid], "{text:?}");
        self.text_of_column(subject, text);
    }

    /// The view of a column of texts has the fields of the ID.
    fn text_of_column(&self, subject: &Subject, text: &str) {
        let (prefix, connection) = (subject.prefix(), &self.connection);
        let columns: Vec<_> = subject.functions.iter().map(|(name, _)| subject.name(name)).collect();
        connection.execute(&format!("DELETE FROM {prefix}_texts"), []).expect("the table is there");
        connection.execute(&format!("INSERT INTO {prefix}_texts VALUES (?1)"), [text]).expect("it is right");
        let query = format!("SELECT {} FROM {prefix}_texts_id_{prefix}", columns.join(", "));
        let mut statement = connection.prepare_cached(&query).expect("the view is right");
        let found = statement.query_row([], |row| {
            (0..columns.len()).map(|index| row.get_ref(index).map(owned)).collect::<Result<Vec<_>, _>>()
        });
        let id = (subject.parse)(text);
        let expected = id.and_then(|id| (subject.values)(&id)).map_or_else(
            || vec![Column::Null; columns.len()],
            |values| values.into_iter().map(|value| shown(value, subject)).collect(),
        );
        assert_eq!(found.expect("one text is one row"), expected, "{text:?}");
    }

    /// A table, its column and their view may have any name without a control character or a dot.
    fn name(&self, subject: &Subject, name: &[u8]) {
        let Ok(name) = std::str::from_utf8(name) else { return };
        let (database, connection) = (Database::Sqlite, &self.connection);
        // No script for SQLite has a schema, so the scripts of the other databases are made, but not run.
        for database in [Database::Postgres, Database::Mysql, Database::Duckdb] {
            if let Ok(script) = Script::new(database).spec(subject.spec).schema(name).install() {
                let plain = Script::new(database).spec(subject.spec).schema("plain").install();
                let plain = plain.expect("the name is right");
                assert_eq!(statements(&script).count(), statements(&plain).count(), "{name:?}");
            }
        }
        let view = Script::new(database).spec(subject.spec).column(name, name);
        let Ok(install) = view.install() else { return };
        if name.contains('.') || name.to_ascii_lowercase().starts_with("sqlite_") {
            return;
        }
        connection.execute_batch("BEGIN").expect("no transaction is open");
        let quoted = format!("\"{}\"", name.replace('"', "\"\""));
        let is_free = connection.execute_batch(&format!("CREATE TABLE {quoted} ({quoted} BLOB)")).is_ok();
        if is_free {
            let tables = || -> i64 {
                let count = "SELECT count(*) FROM sqlite_schema";
                connection.query_row(count, [], |row| row.get(0)).expect("one row")
            };
            let before = tables();
            connection.execute_batch(&install).unwrap_or_else(|error| panic!("{name:?}: {error}"));
            assert_eq!(tables(), before + 1, "{name:?}");
            let range = RangeQuery::new(database, subject.spec, name, name).sql().expect("the name is right");
            connection.execute_batch(&range).unwrap_or_else(|error| panic!("{name:?}: {error}"));
            let uninstall = view.uninstall().expect("the name is right");
            connection.execute_batch(&uninstall).unwrap_or_else(|error| panic!("{name:?}: {error}"));
            assert_eq!(tables(), before, "{name:?}");
        }
        connection.execute_batch("ROLLBACK").expect("the transaction is open");
    }

    /// The bounds of a time: the first bytes are the microseconds since 1970.
    fn moment(&self, subject: &Subject, data: &[u8]) {
        let Some((micros, _)) = data.split_first_chunk() else { return };
        let micros = i128::from(i64::from_le_bytes(*micros)) % (END_OF_SQLITE + 1);
        if micros < -60_000_000_000_000_000 {
            return;
        }
        let moment = civil(micros);
        let columns = subject::BOUNDS.map(|name| subject.name(name));
        let found = self.row(subject, "moment", Column::Text(moment.clone()), &columns);
        let expected = match (subject.bounds)(micros) {
            Some(bounds) => bounds.map(|id| column(subject, &id).expect("an ID fits its column")),
            None => [Column::Null, Column::Null],
        };
        assert_eq!(found, expected, "{moment}");
    }

    /// The query selects exactly the IDs within the bounds, in order.
    fn range(&mut self, subject: &Subject, data: &[u8]) {
        let table = subject.prefix();
        // The bounds are the bounds of times, or any IDs.
        let Some((&[by_time, ref at @ ..], data)) = data.split_first_chunk::<9>() else { return };
        let micros = i128::from(u64::from_le_bytes(*at) % (1 << 52));
        let is_id = |bytes: &&[u8]| (subject.values)(bytes).is_some();
        let mut ids: Vec<_> =
            data.chunks_exact(subject.bytes()).filter(is_id).take(8).map(<[u8]>::to_vec).collect();
        let bounds = if by_time & 1 == 0 {
            let hour = (subject.bounds)(micros + 3_600_000_000);
            let bounds =
                (subject.bounds)(micros).zip(hour).map(|([least, _], [_, greatest])| [least, greatest]);
            // IDs at the bounds, and beside them.
            let at_bounds = bounds.iter().flatten().flat_map(|id| {
                [-1, 0, 1].map(|by| {
                    let mut id = id.clone();
                    let at = id.len() - 8;
                    let low =
                        u64::from_be_bytes(id[at..].try_into().expect("8 bytes")).wrapping_add_signed(by);
                    id[at..].copy_from_slice(&low.to_be_bytes());
                    id
                })
            });
            ids.extend(at_bounds.filter(|id| (subject.values)(id).is_some()));
            bounds
        } else {
            (ids.len() >= 2).then(|| [ids.remove(0), ids.remove(0)])
        };
        let Some([least, greatest]) = bounds else { return };
        let connection = &self.connection;
        connection.execute(&format!("DELETE FROM {table}"), []).expect("the table is there");
        let mut insert =
            connection.prepare_cached(&format!("INSERT INTO {table} VALUES (?1)")).expect("it is right");
        for id in &ids {
            insert.execute([column(subject, id)]).expect("an ID fits its column");
        }
        let query =
            RangeQuery::new(Database::Sqlite, subject.spec, table, "id").least(&least).greatest(&greatest);
        let query = query.sql().expect("the bounds are IDs");
        let mut select = connection.prepare(&query).expect("the query is right");
        let found: Result<Vec<_>, _> =
            select.query_map([], |row| row.get_ref(0).map(owned)).and_then(Iterator::collect);
        // RON UIDs have a scheme. Names and hashes have no time, and are left out.
        let scheme = subject.functions.iter().position(|(name, _)| *name == "scheme");
        let is_name = |id: &[u8]| {
            let values = (subject.values)(id).unwrap_or_default();
            let scheme = scheme.and_then(|at| values.get(at));
            matches!(scheme, Some(Value::Text(scheme)) if scheme == "name" || scheme == "hash")
        };
        let mut expected: Vec<_> = ids.into_iter().filter(|id| (&least..=&greatest).contains(&id)).collect();
        expected.retain(|id| !is_name(id));
        expected.sort();
        let expected: Vec<_> = expected.iter().filter_map(|id| column(subject, id)).collect();
        assert_eq!(found.expect("the query is right"), expected, "{query}");
    }
}

/// The query, whose only sample is a parameter. `None` if its samples are others.
fn replaced(statement: &str, argument: &str) -> Option<String> {
    let sample = format!("WITH {argument}s ({argument}) AS (");
    let start = statement.lines().position(|line| line.starts_with(&sample))?;
    let mut lines = statement.lines().skip(start);
    let comma = if lines.next()?.ends_with(',') { "," } else { "" };
    Some(format!("{sample}VALUES (?1)){comma}\n{}", lines.collect::<Vec<_>>().join("\n")))
}

/// The bytes as a column of IDs has them. `None` if the column cannot have them.
fn column(subject: &Subject, bytes: &[u8]) -> Option<Column> {
    if subject.is_int() {
        return Some(Column::Integer(i64::from_be_bytes(bytes.try_into().ok()?)));
    }
    Some(Column::Blob(bytes.to_vec()))
}

fn owned(value: ValueRef<'_>) -> Column {
    Column::try_from(value).expect("SQLite's texts are UTF-8 here")
}

/// What SQLite has for a value of the library.
fn shown(value: Value, subject: &Subject) -> Column {
    match value {
        Value::Time(micros) if i128::from(micros) > END_OF_SQLITE => Column::Null,
        Value::Time(micros) => {
            let time = civil(micros.into());
            let digits = if subject.has_micros { 26 } else { 23 };
            Column::Text(time[..digits].to_owned())
        }
        Value::Null => Column::Null,
        Value::Text(text) => Column::Text(text),
        // SQLite's integers have a sign.
        Value::Int(int) => i64::try_from(int).map_or(Column::Null, Column::Integer),
        Value::Bytes(bytes) => Column::Blob(bytes),
        Value::Bool(is_true) => Column::Integer(is_true.into()),
    }
}

/// The time as SQLite reads it: `2024-06-06 06:06:06.666000`.
fn civil(micros: i128) -> String {
    let days = micros.div_euclid(86_400_000_000);
    let rest = micros.rem_euclid(86_400_000_000);
    // The days of the calendar from March on, in eras of 400 years.
    let from_march = days + 719_468;
    let (era, day) = (from_march.div_euclid(146_097), from_march.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) =
        (year + era * 400 + i128::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    let (seconds, micros) = (rest / 1_000_000, rest % 1_000_000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06}")
}
