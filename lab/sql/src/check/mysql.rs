//! What only MariaDB and MySQL have: views with expressions.

use super::bulk::Compare;
use super::{Proof, run_script};
use crate::{
    Result,
    samples::Samples,
    subject::{Kind, PARSE, Subject},
};
use sortid_sql::Script;

impl Proof {
    pub(super) fn mysql(&mut self, all: &[(&Subject, Samples)]) {
        for (subject, samples) in all {
            self.attempt("views", |proof| proof.view(subject, "as a view"));
            self.attempt("views", |proof| proof.view_of_others(subject, samples));
            self.attempt("views", |proof| proof.view_of_all_texts(subject));
        }
    }

    /// In a view of texts, good ones have the text of their ID, and bad ones have NULL.
    fn view_of_all_texts(&mut self, subject: &Subject) -> Result {
        let (table, found) = (format!("{}_texts", subject.prefix()), "found_texts");
        let script = Script::new(self.engine.of_library()).spec(subject.spec).text_column(&table, "input");
        self.run_script(&script.install()?)?;
        let (view, text) = (format!("{table}_input_{}", subject.prefix()), subject.name("text"));
        // Texts can be longer than a key.
        self.db.execute(&format!(
            "CREATE TABLE {found} (UNIQUE (id)) AS SELECT MD5(id) AS id, {text} AS text FROM {view}"
        ))?;
        let compare = Compare {
            name: text,
            table: format!("{table} s LEFT JOIN {found} r ON r.id = MD5(s.input)"),
            condition: String::new(),
            input: "s.input".to_owned(),
            found: self.engine.shown(subject, Kind::Id, &format!("{}(r.text)", subject.name(PARSE))),
            expected: "s.e_parse".to_owned(),
        };
        self.compare(&compare, "as a view of texts")?;
        self.run_script(&script.uninstall()?)?;
        Ok(self.db.execute(&format!("DROP TABLE {found}"))?)
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
