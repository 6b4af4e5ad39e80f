//! Cases that are tried one by one: literals, NULL, and what has to be an error.

use super::{Proof, bulk::shown};
use crate::{
    Result,
    database::{Engine, Expected, civil},
    samples::Samples,
    subject::{BOUNDS, IS_VALID, Kind, PARSE, Subject, TEXT_TIME, TRY_PARSE, Value},
};

/// About how many cases of each kind are tried. DuckDB expands the macros again in each statement, which takes up to
/// 30 ms.
const fn cases(engine: Engine) -> usize {
    if matches!(engine, Engine::Duckdb) { 80 } else { 400 }
}

impl Proof {
    pub(super) fn one_by_one(&mut self, subject: &Subject, samples: &Samples) -> Result {
        self.literals(subject, samples)?;
        self.nulls(subject)?;
        self.values_that_do_not_fit(subject, samples)?;
        self.not_ids(subject, samples)?;
        self.bad_texts(subject, samples)?;
        self.bad_moments(subject, samples)
    }

    /// Functions of constants, which some databases compute elsewhere than functions of columns.
    fn literals(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: literals", subject.prefix());
        let mut tried = 0;
        for (id, values) in some(&samples.ids, cases(self.engine) / 4) {
            let Some(literal) = engine.id_literal(subject, id) else { continue };
            for (value, (name, of)) in values.iter().zip(&subject.functions) {
                if let Expected::Is(expected) = engine.expected(subject, value) {
                    let call = format!("{}({literal})", subject.name(name));
                    self.is(&kind, &call, &engine.shown(subject, *of, &call), expected.as_deref())?;
                    tried += 1;
                }
            }
        }
        let short = samples.texts.iter().filter(|text| text.text.len() < 1000);
        let (good, bad): (Vec<_>, Vec<_>) = short.partition(|text| text.id.is_some());
        for text in some(&good, cases(self.engine) / 2).chain(some(&bad, cases(self.engine) / 2)) {
            let literal = engine.text_literal(&text.text);
            let call = format!("{}({literal})", subject.name(IS_VALID));
            let expected = text.id.is_some().to_string();
            self.is(&kind, &call, &engine.shown(subject, Kind::Bool, &call), Some(&expected))?;
            tried += 1;
            let id = text.id.as_deref().map(|id| subject.shown(id));
            let call = format!("{}({literal})", subject.name(TRY_PARSE));
            self.is(&kind, &call, &engine.shown(subject, Kind::Id, &call), id.as_deref())?;
            tried += 1;
            if id.is_some() {
                let call = format!("{}({literal})", subject.name(PARSE));
                self.is(&kind, &call, &engine.shown(subject, Kind::Id, &call), id.as_deref())?;
                tried += 1;
            }
        }
        let moments: Vec<_> = samples
            .moments
            .iter()
            .filter(|(moment, bounds)| bounds.is_some() && engine.has_time(*moment))
            .collect();
        for (moment, bounds) in some(&moments, cases(self.engine) / 4) {
            let literal = engine.time(&format!("'{}'", civil(*moment)));
            for (bound, name) in bounds.iter().flatten().zip(BOUNDS) {
                let call = format!("{}({literal})", subject.name(name));
                let id = subject.shown(bound);
                self.is(&kind, &call, &engine.shown(subject, Kind::Id, &call), Some(&id))?;
                tried += 1;
            }
        }
        self.report.cases(&kind, tried);
        Ok(())
    }

    pub(super) fn is(&mut self, kind: &str, call: &str, query: &str, expected: Option<&str>) -> Result {
        match self.db.rows(&format!("SELECT {query}")) {
            Ok(rows) => {
                let found = rows.first().and_then(|row| row[0].as_deref());
                if found != expected {
                    let (found, expected) = (shown(found), shown(expected));
                    self.report.fail(kind, &format!("{call} is {found}, expected {expected}"));
                }
            }
            Err(error) if error.is_fatal() => return Err(error.into()),
            Err(error) => {
                let expected = shown(expected);
                self.report.fail(kind, &format!("{call} is an error, expected {expected}: {error}"));
            }
        }
        Ok(())
    }

    fn nulls(&mut self, subject: &Subject) -> Result {
        let engine = self.engine;
        let kind = format!("{}: NULL", subject.prefix());
        let mut functions = subject.functions.clone();
        functions.extend(Subject::TEXT_FUNCTIONS);
        functions.extend(BOUNDS.map(|name| (name, Kind::Id)));
        for (name, of) in &functions {
            let ty = match *name {
                name if Subject::TEXT_FUNCTIONS.iter().any(|(of_text, _)| *of_text == name) => {
                    engine.input_type()
                }
                name if BOUNDS.contains(&name) => engine.time_type(),
                _ => engine.id_type(subject),
            };
            let call = format!("{}(NULL)", subject.name(name));
            self.is(&kind, &call, &engine.shown(subject, *of, &call), None)?;
            let null = engine.null(ty);
            let call = format!("{}(x)", subject.name(name));
            let query = format!("{} FROM (SELECT {null} AS x) AS t", engine.shown(subject, *of, &call));
            self.is(&kind, &format!("{call}, x = {null}"), &query, None)?;
        }
        self.report.cases(&kind, functions.len() * 2);
        Ok(())
    }

    /// Values that the database's types cannot have.
    fn values_that_do_not_fit(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: values that do not fit", subject.prefix());
        let mut tried = 0;
        for (i, (name, of)) in subject.functions.iter().enumerate() {
            let is_too_great =
                |id: &&(Vec<u8>, Vec<Value>)| engine.expected(subject, &id.1[i]) == Expected::Error;
            let ids: Vec<_> = samples.ids.iter().filter(is_too_great).collect();
            for (id, _) in some(&ids, cases(self.engine) / 2) {
                let Some(literal) = engine.id_literal(subject, id) else { continue };
                let call = format!("{}({literal})", subject.name(name));
                self.is_error(&kind, &call, &engine.shown(subject, *of, &call))?;
                tried += 1;
            }
        }
        if tried > 0 {
            self.report.cases(&kind, tried);
        }
        Ok(())
    }

    fn not_ids(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: not an ID", subject.prefix());
        let mut tried = 0;
        for id in &samples.not_ids {
            let Some(literal) = engine.id_literal(subject, id) else { continue };
            for (name, of) in &subject.functions {
                let call = format!("{}({literal})", subject.name(name));
                self.is_error(&kind, &call, &engine.shown(subject, *of, &call))?;
                // From a column.
                let call = format!("{}(x)", subject.name(name));
                let query =
                    format!("{} FROM (SELECT {literal} AS x) AS t", engine.shown(subject, *of, &call));
                self.is_error(&kind, &format!("{call}, x = {literal}"), &query)?;
                tried += 2;
            }
        }
        // The type of the column may exclude them all.
        if tried > 0 {
            self.report.cases(&kind, tried);
        }
        Ok(())
    }

    fn bad_texts(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: bad texts", subject.prefix());
        let bad: Vec<_> = samples.texts.iter().enumerate().filter(|(_, text)| text.id.is_none()).collect();
        let mut tried = 0;
        for (n, text) in some(&bad, cases(self.engine)) {
            let (name, of) = if n % 3 == 0 { (TEXT_TIME, Kind::Time) } else { (PARSE, Kind::Id) };
            let name = subject.name(name);
            if text.text.len() < 1000 && n % 2 == 0 {
                let call = format!("{name}({})", engine.text_literal(&text.text));
                self.is_error(&kind, &call, &engine.shown(subject, of, &call))?;
            } else {
                let call = format!("{name}(input)");
                let table = format!("{}_texts", subject.prefix());
                let query = format!("{} FROM {table} WHERE n = {n}", engine.shown(subject, of, &call));
                self.is_error(&kind, &format!("{call} of {}", shown(Some(&text.text))), &query)?;
            }
            tried += 1;
        }
        self.report.cases(&kind, tried);
        Ok(())
    }

    fn bad_moments(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: times out of range", subject.prefix());
        let bad = samples.moments.iter().filter(|(moment, ids)| ids.is_none() && engine.has_time(*moment));
        let bad: Vec<_> = bad.collect();
        // The ends of the range first, then others.
        let ends = [subject.times.start(), subject.times.end()].map(|end| i128::from(*end));
        let near = |moment: i128| ends.iter().any(|end| (moment - end).abs() < 100_000_000);
        let near: Vec<_> = bad.iter().copied().filter(|(moment, _)| near(*moment)).collect();
        let mut tried = 0;
        for (moment, _) in near.iter().chain(some(&bad, cases(self.engine) / 4)) {
            for name in BOUNDS {
                let literal = engine.time(&format!("'{}'", civil(*moment)));
                let call = format!("{}({literal})", subject.name(name));
                self.is_error(&kind, &call, &engine.shown(subject, Kind::Id, &call))?;
                let call = format!("{}(x)", subject.name(name));
                let query =
                    format!("{} FROM (SELECT {literal} AS x) AS t", engine.shown(subject, Kind::Id, &call));
                self.is_error(&kind, &format!("{call}, x = {literal}"), &query)?;
                tried += 2;
            }
        }
        self.report.cases(&kind, tried);
        Ok(())
    }

    /// The query has to be an error that says what was expected.
    pub(super) fn is_error(&mut self, kind: &str, call: &str, query: &str) -> Result {
        match self.db.rows(&format!("SELECT {query}")) {
            Ok(rows) => {
                let found = shown(rows.first().and_then(|row| row[0].as_deref()));
                let call = if call.len() > 300 { format!("{}…", &call[..200]) } else { call.to_owned() };
                self.report.fail(kind, &format!("{call} is {found}, expected an error"));
            }
            Err(error) if error.is_fatal() => return Err(error.into()),
            // The other databases write words of their own before the message.
            Err(error) if self.engine == Engine::Postgres && error.0.starts_with("expected ") => {}
            Err(error) if self.engine != Engine::Postgres && error.0.to_lowercase().contains("expected") => {}
            // The argument takes at most 255 bytes.
            Err(error)
                if self.engine == Engine::Mysql && error.0.contains("Data too long for column 'id'") => {}
            Err(error) => {
                let call = if call.len() > 300 { "it" } else { call };
                self.report.fail(&format!("{kind}, message"), &format!("{call}: {error}"));
            }
        }
        Ok(())
    }
}

/// Some of these, evenly spread.
pub(super) fn some<T>(all: &[T], count: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by((all.len() / count).max(1))
}
