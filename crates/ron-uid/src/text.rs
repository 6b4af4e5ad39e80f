use crate::base64x64::no_digit;
use crate::{Base64x64, RonUid, Scheme};
use sortid_core::{__private::error, ParseError, Text};

/// The text form (specification, introduction and "Transcendent UID format").
impl RonUid {
    /// The number of characters of the longest text: ten digits, a sign, ten digits.
    pub const TEXT_LEN: usize = 2 * Base64x64::TEXT_LEN + 1;

    /// Returns the text: the value, the sign and the origin.
    ///
    /// An origin of 0 is left out, and so is a value of 0 before another origin. With the origin 0, the text of a name and
    /// of the events `0`, `~` and `~~~~~~~~~~` is the value alone, without the sign.
    ///
    /// ```
    /// use ron_uid::{Base64x64, RonUid, Scheme::{Event, Name}};
    ///
    /// let [zero, lww, x] = ["0", "lww", "X"].map(|text| Base64x64::parse(text).unwrap());
    /// assert_eq!(RonUid::from_fields(lww, x, Event).encode(), "lww-X");
    /// assert_eq!(RonUid::from_fields(lww, zero, Event).encode(), "lww-");
    /// assert_eq!(RonUid::from_fields(lww, zero, Name).encode(), "lww");
    /// assert_eq!(RonUid::from_fields(zero, x, Name).encode(), "$X");
    /// assert_eq!(RonUid::from_fields(zero, zero, Event).encode(), "0");
    /// assert_eq!(RonUid::from_fields(zero, zero, Name).encode(), "0$");
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias("to_string", "to_base62"))]
    pub const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        let (value, origin) = (self.value(), self.origin());
        let mut text = Text::EMPTY;
        let (has_value, has_origin) = (value.to_int() != 0, origin.to_int() != 0);
        if has_value || !has_origin {
            value.push_to(&mut text);
        }
        if !self.is_bare() {
            text.push(self.scheme().sign_byte());
            if has_origin {
                origin.push_to(&mut text);
            }
        }
        text
    }

    /// Whether the text is the value alone.
    #[inline]
    pub(crate) const fn is_bare(&self) -> bool {
        self.origin().to_int() == 0
            && matches!(
                (self.scheme(), bare_scheme(self.value())),
                (Scheme::Event, Scheme::Event) | (Scheme::Name, Scheme::Name)
            )
    }

    /// Parses the text that [`encode`](Self::encode) returns. Trailing zeros of a part do not matter, and a part that the
    /// text leaves out may be written as `0`. Digits without a sign are a name, or one of the events `0`, `~` and
    /// `~~~~~~~~~~`.
    ///
    /// The brackets of compressed texts are for [`unzip`](Self::unzip), which needs a context.
    ///
    /// ```
    /// use ron_uid::{RonUid, ron_uid};
    ///
    /// assert_eq!(RonUid::parse("1CQKn00000-my")?, ron_uid!("1CQKn-my"));
    /// assert_eq!(RonUid::parse("-my")?, ron_uid!("0-my"));
    /// assert_eq!(RonUid::parse("inc")?, ron_uid!("inc$0"));
    /// assert_eq!(RonUid::parse("00")?, ron_uid!("0-0"));
    /// let error = RonUid::parse("1CQKn-my-X").unwrap_err();
    /// assert_eq!(error.to_string(), "'-' at position 8, expected at most one sign");
    /// let error = RonUid::parse("inc$").unwrap_err();
    /// assert_eq!(error.to_string(), "'$' at position 3, expected an origin after the sign, or no sign");
    /// # Ok::<(), ron_uid::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Length` if the text is empty or a part has more than ten digits; `Character` if a character is not a digit or a
    /// sign; `Sign` if there is a second sign, or a part is left out beside a sign that `encode` does not print there.
    /// Positions count bytes from 0.
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
        // Most texts are digits, a sign and digits. They are read fast here, all others below.
        let sign = end_of_digits(text, 0);
        if sign > 0
            && sign <= Base64x64::TEXT_LEN
            && sign + 1 < text.len()
            && text.len() - sign <= Base64x64::TEXT_LEN + 1
        {
            if let (Some(scheme), Some(value), Some(origin)) = (
                Scheme::from_sign_byte(text[sign]),
                Base64x64::from_digits(text, 0, sign),
                Base64x64::from_digits(text, sign + 1, text.len()),
            ) {
                return Ok(Self::from_fields(value, origin, scheme));
            }
        }
        Self::parse_slowly(text)
    }

    /// Parses any text.
    const fn parse_slowly(text: &[u8]) -> Result<Self, ParseError> {
        if text.is_empty() {
            return Err(error::length("at least 1 character", 0));
        }
        let (value, sign) = match Base64x64::read(text, 0, Base64x64::ZERO, 0) {
            Ok(part) => part,
            Err(error) => return Err(error),
        };
        if sign == text.len() {
            return Ok(Self::from_fields(value, Base64x64::ZERO, bare_scheme(value)));
        }
        let Some(scheme) = Scheme::from_sign_byte(text[sign]) else { return Err(no_digit(text, sign)) };
        let (origin, end) = match Base64x64::read(text, sign + 1, Base64x64::ZERO, 0) {
            Ok(part) => part,
            Err(error) => return Err(error),
        };
        if end < text.len() {
            return Err(out_of_place(text, end));
        }
        let uid = Self::from_fields(value, origin, scheme);
        if sign == 0 && origin.to_int() == 0 {
            return Err(error::sign(text[sign], sign, "a value before the sign"));
        }
        if end == sign + 1 && uid.is_bare() {
            return Err(error::sign(text[sign], sign, "an origin after the sign, or no sign"));
        }
        Ok(uid)
    }
}

/// The place of the first character from `text[at]` on that is below all digits in ASCII, as the signs are.
#[inline]
const fn end_of_digits(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] >= b'0' {
        at += 1;
    }
    at
}

/// The scheme of digits without a sign.
#[inline]
pub(crate) const fn bare_scheme(value: Base64x64) -> Scheme {
    const NEVER: u64 = Base64x64::NEVER.to_int();
    const ERROR: u64 = Base64x64::ERROR.to_int();
    match value.to_int() {
        0 | NEVER | ERROR => Scheme::Event,
        _ => Scheme::Name,
    }
}

/// The error for `text[at]`, which follows a sign and is not a digit.
#[cold]
pub(crate) const fn out_of_place(text: &[u8], at: usize) -> ParseError {
    match Scheme::from_sign_byte(text[at]) {
        Some(_) => error::sign(text[at], at, "at most one sign"),
        None => no_digit(text, at),
    }
}

/// Creates a [`RonUid`] from a literal, checked at compile time.
///
/// ```
/// use ron_uid::{RonUid, ron_uid};
///
/// const ID: RonUid = ron_uid!("1CQKneD1-X~");
/// ```
///
/// ```compile_fail
/// ron_uid::ron_uid!("1CQKneD1-X~-X"); // two signs
/// ```
///
/// ```compile_fail
/// ron_uid::ron_uid!("{}"); // brackets
/// ```
#[macro_export]
macro_rules! ron_uid {
    ($text:expr) => {
        const {
            match $crate::RonUid::parse($text) {
                Ok(uid) => uid,
                Err(error) => panic!("{}", error.kind().description()),
            }
        }
    };
}
