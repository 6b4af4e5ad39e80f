//! Texts of many IDs at a time, in vector registers.
//!
//! These loops do the same with each digit of many IDs, so the compiler vectorizes them. Those that parse may refuse the
//! text of an ID. The parser of the specification decides on what they refuse, so the results are those of the
//! specification.

use crate::{Column, field::slots};
use std::iter;

/// The number of IDs in a block. The digits of a block stay in the first cache.
pub(crate) const BLOCK: usize = 32;

/// The number of digits in a word.
const DIGITS: usize = 8;

/// The digits of a block of IDs.
type Digits<const WORDS: usize> = [[[u8; DIGITS]; WORDS]; BLOCK];

/// An ID whose text has digits of base 32.
///
/// A word has eight digits in its low 40 bits. The words are in the order of the text, and zeros follow its last digit.
pub(crate) trait Base32<const WORDS: usize>: Column {
    /// The digits of the text.
    const ALPHABET: Alphabet;

    /// Returns the words of the value of an ID.
    fn to_words(value: &Self::Value) -> [u64; WORDS];

    /// Returns the value of the words, and whether it is accepted.
    fn from_words(words: [u64; WORDS]) -> (Self::Value, bool);
}

/// The digits `0` to `9`, and then letters. Parsers ignore the case.
pub(crate) struct Alphabet {
    /// `A` or `a`.
    first: u8,
    /// The number of letters up to the last digit.
    letters: u8,
    /// Which of these letters are not digits. `A` is 0.
    gaps: &'static [u8],
}

impl Alphabet {
    pub(crate) const HEX: Self = Self { first: b'a', letters: 6, gaps: &[] };
    pub(crate) const BASE32HEX: Self = Self { first: b'A', letters: 22, gaps: &[] };
    /// All letters but `I`, `L`, `O` and `U`. An EUID with one of the first three is refused here.
    pub(crate) const CROCKFORD: Self = Self { first: b'A', letters: 26, gaps: &[8, 11, 14, 20] };

    /// Returns the digit of a value.
    #[inline(always)]
    fn digit(&self, value: u8) -> u8 {
        // A comparison of signed bytes takes one instruction, and one of unsigned bytes two.
        let is_from = |least: u8| u8::from(value as i8 >= least as i8);
        let mut digit = value + b'0' + is_from(10) * (self.first - b'0' - 10);
        for (before, gap) in self.gaps.iter().enumerate() {
            digit += is_from(10 + gap - before as u8);
        }
        digit
    }

    /// Returns the value of a digit, and whether it is a digit.
    #[inline(always)]
    pub(crate) fn value(&self, digit: u8) -> (u8, bool) {
        let (decimal, letter) = (digit.wrapping_sub(b'0'), (digit | 0x20).wrapping_sub(b'a'));
        let mut value = letter.wrapping_add(10);
        let mut is_letter = letter < self.letters;
        for gap in self.gaps {
            value = value.wrapping_sub(u8::from(letter as i8 > *gap as i8));
            is_letter &= letter != *gap;
        }
        (if decimal < 10 { decimal } else { value }, (decimal < 10) | is_letter)
    }
}

/// Returns the values of the digits of a word. The first digit comes first.
#[inline(always)]
fn split(word: u64) -> [u8; DIGITS] {
    // Parts of 20 bits, then of 10, then of 5.
    let bits = word & 0x000f_ffff | word << 12 & 0x000f_ffff_0000_0000;
    let bits = bits & 0x0000_03ff_0000_03ff | bits << 6 & 0x03ff_0000_03ff_0000;
    let bits = bits & 0x001f_001f_001f_001f | bits << 3 & 0x1f00_1f00_1f00_1f00;
    bits.to_be_bytes()
}

/// Returns the word of these values. It ignores the high three bits of each.
#[inline(always)]
fn join(values: [u8; DIGITS]) -> u64 {
    let bits = u64::from_be_bytes(values);
    let bits = bits & 0x001f_001f_001f_001f | bits >> 3 & 0x03e0_03e0_03e0_03e0;
    let bits = bits & 0x0000_03ff_0000_03ff | bits >> 6 & 0x000f_fc00_000f_fc00;
    bits & 0x000f_ffff | bits >> 12 & 0x00ff_fff0_0000
}

/// What [`texts`](crate::texts()) does, one ID at a time.
pub(crate) fn print_each<I: Column>(ids: &[I::Value], texts: &mut [u8]) -> bool {
    slots(ids, texts, I::TEXT_LEN, |id: I| id.encode())
}

/// What [`texts`](crate::texts()) does.
pub(crate) fn print<I: Base32<WORDS>, const WORDS: usize>(ids: &[I::Value], texts: &mut [u8]) -> bool {
    let (blocks, rest) = ids.as_chunks();
    let (of_blocks, of_rest) = texts.split_at_mut(blocks.len() * BLOCK * I::TEXT_LEN);
    let printed = wide(
        #[inline(always)]
        || {
            let mut digits = [[[0; DIGITS]; WORDS]; BLOCK];
            let mut all = true;
            for (block, texts) in blocks.iter().zip(of_blocks.chunks_exact_mut(BLOCK * I::TEXT_LEN)) {
                if block.iter().fold(true, |all, id| all & I::from_value(id).is_ok()) {
                    print_block::<I, WORDS>(block, &mut digits, texts);
                } else {
                    all &= print_each::<I>(block, texts);
                }
            }
            all
        },
    );
    match printed {
        Some(all) => print_each::<I>(rest, of_rest) & all,
        None => print_each::<I>(ids, texts),
    }
}

/// Prints the IDs of a block. `digits` is room for their digits.
#[inline(always)]
fn print_block<I: Base32<WORDS>, const WORDS: usize>(
    ids: &[I::Value; BLOCK],
    digits: &mut Digits<WORDS>,
    texts: &mut [u8],
) {
    for (digits, id) in digits.iter_mut().zip(ids) {
        for (digits, word) in digits.iter_mut().zip(I::to_words(id)) {
            *digits = split(word);
        }
    }
    for digit in digits.as_flattened_mut().as_flattened_mut() {
        *digit = I::ALPHABET.digit(*digit);
    }
    for (digits, text) in digits.iter().zip(texts.chunks_exact_mut(I::TEXT_LEN)) {
        text.copy_from_slice(&digits.as_flattened()[..I::TEXT_LEN]);
    }
}

/// What [`Column::parse_wide`] does.
pub(crate) fn parse<'a, I: Base32<WORDS>, const WORDS: usize>(
    text: &impl Fn(usize) -> &'a [u8],
    ids: Option<&mut [I::Value]>,
    valid: &mut [bool],
) {
    let valid = valid.as_chunks_mut().0;
    match ids {
        Some(ids) => {
            let ids = ids.as_chunks_mut().0.iter_mut().map(Some);
            wide(
                #[inline(always)]
                || parse_blocks::<I, WORDS>(text, ids, valid),
            )
        }
        None => wide(
            #[inline(always)]
            || parse_blocks::<I, WORDS>(text, iter::repeat_with(|| None), valid),
        ),
    };
}

/// Parses the texts of some blocks, and writes the IDs of those that have a place for them.
#[inline(always)]
fn parse_blocks<'a, 'b, I: Base32<WORDS>, const WORDS: usize>(
    text: &impl Fn(usize) -> &'a [u8],
    ids: impl Iterator<Item = Option<&'b mut [I::Value; BLOCK]>>,
    valid: &mut [[bool; BLOCK]],
) {
    // The digits behind a text stay 0.
    let mut digits = [[[b'0'; DIGITS]; WORDS]; BLOCK];
    let mut values = [[[0; DIGITS]; WORDS]; BLOCK];
    for (block, (valid, ids)) in valid.iter_mut().zip(ids).enumerate() {
        let text = |row| text(block * BLOCK + row);
        let mut have_length = true;
        for (row, digits) in digits.iter_mut().enumerate() {
            let (text, digits) = (text(row), &mut digits.as_flattened_mut()[..I::TEXT_LEN]);
            if text.len() == I::TEXT_LEN {
                digits.copy_from_slice(text);
            } else {
                digits.fill(b'0');
                have_length = false;
            }
        }
        let mut are_digits = true;
        let flat = digits.as_flattened().as_flattened();
        for (value, digit) in values.as_flattened_mut().as_flattened_mut().iter_mut().zip(flat) {
            let is_digit;
            (*value, is_digit) = I::ALPHABET.value(*digit);
            are_digits &= is_digit;
        }
        let mut words = [[0; WORDS]; BLOCK];
        for (word, values) in words.as_flattened_mut().iter_mut().zip(values.as_flattened()) {
            *word = join(*values);
        }
        if let Some(ids) = ids {
            for ((words, id), valid) in words.iter().zip(ids).zip(&mut *valid) {
                (*id, *valid) = I::from_words(*words);
            }
        } else {
            for (words, valid) in words.iter().zip(&mut *valid) {
                *valid = I::from_words(*words).1;
            }
        }
        // Most blocks have neither NULLs nor other characters.
        if !have_length {
            for (row, valid) in valid.iter_mut().enumerate() {
                *valid &= text(row).len() == I::TEXT_LEN;
            }
        }
        if !are_digits {
            for (digits, valid) in digits.iter().zip(valid) {
                *valid &= digits.as_flattened().iter().all(|digit| I::ALPHABET.value(*digit).1);
            }
        }
    }
}

/// Writes the hex digits of bytes, and returns whether it did.
pub(crate) fn print_hex(bytes: &[u8], texts: &mut [u8]) -> bool {
    let printed = wide(
        #[inline(always)]
        || {
            for (byte, digits) in bytes.iter().zip(texts.as_chunks_mut().0) {
                *digits = [Alphabet::HEX.digit(byte >> 4), Alphabet::HEX.digit(byte & 0xf)];
            }
        },
    );
    printed.is_some()
}

/// What [`Column::parse_wide`] does for IDs whose texts are their bytes in hex.
pub(crate) fn parse_hex<'a, const BYTES: usize, const TEXT_LEN: usize>(
    text: &impl Fn(usize) -> &'a [u8],
    ids: Option<&mut [[u8; BYTES]]>,
    valid: &mut [bool],
) {
    match ids {
        Some(ids) => wide(
            #[inline(always)]
            || parse_rows::<BYTES, TEXT_LEN>(text, ids.iter_mut().map(Some), valid),
        ),
        None => wide(
            #[inline(always)]
            || parse_rows::<BYTES, TEXT_LEN>(text, iter::repeat_with(|| None), valid),
        ),
    };
}

/// Parses hex digits, and writes the bytes of those rows that have a place for them.
#[inline(always)]
fn parse_rows<'a, 'b, const BYTES: usize, const TEXT_LEN: usize>(
    text: &impl Fn(usize) -> &'a [u8],
    ids: impl Iterator<Item = Option<&'b mut [u8; BYTES]>>,
    valid: &mut [bool],
) {
    for (row, (valid, id)) in valid.iter_mut().zip(ids).enumerate() {
        let Ok(digits) = <&[u8; TEXT_LEN]>::try_from(text(row)) else { continue };
        let mut values = [0; TEXT_LEN];
        let mut are_digits = true;
        for (value, digit) in values.iter_mut().zip(digits) {
            let is_digit;
            (*value, is_digit) = Alphabet::HEX.value(*digit);
            are_digits &= is_digit;
        }
        if let Some(id) = id {
            for (byte, pair) in id.iter_mut().zip(values.as_chunks().0) {
                let pair = u16::from_le_bytes(*pair);
                *byte = (pair << 4 | pair >> 8) as u8;
            }
        }
        *valid = are_digits;
    }
}

/// Does some work with the vector registers of AVX2. Returns `None` if the processor does not have them.
///
/// With SSE2 alone, the loops over digits of base 32 take up to 1.7 times as long as the functions of the specifications.
#[inline(always)]
fn wide<R>(work: impl FnOnce() -> R) -> Option<R> {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }

        if is_x86_feature_detected!("avx2") {
            // SAFETY: the function needs AVX2, which the processor has.
            #[allow(unsafe_code)]
            return Some(unsafe { with_avx2(work) });
        }
    }
    drop(work);
    None
}
