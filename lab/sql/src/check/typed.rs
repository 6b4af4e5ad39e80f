//! The functions of ID types, tried one by one: NULL, prefixes that break the rules, and errors.

use super::{Proof, bulk::shown, one::some};
use crate::{
    Result,
    database::Engine,
    samples::{PREFIXES, Samples, Typed, is_prefix},
    subject::{Kind, PARSE, Subject, TYPED_PARSE, TYPED_TEXT, Value},
};

/// How many texts are tried that the library does not read.
const fn cases(engine: Engine) -> usize {
    match engine {
        Engine::Duckdb => 20,
        Engine::Clickhouse => 50,
        _ => 400,
    }
}

impl Proof {
    pub(super) fn typed_one_by_one(&mut self, subject: &Subject, samples: &Samples) -> Result {
        self.typed_nulls(subject, samples)?;
        self.prefixes(subject, samples)?;
        self.bad_typed_texts(subject, samples)
    }

    /// The call with literals, and with the same values from columns.
    fn calls(name: &str, prefix: &str, argument: &str) -> [(String, String); 2] {
        let rows = format!(" FROM (SELECT {prefix} AS p, {argument} AS x) AS t");
        [(format!("{name}({prefix}, {argument})"), String::new()), (format!("{name}(p, x)"), rows)]
    }

    /// NULL gives NULL, even beside a prefix that breaks the rules.
    fn typed_nulls(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: NULL and a prefix", subject.prefix());
        let typed = samples.typed.first().ok_or("no sample is typed")?;
        let [good, bad] = [typed.prefix, "Order"].map(|prefix| engine.text_literal(prefix));
        let no_prefix = engine.null(engine.input_type());
        let mut tried = 0;
        for (name, of) in Subject::TYPED_FUNCTIONS {
            let (value, ty) = if name == TYPED_TEXT {
                let id = engine.id_literal(subject, &typed.id).ok_or("an ID has no literal")?;
                (id, engine.id_type(subject))
            } else {
                (engine.text_literal(&typed.text_of_id), engine.input_type())
            };
            let null = engine.null(ty);
            for (prefix, argument) in [
                ("NULL", "NULL"),
                ("NULL", &*value),
                (&*good, "NULL"),
                (&*bad, "NULL"),
                (&*no_prefix, &*null),
                (&*no_prefix, &*value),
                (&*good, &*null),
                (&*bad, &*null),
            ] {
                // A column of NULL has a type.
                let is_column = ![prefix, argument].contains(&"NULL") || no_prefix == "NULL";
                let calls = Self::calls(&subject.name(name), prefix, argument);
                for (call, rows) in calls.into_iter().take(if is_column { 2 } else { 1 }) {
                    let query = engine.shown(subject, of, &call) + &rows;
                    self.is(&kind, &format!("{call}{rows}"), &query, None)?;
                    tried += 1;
                }
            }
        }
        self.report.cases(&kind, tried);
        Ok(())
    }

    /// Each function takes the prefixes that the library takes, and says the rules if it takes one not.
    fn prefixes(&mut self, subject: &Subject, samples: &Samples) -> Result {
        const RULES: &str =
            "xpected a prefix of 1 to 63 characters 'a' to 'z' and '_', with a letter at both ends, found ";
        let engine = self.engine;
        let kind = format!("{}: prefixes", subject.prefix());
        let (id, values) = samples.ids.first().ok_or("no sample is an ID")?;
        let Value::Text(text) = &values[1] else { return Err("the text of an ID is not a text".into()) };
        let literal = engine.id_literal(subject, id).ok_or("an ID has no literal")?;
        let mut tried = 0;
        for prefix in PREFIXES {
            let typed = format!("{prefix}_{text}");
            for (name, of) in Subject::TYPED_FUNCTIONS {
                let (argument, expected) = if name == TYPED_TEXT {
                    (literal.clone(), typed.clone())
                } else {
                    (engine.text_literal(&typed), subject.shown(id))
                };
                let quoted = engine.text_literal(prefix);
                for (call, rows) in Self::calls(&subject.name(name), &quoted, &argument) {
                    let query = engine.shown(subject, of, &call) + &rows;
                    let call = format!("{call}{rows}");
                    tried += 1;
                    if is_prefix(prefix) {
                        self.is(&kind, &call, &query, Some(&expected))?;
                        continue;
                    }
                    let Some(message) = self.message(&kind, &call, &query)? else { continue };
                    // ClickHouse writes the quotes of a text in a message with a backslash.
                    if !message.replace(r"\'", "'").contains(RULES) {
                        self.report.fail(&kind, &format!("{call}: {message}"));
                    }
                }
            }
        }
        self.report.cases(&kind, tried);
        Ok(())
    }

    /// An error names the prefix, or is the error of what follows it.
    fn bad_typed_texts(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: bad texts and a prefix", subject.prefix());
        let is_bad = |typed: &&Typed| typed.parsed.is_none() && typed.text.len() < 1000;
        let bad: Vec<_> = samples.typed.iter().filter(is_bad).collect();
        let mut tried = 0;
        for typed in some(&bad, cases(engine)) {
            let [prefix, text] = [typed.prefix, &typed.text].map(|text| engine.text_literal(text));
            for (call, rows) in Self::calls(&subject.name(TYPED_PARSE), &prefix, &text) {
                let query = engine.shown(subject, Kind::Id, &call) + &rows;
                let call = format!("{call}{rows}");
                tried += 1;
                let Some(message) = self.message(&kind, &call, &query)? else { continue };
                let start = format!("{}_", typed.prefix);
                let is_right = if let Some(rest) = typed.text.strip_prefix(&start) {
                    let of_rest = format!("{}({})", subject.name(PARSE), engine.text_literal(rest));
                    let query = engine.shown(subject, Kind::Id, &of_rest);
                    self.message(&kind, &of_rest, &query)?.is_some_and(|of_rest| of_rest == message)
                } else {
                    let [double, single] = ['"', '\''].map(|quote| format!("{quote}{start}{quote}, found "));
                    message.contains("xpected the prefix ")
                        && (message.contains(&double) || message.contains(&single))
                };
                if !is_right {
                    self.report.fail(&kind, &format!("{call}: {message}"));
                }
            }
        }
        self.report.cases(&kind, tried);
        Ok(())
    }

    /// The error of a query, without the words of the database around it. `None` if it is not an error.
    fn message(&mut self, kind: &str, call: &str, query: &str) -> Result<Option<String>> {
        match self.db.rows(&format!("SELECT {query}")) {
            Ok(rows) => {
                let found = shown(rows.first().and_then(|row| row[0].as_deref()));
                self.report.fail(kind, &format!("{call} is {found}, expected an error"));
                Ok(None)
            }
            Err(error) if error.is_fatal() => Err(error.into()),
            Err(error) => {
                let message = error.0.split(" as UInt8").next().unwrap_or_default();
                Ok(Some(message.to_owned()))
            }
        }
    }
}
