use crate::Scru160;
use sortid_core::{__private::error, BASE32HEX, HEX, ParseError, Text};

/// The text forms (specification, "Encodings").
impl Scru160 {
    /// The number of characters of the text: 32 digits of base32hex.
    pub const TEXT_LEN: usize = 32;

    /// The number of characters of the alternative text: 40 digits of hex.
    pub const HEX_LEN: usize = 40;

    /// Returns the text: 32 base32hex digits, in upper case.
    #[inline]
    #[must_use]
    #[doc(alias("to_string", "to_base62"))]
    pub const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        let (high, low) = self.split();
        let mut text = Text::EMPTY;
        text.push_digits(&BASE32HEX, (high >> 88) as u64, 8);
        text.push_digits(&BASE32HEX, (high >> 48) as u64, 8);
        text.push_digits(&BASE32HEX, (high >> 8) as u64, 8);
        text.push_digits(&BASE32HEX, (high as u64) << 32 | low as u64, 8);
        text
    }

    /// Returns the alternative text: 40 hex digits, in lower case. Do not sort texts of both forms together.
    #[inline]
    #[must_use]
    #[doc(alias = "simple")]
    pub const fn encode_hex(&self) -> Text<{ Self::HEX_LEN }> {
        let (high, low) = self.split();
        let mut text = Text::EMPTY;
        text.push_digits(&HEX, (high >> 64) as u64, 16);
        text.push_digits(&HEX, high as u64, 16);
        text.push_digits(&HEX, low as u64, 8);
        text
    }

    /// Parses the text. The length tells which of the two forms it has. Case is ignored. No other text is accepted.
    ///
    /// ```
    /// use scru160::Scru160;
    ///
    /// let id = Scru160::parse("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6")?;
    /// assert_eq!(Scru160::parse("017BDF6431BB33750751eb63beb3c3f8c5969d86"), Ok(id));
    /// let error = Scru160::parse("05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW").unwrap_err();
    /// assert_eq!(error.to_string(), "'W' at position 31 is not a base32hex digit");
    /// # Ok::<(), scru160::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Length` unless the text has 32 or 40 bytes; `Character` if a character is not a digit. Positions count bytes from 0.
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
        if text.len() != Self::TEXT_LEN {
            return Self::parse_hex(text);
        }
        let (Some(first), Some(second), Some(third), Some(last)) = (
            BASE32HEX.get(text, 0, 8),
            BASE32HEX.get(text, 8, 8),
            BASE32HEX.get(text, 16, 8),
            BASE32HEX.get(text, 24, 8),
        ) else {
            return Err(BASE32HEX.bad_digit(text));
        };
        let high = (first as u128) << 88 | (second as u128) << 48 | (third << 8 | last >> 32) as u128;
        Ok(Self::join(high, last as u32))
    }

    const fn parse_hex(text: &[u8]) -> Result<Self, ParseError> {
        let Some((digits, [])) = text.split_first_chunk::<{ Self::HEX_LEN }>() else {
            return Err(error::text_length("32 characters of base32hex or 40 of hex", text));
        };
        match HEX.bytes(digits) {
            Some(bytes) => Ok(Self::from_bytes(bytes)),
            None => Err(HEX.bad_digit(text)),
        }
    }
}

/// Creates a [`Scru160`] from a literal, checked at compile time.
///
/// ```
/// use scru160::{Scru160, scru160};
///
/// const ID: Scru160 = scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6");
/// ```
///
/// ```compile_fail
/// scru160::scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW"); // W is not a base32hex digit
/// ```
#[macro_export]
macro_rules! scru160 {
    ($text:expr) => {
        const {
            match $crate::Scru160::parse($text) {
                Ok(id) => id,
                Err(error) => panic!("{}", error.kind().description()),
            }
        }
    };
}
