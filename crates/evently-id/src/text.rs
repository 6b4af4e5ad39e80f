use crate::{EventId, LedgerId};
use sortid_core::{__private::error, HEX, ParseError, Text};

/// The number of digits of half an ID.
const HALF: usize = 16;
const _: () = assert!(2 * HALF == EventId::TEXT_LEN);

/// The text form: the bytes in hex.
impl EventId {
    /// The number of characters of the text: 32 hex digits.
    pub const TEXT_LEN: usize = 32;

    /// Returns the text: 32 hex digits, in lower case.
    #[inline]
    #[must_use]
    #[doc(alias("to_string", "to_base62"))]
    pub const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        let mut text = Text::EMPTY;
        text.push_digits(&HEX, (self.to_u128() >> 64) as u64, HALF);
        text.push_digits(&HEX, self.to_u128() as u64, HALF);
        text
    }

    /// Parses the text. Case is ignored.
    ///
    /// ```
    /// use evently_id::EventId;
    ///
    /// let id = EventId::parse("0005cd755a43d79238c05790c0331dd8")?;
    /// assert_eq!(EventId::parse("0005CD755A43D79238C05790C0331DD8"), Ok(id));
    /// let error = EventId::parse("0005cd755a43d79238c05790c0331ddX").unwrap_err();
    /// assert_eq!(error.to_string(), "'X' at position 31 is not a hex digit");
    /// # Ok::<(), evently_id::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Length` unless the text has 32 bytes; `Character` if a character is not a digit. Positions count bytes from 0.
    #[inline]
    #[doc(alias("parse_str", "from_string", "from_str", "from_base62"))]
    pub const fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(text.as_bytes())
    }

    /// Parses a text that may not be UTF-8.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse).
    #[inline]
    #[doc(alias = "try_parse_ascii")]
    pub const fn parse_ascii(text: &[u8]) -> Result<Self, ParseError> {
        let Some((digits, [])) = text.split_first_chunk::<{ Self::TEXT_LEN }>() else {
            return Err(error::text_length("32 characters", text));
        };
        match HEX.bytes(digits) {
            Some(bytes) => Ok(Self::from_bytes(bytes)),
            None => Err(HEX.bad_digit(text)),
        }
    }
}

/// The text form: the bytes in hex.
impl LedgerId {
    /// The number of characters of the text: 8 hex digits.
    pub const TEXT_LEN: usize = 8;

    /// Returns the text: 8 hex digits, in lower case.
    #[inline]
    #[must_use]
    pub const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        let mut text = Text::EMPTY;
        text.push_digits(&HEX, self.to_int() as u64, Self::TEXT_LEN);
        text
    }

    /// Parses the text. Case is ignored.
    ///
    /// # Errors
    ///
    /// `Length` unless the text has 8 bytes; `Character` if a character is not a digit. Positions count bytes from 0.
    #[inline]
    pub const fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(text.as_bytes())
    }

    /// Parses a text that may not be UTF-8.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse).
    #[inline]
    pub const fn parse_ascii(text: &[u8]) -> Result<Self, ParseError> {
        let Some((digits, [])) = text.split_first_chunk::<{ Self::TEXT_LEN }>() else {
            return Err(error::text_length("8 characters", text));
        };
        match HEX.bytes(digits) {
            Some(bytes) => Ok(Self::from_bytes(bytes)),
            None => Err(HEX.bad_digit(text)),
        }
    }
}

/// Creates an [`EventId`] from a literal, checked at compile time.
///
/// ```
/// use evently_id::{EventId, event_id};
///
/// const ID: EventId = event_id!("0005cd755a43d79238c05790c0331dd8");
/// ```
///
/// ```compile_fail
/// evently_id::event_id!("0005cd755a43d79238c05790c0331ddX"); // X is not a digit
/// ```
#[macro_export]
macro_rules! event_id {
    ($text:expr) => {
        const {
            match $crate::EventId::parse($text) {
                Ok(id) => id,
                Err(error) => panic!("{}", error.kind().description()),
            }
        }
    };
}
