use sortid::{
    __private::error::{self, Start},
    ParseError, ParseErrorKind,
};

/// Why a text is not the form of an ID.
#[derive(Debug)]
pub struct FormError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// What was expected, what was found, and where.
    pub message: String,
    /// The position of the wrong character, in bytes.
    pub position: Option<usize>,
}

impl From<&ParseError> for FormError {
    fn from(error: &ParseError) -> Self {
        Self { kind: error.kind(), message: error.to_string(), position: error.position() }
    }
}

impl From<ParseError> for FormError {
    fn from(error: ParseError) -> Self {
        (&error).into()
    }
}

/// The library's messages, so that a form says what is wrong in the same words as a text.
impl FormError {
    /// The error of a whole text, for the error of what follows a prefix.
    pub(crate) fn after_prefix(error: ParseError, start: &str) -> Self {
        let mut error = Self::from(error::moved(error, start.len()));
        if error.kind == ParseErrorKind::Length {
            error.message = error.message.replacen(", found", &format!(" after {start:?}, found"), 1);
        }
        error
    }

    /// The text does not begin with the prefix and its `_`.
    pub(crate) fn prefix(text: &[u8], start: &str) -> Self {
        let verb = if text.is_empty() { "is" } else { "starts with" };
        let message = format!("the text {verb} {}, expected the prefix {start:?}", Start::of(text));
        Self { kind: ParseErrorKind::Prefix, message, position: None }
    }

    /// `expected` has its unit: "36 characters".
    pub(super) fn length(expected: &'static str, text: &[u8]) -> Self {
        error::text_length(expected, text).into()
    }

    /// The text has no digits.
    pub(super) fn empty() -> Self {
        error::length("at least 1 digit", 0).into()
    }

    /// The character that begins at `text[at]` is not a digit of `alphabet`.
    pub(super) fn character(text: &[u8], at: usize, alphabet: &'static str) -> Self {
        error::character(text, at, alphabet).into()
    }

    /// There is another character at `text[at]` than `expected` says.
    pub(super) fn sign(text: &[u8], at: usize, expected: &'static str) -> Self {
        error::sign(text[at], at, expected).into()
    }

    /// An integer begins with 0, and its specification was not given.
    pub(crate) fn leading_zero() -> Self {
        let message = "'0' at position 0, expected a digit from 1 to 9 unless the specification is given";
        Self { kind: ParseErrorKind::Character, message: message.to_owned(), position: Some(0) }
    }

    pub(super) fn overflow(message: String) -> Self {
        Self { kind: ParseErrorKind::Overflow, message, position: None }
    }
}
