use core::{fmt, str::FromStr};
use sortid_core::{__private::error, BASE64X64, ParseError, Text};

/// Bits of a digit, and digits of an integer.
const BITS: u32 = 6;
const DIGITS: usize = 10;
const _: () = assert!(BITS * DIGITS as u32 == 60);

/// A 60-bit integer, one half of a UID. Its text is ten digits of 6 bits without the trailing zeros.
///
/// The digits are, in ascending order, `0`–`9`, `A`–`Z`, `_`, `a`–`z` and `~`. ASCII has the same order, so texts sort
/// as their integers do.
///
/// ```
/// use ron_uid::Base64x64;
///
/// let inc = Base64x64::parse("inc")?;
/// assert_eq!(inc.to_int(), 824_893_205_576_155_136);
/// assert_eq!(Base64x64::parse("inc0000000")?, inc);
/// assert_eq!(Base64x64::try_from_int(1)?.encode(), "0000000001");
/// assert_eq!(Base64x64::ZERO.encode(), "0");
/// # Ok::<(), ron_uid::ParseError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Base64x64(u64);

impl Base64x64 {
    /// 0, the least integer.
    pub const ZERO: Self = Self(0);

    /// `~`: as a time, never (specification, "Time part format").
    pub const NEVER: Self = Self(63 << 54);

    /// `~~~~~~~~~~`: as a time, an error (specification, "Time part format"). The greatest integer, 2^60 − 1.
    pub const ERROR: Self = Self((1 << 60) - 1);

    /// The number of characters of the longest text.
    pub const TEXT_LEN: usize = DIGITS;

    /// Creates a `Base64x64` of this integer.
    ///
    /// # Errors
    ///
    /// `Overflow` above 2^60 − 1.
    pub const fn try_from_int(int: u64) -> Result<Self, ParseError> {
        match error::check_parsed(int as i128, "Base64x64 integer", Self::ERROR.0) {
            Ok(int) => Ok(Self(int)),
            Err(error) => Err(error),
        }
    }

    /// The integer of the low 60 bits of `int`.
    #[inline]
    pub(crate) const fn from_low_bits(int: u64) -> Self {
        Self(int & Self::ERROR.0)
    }

    /// Returns the integer, 0 to 2^60 − 1.
    #[must_use]
    pub const fn to_int(self) -> u64 {
        self.0
    }

    /// Returns the ten digits as numbers, 0 to 63 each, most significant first.
    ///
    /// ```
    /// let value = ron_uid::Base64x64::parse("1CQKn")?;
    /// assert_eq!(value.digits(), [1, 12, 26, 20, 50, 0, 0, 0, 0, 0]);
    /// # Ok::<(), ron_uid::ParseError>(())
    /// ```
    #[must_use]
    pub const fn digits(self) -> [u8; DIGITS] {
        let mut digits = [0; DIGITS];
        let mut rest = self.0;
        let mut i = DIGITS;
        while i > 0 {
            i -= 1;
            digits[i] = (rest & 63) as u8;
            rest >>= BITS;
        }
        digits
    }

    /// The number of digits up to the last digit that is not 0.
    #[inline]
    pub(crate) const fn significant_digits(self) -> usize {
        // 0 has 64 trailing zero bits, which are the ten digits, and 4 bits above them.
        let zeros = (self.0.trailing_zeros() / BITS) as usize;
        DIGITS.saturating_sub(zeros)
    }

    /// How many of the first significant digits are those of `other`; ten if the integers are equal.
    #[inline]
    pub(crate) const fn shared_digits(self, other: Self) -> usize {
        if self.0 == other.0 {
            return DIGITS;
        }
        let unused = u64::BITS - BITS * DIGITS as u32;
        let shared = ((self.0 ^ other.0).leading_zeros() - unused) as usize / BITS as usize;
        let significant = self.significant_digits();
        if shared < significant { shared } else { significant }
    }

    /// The first `count` digits, the others 0.
    #[inline]
    pub(crate) const fn prefix(self, count: usize) -> Self {
        let dropped = BITS * (DIGITS - count) as u32;
        Self(self.0 >> dropped << dropped)
    }

    /// The significant digits from the digit `from` on; an empty text if there are none.
    #[inline]
    pub(crate) const fn digits_from(self, from: usize) -> Text<DIGITS> {
        let mut text = Text::EMPTY;
        text.push_digits(&BASE64X64, self.0 << (BITS as usize * from), DIGITS);
        text.truncate(self.significant_digits().saturating_sub(from));
        text
    }

    /// Appends the text to `text`, which must have room for ten digits.
    #[inline]
    pub(crate) const fn push_to<const N: usize>(self, text: &mut Text<N>) {
        let (at, digits) = (text.as_bytes().len(), self.significant_digits());
        text.push_digits(&BASE64X64, self.0, DIGITS);
        text.truncate(at + if digits == 0 { 1 } else { digits });
    }

    /// Reads the digits from `text[at]` on, and puts them after the first `kept` digits of `prefix`. Returns the integer,
    /// and where the digits end.
    ///
    /// # Errors
    ///
    /// `Length` if there are more than ten digits.
    #[inline]
    pub(crate) const fn read(
        text: &[u8],
        at: usize,
        prefix: Self,
        kept: usize,
    ) -> Result<(Self, usize), ParseError> {
        let mut int = 0_u64;
        let mut end = at;
        while end < text.len() {
            let Some(digit) = BASE64X64.get(text, end, 1) else { break };
            int = int << BITS | digit;
            end += 1;
        }
        let digits = kept + (end - at);
        if digits > DIGITS {
            return Err(error::length("at most 10 digits in a part", digits));
        }
        // Without digits, `int` is 0, and a shift by 60 bits or more is left out.
        let padded = if digits == 0 { 0 } else { int << (BITS * (DIGITS - digits) as u32) };
        Ok((Self(prefix.prefix(kept).0 | padded), end))
    }

    /// The integer of the digits `text[from..to]`, at most ten. `None` if a character is not a digit.
    #[inline]
    pub(crate) const fn from_digits(text: &[u8], from: usize, to: usize) -> Option<Self> {
        let digits = to - from;
        match BASE64X64.get(text, from, digits) {
            Some(_) if digits == 0 => Some(Self::ZERO),
            Some(int) => Some(Self(int << (BITS * (DIGITS - digits) as u32))),
            None => None,
        }
    }

    /// Returns the text: the digits up to the last that is not 0, or `0` if there is none.
    #[inline]
    #[must_use]
    pub const fn encode(self) -> Text<{ Self::TEXT_LEN }> {
        let mut text = Text::EMPTY;
        self.push_to(&mut text);
        text
    }

    /// Parses one to ten digits, and pads them with zeros on the right.
    ///
    /// # Errors
    ///
    /// `Length` unless there are 1 to 10 digits; `Character` if a character is not a digit. Positions count bytes from 0.
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
        match Self::read(text, 0, Self::ZERO, 0) {
            Ok((int, end)) if end == text.len() && end > 0 => Ok(int),
            Ok((_, end)) if end < text.len() => Err(no_digit(text, end)),
            Ok(_) => Err(error::length("1 to 10 digits", 0)),
            Err(error) => Err(error),
        }
    }
}

/// The error for `text[at]`.
#[cold]
pub(crate) const fn no_digit(text: &[u8], at: usize) -> ParseError {
    error::character(text, at, "Base64x64")
}

impl fmt::Display for Base64x64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.encode())
    }
}

impl fmt::Debug for Base64x64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Base64x64({})", self.encode())
    }
}

impl FromStr for Base64x64 {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl TryFrom<&str> for Base64x64 {
    type Error = ParseError;

    fn try_from(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl TryFrom<u64> for Base64x64 {
    type Error = ParseError;

    fn try_from(int: u64) -> Result<Self, ParseError> {
        Self::try_from_int(int)
    }
}

impl From<Base64x64> for u64 {
    fn from(int: Base64x64) -> Self {
        int.to_int()
    }
}
