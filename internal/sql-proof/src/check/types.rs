//! The types of results. Comparisons convert the results to text, so they do not see the types.

use super::Proof;
use crate::{
    Result,
    database::{Engine, civil},
    samples::Samples,
    subject::{BOUNDS, Kind, Subject, Value},
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

impl Proof {
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
