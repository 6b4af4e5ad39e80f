use crate::Scru160;
use sortid_core::{Alphabet, BASE32HEX, HEX, ParseError, Text};

/// Text forms (specification, "Encodings").
impl Scru160 {
    /// Characters of the text: 32 digits of base32hex.
    pub const TEXT_LEN: usize = 32;

    /// Characters of the alternative text: 40 digits of hex.
    pub const HEX_LEN: usize = 40;

    /// The text: 32 digits of base32hex, upper case.
    #[inline]
    #[must_use]
    pub const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        Text::new(digits::<5, 5, 32>(self.as_bytes(), &BASE32HEX))
    }

    /// The alternative text: 40 digits of hex, lower case. Do not sort it together with the other form.
    #[inline]
    #[must_use]
    pub const fn encode_hex(&self) -> Text<{ Self::HEX_LEN }> {
        Text::new(digits::<4, 4, 40>(self.as_bytes(), &HEX))
    }

    /// Reads either text form, told apart by its length. Case is ignored, and nothing else accepted.
    ///
    /// ```
    /// use scru160::Scru160;
    ///
    /// let id = Scru160::parse("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6")?;
    /// assert_eq!(Scru160::parse("017BDF6431BB33750751eb63beb3c3f8c5969d86"), Ok(id));
    /// let error = Scru160::parse("05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW").unwrap_err();
    /// assert_eq!(error.to_string(), "'W' at position 31 is no base32hex digit");
    /// # Ok::<(), scru160::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Length` unless the text has 32 or 40 bytes; `Character` where one is no digit. Positions count bytes
    /// from 0.
    #[inline]
    pub const fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(text.as_bytes())
    }

    /// [`parse`](Self::parse) for a text that is not known to be UTF-8.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    #[inline]
    pub const fn parse_ascii(text: &[u8]) -> Result<Self, ParseError> {
        match text.len() {
            Self::TEXT_LEN => value::<5, 5>(text, &BASE32HEX),
            Self::HEX_LEN => value::<4, 4>(text, &HEX),
            _ => Err(ParseError::text_length("32 characters of base32hex or 40 of hex", text)),
        }
    }
}

/// The digits of an ID, eight at a time: eight digits of `BITS` bits are `BITS` whole bytes.
#[inline]
const fn digits<const BITS: u32, const GROUP: usize, const LEN: usize>(
    bytes: &[u8; 20],
    alphabet: &Alphabet<BITS>,
) -> [u8; LEN] {
    let mut text = [0; LEN];
    let mut group = 0;
    while group < 20 / GROUP {
        let mut value = 0;
        let mut i = 0;
        while i < GROUP {
            value = value << 8 | bytes[GROUP * group + i] as u64;
            i += 1;
        }
        alphabet.put(value, &mut text, 8 * group, 8);
        group += 1;
    }
    text
}

#[inline]
const fn value<const BITS: u32, const GROUP: usize>(
    text: &[u8],
    alphabet: &Alphabet<BITS>,
) -> Result<Scru160, ParseError> {
    let mut bytes = [0; 20];
    let mut group = 0;
    while group < 20 / GROUP {
        let Some(value) = alphabet.get(text, 8 * group, 8) else {
            return Err(alphabet.bad_digit(text));
        };
        let value = value.to_be_bytes();
        let mut i = 0;
        while i < GROUP {
            bytes[GROUP * group + i] = value[8 - GROUP + i];
            i += 1;
        }
        group += 1;
    }
    Ok(Scru160::from_bytes(bytes))
}

/// A [`Scru160`] from a literal, checked at compile time.
///
/// ```
/// use scru160::{Scru160, scru160};
///
/// const ID: Scru160 = scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6");
/// ```
///
/// ```compile_fail
/// scru160::scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW"); // W is no base32hex digit
/// ```
#[macro_export]
macro_rules! scru160 {
    ($text:expr) => {
        const {
            match $crate::Scru160::parse($text) {
                Ok(id) => id,
                Err(error) => panic!("{}", error.const_message()),
            }
        }
    };
}
