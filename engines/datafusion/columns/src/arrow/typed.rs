//! Texts with a prefix.

use super::{ArrowId, ErrorKind, Found, Result, read};
use crate::uuid;
use arrow_array::ArrayRef;
use sortid::{
    __private::error::{self, Start},
    ParseError, ParseErrorKind,
};

/// A typed ID, whose texts have a prefix, such as `order_1HZP2F3TARAH1VEXW8BDJPEKP44`.
///
/// Its functions read and write such texts, and do with other arrays what the functions of the module do. The text of a
/// UUID is not accepted.
///
/// ```
/// use arrow_array::{ArrayRef, StringArray};
/// use sortid::euid::Euid;
/// use sortid_columns::arrow::{self, Typed};
/// use std::sync::Arc;
///
/// let order = Typed::new("order_", "an OrderId");
/// let texts: ArrayRef = Arc::new(StringArray::from(vec!["order_1HZP2F3TARAH1VEXW8BDJPEKP44"]));
/// let ids = order.parse::<Euid>(&texts)?;
/// assert_eq!(&order.texts::<Euid>(&ids)?, &texts);
///
/// let error = Typed::new("user_", "a UserId").parse::<Euid>(&texts).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "row 0: \"order_1HZP2F3TARAH1VEXW8BDJPEKP44\" is not the text of a UserId: \
///      the text starts with \"order_1HZP2F3TARAH1VEXW8…\", expected the prefix \"user_\""
/// );
/// # Ok::<(), arrow::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Typed<'a> {
    start: &'a str,
    one: &'a str,
}

impl<'a> Typed<'a> {
    /// `start` is the prefix and its `_`. `one` is the name of an ID with its article, for errors.
    #[must_use]
    pub fn new(start: &'a str, one: &'a str) -> Self {
        Self { start, one }
    }

    /// Returns the text of each ID, with the prefix.
    ///
    /// # Errors
    ///
    /// Those of [`texts`](super::texts()), with `TypedText` in place of `Text`.
    pub fn texts<I: ArrowId>(self, array: &ArrayRef) -> Result<ArrayRef> {
        read::texts_of::<I>(array, Some(self))
    }

    /// Returns the ID of each text.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](super::parse()), with `TypedText` in place of `Text`.
    pub fn parse<I: ArrowId>(self, array: &ArrayRef) -> Result<ArrayRef> {
        read::parse_of::<I>(array, Some(self))
    }

    /// Returns the ID of each text, and NULL for a value that is not an ID.
    ///
    /// # Errors
    ///
    /// `Type`.
    pub fn try_parse<I: ArrowId>(self, array: &ArrayRef) -> Result<ArrayRef> {
        read::try_parse_of::<I>(array, Some(self))
    }

    /// Returns whether [`parse`](Self::parse) accepts each value.
    ///
    /// # Errors
    ///
    /// `Type`.
    pub fn is_valid<I: ArrowId>(self, array: &ArrayRef) -> Result<ArrayRef> {
        read::is_valid_of::<I>(array, Some(self))
    }

    /// The prefix and its `_`.
    pub(super) fn start(self) -> &'a str {
        self.start
    }

    /// Returns why a text is refused.
    #[cold]
    pub(super) fn check<I: ArrowId>(self, text: &str) -> Result<()> {
        let start = self.start;
        let (kind, position, message) = match text.strip_prefix(start).map(|text| I::parse(text)) {
            Some(Ok(_)) => return Ok(()),
            Some(Err(error)) => after(&error::moved(error, start.len()), start),
            None => {
                let verb = if text.is_empty() { "is" } else { "starts with" };
                let found = Start::of(text.as_bytes());
                let message = format!("the text {verb} {found}, expected the prefix {start:?}");
                (ParseErrorKind::Prefix, None, message)
            }
        };
        let (one, found) = (self.one.to_owned(), Found::text(text));
        Err(ErrorKind::TypedText { one, found, kind, position, message }.into())
    }
}

/// The parts of an error of what follows a prefix. Its own message does not know the prefix.
fn after(error: &ParseError, start: &str) -> (ParseErrorKind, Option<usize>, String) {
    let mut message = error.to_string();
    if error.kind() == ParseErrorKind::Length {
        message = message.replacen(", found", &format!(" after {start:?}, found"), 1);
    }
    (error.kind(), error.position(), message)
}

/// Returns what follows the prefix and its `_`: the text of the ID. It is empty, and so not that of an ID, if the text
/// does not start with them, or if a UUID follows.
#[inline(always)]
pub(super) fn strip<'a>(text: &'a str, start: &str) -> &'a str {
    if start.is_empty() {
        return text;
    }
    let rest = text.strip_prefix(start).filter(|rest| uuid::of(rest.as_bytes()).is_none());
    rest.unwrap_or_default()
}
