//! What is wrong with an array. Each message says what was expected, and what was found.

use super::{ArrowId, Native};
use arrow_schema::{ArrowError, DataType};
use sortid::{__private::civil::rfc3339, BackfillError, ParseError, ParseErrorKind};
use std::{error, fmt};

/// A result of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of an array, or of one of its rows.
///
/// The message names the row, from 0. The message of [`kind`](Self::kind) does not.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    row: Option<usize>,
    kind: ErrorKind,
}

/// What is wrong. `one` is the name of an ID with its article, such as `an EUID`.
///
/// The alternate form of the message, `{:#}`, has bytes as a literal of SQL: `X'616263'`.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The array has another type.
    Type {
        /// What has an accepted type.
        expected: String,
        /// The type of the array.
        found: DataType,
    },
    /// A text is not an ID.
    Text {
        /// The ID that was expected.
        one: String,
        /// The text.
        found: Found,
        /// Why it is not an ID.
        error: ParseError,
    },
    /// A text is not that of a typed ID, which has a prefix.
    TypedText {
        /// The typed ID that was expected.
        one: String,
        /// The text.
        found: Found,
        /// What is wrong.
        kind: ParseErrorKind,
        /// The position of the wrong character, in bytes.
        position: Option<usize>,
        /// What was expected, and what was found.
        message: String,
    },
    /// Bytes are longer or shorter than an ID.
    Length {
        /// The ID that was expected.
        one: String,
        /// The number of bytes of an ID.
        expected: usize,
        /// The number of bytes of this value.
        len: usize,
        /// The bytes.
        found: Found,
    },
    /// Bytes, or an integer, are not an ID.
    Value {
        /// The ID that was expected.
        one: String,
        /// The bytes or the integer.
        found: Found,
        /// Why it is not an ID.
        error: ParseError,
    },
    /// The time of an ID is above the last one of the result's type.
    Late {
        /// The time in microseconds since 1970.
        unix_micros: u64,
        /// The ID.
        found: Found,
    },
    /// No ID of the specification has this time. All are in microseconds since 1970.
    Time {
        /// The time.
        unix_micros: i128,
        /// The first time of an ID.
        first: u64,
        /// The last time of an ID.
        last: u64,
    },
    /// No ID was made for a time.
    Backfill(BackfillError),
    /// The texts of the result are longer than an array can be.
    Rows {
        /// The greatest number of rows.
        most: usize,
        /// The number of rows.
        found: usize,
    },
    /// An error of the library `arrow`.
    Arrow(ArrowError),
}

impl Error {
    /// Returns the row, from 0. `None` if the error is about the whole array.
    #[must_use]
    pub fn row(&self) -> Option<usize> {
        self.0.row
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the same error of another row. `row` returns its number from the number of this one.
    #[must_use]
    pub fn map_row(mut self, row: impl FnOnce(usize) -> usize) -> Self {
        self.0.row = self.0.row.map(row);
        self
    }

    pub(super) fn at(mut self, row: usize) -> Self {
        self.0.row = Some(row);
        self
    }

    #[cold]
    pub(super) fn wrong_type(expected: impl Into<String>, found: &DataType) -> Self {
        ErrorKind::Type { expected: expected.into(), found: found.clone() }.into()
    }

    #[cold]
    pub(super) fn text<I: ArrowId>(text: &str, error: ParseError) -> Self {
        ErrorKind::Text { one: one::<I>(), found: Found::text(text), error }.into()
    }

    #[cold]
    pub(super) fn length<I: ArrowId>(bytes: &[u8]) -> Self {
        let (expected, found) = (I::BYTES, Found::bytes(bytes));
        ErrorKind::Length { one: one::<I>(), expected, len: bytes.len(), found }.into()
    }

    #[cold]
    pub(super) fn value<I: ArrowId>(value: I::Value, error: ParseError) -> Self {
        ErrorKind::Value { one: one::<I>(), found: value.found(), error }.into()
    }

    #[cold]
    pub(super) fn late<I: ArrowId>(value: I::Value, unix_micros: u64) -> Self {
        ErrorKind::Late { unix_micros, found: value.found() }.into()
    }

    #[cold]
    pub(super) fn time<I: ArrowId>(unix_micros: i128) -> Self {
        ErrorKind::Time { unix_micros, first: *I::TIMES.start(), last: *I::TIMES.end() }.into()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { row: None, kind }))
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        ErrorKind::Arrow(error).into()
    }
}

impl From<BackfillError> for Error {
    fn from(error: BackfillError) -> Self {
        ErrorKind::Backfill(error).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.0.row {
            write!(f, "row {row}: ")?;
        }
        self.0.kind.fmt(f)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::Text { one, found, error } => write!(f, "{found} is not the text of {one}: {error}"),
            Self::TypedText { one, found, message, .. } => {
                write!(f, "{found} is not the text of {one}: {message}")
            }
            Self::Length { one, expected, len, found } => {
                write!(f, "expected the {expected} bytes of {one}, found {len}: ")?;
                found.fmt(f)
            }
            Self::Value { one, found, error } => {
                write!(f, "expected {one}, found ")?;
                found.fmt(f)?;
                write!(f, ": {error}")
            }
            Self::Late { unix_micros, found } => {
                write!(
                    f,
                    "expected at most {} microseconds since 1970, the last time of a timestamp, found {unix_micros} in ",
                    i64::MAX
                )?;
                found.fmt(f)
            }
            Self::Time { unix_micros, first, last } => {
                let [first, last] = [*first, *last].map(rfc3339);
                write!(f, "expected a time from {first} to {last}, found ")?;
                match u64::try_from(*unix_micros) {
                    Ok(micros) => rfc3339(micros).fmt(f),
                    Err(_) => write!(f, "{unix_micros} microseconds since 1970"),
                }
            }
            Self::Backfill(error) => error.fmt(f),
            Self::Rows { most, found } => {
                write!(f, "expected a batch of at most {most} rows, found {found}: make smaller batches")
            }
            Self::Arrow(error) => error.fmt(f),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Text { error, .. } | ErrorKind::Value { error, .. } => Some(error),
            ErrorKind::Backfill(error) => Some(error),
            ErrorKind::Arrow(error) => Some(error),
            _ => None,
        }
    }
}

/// A value in a message, without the end of a long one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// A text. `…` stands for the end of a long one.
    Text(String),
    /// Bytes.
    Bytes {
        /// The first bytes.
        start: Vec<u8>,
        /// Whether these are all.
        is_all: bool,
    },
    /// An integer.
    Int(i64),
}

/// The greatest number of characters of a value in a message.
const SHOWN: usize = 50;

impl Found {
    /// Shortens a text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(match text.char_indices().nth(SHOWN) {
            None => text.to_owned(),
            Some((end, _)) => format!("{}…", &text[..end]),
        })
    }

    /// Shortens bytes.
    #[must_use]
    pub fn bytes(bytes: &[u8]) -> Self {
        let start = &bytes[..bytes.len().min(SHOWN / 2)];
        Self::Bytes { start: start.to_vec(), is_all: start.len() == bytes.len() }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Bytes { start, is_all } => {
                let quotes = if f.alternate() { ["X'", "'"] } else { [""; 2] };
                f.write_str(quotes[0])?;
                for byte in start {
                    write!(f, "{byte:02x}")?;
                }
                f.write_str(if *is_all { "" } else { "…" })?;
                f.write_str(quotes[1])
            }
            Self::Int(int) => write!(f, "{int}"),
        }
    }
}

/// Returns the name of the ID with its article, such as `an EUID`.
#[must_use]
pub fn one<I: ArrowId>() -> String {
    let article = if I::TITLE.starts_with('E') { "an" } else { "a" };
    format!("{article} {}", I::TITLE)
}
