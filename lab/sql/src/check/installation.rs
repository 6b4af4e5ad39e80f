//! What the scripts install and remove.

use super::{Proof, bulk};
use crate::{
    Result,
    database::Engine,
    subject::{self, BOUNDS, Subject, TEXT_TIME, TRY_PARSE, TYPED_PARSE, UUID7_TIME},
};
use sortid_sql::Script;
use std::collections::BTreeSet;

/// A name that has to be in quotes.
const ODD: &str = "we\"ird.näme";

impl Proof {
    /// The functions that are installed, without the functions that the database brings. In a schema, or in the default
    /// one.
    pub(super) fn installed(&mut self, schema: Option<&str>) -> Result<BTreeSet<String>> {
        let schema = schema.map(|name| self.engine.text_literal(name));
        let query = match self.engine {
            Engine::Postgres => format!(
                "SELECT proname FROM pg_catalog.pg_proc WHERE pronamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = {})",
                schema.as_deref().unwrap_or("'public'")
            ),
            Engine::Mysql => format!(
                "SELECT routine_name FROM information_schema.routines WHERE routine_schema = {}",
                schema.as_deref().unwrap_or("DATABASE()")
            ),
            Engine::Duckdb => format!(
                "SELECT function_name FROM duckdb_functions() WHERE NOT internal AND schema_name = {}",
                schema.as_deref().unwrap_or("'main'")
            ),
            Engine::Clickhouse => {
                "SELECT name FROM system.functions WHERE origin = 'SQLUserDefined'".to_owned()
            }
            Engine::Sqlite => return Ok(BTreeSet::new()),
        };
        Ok(self.db.rows(&query)?.into_iter().filter_map(|mut row| row.swap_remove(0)).collect())
    }

    /// Every function that the file defines has to be compared, for as many rows as asked.
    pub(super) fn is_complete(&mut self, ids: usize) -> Result {
        let installed = self.installed(None)?;
        for name in &installed {
            let is_compared = self.report.rows_of(name).is_some();
            // Functions that others share, and functions that make new IDs, are checked elsewhere.
            if !is_compared && !name.starts_with("sortid__") && !name.ends_with("_new") {
                self.report.fail("not compared", &format!("{name} is installed, and no check compares it"));
            }
        }
        for subject in &*subject::ALL {
            let functions = subject.functions.iter().map(|(name, _)| *name);
            let of_text = Subject::TEXT_FUNCTIONS.map(|(name, _)| name);
            // SQLite has no try_parse, because its parse has no errors.
            let of_text =
                of_text.into_iter().filter(|name| self.engine != Engine::Sqlite || *name != TRY_PARSE);
            // SQLite has no functions of ID types: an expression takes the prefix away.
            let of_types = Subject::TYPED_FUNCTIONS.map(|(name, _)| name);
            let of_types = of_types.into_iter().filter(|_| self.engine != Engine::Sqlite);
            for name in functions.chain(of_text).chain(of_types).chain(BOUNDS) {
                let full = subject.name(name);
                let rows = self.report.rows_of(&full).unwrap_or_default();
                // There are fewer times than IDs, and some do not fit.
                let least = match name {
                    "time" | UUID7_TIME | TEXT_TIME => ids / 10,
                    // The other texts of ID types are almost IDs.
                    TYPED_PARSE => ids / 3,
                    name if BOUNDS.contains(&name) => ids / 20,
                    _ => ids,
                };
                if rows < least as u64 {
                    self.report.fail("too few rows", &format!("{full}: {rows}, expected at least {least}"));
                }
                if self.engine != Engine::Sqlite && !installed.contains(&full) {
                    self.report.fail("not installed", &full);
                }
            }
        }
        Ok(())
    }

    /// In a schema with an odd name; each specification alone; and nothing stays behind.
    pub(super) fn installation(&mut self) -> Result {
        let all = Script::new(self.engine.of_library());
        self.small_tables()?;
        if self.engine != Engine::Clickhouse {
            let before = self.installed(None)?;
            self.remove(&all)?;
            let script = all.schema(ODD);
            self.run_script(&script.install()?)?;
            self.run_script(&script.install()?)?;
            let installed = self.installed(Some(ODD))?;
            if installed != before {
                self.report.fail("schema", &format!("has {installed:?}, expected {before:?}"));
            }
            let quote = if self.engine == Engine::Mysql { "`" } else { "\"" };
            let schema = format!("{quote}{}{quote}.", ODD.replace(quote, &quote.repeat(2)));
            for subject in &*subject::ALL {
                self.compare_small(subject, &schema, "in a schema")?;
            }
            self.remove(&script)?;
            let left = self.installed(Some(ODD))?;
            if !left.is_empty() {
                self.report.fail("uninstall from a schema", &format!("leaves {left:?}"));
            }
        }
        for subject in &*subject::ALL {
            self.remove(&all)?;
            let left = self.installed(None)?;
            if !left.is_empty() {
                self.report.fail("uninstall", &format!("leaves {left:?}"));
            }
            let alone = all.spec(subject.spec);
            self.run_script(&alone.install()?)?;
            self.compare_small(subject, "", "alone")?;
            let others = self.installed(None)?;
            let is_of = |name: &&String| name.starts_with(subject.prefix()) || name.starts_with("sortid__");
            if let Some(other) = others.iter().find(|name| !is_of(name)) {
                self.report.fail("alone", &format!("{} comes with {other}", subject.prefix()));
            }
            self.remove(&alone)?;
            let left = self.installed(None)?;
            if let Some(left) = left.iter().find(|name| !name.starts_with("sortid__")) {
                self.report.fail("uninstall", &format!("{left} is left of {}", subject.prefix()));
            }
        }
        self.remove(&all)?;
        // Removing succeeds even if nothing is there.
        self.remove(&all)
    }

    fn remove(&mut self, script: &Script<'_>) -> Result {
        self.run_script(&script.uninstall()?)
    }

    /// Tables of some samples, named `…_small`.
    pub(super) fn small_tables(&mut self) -> Result {
        for subject in &*subject::ALL {
            for table in ["ids", "texts", "typed", "moments"] {
                let name = format!("{}_{table}", subject.prefix());
                let storage = self.engine.storage();
                let count = self.db.rows(&format!("SELECT count(*) FROM {name}"))?;
                let count: u64 = count[0][0].as_deref().unwrap_or("0").parse()?;
                let step = (count / 1000).max(1);
                self.db.execute(&format!("DROP TABLE IF EXISTS {name}_small"))?;
                self.db.execute(&format!(
                    "CREATE TABLE {name}_small{storage} AS SELECT * FROM {name} WHERE n % {step} = 0"
                ))?;
            }
        }
        Ok(())
    }

    /// Compares all functions of a specification for the small tables.
    pub(super) fn compare_small(&mut self, subject: &Subject, schema: &str, label: &str) -> Result {
        for mut compare in bulk::all(self.engine, subject, schema) {
            compare.table.push_str("_small");
            self.compare(&compare, label)?;
        }
        Ok(())
    }
}
