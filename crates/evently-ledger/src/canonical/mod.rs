//! Canonical JSON: one line, without white space between tokens, with the members of objects in the order of their
//! keys, and with one way to write a string and a number.
//!
//! - `pass`: the pass over a text that writes the canonical form. Its head explains the algorithm.
//! - `style`: the order of keys, and the forms of Evently's PostgreSQL function and of its published validator.
//! - `unchanged`: the recognition of values that are canonical already.
//! - `number` and `string`: how a number and a string are written.

mod frame;
mod number;
mod output;
mod pass;
mod string;
mod style;
mod unchanged;

use crate::{
    error::JsonError,
    json::{Cursor, text_of},
};
pub(crate) use output::Output;
use pass::Stop;
use std::{error, fmt};
pub(crate) use string::Quoted;
pub(crate) use style::{Canonical, JavaScript, Jsonb};
pub(crate) use unchanged::canonical_end;

/// Returns the canonical form of a JSON text (specification, "Event Checksum", notes 1 and 2).
///
/// The members of objects are in ascending order of the code points of their keys, at every depth. Of members with equal
/// keys, the last remains. Numbers stay as written, but exponents are expanded, and a zero has no sign. In strings, only
/// `"`, `\` and the characters below U+0020 are escaped.
///
/// ```
/// use evently_ledger::canonical_json;
///
/// assert_eq!(canonical_json(r#"{"b": 1e3, "a": [-0.0, 1.50], "b": "\u00e9\/"}"#)?, r#"{"a":[0.0,1.50],"b":"é/"}"#);
/// let error = canonical_json(r#"{"a": 1,}"#).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 9: expected a key, found '}'");
/// # Ok::<(), evently_ledger::JsonError>(())
/// ```
///
/// # Errors
///
/// - [`Syntax`](crate::JsonErrorKind::Syntax), [`Escape`](crate::JsonErrorKind::Escape) and
///   [`Control`](crate::JsonErrorKind::Control): the text is not JSON, or has half a surrogate pair.
/// - [`Depth`](crate::JsonErrorKind::Depth): more than 512 arrays and objects are nested.
/// - [`Exponent`](crate::JsonErrorKind::Exponent): an exponent expands to more than 131 072 digits before the point or
///   16 383 after it, or all of them add too many digits in total: more than 262 144 and more than 64 times the length of
///   the text, or more than 16 777 216.
pub fn canonical_json(text: &str) -> Result<String, JsonError> {
    let mut output = Output::new();
    output.rewrite::<Canonical>(text)?;
    Ok(output.into_text())
}

/// Writes canonical JSON to any sink, and reuses its memory for the next text.
///
/// The sink gets the output in pieces, however long the text is. Memory grows with the widest object that is out of
/// order. The sink gets nothing of a text that has an error, so a text of more than 64 KiB, exponents expanded, may be read
/// twice.
///
/// ```
/// use evently_ledger::CanonicalWriter;
/// use std::{fmt::Write as _, io::Write as _};
///
/// let mut writer = CanonicalWriter::new();
///
/// let mut text = String::new();
/// writer.write(b"[1, 2]", |piece| text.write_str(piece))?;
/// assert_eq!(text, "[1,2]");
///
/// let mut file = vec![];
/// writer.write(br#"{"b": 2, "a": 1}"#, |piece| file.write_all(piece.as_bytes()))?;
/// assert_eq!(file, br#"{"a":1,"b":2}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct CanonicalWriter(Output);

impl CanonicalWriter {
    /// Makes a writer. It allocates nothing before the first text.
    #[must_use]
    pub const fn new() -> Self {
        Self(Output::new())
    }

    /// Writes the canonical form of `json` to `sink`, piece by piece.
    ///
    /// # Errors
    ///
    /// - [`WriteError::Json`]: the errors of [`canonical_json`], and [`Utf8`](crate::JsonErrorKind::Utf8) if `json` is not
    ///   UTF-8. The sink got nothing. The limit of 16 777 216 digits holds for the part of the output that is in memory at
    ///   a time.
    /// - [`WriteError::Sink`]: the error of the sink, which is not called again.
    pub fn write<E>(
        &mut self,
        json: &[u8],
        mut sink: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), WriteError<E>> {
        let text = text_of(json)?;
        let mut cursor = Cursor::new(text);
        let survey = self.0.survey::<Canonical>(&mut cursor)?;
        cursor.end()?;
        if !survey.is_output_complete() {
            self.0.write_surveyed::<Canonical, E>(text, &survey, &mut sink)?;
        }
        sink(self.0.text()).map_err(WriteError::Sink)
    }
}

/// The error of [`CanonicalWriter::write`].
///
/// An enum, unlike the other errors of this crate: the sink's error is the caller's own type, and the caller gets it back
/// by value. There will be no third variant.
#[derive(Debug)]
pub enum WriteError<E> {
    /// The text is not JSON, or exceeds a limit. The sink got nothing.
    Json(JsonError),
    /// The sink failed. It may have got a part of the output.
    Sink(E),
}

impl<E: fmt::Display> fmt::Display for WriteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Sink(error) => error.fmt(f),
        }
    }
}

impl<E: error::Error + 'static> error::Error for WriteError<E> {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Sink(error) => Some(error),
        }
    }
}

impl<E> From<JsonError> for WriteError<E> {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

impl<E> From<Stop<E>> for WriteError<E> {
    fn from(stop: Stop<E>) -> Self {
        match stop {
            Stop::Json(error) => Self::Json(error),
            Stop::Sink(error) => Self::Sink(error),
        }
    }
}
