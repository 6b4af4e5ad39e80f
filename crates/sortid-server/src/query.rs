//! The parameters of requests, with the names of the program's options.

use crate::problem::Problem;
use clap::ValueEnum;
use form_urlencoded::parse;
use jiff::Timestamp;
use sortid::{euid::Extension, ron_uid::ReplicaScheme, ulid_flake::Epoch};
use sortid_inspect::{
    __private::program::{
        AskedExtension, Format,
        time::{Role, Time, read, read_line},
    },
    Form,
};
use std::fmt;

/// The most IDs of a request.
pub(crate) const MOST: usize = 10_000;

/// A parameter of a query.
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// What it means, for the OpenAPI document.
    pub(crate) about: &'static str,
    pub(crate) kind: Kind,
}

/// The values of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Count,
    Format,
    Form,
    Flag,
    /// A flag that cannot be false.
    True,
    /// A time. A date means a moment of it.
    Time,
    /// A time. A date or a month means a moment of it.
    End,
    Extension,
    Scheme,
}

/// Defines the parameters.
macro_rules! parameters {
    ($($constant:ident $name:literal $kind:ident $about:literal)*) => {
        $(pub(crate) const $constant: &Parameter = &Parameter { name: $name, about: $about, kind: Kind::$kind };)*
    };
}

parameters! {
    N "n" Count "How many IDs to make: 1 to 10000. The default is 1."
    FORMAT "format" Format "How to write the IDs. The default is text."
    MICROS_COUNTER "micros-counter" Flag "Keep the microsecond in the upper 10 bits of the counter."
    EXTENSION "extension" Extension "A value to keep in each ID, up to 32767, and how many bits it takes: 5:8 is 5 in 8 bits. 5 alone takes 3."
    NO_CHECK "no-check" Flag "Write texts without the check."
    SCALABLE "scalable" True "The scalable version, the only one that the server makes."
    FROM "from" Form "The form to read the ID from. The default is each form that fits."
    INSPECT_SCALABLE "scalable" Flag "Read the ID as the scalable version."
    EPOCH "epoch" Time "The time that timestamps count from: RFC 3339, or a date in UTC. The default is 2024-01-01."
    SCHEME "scheme" Scheme "How many digits of the origin name the peer, the server, the user and the session, such as 0163."
    SINCE "since" End "The first time, in RFC 3339. A date or a month means its first moment in UTC. A request has since, until or both."
    UNTIL "until" End "The last time, in RFC 3339. A date or a month means its last moment in UTC."
}

/// The names of these values.
pub(crate) fn names<T: ValueEnum>(is_one: impl Fn(T) -> bool) -> Vec<String> {
    let values = T::value_variants().iter().filter(|value| is_one((*value).clone()));
    values.filter_map(|value| Some(value.to_possible_value()?.get_name().to_owned())).collect()
}

/// The parameters of a request. Each is known, and occurs once.
pub(crate) struct Query(Vec<(&'static str, String)>);

impl Query {
    /// Reads the query of a URL.
    pub(crate) fn read(query: Option<&str>, known: &[&'static Parameter]) -> Result<Self, Problem> {
        let mut pairs: Vec<(&str, String)> = vec![];
        for (name, value) in parse(query.unwrap_or_default().as_bytes()) {
            let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
                let names: Vec<_> = known.iter().map(|parameter| parameter.name).collect();
                return Err(Problem::parameter(format_args!(
                    "expected parameters of the names {}, found {}: leave it out",
                    listed(&names, "and"),
                    quoted(&name)
                )));
            };
            if pairs.iter().any(|(other, _)| *other == parameter.name) {
                return Err(Problem::parameter(format_args!(
                    "expected the parameter {name} once, found it twice: leave one of them out"
                )));
            }
            pairs.push((parameter.name, value.into_owned()));
        }
        Ok(Self(pairs))
    }

    fn value(&self, parameter: &Parameter) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| &**value)
    }

    /// How many IDs to make.
    pub(crate) fn count(&self) -> Result<usize, Problem> {
        let Some(text) = self.value(N) else { return Ok(1) };
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let count = text.parse().ok().filter(|count| is_number && (1..=MOST).contains(count));
        count.ok_or_else(|| {
            let advice = if is_number && !text.bytes().all(|byte| byte == b'0') {
                ": send several requests for more"
            } else {
                ""
            };
            wrong(N, format_args!("a number from 1 to {MOST}"), text, advice)
        })
    }

    pub(crate) fn format(&self) -> Result<Option<Format>, Problem> {
        self.one_of(FORMAT)
    }

    pub(crate) fn form(&self) -> Result<Option<Form>, Problem> {
        self.one_of(FROM)
    }

    fn one_of<T: ValueEnum>(&self, parameter: &Parameter) -> Result<Option<T>, Problem> {
        let Some(text) = self.value(parameter) else { return Ok(None) };
        let names = names::<T>(|_| true);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        T::from_str(text, true).map(Some).map_err(|_| wrong(parameter, listed(&names, "or"), text, ""))
    }

    /// Whether a flag is there. Its value can be left out.
    pub(crate) fn flag(&self, parameter: &Parameter) -> Result<Option<bool>, Problem> {
        match self.value(parameter) {
            None => Ok(None),
            Some("" | "true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(text) => Err(wrong(parameter, "true, false or no value", text, "")),
        }
    }

    /// A time of a span. Relative times count from `now`.
    pub(crate) fn time(
        &self,
        parameter: &Parameter,
        role: Role,
        now: Timestamp,
    ) -> Result<Option<Time>, Problem> {
        let Some(text) = self.value(parameter) else { return Ok(None) };
        sure(parameter, text, |warn| read(text, role, now, warn)).map(Some)
    }

    pub(crate) fn epoch(&self) -> Result<Option<Epoch>, Problem> {
        let Some(text) = self.value(EPOCH) else { return Ok(None) };
        let time = sure(EPOCH, text, |warn| read_line(text.as_bytes(), warn))?;
        let millis = u64::try_from(time.unix_millis()).unwrap_or_default();
        Epoch::from_unix_millis(millis).map(Some).map_err(|error| wrong_time(EPOCH, &error.to_string(), text))
    }

    pub(crate) fn extension(&self) -> Result<Option<Extension>, Problem> {
        let Some(text) = self.value(EXTENSION) else { return Ok(None) };
        let asked: AskedExtension = text.parse().map_err(|error: String| said(EXTENSION, &error, text))?;
        asked.get().map(Some).map_err(Problem::parameter)
    }

    pub(crate) fn scheme(&self) -> Result<Option<ReplicaScheme>, Problem> {
        let Some(text) = self.value(SCHEME) else { return Ok(None) };
        let scheme = ReplicaScheme::parse(text);
        scheme.map(Some).map_err(|error| said(SCHEME, error, text))
    }
}

fn wrong(parameter: &Parameter, expected: impl fmt::Display, found: &str, advice: &str) -> Problem {
    Problem::parameter(format_args!(
        "{}: expected {expected}, found {}{advice}",
        parameter.name,
        quoted(found)
    ))
}

/// What a library says about a value.
fn said(parameter: &Parameter, error: impl fmt::Display, found: &str) -> Problem {
    Problem::parameter(format_args!("{}: {error}, found {}", parameter.name, quoted(found)))
}

/// Reads a time. Refuses a time that the program reads with a warning, because an answer has no place for one.
fn sure(
    parameter: &Parameter,
    text: &str,
    read: impl FnOnce(&mut dyn FnMut(fmt::Arguments<'_>)) -> Result<Time, String>,
) -> Result<Time, Problem> {
    let mut doubt = None;
    let time = read(&mut |warning| doubt = Some(warning.to_string()));
    let time = time.map_err(|error| wrong_time(parameter, &error, text))?;
    match doubt {
        Some(doubt) => Err(Problem::parameter(format_args!(
            "{}: {doubt}. If that time is meant, write it in RFC 3339",
            parameter.name
        ))),
        None => Ok(time),
    }
}

fn wrong_time(parameter: &Parameter, error: &str, found: &str) -> Problem {
    // A plus sign in a query means a blank.
    let advice = if found.contains(' ') { ". In a URL, write %2B for +" } else { "" };
    Problem::parameter(format_args!("{}: {error}, found {}{advice}", parameter.name, quoted(found)))
}

/// A text of a request in quotes, at most its beginning.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    let shown: String = text.chars().take(SHOWN).collect();
    let cut = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{cut}")
}

/// `n, format and no-check`.
pub(crate) fn listed(names: &[&str], word: &str) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} {word} {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{FORMAT, N, NO_CHECK, Query, listed, quoted};

    fn count(query: &str) -> Result<usize, String> {
        let read = Query::read(Some(query), &[N, FORMAT, NO_CHECK]);
        read.and_then(|query| query.count()).map_err(|problem| problem.detail)
    }

    #[test]
    fn a_count_is_a_number_from_1_to_10000() {
        for (query, expected) in
            [("", 1), ("n=1", 1), ("n=10000", 10_000), ("n=007", 7), ("&&n=5&", 5), ("%6E=5", 5)]
        {
            assert_eq!(count(query), Ok(expected), "{query}");
        }
        for (query, message) in [
            ("n=0", "n: expected a number from 1 to 10000, found \"0\""),
            ("n=", "n: expected a number from 1 to 10000, found \"\""),
            ("n=-1", "n: expected a number from 1 to 10000, found \"-1\""),
            ("n=+1", "n: expected a number from 1 to 10000, found \" 1\""),
            (
                "n=10001",
                "n: expected a number from 1 to 10000, found \"10001\": send several requests for more",
            ),
            ("n=1&n=1", "expected the parameter n once, found it twice: leave one of them out"),
            ("m=1", "expected parameters of the names n, format and no-check, found \"m\": leave it out"),
            ("N=1", "expected parameters of the names n, format and no-check, found \"N\": leave it out"),
        ] {
            assert_eq!(count(query), Err(message.to_owned()), "{query}");
        }
        assert!(count(&format!("n={}", "9".repeat(100))).unwrap_err().contains("…: send several"));
    }

    #[test]
    fn a_flag_needs_no_value() {
        for (query, expected) in [
            ("no-check", Some(true)),
            ("no-check=true", Some(true)),
            ("no-check=false", Some(false)),
            ("", None),
        ] {
            let query = Query::read(Some(query), &[NO_CHECK]).unwrap();
            assert_eq!(query.flag(NO_CHECK).unwrap(), expected);
        }
        let query = Query::read(Some("no-check=1"), &[NO_CHECK]).unwrap();
        let problem = query.flag(NO_CHECK).unwrap_err();
        assert_eq!(problem.detail, "no-check: expected true, false or no value, found \"1\"");
    }

    #[test]
    fn lists_have_a_word_before_the_last_name() {
        assert_eq!(listed(&[], "or"), "");
        assert_eq!(listed(&["a"], "or"), "a");
        assert_eq!(listed(&["a", "b", "c"], "or"), "a, b or c");
        assert_eq!(quoted(&"a".repeat(61)), format!("{:?}…", "a".repeat(60)));
    }
}
