//! The types of results. Comparisons convert the results to text, so they do not see the types.

use super::Proof;
use crate::{
    Result,
    database::{Engine, civil},
    samples::Samples,
    subject::{BOUNDS, Kind, Subject, TYPED_PARSE, TYPED_TEXT, TYPED_TRY_PARSE, Value},
};
use sortid_sql::Spec;

impl Engine {
    /// How the names of the types begin that a result may have, in lower case.
    fn result_types(self, subject: &Subject, kind: Kind) -> Vec<String> {
        let fractional = if subject.has_micros { 6 } else { 3 };
        let id = self.id_type(subject).to_lowercase();
        let types: &[&str] = match (self, kind) {
            (_, Kind::Id) => &[&id],
            (Self::Postgres | Self::Duckdb, Kind::Time) => &["timestamp with time zone"],
            (Self::Mysql, Kind::Time) => &[&format!("datetime({fractional})")],
            (_, Kind::Time) => &[&format!("datetime64({fractional}, 'utc')")],
            (Self::Postgres, Kind::Text) => &["text"],
            (Self::Clickhouse, Kind::Text) => &["string"],
            (_, Kind::Text) => &["varchar", "char"],
            (Self::Mysql, Kind::Bool) => &["tinyint(1)"],
            (Self::Clickhouse, Kind::Bool) => &["bool", "uint8"],
            (_, Kind::Bool) => &["bool"],
            (Self::Postgres, Kind::Bytes) => &["bytea"],
            (Self::Mysql, Kind::Bytes) => &["binary"],
            (Self::Duckdb, Kind::Bytes) => &["blob"],
            (_, Kind::Bytes) => &["fixedstring(10)"],
            (_, Kind::Int) => &[
                "int",
                "bigint",
                "smallint",
                "tinyint",
                "uint",
                "ubigint",
                "uinteger",
                "usmallint",
                "utinyint",
            ],
        };
        types.iter().map(|&ty| ty.to_owned()).collect()
    }
}

/// Values of DuckDB's types.
const VALUES: [&str; 27] = [
    "true",
    "5",
    "5::TINYINT",
    "5::UBIGINT",
    "5::HUGEINT",
    "5::UHUGEINT",
    "5.5",
    "5.5::DOUBLE",
    "'5'",
    "'0c7f613c-7a56-1510-eddd-e216d959d3b1'",
    "'0c7f613c-7a56-1510-eddd-e216d959d3b1'::UUID",
    "'a'::BLOB",
    "'101'::BIT",
    "'a'::ENUM('a', 'b')",
    "'{}'::JSON",
    "DATE '2024-06-06'",
    "TIME '06:06:06'",
    "TIMETZ '06:06:06+00'",
    "TIMESTAMP_S '2024-06-06 06:06:06'",
    "TIMESTAMP_MS '2024-06-06 06:06:06'",
    "TIMESTAMP '2024-06-06 06:06:06'",
    "TIMESTAMP_NS '2024-06-06 06:06:06'",
    "TIMESTAMPTZ '2024-06-06 06:06:06Z'",
    "TIMESTAMPTZ_NS '2024-06-06 06:06:06Z'",
    "INTERVAL 1 DAY",
    "[1]",
    "{a: 1}",
];

impl Proof {
    /// The macros of DuckDB take arguments of all types. Each works, or has a message of ours.
    pub(super) fn any_type(&mut self, subject: &Subject) -> Result {
        let kind = format!("{}: arguments of any type", subject.prefix());
        let texts = Subject::TEXT_FUNCTIONS.into_iter().map(|(name, _)| name);
        let names = subject.functions.iter().map(|(name, _)| *name).chain(texts).chain(BOUNDS);
        let mut calls: Vec<_> = names.map(|name| format!("{}(x)", subject.name(name))).collect();
        // A prefix of any type, and an ID and texts of any type behind a prefix.
        for (name, _) in Subject::TYPED_FUNCTIONS {
            let name = subject.name(name);
            calls.push(format!("{name}(x, 'order_0')"));
            calls.push(format!("{name}('order', x)"));
        }
        if subject.is_uuid() {
            let (name, time) = (subject.name("or_uuid7_within"), "TIMESTAMPTZ '2024-06-06 06:06:06Z'");
            calls.push(format!("{name}(x, {time}, {time})"));
            calls.push(format!("{name}('0c7f613c-7a56-1510-eddd-e216d959d3b1'::UUID, {time}, x)"));
        }
        let of_ours = [subject.id.title(), "UUID of version 7"].map(|title| format!("{title}: expected "));
        for call in &calls {
            for value in VALUES {
                let call = call.replace("(x", &format!("({value}")).replace(", x)", &format!(", {value})"));
                match self.db.rows(&format!("SELECT ({call})::VARCHAR")) {
                    Err(error) if error.is_fatal() => return Err(error.into()),
                    Err(error) if !of_ours.iter().any(|words| error.0.contains(words)) => {
                        self.report.fail(&kind, &format!("{call}: {error}"));
                    }
                    _ => {}
                }
            }
        }
        self.report.cases(&kind, calls.len() * VALUES.len());
        Ok(())
    }

    pub(super) fn types(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: types", subject.prefix());
        // An ID that has a time.
        let has_time = |(_, values): &&(Vec<u8>, Vec<Value>)| matches!(values[0], Value::Time(micros) if i128::from(micros) <= engine.last_time());
        let (id, values) = samples.ids.iter().find(has_time).ok_or("no sample has a time")?;
        let Value::Text(text) = &values[1] else { return Err("the text of an ID is not a text".into()) };
        let id = engine.id_literal(subject, id).ok_or("an ID has no literal")?;
        let text = engine.text_literal(text);
        let moment = engine.time(&format!("'{}'", civil(1_717_653_966_666_000)));
        let mut functions: Vec<_> = subject.functions.iter().map(|(name, of)| (*name, *of, &id)).collect();
        functions.extend(Subject::TEXT_FUNCTIONS.map(|(name, of)| (name, of, &text)));
        functions.extend(BOUNDS.map(|name| (name, Kind::Id, &moment)));
        let typed = format!("'order', {id}");
        functions.push((TYPED_TEXT, Kind::Text, &typed));
        let typed = format!("'order', {prefix}_typed_text('order', {id})", prefix = subject.prefix());
        functions.extend([TYPED_PARSE, TYPED_TRY_PARSE].map(|name| (name, Kind::Id, &typed)));
        for (name, of, argument) in &functions {
            let full = subject.name(name);
            let query = match engine {
                Engine::Postgres => format!("SELECT pg_typeof({full}({argument}))::text"),
                Engine::Duckdb => format!("SELECT typeof({full}({argument}))"),
                Engine::Mysql => format!(
                    "SELECT dtd_identifier FROM information_schema.routines
                     WHERE routine_schema = DATABASE() AND routine_name = '{full}'"
                ),
                _ => format!("SELECT toTypeName({full}({argument}))"),
            };
            let rows = self.db.rows(&query)?;
            let found = rows.first().and_then(|row| row[0].clone()).unwrap_or_default().to_lowercase();
            let bare = found.strip_prefix("nullable(").unwrap_or(&found);
            // Event IDs have a timestamp of 64 bits without a sign.
            let is_wide = subject.spec == Spec::EventlyId
                && *name == "timestamp_us"
                && bare.contains("bigint unsigned");
            let expected = engine.result_types(subject, *of);
            if !is_wide && !expected.iter().any(|ty| bare.starts_with(ty)) {
                self.report
                    .fail(&kind, &format!("{full} returns {found:?}, expected {}", expected.join(" or ")));
            }
        }
        self.report.cases(&kind, functions.len());
        Ok(())
    }
}
