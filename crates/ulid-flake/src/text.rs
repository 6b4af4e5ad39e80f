use crate::UlidFlake;
use sortid_core::{__private::error, CROCKFORD, ParseError, Text};

/// The text form (specification, "Canonical String Representation" and "Encoding").
impl UlidFlake {
    /// The number of characters of the text: 13 digits of Crockford's base 32.
    pub const TEXT_LEN: usize = 13;

    /// Returns the text: 13 digits of Crockford's base 32, in upper case.
    #[inline]
    #[must_use]
    #[doc(alias("to_string", "to_base62"))]
    pub const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        let mut text = Text::EMPTY;
        text.push_digits(&CROCKFORD, self.to_u63(), Self::TEXT_LEN);
        text
    }

    /// Parses the text. Case is ignored. `I`, `L`, `O` and `U` are not digits.
    ///
    /// ```
    /// use ulid_flake::UlidFlake;
    ///
    /// assert_eq!(UlidFlake::parse("00cmxb6tak4sa")?.to_int(), 14_246_757_444_195_114);
    /// let error = UlidFlake::parse("8000000000000").unwrap_err();
    /// assert_eq!(error.to_string(), "8000000000000 is above the greatest Ulid-Flake, 7ZZZZZZZZZZZZ");
    /// # Ok::<(), ulid_flake::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Length` unless the text has 13 bytes; `Character` if a character is not a digit; `Overflow` above
    /// `7ZZZZZZZZZZZZ`. Positions count bytes from 0.
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
        let Some(digits) = text.first_chunk::<{ Self::TEXT_LEN }>() else {
            return Err(error::text_length("13 characters", text));
        };
        if text.len() != Self::TEXT_LEN {
            return Err(error::text_length("13 characters", text));
        }
        // 13 digits have 65 bits, one more than a `u64`: the first digit is read apart from the others.
        match (CROCKFORD.get(digits, 0, 1), CROCKFORD.get(digits, 1, 12)) {
            (Some(first @ 0..=7), Some(rest)) => Ok(Self::from_u63(first << 60 | rest)),
            (Some(_), Some(_)) => Err(overflow(*digits)),
            _ => Err(CROCKFORD.bad_digit(digits)),
        }
    }
}

#[cold]
const fn overflow(found: [u8; UlidFlake::TEXT_LEN]) -> ParseError {
    error::out_of_range(error::above(
        error::Value::Text(Text::new(found)),
        "Ulid-Flake",
        error::Value::Text(UlidFlake::MAX.encode()),
    ))
}

/// Creates a [`UlidFlake`] from a literal, checked at compile time.
///
/// ```
/// use ulid_flake::{UlidFlake, ulid_flake};
///
/// const ID: UlidFlake = ulid_flake!("00CMXB6TAK4SA");
/// ```
///
/// ```compile_fail
/// ulid_flake::ulid_flake!("00CMXB6TAK4SU"); // U is not a digit
/// ```
#[macro_export]
macro_rules! ulid_flake {
    ($text:expr) => {
        const {
            match $crate::UlidFlake::parse($text) {
                Ok(id) => id,
                Err(error) => panic!("{}", error.kind().description()),
            }
        }
    };
}
