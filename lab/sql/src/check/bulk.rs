//! Comparisons of a whole table in one query.

use super::{Proof, tables::ERROR};
use crate::{
    Result,
    database::Engine,
    subject::{
        BOUNDS, IS_VALID, Kind, PARSE, Subject, TEXT_TIME, TRY_PARSE, TYPED_PARSE, TYPED_TEXT,
        TYPED_TRY_PARSE, UUID7_MIN_AT, UUID7_TIME,
    },
};

/// A comparison of a function with a column of expected values.
pub(super) struct Compare {
    /// The function.
    pub(super) name: String,
    /// What stands after `FROM`. It has the column `n`.
    pub(super) table: String,
    /// A condition for the rows. The others are tried one by one.
    pub(super) condition: String,
    /// The argument as text.
    pub(super) input: String,
    pub(super) found: String,
    pub(super) expected: String,
}

/// The comparisons of all functions of a specification, which are called with this before their names.
pub(super) fn all(engine: Engine, subject: &Subject, schema: &str) -> Vec<Compare> {
    let prefix = subject.prefix();
    let call = |name: &str, argument: &str| format!("{schema}{}({argument})", subject.name(name));
    let compare = |name: &str, table: &str, condition: &str, input: String, kind: Kind, argument: &str| {
        let found = engine.shown(subject, kind, &call(name, argument));
        Compare {
            name: subject.name(name),
            table: format!("{prefix}_{table}"),
            condition: condition.to_owned(),
            input,
            found,
            expected: format!("e_{name}"),
        }
    };
    let id = engine.shown(subject, Kind::Id, "id");
    let mut all: Vec<_> = subject
        .functions
        .iter()
        .map(|(name, kind)| {
            // What the database's type cannot hold has to be an error.
            let condition = if ["time", UUID7_TIME].contains(name) || name.starts_with("timestamp") {
                &format!("e_{name} IS NULL OR e_{name} <> '{ERROR}'")
            } else {
                ""
            };
            compare(name, "ids", condition, id.clone(), *kind, "id")
        })
        .collect();
    all.push(compare(PARSE, "texts", "e_parse IS NOT NULL", "input".to_owned(), Kind::Id, "input"));
    let try_parse = compare(TRY_PARSE, "texts", "", "input".to_owned(), Kind::Id, "input");
    all.push(Compare { expected: "e_parse".to_owned(), ..try_parse });
    all.push(compare(IS_VALID, "texts", "", "input".to_owned(), Kind::Bool, "input"));
    let has_time = format!("e_{TEXT_TIME} IS NULL OR e_{TEXT_TIME} <> '{ERROR}'");
    all.push(compare(TEXT_TIME, "texts", &has_time, "input".to_owned(), Kind::Time, "input"));
    all.push(compare(TYPED_TEXT, "typed", "", id, Kind::Text, "prefix, id"));
    let is_id = format!("e_{TYPED_PARSE} IS NOT NULL");
    all.push(compare(TYPED_PARSE, "typed", &is_id, "input".to_owned(), Kind::Id, "prefix, input"));
    let try_parse = compare(TYPED_TRY_PARSE, "typed", "", "input".to_owned(), Kind::Id, "prefix, input");
    all.push(Compare { expected: format!("e_{TYPED_PARSE}"), ..try_parse });
    let moment = engine.shown(subject, Kind::Time, "moment");
    let uuid7 = (engine.has_uuid7_min_at() && subject.is_uuid()).then_some(UUID7_MIN_AT);
    for name in BOUNDS.into_iter().chain(uuid7) {
        let condition = format!("e_{name} <> '{ERROR}'");
        all.push(compare(name, "moments", &condition, moment.clone(), Kind::Id, "moment"));
    }
    all
}

impl Proof {
    /// Compares, and prints the first rows that differ. `label` says under which circumstances.
    pub(super) fn compare(&mut self, compare: &Compare, label: &str) -> Result {
        let Compare { name, table, condition, input, found, expected } = compare;
        // A table of its own, because a database may compute the function before it applies a condition.
        let rows = if condition.is_empty() {
            table.clone()
        } else {
            let rows = format!("held_{name}");
            self.db.execute(&format!("DROP TABLE IF EXISTS {rows}"))?;
            let storage = self.engine.storage();
            self.db.execute(&format!(
                "CREATE TABLE {rows}{storage} AS SELECT * FROM {table} WHERE {condition}"
            ))?;
            rows
        };
        let same = self.engine.same(found, expected);
        let count = format!("SELECT count(*), sum(CASE WHEN {same} THEN 0 ELSE 1 END) FROM {rows}");
        let counted = self.db.rows(&count);
        match counted {
            Ok(counted) => {
                let number = |i: usize| counted[0][i].as_deref().unwrap_or("0").parse::<u64>();
                let (count, differences) = (number(0)?, number(1)?);
                self.report.compared(name, label, count, differences);
                if differences > 0 {
                    let some = format!(
                        "SELECT {input}, {expected}, {found} FROM {rows} WHERE NOT ({same}) ORDER BY n LIMIT 3"
                    );
                    for row in self.db.rows(&some)? {
                        let [input, expected, found] =
                            [0, 1, 2].map(|i| shown(row.get(i).and_then(Option::as_deref)));
                        self.report.fail(name, &format!("of {input} is {found}, expected {expected}"));
                    }
                }
            }
            Err(error) if error.is_fatal() => return Err(error.into()),
            Err(error) => {
                self.report.fail(name, &format!("{label}: {error}"));
                self.first_error(compare, &rows)?;
            }
        }
        if rows != *table {
            self.db.execute(&format!("DROP TABLE {rows}"))?;
        }
        Ok(())
    }

    /// Finds the first row whose function is an error.
    fn first_error(&mut self, compare: &Compare, rows: &str) -> Result {
        let Compare { name, input, found, expected, .. } = compare;
        let (mut from, mut to) = (0, 1 << 20);
        while to - from > 1 {
            let middle = (from + to) / 2;
            let some = format!("SELECT max({found}) FROM {rows} WHERE n >= {from} AND n < {middle}");
            if self.db.rows(&some).is_err() { to = middle } else { from = middle }
        }
        let row = self.db.rows(&format!("SELECT {input}, {expected} FROM {rows} WHERE n = {from}"))?;
        if let Some(row) = row.first() {
            let [input, expected] = [0, 1].map(|i| shown(row.get(i).and_then(Option::as_deref)));
            self.report.fail(name, &format!("of {input} is an error, expected {expected}"));
        }
        Ok(())
    }
}

/// A value in a message, cut if it is long.
pub(super) fn shown(value: Option<&str>) -> String {
    match value {
        None => "NULL".to_owned(),
        Some(text) if text.chars().count() > 80 => {
            format!("{:?}… ({} bytes)", text.chars().take(80).collect::<String>(), text.len())
        }
        Some(text) => format!("{text:?}"),
    }
}
