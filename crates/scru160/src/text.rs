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
    #[inline(always)]
    #[doc(alias("parse_str", "from_string", "from_str", "from_base62"))]
    pub const fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(text.as_bytes())
    }

    /// Parses a text that may not be UTF-8.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse).
    #[inline(always)]
    #[doc(alias = "try_parse_ascii")]
    pub const fn parse_ascii(text: &[u8]) -> Result<Self, ParseError> {
        if let Some((digits, [])) = text.split_first_chunk() {
            if let Some(id) = Self::decode(digits) {
                return Ok(id);
            }
        }
        // The result of the other function stays apart from the one above, which can then stay in registers. In memory, it
        // costs 4 ns: a processor waits if it reads sixteen bytes that were just written as two halves of eight.
        let mut result = Ok(Self::MIN);
        Self::parse_rest(text, &mut result);
        result
    }

    /// Reads the digits of the text, if all characters are digits.
    ///
    /// Without regard to case, the digits are two ranges of ASCII, and compilers compare many bytes with these ranges at
    /// once. This is faster than [`Alphabet::get`](sortid_core::Alphabet::get).
    #[inline(always)]
    const fn decode(text: &[u8; Self::TEXT_LEN]) -> Option<Self> {
        let mut values = [0; Self::TEXT_LEN];
        let mut are_digits = true;
        let mut i = 0;
        while i < text.len() {
            let (decimal, letter) = (text[i].wrapping_sub(b'0'), (text[i] | 0x20).wrapping_sub(b'a'));
            let (is_decimal, is_letter) = (decimal < 10, letter < 22);
            values[i] = if is_decimal { decimal } else { letter.wrapping_add(10) };
            are_digits &= is_decimal | is_letter;
            i += 1;
        }
        if !are_digits {
            return None;
        }
        let [first, second, third, last] = [
            join_eight(&values, 0),
            join_eight(&values, 8),
            join_eight(&values, 16),
            join_eight(&values, 24),
        ];
        let high = (first as u128) << 88 | (second as u128) << 48 | (third << 8 | last >> 32) as u128;
        Some(Self::join(high, last as u32))
    }

    /// Parses the alternative text, and finds what is wrong with a text that is neither.
    #[inline(never)]
    const fn parse_rest(text: &[u8], result: &mut Result<Self, ParseError>) {
        *result = match text.split_first_chunk::<{ Self::HEX_LEN }>() {
            Some((digits, [])) => match HEX.bytes(digits) {
                Some(bytes) => Ok(Self::from_bytes(bytes)),
                None => Err(HEX.bad_digit(text)),
            },
            _ if text.len() == Self::TEXT_LEN => Err(BASE32HEX.bad_digit(text)),
            _ => Err(error::text_length("32 characters of base32hex or 40 of hex", text)),
        };
    }
}

/// Returns the 40 bits of the eight 5-bit values from `values[at]` on.
#[inline(always)]
const fn join_eight(values: &[u8; Scru160::TEXT_LEN], at: usize) -> u64 {
    // The first value is in the lowest byte. Each step joins neighbours: to 10, 20 and 40 bits.
    let eight = values.split_at(at).1.first_chunk().expect("eight values are left");
    let bits = u64::from_le_bytes(*eight);
    let bits = (bits & 0x001f_001f_001f_001f) << 5 | bits >> 8 & 0x001f_001f_001f_001f;
    let bits = (bits & 0x0000_03ff_0000_03ff) << 10 | bits >> 16 & 0x0000_03ff_0000_03ff;
    (bits & 0x000f_ffff) << 20 | bits >> 32
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
