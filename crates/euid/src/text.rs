use crate::Euid;
use sortid_core::{__private::error, CROCKFORD_ALIASED, ParseError, Text};

/// The number of bits of the check, and the value of a text without a check.
const CHECK_BITS: u32 = 7;
const NO_CHECK: u8 = 127;

/// The number of digits in a group. Three groups of 45 bits are the 128 bits of an ID and the check.
const GROUP: usize = 9;
const GROUP_BITS: u32 = 45;
const _: () = assert!(3 * GROUP_BITS == u128::BITS + CHECK_BITS && GROUP_BITS as usize == 5 * GROUP);
const _: () = assert!(3 * GROUP == Euid::TEXT_LEN);

/// The text form (specification, "Encoding, Decoding and Check-Mod Symbols for Error Detection").
impl Euid {
    /// The number of characters of the text: 27 digits of Crockford's base 32.
    pub const TEXT_LEN: usize = 27;

    /// Returns the text with its check: 27 digits of Crockford's base 32, in upper case.
    #[inline]
    #[must_use]
    #[doc(alias("to_string", "to_base62"))]
    pub const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        encode(self.to_u128(), self.check())
    }

    /// Returns the text without a check: the value of its check is 127, which means no check. It parses to the same ID, but
    /// mistakes before its 26th digit go unnoticed.
    #[inline]
    #[must_use]
    pub const fn encode_without_check(&self) -> Text<{ Self::TEXT_LEN }> {
        encode(self.to_u128(), NO_CHECK)
    }

    /// Parses the text, with or without a check. Case is ignored. `I` and `L` are read as 1, `O` as 0.
    ///
    /// ```
    /// use euid::Euid;
    ///
    /// let id = Euid::parse("C8EE934SR007G5Q94QKKXFRFV8B")?;
    /// assert_eq!(Euid::parse("c8ee934sroo7g5q94qkkxfrfv8b"), Ok(id));
    /// assert_eq!(Euid::parse(&id.encode_without_check()), Ok(id));
    /// let error = Euid::parse("C8X2HA87098A0W837DX13FEAWVV").unwrap_err();
    /// assert_eq!(error.to_string(), "the check is 123, expected 56");
    /// # Ok::<(), euid::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Length` unless the text has 27 bytes; `Character` if a character is not a digit; `Check` if the text has a check
    /// that does not match the ID. Positions count bytes from 0.
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
        match Self::parse_parts(text) {
            Ok((id, _)) => Ok(id),
            Err(error) => Err(error),
        }
    }

    /// Parses a text that must have a check: for texts that people type.
    ///
    /// ```
    /// use euid::Euid;
    ///
    /// let id = Euid::parse_with_check("C8EE934SR007G5Q94QKKXFRFV8B")?;
    /// let error = Euid::parse_with_check(&id.encode_without_check()).unwrap_err();
    /// assert_eq!(error.to_string(), "the text has no check, expected 11");
    /// # Ok::<(), euid::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse), and `Check` if the text has no check.
    #[inline]
    pub const fn parse_with_check(text: &str) -> Result<Self, ParseError> {
        match Self::parse_parts(text.as_bytes()) {
            Ok((id, Some(_))) => Ok(id),
            Ok((id, None)) => Err(error::no_check(id.check())),
            Err(error) => Err(error),
        }
    }

    /// Parses the ID and the check, if the text has one.
    #[inline]
    const fn parse_parts(text: &[u8]) -> Result<(Self, Option<u8>), ParseError> {
        if text.len() != Self::TEXT_LEN {
            return Err(error::text_length("27 characters", text));
        }
        let (Some(first), Some(second), Some(third)) = (
            CROCKFORD_ALIASED.get(text, 0, GROUP),
            CROCKFORD_ALIASED.get(text, GROUP, GROUP),
            CROCKFORD_ALIASED.get(text, 2 * GROUP, GROUP),
        ) else {
            return Err(CROCKFORD_ALIASED.bad_digit(text));
        };
        let rest_bits = GROUP_BITS - CHECK_BITS;
        let id = Self::from_u128(
            (first as u128) << (GROUP_BITS + rest_bits)
                | (second as u128) << rest_bits
                | (third >> CHECK_BITS) as u128,
        );
        let check = third as u8 & NO_CHECK;
        if check == NO_CHECK {
            Ok((id, None))
        } else if check == id.check() {
            Ok((id, Some(check)))
        } else {
            Err(error::check_digits(check, id.check()))
        }
    }
}

#[inline]
const fn encode(id: u128, check: u8) -> Text<{ Euid::TEXT_LEN }> {
    let rest_bits = GROUP_BITS - CHECK_BITS;
    let mut text = Text::EMPTY;
    text.push_digits(&CROCKFORD_ALIASED, (id >> (GROUP_BITS + rest_bits)) as u64, GROUP);
    text.push_digits(&CROCKFORD_ALIASED, (id >> rest_bits) as u64, GROUP);
    text.push_digits(&CROCKFORD_ALIASED, (id as u64) << CHECK_BITS | check as u64, GROUP);
    text
}

/// Creates a [`Euid`] from a literal, checked at compile time.
///
/// ```
/// use euid::{Euid, euid};
///
/// const ID: Euid = euid!("C8EE934SR007G5Q94QKKXFRFV8B");
/// ```
///
/// ```compile_fail
/// euid::euid!("C8X2HA87098A0W837DX13FEAWVV"); // the check is wrong
/// ```
#[macro_export]
macro_rules! euid {
    ($text:expr) => {
        const {
            match $crate::Euid::parse($text) {
                Ok(id) => id,
                Err(error) => panic!("{}", error.kind().description()),
            }
        }
    };
}
