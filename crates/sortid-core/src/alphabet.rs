//! Digits of radix 16, 32 and 64. Each alphabet is a value of one type.

// The compiler makes the tables: 6 KiB for radix 32, and 12 KiB for radix 64. Groups of digits do not depend on each
// other, so the processor reads them side by side.
//
// No code uses the intrinsics of SSE2 or NEON. An ordinary function needs `unsafe` to call them, and they are not
// `const`, as `parse` and `encode` are. For hex and base32hex, the compiler itself compares many bytes at once with
// the two ranges of ASCII that are their digits. Crockford's alphabet gains nothing in this way, because it has four
// gaps: comparisons take twice as long as the table.
//
// Tried on an Intel Xeon: printing with SSE2, or with a store for each pair of digits, takes 1.2 times as long. SSE2 parses
// a SCRU160 in 0.83 of our time. A second table for printing saves one in six instructions, and takes 4 KB of the cache.

#[cfg(target_family = "wasm")]
use crate::text::copy;
use crate::{ParseError, error::create};

/// Marks a byte that is not a digit: the top bit, which no value of four digits uses.
const NO_DIGIT: u32 = 1 << 31;

/// The number of digits that [`Alphabet::get`] reads at a time.
const PLACES: usize = 4;

/// The digits of radix 2^`BITS`. The most significant digit comes first.
///
/// An alphabet converts groups of digits that fit a `u64`; a spec crate puts the groups together. It writes two digits
/// with one access to a table of all `PAIRS`, which are 4^`BITS`. It reads four digits with one access each; these
/// accesses do not depend on each other.
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
#[doc(hidden)]
#[derive(Debug)]
pub struct Alphabet<const BITS: u32, const PAIRS: usize> {
    name: &'static str,
    #[cfg(not(target_family = "wasm"))]
    pairs: [[u8; 2]; PAIRS],
    /// The digits alone: a module that is downloaded must be small, and the pairs of all alphabets take 13 KB.
    #[cfg(target_family = "wasm")]
    digits: [u8; 64],
    /// The value of each byte at each of four places, shifted to its place; or [`NO_DIGIT`].
    values: [[u32; 256]; PLACES],
}

/// Base 16 of RFC 4648. Writes lower case, reads either case.
#[doc(hidden)]
pub static HEX: Alphabet<4, 256> = Alphabet::new("hex", b"0123456789abcdef").ignoring_case();

/// base32hex of RFC 4648. Writes upper case, reads either case.
#[doc(hidden)]
pub static BASE32HEX: Alphabet<5, 1024> =
    Alphabet::new("base32hex", b"0123456789ABCDEFGHIJKLMNOPQRSTUV").ignoring_case();

/// Crockford's base 32. Writes upper case, reads either case. `I`, `L`, `O` and `U` are not digits.
#[doc(hidden)]
pub static CROCKFORD: Alphabet<5, 1024> =
    Alphabet::new("Crockford base32", b"0123456789ABCDEFGHJKMNPQRSTVWXYZ").ignoring_case();

/// [`CROCKFORD`], which also reads `I` and `L` as 1 and `O` as 0.
#[doc(hidden)]
pub static CROCKFORD_ALIASED: Alphabet<5, 1024> =
    Alphabet::new("Crockford base32", b"0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        .alias(b'I', b'1')
        .alias(b'L', b'1')
        .alias(b'O', b'0')
        .ignoring_case();

/// Base64x64 of RON. Its digits are in ASCII order, so texts of one length sort like their values.
#[doc(hidden)]
pub static BASE64X64: Alphabet<6, 4096> =
    Alphabet::new("Base64x64", b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");

impl<const BITS: u32, const PAIRS: usize> Alphabet<BITS, PAIRS> {
    const fn new(name: &'static str, digits: &[u8]) -> Self {
        assert!(digits.len() == 1 << BITS && PAIRS == 1 << (2 * BITS) && PLACES as u32 * BITS < 31);
        let mut alphabet = Self {
            name,
            #[cfg(not(target_family = "wasm"))]
            pairs: [[0; 2]; PAIRS],
            #[cfg(target_family = "wasm")]
            digits: [0; 64],
            values: [[NO_DIGIT; 256]; PLACES],
        };
        let mut value = 0;
        while value < digits.len() {
            assert!(digits[value].is_ascii_graphic() && !alphabet.is_digit(digits[value]));
            alphabet = alphabet.valued(digits[value], value as u32);
            value += 1;
        }
        #[cfg(target_family = "wasm")]
        copy(digits, alphabet.digits.split_at_mut(digits.len()).0);
        #[cfg(not(target_family = "wasm"))]
        let mut pair = 0;
        #[cfg(not(target_family = "wasm"))]
        while pair < PAIRS {
            alphabet.pairs[pair] = [digits[pair >> BITS], digits[pair % digits.len()]];
            pair += 1;
        }
        alphabet
    }

    const fn is_digit(&self, byte: u8) -> bool {
        self.values[PLACES - 1][byte as usize] != NO_DIGIT
    }

    const fn valued(mut self, byte: u8, value: u32) -> Self {
        let mut place = 0;
        while place < PLACES {
            self.values[place][byte as usize] = value << (BITS * (PLACES - 1 - place) as u32);
            place += 1;
        }
        self
    }

    const fn alias(self, alias: u8, digit: u8) -> Self {
        assert!(self.is_digit(digit) && !self.is_digit(alias));
        let value = self.values[PLACES - 1][digit as usize];
        self.valued(alias, value)
    }

    const fn ignoring_case(mut self) -> Self {
        let mut upper = b'A';
        while upper <= b'Z' {
            let lower = upper.to_ascii_lowercase();
            if self.is_digit(upper) {
                self = self.alias(lower, upper);
            } else if self.is_digit(lower) {
                self = self.alias(upper, lower);
            }
            upper += 1;
        }
        self
    }

    /// Writes the low `count` digits of `value` into `out[at..at + count]`.
    ///
    /// # Panics
    ///
    /// If the range is outside `out`.
    #[cfg(target_family = "wasm")]
    #[inline]
    pub const fn put(&self, mut value: u64, out: &mut [u8], at: usize, count: usize) {
        let mut end = at + count;
        while end > at {
            end -= 1;
            out[end] = self.digits[value as usize % (1 << BITS)];
            value >>= BITS;
        }
    }

    /// Writes the low `count` digits of `value` into `out[at..at + count]`.
    ///
    /// # Panics
    ///
    /// If the range is outside `out`.
    #[cfg(not(target_family = "wasm"))]
    #[inline]
    pub const fn put(&self, mut value: u64, out: &mut [u8], at: usize, count: usize) {
        let out = out.split_at_mut(at).1.split_at_mut(count).0;
        let mut end = count;
        // Four digits at a time, because a store of four bytes takes as long as a store of two.
        while let Some((rest, four)) = out.split_at_mut(end).0.split_last_chunk_mut::<PLACES>() {
            let first = u16::from_le_bytes(self.pairs[(value >> (2 * BITS)) as usize % PAIRS]);
            let second = u16::from_le_bytes(self.pairs[value as usize % PAIRS]);
            *four = (first as u32 | (second as u32) << u16::BITS).to_le_bytes();
            value >>= PLACES as u32 * BITS;
            end = rest.len();
        }
        while let Some((rest, pair)) = out.split_at_mut(end).0.split_last_chunk_mut() {
            *pair = self.pairs[value as usize % PAIRS];
            value >>= 2 * BITS;
            end = rest.len();
        }
        if end > 0 {
            out[0] = self.pairs[value as usize % PAIRS][1];
        }
    }

    /// Returns the value of the digits `text[at..at + count]`; `None` if a character is not a digit. `count` digits must
    /// fit 64 bits.
    ///
    /// # Panics
    ///
    /// If the range is outside `text`.
    #[inline]
    #[must_use]
    pub const fn get(&self, text: &[u8], at: usize, count: usize) -> Option<u64> {
        let [first, second, third, fourth] = &self.values;
        let mut value = 0;
        let mut seen = 0;
        let mut rest = text.split_at(at).1.split_at(count).0;
        while let Some((&[a, b, c, d], behind)) = rest.split_first_chunk() {
            let four = first[a as usize] | second[b as usize] | third[c as usize] | fourth[d as usize];
            seen |= four;
            value = value << (PLACES as u32 * BITS) | four as u64;
            rest = behind;
        }
        while let Some((&digit, behind)) = rest.split_first() {
            let digit = fourth[digit as usize];
            seen |= digit;
            value = value << BITS | digit as u64;
            rest = behind;
        }
        // One check of all digits: a branch for each would cost more than the digits do.
        if seen & NO_DIGIT == 0 { Some(value) } else { None }
    }

    /// Returns the error for a text that [`get`](Self::get) refused: the first character that is not a digit, and its
    /// position.
    #[cold]
    #[must_use]
    pub const fn bad_digit(&self, text: &[u8]) -> ParseError {
        let mut at = 0;
        while at < text.len() && self.is_digit(text[at]) {
            at += 1;
        }
        create::character(text, at, self.name)
    }
}

impl Alphabet<4, 256> {
    /// Returns the bytes that the digits `text` represent, two digits a byte; `None` if a character is not a digit.
    ///
    /// This is faster than [`get`](Self::get): without regard to case, the hex digits are two ranges of ASCII, and
    /// compilers compare many bytes with these ranges at once.
    ///
    /// ```
    /// use sortid_core::HEX;
    ///
    /// assert_eq!(HEX.bytes(b"00fFA9"), Some([0, 0xff, 0xa9]));
    /// assert_eq!(HEX.bytes::<2, 1>(b"0g"), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn bytes<const DIGITS: usize, const BYTES: usize>(
        &self,
        text: &[u8; DIGITS],
    ) -> Option<[u8; BYTES]> {
        const { assert!(DIGITS == 2 * BYTES) };
        let mut values = [0; DIGITS];
        let mut wrong = false;
        let mut i = 0;
        while i < DIGITS {
            let (decimal, letter) = (text[i].wrapping_sub(b'0'), (text[i] | 0x20).wrapping_sub(b'a'));
            values[i] = if decimal < 10 { decimal } else { letter.wrapping_add(10) };
            wrong |= (decimal >= 10) & (letter >= 6);
            i += 1;
        }
        if wrong {
            return None;
        }
        let mut bytes = [0; BYTES];
        let mut i = 0;
        while i < BYTES {
            bytes[i] = values[2 * i] << 4 | values[2 * i + 1];
            i += 1;
        }
        Some(bytes)
    }
}
