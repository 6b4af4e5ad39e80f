//! Why the last call failed. JavaScript fetches it and throws it.

#[cfg(feature = "ids")]
use sortid::{BackfillError, GenerateError, GenerateErrorKind};
use sortid::{ConfigError, ParseError, RangeError};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

#[derive(Default)]
pub(crate) struct Failure {
    /// A word for programs: one of `ErrorKind` in `package/src/error.ts`.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// The position of the wrong character in bytes, or the index of the wrong time. If no ID is left, how many
    /// microseconds to wait.
    pub(crate) number: Option<usize>,
}

thread_local! {
    static LAST: RefCell<Failure> = RefCell::default();
}

#[wasm_bindgen(js_name = failureKind)]
pub fn failure_kind() -> String {
    LAST.with_borrow(|last| last.kind.to_owned())
}

#[wasm_bindgen(js_name = failureMessage)]
pub fn failure_message() -> String {
    LAST.with_borrow(|last| last.message.clone())
}

/// Returns the number of the failure; −1 if it has none.
#[wasm_bindgen(js_name = failureNumber)]
pub fn failure_number() -> f64 {
    LAST.with_borrow(|last| last.number.map_or(-1.0, |number| number as f64))
}

/// The value; or `None`, after the error was left for JavaScript.
#[inline]
pub(crate) fn ok<T, E: Into<Failure>>(result: Result<T, E>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            leave(error.into());
            None
        }
    }
}

#[cold]
fn leave(failure: Failure) {
    LAST.set(failure);
}

impl Failure {
    /// The failure of an option whose value is not allowed.
    pub(crate) fn option(message: String) -> Self {
        Self { kind: "option", message, number: None }
    }
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        Self { kind: error.kind().name(), message: error.to_string(), number: error.position() }
    }
}

impl From<RangeError> for Failure {
    fn from(error: RangeError) -> Self {
        ParseError::from(error).into()
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::option(error.to_string())
    }
}

#[cfg(feature = "ids")]
impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        let kind = match error.kind() {
            GenerateErrorKind::Exhausted => "exhausted",
            GenerateErrorKind::ClockRollback => "clock_rollback",
            GenerateErrorKind::ClockOutOfRange => "clock_out_of_range",
            GenerateErrorKind::Ahead => "ahead",
            GenerateErrorKind::NoTime => "no_time",
            GenerateErrorKind::Entropy => "entropy",
            // A page is not forked, and has no reservations.
            _ => "other",
        };
        Self {
            kind,
            message: error.to_string(),
            number: error.retry_after().map(|wait| wait.as_micros() as usize),
        }
    }
}

#[cfg(feature = "ids")]
impl From<BackfillError> for Failure {
    fn from(error: BackfillError) -> Self {
        let kind = match error.kind() {
            GenerateErrorKind::Exhausted => "full",
            GenerateErrorKind::ClockRollback => "descending",
            GenerateErrorKind::ClockOutOfRange => "out_of_range",
            GenerateErrorKind::NoTime => "no_time",
            GenerateErrorKind::Entropy => "entropy",
            _ => "other",
        };
        Self { kind, message: error.to_string(), number: error.index() }
    }
}
