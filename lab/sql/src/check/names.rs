//! Schemas, tables and columns whose names would change the SQL around them if they could.

use super::Proof;
use crate::{Result, database::Engine, samples::Samples, subject::Subject};
use sortid_sql::{RangeQuery, Script};

/// Hostile names, and honest ones that look hostile. With two of them, the name of a view is short enough for MySQL.
const NAMES: [&str; 20] = [
    "test euid_time(1)",
    "\"; DROP TABLE kept; x(",
    "`; DROP TABLE kept; x(`",
    "euid_time(\");DROP TABLE x",
    "'; DROP TABLE kept; --",
    "\\'; DROP TABLE kept; --",
    "\\\"; DROP TABLE kept; --",
    "a\\",
    "a\"b",
    "a`b",
    "a'b",
    "\"\"",
    "``",
    "$$",
    "$q$; DROP TABLE x; $qq$$$",
    "END $$;",
    "*/ -- /*",
    "DROP FUNCTION euid_time",
    "select",
    "ünï 名前",
];

impl Engine {
    /// The name as this database writes it, not as the library does.
    fn quoted(self, name: &str) -> String {
        match self {
            Self::Mysql => format!("`{}`", name.replace('`', "``")),
            Self::Clickhouse => format!("`{}`", name.replace('\\', r"\\").replace('`', r"\`")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }
}

impl Proof {
    /// Installs the functions in a schema of each name, and reads one ID from a table and a view of each name.
    pub(super) fn names(&mut self, all: &[(&Subject, Samples)]) -> Result {
        let storage = self.engine.storage();
        if self.engine == Engine::Clickhouse {
            // In the default database of chdb, a name with a slash is the name of a file.
            self.db.execute("CREATE DATABASE odd_names")?;
            self.db.execute("USE odd_names")?;
        }
        self.db.execute(&format!("CREATE TABLE kept (n INT){storage}"))?;
        for (name, (subject, samples)) in NAMES.iter().zip(all.iter().cycle()) {
            self.table_of_name(name, subject, samples).map_err(|error| format!("{name:?}: {error}"))?;
            if !matches!(self.engine, Engine::Sqlite | Engine::Clickhouse) {
                self.schema_of_name(name, subject).map_err(|error| format!("{name:?}: {error}"))?;
            }
            self.db.rows("SELECT n FROM kept").map_err(|error| format!("{name:?} ran SQL: {error}"))?;
        }
        self.report.cases("odd names", NAMES.len());
        if self.engine == Engine::Clickhouse {
            self.db.execute("USE default")?;
        }
        Ok(())
    }

    fn table_of_name(&mut self, name: &str, subject: &Subject, samples: &Samples) -> Result {
        let (engine, database) = (self.engine, self.engine.of_library());
        let (storage, quoted, ty) = (engine.storage(), engine.quoted(name), engine.id_type(subject));
        // An ID with a time, so that the query of a span finds it.
        let bounds = samples.moments.iter().find_map(|(_, bounds)| bounds.as_ref());
        let [id, _] = bounds.ok_or("no sample has a time")?;
        let literal = engine.id_literal(subject, id).ok_or("an ID has no literal")?;
        self.db.execute(&format!("CREATE TABLE {quoted} ({quoted} {ty}){storage}"))?;
        self.db.execute(&format!("INSERT INTO {quoted} VALUES ({literal})"))?;
        let query = RangeQuery::new(database, subject.spec, name, name).least(id).greatest(id).sql()?;
        self.has_one_row(query.trim_end_matches(';'))?;
        if matches!(engine, Engine::Sqlite | Engine::Mysql) {
            let script = Script::new(database).spec(subject.spec).column(name, name);
            self.run_script(&script.install()?)?;
            self.run_script(&script.install()?)?;
            let view = engine.quoted(&format!("{name}_{name}_{}", subject.prefix()));
            let text = subject.name("text");
            self.has_one_row(&format!("SELECT * FROM {view} WHERE {text} IS NOT NULL"))?;
            self.run_script(&script.uninstall()?)?;
            if self.db.rows(&format!("SELECT count(*) FROM {view}")).is_ok() {
                return Err("the view is still there".into());
            }
        }
        self.db.execute(&format!("DROP TABLE {quoted}"))?;
        Ok(())
    }

    pub(super) fn has_one_row(&mut self, query: &str) -> Result {
        let count = self.db.rows(&format!("SELECT count(*) FROM ({query}) AS found"))?;
        if count != [[Some("1".to_owned())]] {
            return Err(format!("{query}: found {count:?}, expected one row").into());
        }
        Ok(())
    }

    fn schema_of_name(&mut self, name: &str, subject: &Subject) -> Result {
        let script = Script::new(self.engine.of_library()).schema(name);
        let quoted = self.engine.quoted(name);
        let expected = self.installed(None)?;
        self.run_script(&script.install()?)?;
        self.run_script(&script.install()?)?;
        let installed = self.installed(Some(name))?;
        if installed != expected {
            return Err(format!("has {installed:?}, expected {expected:?}").into());
        }
        self.compare_small(subject, &format!("{quoted}."), "in an odd schema")?;
        self.run_script(&script.uninstall()?)?;
        let left = self.installed(Some(name))?;
        if !left.is_empty() {
            return Err(format!("leaves {left:?}").into());
        }
        // Fails unless the schema has this name.
        self.db.execute(&format!("DROP SCHEMA {quoted}"))?;
        Ok(())
    }
}
