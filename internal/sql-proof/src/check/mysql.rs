//! What only MariaDB and MySQL have: views with expressions.

use super::{Proof, run_script};
use crate::{Result, samples::Samples, subject::Subject};
use sortid_sql::Script;

impl Proof {
    pub(super) fn mysql(&mut self, all: &[(&Subject, Samples)]) {
        for (subject, samples) in all {
            self.attempt("views", |proof| proof.view(subject, "as a view"));
            self.attempt("views", |proof| proof.view_of_others(subject, samples));
        }
    }

    /// In a view, what is not an ID has NULL in all columns.
    fn view_of_others(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let kind = format!("{}: view of what is not an ID", subject.prefix());
        let (table, ty) = ("others", if subject.is_int() { "BIGINT" } else { "VARBINARY(300)" });
        self.db.execute(&format!("CREATE TABLE {table} (id {ty})"))?;
        let literals: Vec<_> =
            samples.not_ids.iter().filter_map(|id| self.engine.id_literal(subject, id)).collect();
        for literal in &literals {
            self.db.execute(&format!("INSERT INTO {table} VALUES ({literal})"))?;
        }
        let script = Script::new(self.engine.of_library()).spec(subject.spec).column(table, "id");
        run_script(&mut *self.db, &script.install()?)?;
        for (name, _) in &subject.functions {
            let name = subject.name(name);
            let view = format!("{table}_id_{}", subject.prefix());
            let rows =
                self.db.rows(&format!("SELECT HEX(id), HEX({name}) FROM {view} WHERE {name} IS NOT NULL"))?;
            for row in rows {
                self.report.fail(&kind, &format!("{name} of {:?} is {:?}, expected NULL", row[0], row[1]));
            }
        }
        run_script(&mut *self.db, &script.uninstall()?)?;
        self.db.execute(&format!("DROP TABLE {table}"))?;
        self.report.cases(&kind, literals.len() * subject.functions.len());
        Ok(())
    }
}
