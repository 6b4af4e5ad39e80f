//! The errors of JSON texts and of events. Both are opaque: code that branches on what is wrong calls `kind()`.

// `Fault` is not opaque, because it is a report. `WriteError` is an enum, because it returns the sink's own error.

use crate::{LONGEST_LINE, checksum::MissingMember};
use evently_id::EventId;
use sortid_core::GenerateError;
use std::{error, fmt};

/// The text in quotes, or its first 40 characters and its length.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}… ({} bytes)", &text[..end], text.len()),
    }
}

/// The line and the column behind `before`, counted from 1, the column in characters.
pub(crate) fn line_and_column(before: &str) -> (usize, usize) {
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// The error of a text that is not JSON, or that exceeds a limit of [`canonical_json`](crate::canonical_json).
///
/// The message states what was expected, what was found, and where.
///
/// ```
/// use evently_ledger::{JsonErrorKind, canonical_json};
///
/// let error = canonical_json("{\n  \"a\": 01\n}").unwrap_err();
/// assert_eq!((error.kind(), error.line(), error.column()), (JsonErrorKind::Syntax, 2, 9));
/// assert_eq!(error.to_string(), "line 2, column 9: expected ',' or '}', found '1'");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct JsonError(Box<JsonCause>);

/// In a box, because it is rare and large, and each token returns a result that can hold it.
#[derive(Clone, PartialEq, Eq)]
struct JsonCause {
    kind: JsonErrorKind,
    expected: String,
    found: String,
    line: usize,
    column: usize,
}

/// What is wrong with a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// Another character was expected, or the text ends too early or too late.
    Syntax,
    /// A string has an unknown escape, a `\u` without four hex digits, or half a surrogate pair.
    Escape,
    /// A string has a character below U+0020 that is not escaped.
    Control,
    /// The bytes are not UTF-8.
    Utf8,
    /// More than 512 arrays and objects are nested.
    Depth,
    /// An exponent expands to more than 131 072 digits before the point or 16 383 after it, or the exponents of the text
    /// add more digits in total than [`canonical_json`](crate::canonical_json) allows.
    Exponent,
    /// A member of an event has a value of another type, or its string is not an event ID or a time.
    Type,
    /// A line of a ledger is longer than [`LONGEST_LINE`](crate::LONGEST_LINE), or an event would make such a line. The error
    /// does not have a line or a column.
    Length,
}

impl JsonErrorKind {
    /// The kind in one lower-case word: `syntax`, `escape`, `control`, `utf8`, `depth`, `exponent`, `type` or `length`. The
    /// program `sortid --json` prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Escape => "escape",
            Self::Control => "control",
            Self::Utf8 => "utf8",
            Self::Depth => "depth",
            Self::Exponent => "exponent",
            Self::Type => "type",
            Self::Length => "length",
        }
    }
}

impl JsonError {
    /// `before` is the text up to the error. Line and column are counted here, so that reading does not count them.
    #[cold]
    pub(crate) fn new(kind: JsonErrorKind, expected: String, found: String, before: &str) -> Self {
        let (line, column) = line_and_column(before);
        Self(Box::new(JsonCause { kind, expected, found, line, column }))
    }

    /// The error of a line that is too long.
    #[cold]
    pub(crate) fn too_long(found: &str) -> Self {
        let expected = format!("a line of at most {LONGEST_LINE} bytes");
        Self::new(JsonErrorKind::Length, expected, found.to_owned(), "")
    }

    /// The place in a line: ` at column 3`.
    fn place(&self) -> String {
        match self.0.kind {
            JsonErrorKind::Length => String::new(),
            _ => format!(" at column {}", self.0.column),
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> JsonErrorKind {
        self.0.kind
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The column, counted from 1, in characters (code points).
    #[must_use]
    pub fn column(&self) -> usize {
        self.0.column
    }

    /// The message with the column but without the line, for a text that is one line of a file.
    ///
    /// ```
    /// let error = evently_ledger::canonical_json("[1,]").unwrap_err();
    /// assert_eq!(error.in_line(), "expected a value at column 4, found ']'");
    /// ```
    #[must_use]
    pub fn in_line(&self) -> String {
        let JsonCause { expected, found, .. } = &*self.0;
        format!("expected {expected}{}, found {found}", self.place())
    }

    /// What was expected, with the column, and what was found, for a text that is one line of a file.
    pub(crate) fn into_expected_and_found(self) -> (String, String) {
        (format!("{}{}", self.0.expected, self.place()), self.0.found)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JsonCause { kind, expected, found, line, column } = &*self.0;
        if *kind != JsonErrorKind::Length {
            write!(f, "line {line}, column {column}: ")?;
        }
        write!(f, "expected {expected}, found {found}")
    }
}

impl fmt::Debug for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JsonError({:?}: {self})", self.kind())
    }
}

impl error::Error for JsonError {}

/// The error of an event that cannot be read, or cannot be appended to a ledger.
///
/// ```
/// use evently_ledger::{Event, EventErrorKind, Ledger, Profile};
///
/// let error = Ledger::new(Profile::Classic).batch().append(&mut Event::new("opened")).unwrap_err();
/// assert_eq!(error.kind(), EventErrorKind::MissingMember);
/// assert_eq!(error.member(), Some("entity"));
/// assert_eq!(error.to_string(), "expected the member \"entity\" of the profile classic, found none");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct EventError(EventCause);

/// What is wrong with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventErrorKind {
    /// The text is not an event. [`EventError::json`] has the details.
    Json,
    /// The event does not have a member that the profile requires. [`EventError::member`] names it.
    MissingMember,
    /// The event has a member that the ledger sets: `eventId` or `timestamp`. [`EventError::member`] names it.
    UnwantedMember,
    /// The event, or an object in it, has two members of one name. The message names it. Some readers of JSON take the
    /// first and some the last, but the checksum covers the last alone.
    DuplicateMember,
    /// The ledger cannot make an ID. The clock has no time, or its time is after the year 9999; or a parent of this process
    /// resumed the ledger or appended the last event, before a fork. Then the [source](std::error::Error::source) is a
    /// [`GenerateError`]. Or the last event has the last time of the year 9999, or a later one.
    Clock,
}

impl EventErrorKind {
    /// The kind in lower case: `json`, `missing_member`, `unwanted_member`, `duplicate_member` or `clock`. The
    /// program `sortid --json` prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::MissingMember => "missing_member",
            Self::UnwantedMember => "unwanted_member",
            Self::DuplicateMember => "duplicate_member",
            Self::Clock => "clock",
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
enum EventCause {
    Json(JsonError),
    Missing(&'static str),
    Unwanted(&'static str),
    /// The name, in quotes and shortened, and the column of the second member.
    Duplicate(Box<(String, usize)>),
    Clock(GenerateError),
    /// The last event, which has the last time.
    Ended(EventId),
}

impl EventError {
    #[cold]
    pub(crate) const fn ended(last: EventId) -> Self {
        Self(EventCause::Ended(last))
    }

    #[cold]
    pub(crate) const fn unwanted(member: &'static str) -> Self {
        Self(EventCause::Unwanted(member))
    }

    #[cold]
    pub(crate) fn duplicate(name: &str, column: usize) -> Self {
        Self(EventCause::Duplicate(Box::new((shortened(name), column))))
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> EventErrorKind {
        match self.0 {
            EventCause::Json(_) => EventErrorKind::Json,
            EventCause::Missing(_) => EventErrorKind::MissingMember,
            EventCause::Unwanted(_) => EventErrorKind::UnwantedMember,
            EventCause::Duplicate(_) => EventErrorKind::DuplicateMember,
            EventCause::Clock(_) | EventCause::Ended(_) => EventErrorKind::Clock,
        }
    }

    /// The error of the text; `None` if the kind is not [`Json`](EventErrorKind::Json).
    #[must_use]
    pub const fn json(&self) -> Option<&JsonError> {
        match &self.0 {
            EventCause::Json(error) => Some(error),
            _ => None,
        }
    }

    /// The name of the member; `None` if the kind is neither [`MissingMember`](EventErrorKind::MissingMember) nor
    /// [`UnwantedMember`](EventErrorKind::UnwantedMember).
    #[must_use]
    pub const fn member(&self) -> Option<&'static str> {
        match self.0 {
            EventCause::Missing(member) | EventCause::Unwanted(member) => Some(member),
            _ => None,
        }
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            EventCause::Json(error) => error.fmt(f),
            EventCause::Missing(member) => write!(f, "expected {}, found none", MissingMember(member)),
            EventCause::Unwanted(member) => {
                write!(f, "expected an event without {member:?}, which the ledger sets: leave it out")
            }
            EventCause::Duplicate(duplicate) => {
                let (name, column) = &**duplicate;
                write!(
                    f,
                    "expected each member once, found {name} again at column {column}: leave one of them out"
                )
            }
            EventCause::Clock(error) => error.fmt(f),
            EventCause::Ended(last) => write!(
                f,
                "expected a last event before the end of the year 9999, found {last}: no event can follow it"
            ),
        }
    }
}

impl fmt::Debug for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventError({:?}: {self})", self.kind())
    }
}

impl error::Error for EventError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.0 {
            EventCause::Json(error) => Some(error),
            EventCause::Clock(error) => Some(error),
            EventCause::Missing(_)
            | EventCause::Unwanted(_)
            | EventCause::Duplicate(_)
            | EventCause::Ended(_) => None,
        }
    }
}

impl From<JsonError> for EventError {
    fn from(error: JsonError) -> Self {
        Self(EventCause::Json(error))
    }
}

impl From<MissingMember> for EventError {
    fn from(MissingMember(member): MissingMember) -> Self {
        Self(EventCause::Missing(member))
    }
}

impl From<GenerateError> for EventError {
    fn from(error: GenerateError) -> Self {
        Self(EventCause::Clock(error))
    }
}
