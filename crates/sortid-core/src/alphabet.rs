//! Digits of radix 16, 32 and 64: one mechanism, the alphabets are values.

use crate::ParseError;

/// Marks a byte that is no digit. Its top bit is set, and no digit's value has it.
const NO_DIGIT: u8 = 0xff;

/// The digits of a radix 2^`BITS`, most significant digit first.
///
/// Works on groups of digits that fit a `u64`; a spec crate lays its groups side by side.
///
/// ```
/// use sortid_core::CROCKFORD;
///
/// let mut text = [0; 13];
/// CROCKFORD.put(14_246_757_444_195_114, &mut text, 0, 13);
/// assert_eq!(&text, b"00CMXB6TAK4SA");
/// assert_eq!(CROCKFORD.get(b"4sa", 0, 3), Some(0b00100_11001_01010));
/// assert_eq!(CROCKFORD.get(b"4su", 0, 3), None);
/// ```
#[derive(Debug)]
pub struct Alphabet<const BITS: u32> {
    name: &'static str,
    digits: [u8; 64],
    values: [u8; 256],
}

/// RFC 4648 base 16, lower case out, case ignored in.
pub static HEX: Alphabet<4> = Alphabet::new("hex", b"0123456789abcdef").ignoring_case();

/// RFC 4648 base32hex, upper case out, case ignored in.
pub static BASE32HEX: Alphabet<5> =
    Alphabet::new("base32hex", b"0123456789ABCDEFGHIJKLMNOPQRSTUV").ignoring_case();

/// Crockford's base 32, upper case out, case ignored in. `I`, `L`, `O` and `U` are no digits.
pub static CROCKFORD: Alphabet<5> =
    Alphabet::new("Crockford base32", b"0123456789ABCDEFGHJKMNPQRSTVWXYZ").ignoring_case();

/// [`CROCKFORD`] that also reads `I` and `L` as 1 and `O` as 0.
pub static CROCKFORD_ALIASED: Alphabet<5> =
    Alphabet::new("Crockford base32", b"0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        .alias(b'I', b'1')
        .alias(b'L', b'1')
        .alias(b'O', b'0')
        .ignoring_case();

/// Base64x64: its digits are in ASCII order, so texts of one length sort like their values.
pub static BASE64X64: Alphabet<6> =
    Alphabet::new("Base64x64", b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");

impl<const BITS: u32> Alphabet<BITS> {
    const fn new(name: &'static str, alphabet: &[u8]) -> Self {
        assert!(BITS <= 6 && alphabet.len() == 1 << BITS);
        let mut digits = [0; 64];
        let mut values = [NO_DIGIT; 256];
        let mut value = 0;
        while value < alphabet.len() {
            let digit = alphabet[value];
            assert!(digit.is_ascii_graphic() && values[digit as usize] == NO_DIGIT);
            digits[value] = digit;
            values[digit as usize] = value as u8;
            value += 1;
        }
        Self { name, digits, values }
    }

    const fn alias(mut self, alias: u8, digit: u8) -> Self {
        assert!(self.values[alias as usize] == NO_DIGIT);
        self.values[alias as usize] = self.values[digit as usize];
        self
    }

    const fn ignoring_case(mut self) -> Self {
        let mut byte = b'A';
        while byte <= b'Z' {
            let (upper, lower) = (byte as usize, byte.to_ascii_lowercase() as usize);
            if self.values[upper] == NO_DIGIT {
                self.values[upper] = self.values[lower];
            } else {
                self.values[lower] = self.values[upper];
            }
            byte += 1;
        }
        self
    }

    /// Writes the low `count` digits of `value` into `out[at..at + count]`.
    ///
    /// # Panics
    ///
    /// If the range lies outside of `out`.
    #[inline]
    pub const fn put(&self, mut value: u64, out: &mut [u8], at: usize, count: usize) {
        let mut i = at + count;
        while i > at {
            i -= 1;
            out[i] = self.digits[(value & ((1 << BITS) - 1)) as usize];
            value >>= BITS;
        }
    }

    /// The value of the digits `text[at..at + count]`, or `None` where one is no digit. `count` digits
    /// have to fit 64 bits.
    ///
    /// # Panics
    ///
    /// If the range lies outside of `text`.
    #[inline]
    #[must_use]
    pub const fn get(&self, text: &[u8], at: usize, count: usize) -> Option<u64> {
        let mut value = 0;
        let mut seen = 0;
        let mut i = at;
        while i < at + count {
            let digit = self.values[text[i] as usize];
            seen |= digit;
            value = (value << BITS) | digit as u64;
            i += 1;
        }
        // One look for all digits: a branch for each would cost more than the digits do.
        if seen & 0x80 == 0 { Some(value) } else { None }
    }

    /// The error for a text that [`get`](Self::get) refused: which character, and where.
    #[cold]
    #[must_use]
    pub const fn bad_digit(&self, text: &[u8]) -> ParseError {
        let mut at = 0;
        while at < text.len() && self.values[text[at] as usize] != NO_DIGIT {
            at += 1;
        }
        ParseError::character(text, at, self.name)
    }
}
