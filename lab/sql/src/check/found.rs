//! Comparisons with the columns of a query or a view, for databases whose SQL has expressions instead of functions.

use super::{Proof, bulk::Compare, one::some, tables::ERROR};
use crate::{
    Result,
    database::{Engine, civil},
    samples::Samples,
    subject::{BOUNDS, Kind, PARSE, Subject, TRY_PARSE, UUID7_MIN_AT},
};
use sortid_sql::{Script, statements};

impl Proof {
    /// The three queries of a section of the file for SQLite.
    pub(super) fn sqlite(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let prefix = subject.prefix();
        self.view(subject, "")?;
        // A text that is not an ID is NULL, so parse does what try_parse does.
        let of_text = Subject::TEXT_FUNCTIONS.into_iter().filter(|(name, _)| *name != TRY_PARSE);
        let uuid7 = subject.is_uuid().then_some(UUID7_MIN_AT);
        let of_moment = BOUNDS.into_iter().chain(uuid7).map(|name| (name, Kind::Id));
        for (argument, table, functions) in
            [("input", "texts", of_text.collect::<Vec<_>>()), ("moment", "moments", of_moment.collect())]
        {
            let query = query_of(subject, argument, &format!("{prefix}_{table}"))?;
            let found = format!("{prefix}_{table}_found");
            self.db.execute(&format!("CREATE TABLE {found} AS {query}"))?;
            self.db.execute(&format!("CREATE INDEX {found}_index ON {found} ({argument})"))?;
            for (name, kind) in functions {
                let full = subject.name(name);
                let expected = format!("nullif(s.e_{name}, '{ERROR}')");
                self.joined(
                    &full,
                    &format!("{prefix}_{table}"),
                    &found,
                    argument,
                    subject,
                    kind,
                    &expected,
                    "",
                )?;
            }
        }
        self.sqlite_typed(subject)?;
        self.forms_of_moments(subject, samples)?;
        self.sqlite_not_ids(subject, samples)
    }

    /// The texts of ID types, without their prefixes, in the query that parses texts.
    fn sqlite_typed(&mut self, subject: &Subject) -> Result {
        let (prefix, parse) = (subject.prefix(), subject.name(PARSE));
        let (table, found) = (format!("{prefix}_rests"), format!("{prefix}_rests_found"));
        self.db.execute(&format!(
            "CREATE TABLE {table} AS SELECT n, e_typed_parse,
             CASE WHEN input GLOB prefix || '_*' THEN substr(input, length(prefix) + 2) END AS input
             FROM {prefix}_typed"
        ))?;
        let query = query_of(subject, "input", &format!("(SELECT DISTINCT input FROM {table})"))?;
        self.db.execute(&format!("CREATE TABLE {found} AS {query}"))?;
        self.db.execute(&format!("CREATE INDEX {found}_index ON {found} (input)"))?;
        self.joined(&parse, &table, &found, "input", subject, Kind::Id, "s.e_typed_parse", "behind a prefix")
    }

    /// The view of a column of IDs.
    pub(super) fn view(&mut self, subject: &Subject, label: &str) -> Result {
        let table = format!("{}_ids", subject.prefix());
        let script = Script::new(self.engine.of_library()).spec(subject.spec).column(&table, "id");
        if self.run_script(&script.column(&table, "no_column").install()?).is_ok() {
            return Err(format!("there is a view of a column that {table} does not have").into());
        }
        // Twice: the second run has to change nothing.
        self.run_script(&script.install()?)?;
        self.run_script(&script.install()?)?;
        let (view, found) = (format!("{table}_id_{}", subject.prefix()), format!("{table}_found"));
        self.reads_only_its_table(&view, &subject.name("time"))?;
        self.db.execute(&format!("CREATE TABLE {found} AS SELECT * FROM {view}"))?;
        self.db.execute(&format!("CREATE INDEX {found}_index ON {found} (id)"))?;
        for (name, kind) in &subject.functions {
            let expected = format!("nullif(s.e_{name}, '{ERROR}')");
            self.joined(&subject.name(name), &table, &found, "id", subject, *kind, &expected, label)?;
        }
        self.run_script(&script.uninstall()?)?;
        self.view_of_texts(subject)?;
        self.columns_of_view(subject, &script.install()?, label)
    }

    /// The plan of a view is that of its table: the database computes no column that the query does not use.
    fn reads_only_its_table(&mut self, view: &str, column: &str) -> Result {
        let explain = if self.engine == Engine::Sqlite { "EXPLAIN QUERY PLAN" } else { "EXPLAIN" };
        let plan = self.db.printed(&format!("{explain} SELECT {column} FROM {view}"))?;
        if plan.len() != 1 {
            return Err(format!("{view}: expected one step, found the plan {plan:?}").into());
        }
        Ok(())
    }

    /// The view of a column of texts.
    fn view_of_texts(&mut self, subject: &Subject) -> Result {
        // The view uses this name, too.
        let (ids, table) = (format!("{}_ids", subject.prefix()), "texts");
        let is_text = format!("e_text IS NOT NULL AND e_text <> '{ERROR}'");
        let ty = if self.engine == Engine::Sqlite { "TEXT" } else { "VARCHAR(40)" };
        self.db.execute(&format!("CREATE TABLE {table} (id {ty})"))?;
        self.db.execute(&format!(
            "INSERT INTO {table} SELECT e_text FROM {ids} WHERE {is_text} AND n % 10 = 0"
        ))?;
        let script = Script::new(self.engine.of_library()).spec(subject.spec);
        // The view of a column of IDs has to refuse the texts.
        if self.run_script(&script.column(table, "id").install()?).is_ok() {
            return Err(format!("the view of IDs takes the texts of {}", subject.prefix()).into());
        }
        let script = script.text_column(table, "id");
        self.run_script(&script.install()?)?;
        self.run_script(&script.install()?)?;
        self.db.execute(&format!("INSERT INTO {table} VALUES ('not an ID'), (''), (NULL)"))?;
        let (view, found) = (format!("{table}_id_{}", subject.prefix()), format!("{table}_found"));
        self.db.execute(&format!("CREATE TABLE {found} AS SELECT * FROM {view}"))?;
        self.db.execute(&format!("CREATE INDEX {found}_index ON {found} (id)"))?;
        let rows = format!("(SELECT *, e_text AS id FROM {ids} WHERE {is_text} AND n % 10 = 0)");
        let rows = rows.replacen('*', &format!("n, {}", self.expected_columns(subject)), 1);
        for (name, kind) in &subject.functions {
            let expected = format!("nullif(s.e_{name}, '{ERROR}')");
            self.joined(&subject.name(name), &rows, &found, "id", subject, *kind, &expected, "of texts")?;
        }
        self.has_one_row(&format!(
            "SELECT * FROM {found} WHERE id = 'not an ID' AND {}_text IS NULL",
            subject.prefix()
        ))?;
        let (counted, all) =
            (format!("SELECT count(*) FROM {found}"), format!("SELECT count(*) FROM {table}"));
        let counts = self.db.rows(&format!("SELECT ({counted}) = ({all})"))?;
        if counts != [[Some("1".to_owned())]] {
            return Err(format!("{view} has other rows than {table}").into());
        }
        self.run_script(&script.uninstall()?)?;
        self.db.execute(&format!("DROP TABLE {found}"))?;
        self.db.execute(&format!("DROP TABLE {table}"))?;
        Ok(())
    }

    /// The expected values of all functions, as columns of a query.
    fn expected_columns(&self, subject: &Subject) -> String {
        subject.functions.iter().map(|(name, _)| format!("e_{name}")).collect::<Vec<_>>().join(", ")
    }

    /// The expressions of a view as generated columns, and an index of one of them.
    fn columns_of_view(&mut self, subject: &Subject, view: &str, label: &str) -> Result {
        let (engine, prefix) = (self.engine, subject.prefix());
        let (table, found) = (format!("{prefix}_ids"), format!("{prefix}_generated"));
        let mut rest = view.split_once("    id,\n").ok_or("the view has no column id")?.1;
        let mut columns = String::new();
        // The columns of the view can be in another order than the fields.
        let mut functions = subject.functions.clone();
        functions.sort_by_key(|(name, _)| rest.find(&format!(" AS {}", subject.name(name))));
        for (name, kind) in &functions {
            let name = subject.name(name);
            let end = format!(" AS {name}");
            let (expression, after) =
                rest.split_once(&end).ok_or_else(|| format!("the view has no column {name}"))?;
            rest = after.trim_start_matches(',');
            let ty = match (engine, kind) {
                (Engine::Sqlite, Kind::Time | Kind::Text) => "TEXT",
                (Engine::Sqlite, Kind::Bytes) => "BLOB",
                (Engine::Sqlite, _) => "INTEGER",
                (_, Kind::Time) => "DATETIME(6)",
                (_, Kind::Text) => "VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                (_, Kind::Bytes) => "VARBINARY(10)",
                _ => "BIGINT UNSIGNED",
            };
            columns.push_str(&format!(",\n{name} {ty} GENERATED ALWAYS AS ({expression}) VIRTUAL"));
        }
        self.db.execute(&format!("DROP TABLE IF EXISTS {found}"))?;
        self.db.execute(&format!("CREATE TABLE {found} (id {}{columns})", engine.id_type(subject)))?;
        self.db.execute(&format!("CREATE INDEX {found}_by_time ON {found} ({prefix}_time)"))?;
        self.db.execute(&format!("CREATE INDEX {found}_by_id ON {found} (id)"))?;
        self.db.execute(&format!("INSERT INTO {found} (id) SELECT id FROM {table} WHERE n % 50 = 0"))?;
        for (name, kind) in &subject.functions {
            let expected = format!("nullif(s.e_{name}, '{ERROR}')");
            let rows = format!("(SELECT * FROM {table} WHERE n % 50 = 0)");
            let label = format!("{label} generated").trim().to_owned();
            self.joined(&subject.name(name), &rows, &found, "id", subject, *kind, &expected, &label)?;
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "each is a part of one query")]
    fn joined(
        &mut self,
        name: &str,
        table: &str,
        found: &str,
        key: &str,
        subject: &Subject,
        kind: Kind,
        expected: &str,
        label: &str,
    ) -> Result {
        let input = match key {
            "id" => self.engine.shown(subject, Kind::Id, "s.id"),
            key => format!("s.{key}"),
        };
        let compare = Compare {
            name: name.to_owned(),
            table: format!("{table} s LEFT JOIN {found} r ON r.{key} = s.{key}"),
            condition: String::new(),
            input,
            found: self.engine.shown(subject, kind, &format!("r.{name}")),
            expected: expected.to_owned(),
        };
        self.compare(&compare, label)
    }

    /// Moments in the other forms that SQLite's date functions read: with a `T`, with a time zone, and with fewer digits.
    fn forms_of_moments(&mut self, subject: &Subject, samples: &Samples) -> Result {
        const HOUR: i128 = 3_600_000_000;
        let kind = format!("{}: forms of moments", subject.prefix());
        let mut cases = vec![];
        for (moment, _) in some(&samples.moments, 150) {
            // An offset must not lead out of the four digits of a year.
            if !self.engine.has_time(moment - 24 * HOUR) || !self.engine.has_time(moment + 24 * HOUR) {
                continue;
            }
            let text = civil(*moment);
            cases.push((text.replace(' ', "T"), *moment));
            cases.push((format!("{text}Z"), *moment));
            cases.push((civil(moment + 11 * HOUR / 2) + "+05:30", *moment));
            cases.push((civil(moment - 11 * HOUR).replace(' ', "T") + "-11:00", *moment));
            let millis = moment.div_euclid(1000) * 1000;
            cases.push((text[..23].to_owned(), millis));
            cases.push((text[..19].to_owned(), moment.div_euclid(1_000_000) * 1_000_000));
            cases.push((text[..16].to_owned(), moment.div_euclid(60_000_000) * 60_000_000));
            cases.push((text[..10].to_owned(), moment.div_euclid(24 * HOUR) * 24 * HOUR));
        }
        for (text, moment) in &cases {
            let query = query_of(subject, "moment", &format!("(SELECT '{text}' AS moment)"))?;
            let found = BOUNDS.map(|name| self.engine.shown(subject, Kind::Id, &subject.name(name)));
            let rows = self.db.rows(&format!("SELECT {}, {} FROM ({query})", found[0], found[1]))?;
            let bounds = (subject.bounds)(*moment);
            let expected = [0, 1].map(|i| bounds.as_ref().map(|bounds| subject.shown(&bounds[i])));
            if rows[0] != expected {
                self.report.fail(&kind, &format!("of {text} are {:?}, expected {expected:?}", rows[0]));
            }
        }
        self.report.cases(&kind, cases.len());
        Ok(())
    }

    /// What is not an ID, or of another type, has NULL in all columns. SQLite's columns hold values of all types.
    fn sqlite_not_ids(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let kind = format!("{}: not an ID", subject.prefix());
        let mut values: Vec<String> =
            ["NULL", "''", "x''", "0.0", "1.5", "-1", "9e999", "'0'", "x'31'"].map(str::to_owned).to_vec();
        let size = subject.bytes();
        values.push(format!("'{}'", "0".repeat(size)));
        values.push(format!("'{}'", "0".repeat(2 * size)));
        values.push(format!("CAST(x'{}' AS TEXT)", "01".repeat(size)));
        if subject.is_int() {
            values.extend(
                ["-9223372036854775808", "1717653966666.0", "x'0000000000000001'"].map(str::to_owned),
            );
        } else {
            values.extend(["0", "1", "9223372036854775807"].map(str::to_owned));
        }
        values.extend(samples.not_ids.iter().filter_map(|id| self.engine.id_literal(subject, id)));
        for value in &values {
            let query = query_of(subject, "id", &format!("(SELECT {value} AS id)"))?;
            let columns: Vec<_> = subject.functions.iter().map(|(name, _)| subject.name(name)).collect();
            let all = columns.iter().map(|name| format!("quote({name})")).collect::<Vec<_>>().join(", ");
            for row in self.db.rows(&format!("SELECT {all} FROM ({query})"))? {
                for (name, found) in columns.iter().zip(row) {
                    if found.as_deref() != Some("NULL") {
                        let found = found.unwrap_or_default();
                        self.report.fail(&kind, &format!("{name} of {value} is {found}, expected NULL"));
                    }
                }
            }
        }
        self.report.cases(&kind, values.len());
        Ok(())
    }
}

/// The query of a specification in the file for SQLite, whose samples come from a table instead.
pub(crate) fn query_of(subject: &Subject, argument: &str, table: &str) -> Result<String> {
    let sql = Script::new(sortid_sql::Database::Sqlite).spec(subject.spec).install()?;
    let query = statements(&sql).find_map(|statement| replaced(&statement, argument, table));
    query.ok_or_else(|| format!("the section {} has no query of {argument}", subject.prefix()).into())
}

/// The query, without the semicolon, whose samples come from a table instead. `None` if its samples are others.
fn replaced(statement: &str, argument: &str, table: &str) -> Option<String> {
    let sample = format!("WITH {argument}s ({argument}) AS (");
    let start = statement.lines().position(|line| line.starts_with(&sample))?;
    let line = statement.lines().nth(start)?;
    let comma = if line.ends_with(',') { "," } else { "" };
    let rest: Vec<_> = statement.lines().skip(start + 1).collect();
    Some(format!("{sample}SELECT {argument} FROM {table}){comma}\n{}", rest.join("\n")))
}
