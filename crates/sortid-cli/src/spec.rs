//! Specifications as arguments.

use crate::{failure::Failure, time::parse_fixed};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sortid::{Spec, ulid_flake::Epoch};
pub(crate) use sortid_inspect::{__private::Describe, Options as DescribeOptions};
use sortid_inspect::{Form, Prefix};
use std::ffi::OsStr;

/// A specification as an argument, also in other spellings than its name: `EUID`, `RON UID`, `event`.
pub(crate) fn by_name() -> impl TypedValueParser<Value = Spec> {
    ByName
}

#[derive(Clone)]
struct ByName;

impl ByName {
    fn names() -> PossibleValuesParser {
        PossibleValuesParser::new(Spec::ALL.iter().map(|spec| spec.name()))
    }
}

impl TypedValueParser for ByName {
    type Value = Spec;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Spec, clap::Error> {
        match value.to_str().and_then(|name| name.parse().ok()) {
            Some(spec) => Ok(spec),
            // clap's error lists the names.
            None => Self::names().try_map(|name| name.parse()).parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Spec::ALL.iter().map(|spec| PossibleValue::new(spec.name()))))
    }
}

/// `an EUID`, `a SCRU160`.
pub(crate) fn one(spec: Spec) -> String {
    let title = spec.title();
    let article = if title.starts_with('E') { "an" } else { "a" };
    format!("{article} {title}")
}

/// Refuses a prefix for IDs in a form that has none.
pub(crate) fn prefix_suits(
    command: &'static str,
    prefix: Option<Prefix>,
    form: Option<Form>,
) -> Result<(), Failure> {
    match form.filter(|form| prefix.is_some() && *form != Form::Text) {
        Some(form) => {
            Err(Failure::usage(command, format!("--prefix is for texts, found the form {}", form.name())))
        }
        None => Ok(()),
    }
}

/// The epoch of Ulid-Flakes, as an argument.
pub(crate) fn parse_epoch(text: &str) -> Result<Epoch, String> {
    let millis = parse_fixed(text)?.unix_millis();
    let millis = u64::try_from(millis).map_err(|_| "expected a time from 1970 on".to_owned())?;
    Epoch::from_unix_millis(millis).map_err(|error| error.to_string())
}
