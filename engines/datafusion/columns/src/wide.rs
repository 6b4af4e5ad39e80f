//! Texts of many IDs at a time, in vector registers.
//!
//! The loops of this module do the same with each digit of a block of IDs, so the compiler vectorizes them. A parser of
//! this module may refuse the text of an ID. The parser of the specification decides on what it refuses, so the results
//! are those of the specification.

use crate::{Column, field::slots};

/// The number of IDs in a block. The digits of a block stay in the cache.
pub(crate) const BLOCK: usize = 32;

/// The number of digits in a word.
const DIGITS: usize = 8;

/// The top bit of a byte that is not a digit.
const NO_DIGIT: u8 = 1 << 7;

/// An ID whose text has digits of base 32.
///
/// A word has eight digits in its low 40 bits, and the words of an ID are in the order of the text. Zeros follow the last
/// digit of the text.
pub(crate) trait Base32<const WORDS: usize>: Column {
    const ALPHABET: Alphabet;

    /// Returns the words of a value.
    fn to_words(value: &Self::Value) -> [u64; WORDS];

    /// Returns the bytes of the words in eights, and whether they are the bytes of an ID.
    fn from_words(words: [u64; WORDS]) -> (Self::Value, bool);
}

/// The digits of base 32: `0` to `9`, and then letters. Texts have upper case. Parsers ignore the case.
pub(crate) struct Alphabet {
    /// The number of letters up to the last digit.
    letters: u8,
    /// Which of them are not digits, 0 for `A`.
    gaps: &'static [u8],
}

impl Alphabet {
    /// `A` to `V`.
    pub(crate) const BASE32HEX: Self = Self { letters: 22, gaps: &[] };
    /// `A` to `Z` without `I`, `L`, `O` and `U`.
    pub(crate) const CROCKFORD: Self = Self { letters: 26, gaps: &[8, 11, 14, 20] };

    /// Returns the digit of a value from 0 to 31.
    #[inline(always)]
    fn digit(&self, value: u8) -> u8 {
        // To compare signed bytes takes one instruction, and to compare unsigned bytes two.
        let is_from = |least: u8| u8::from(value as i8 >= least as i8);
        let mut digit = value + b'0' + is_from(10) * (b'A' - b'0' - 10);
        for (before, gap) in self.gaps.iter().enumerate() {
            digit += is_from(10 + gap - before as u8);
        }
        digit
    }

    /// Returns the value of a digit, or [`NO_DIGIT`].
    #[inline(always)]
    fn value(&self, digit: u8) -> u8 {
        let (decimal, letter) = (digit.wrapping_sub(b'0'), (digit | 0x20).wrapping_sub(b'a'));
        let mut value = letter.wrapping_add(10);
        let mut is_letter = letter < self.letters;
        for gap in self.gaps {
            value = value.wrapping_sub(u8::from(letter as i8 > *gap as i8));
            is_letter &= letter != *gap;
        }
        if decimal < 10 {
            decimal
        } else if is_letter {
            value
        } else {
            NO_DIGIT
        }
    }
}

/// Puts the digits of a word apart. The first digit comes first.
#[inline(always)]
fn split(word: u64) -> [u8; DIGITS] {
    // Halves of 20 bits, then of 10, then of 5.
    let bits = word & 0x000f_ffff | word << 12 & 0x000f_ffff_0000_0000;
    let bits = bits & 0x0000_03ff_0000_03ff | bits << 6 & 0x03ff_0000_03ff_0000;
    let bits = bits & 0x001f_001f_001f_001f | bits << 3 & 0x1f00_1f00_1f00_1f00;
    bits.to_be_bytes()
}

/// The opposite of [`split`]. Ignores the high three bits of each digit.
#[inline(always)]
fn join(digits: u64) -> u64 {
    let bits = digits & 0x001f_001f_001f_001f | digits >> 3 & 0x03e0_03e0_03e0_03e0;
    let bits = bits & 0x0000_03ff_0000_03ff | bits >> 6 & 0x000f_fc00_000f_fc00;
    bits & 0x000f_ffff | bits >> 12 & 0x00ff_fff0_0000
}

/// What [`Column::print`] does.
pub(crate) fn print<I: Base32<WORDS>, const WORDS: usize>(ids: &[I::Value], texts: &mut [u8]) -> bool {
    let (blocks, rest) = ids.as_chunks();
    let (printed, others) = texts.split_at_mut(blocks.len() * BLOCK * I::TEXT_LEN);
    let all = wide(
        #[inline(always)]
        || {
            let mut slots = [[[0; DIGITS]; WORDS]; BLOCK];
            let mut all = true;
            for (block, texts) in blocks.iter().zip(printed.chunks_exact_mut(BLOCK * I::TEXT_LEN)) {
                if block.iter().fold(true, |all, id| all & I::from_value(id).is_ok()) {
                    print_block::<I, WORDS>(block, &mut slots, texts);
                } else {
                    all &= print_each::<I>(block, texts);
                }
            }
            all
        },
    );
    match all {
        Some(all) => all & print_each::<I>(rest, others),
        None => print_each::<I>(ids, texts),
    }
}

/// Prints a block of IDs. `slots` are room for their digits.
#[inline(always)]
fn print_block<I: Base32<WORDS>, const WORDS: usize>(
    ids: &[I::Value; BLOCK],
    slots: &mut [[[u8; DIGITS]; WORDS]; BLOCK],
    texts: &mut [u8],
) {
    for (slot, id) in slots.iter_mut().zip(ids) {
        let words = I::to_words(id);
        for (digits, word) in slot.iter_mut().zip(words) {
            *digits = split(word);
        }
    }
    for digit in slots.as_flattened_mut().as_flattened_mut() {
        *digit = I::ALPHABET.digit(*digit);
    }
    // The next text overwrites what follows a text: a copy of a whole slot takes fewer instructions.
    let [slots @ .., last] = slots;
    for (row, slot) in slots.iter().enumerate() {
        texts[row * I::TEXT_LEN..][..WORDS * DIGITS].copy_from_slice(slot.as_flattened());
    }
    texts[slots.len() * I::TEXT_LEN..].copy_from_slice(&last.as_flattened()[..I::TEXT_LEN]);
}

/// What [`Column::print`] does, without vector registers.
pub(crate) fn print_each<I: Column>(ids: &[I::Value], texts: &mut [u8]) -> bool {
    slots(ids, texts, I::TEXT_LEN, |id: I| id.encode())
}

/// What [`Column::parse_fast`] does.
pub(crate) fn parse<'a, I: Base32<WORDS>, const WORDS: usize>(
    text: &impl Fn(usize) -> &'a [u8],
    ids: &mut [I::Value],
    valid: &mut [bool],
) {
    wide(
        #[inline(always)]
        || {
            // The digits behind a text stay 0.
            let mut slots = [[[b'0'; DIGITS]; WORDS]; BLOCK];
            let mut words = [[0; WORDS]; BLOCK];
            let blocks = ids.as_chunks_mut::<BLOCK>().0.iter_mut().zip(valid.as_chunks_mut::<BLOCK>().0);
            for (block, (ids, valid)) in blocks.enumerate() {
                for (row, slot) in slots.iter_mut().enumerate() {
                    let text = text(block * BLOCK + row);
                    let slot = &mut slot.as_flattened_mut()[..I::TEXT_LEN];
                    if text.len() == I::TEXT_LEN {
                        slot.copy_from_slice(text);
                    } else {
                        slot.fill(0);
                    }
                }
                let mut digits = [[[0; DIGITS]; WORDS]; BLOCK];
                let mut union = 0;
                let flat = digits.as_flattened_mut().as_flattened_mut();
                for (value, digit) in flat.iter_mut().zip(slots.as_flattened().as_flattened()) {
                    *value = I::ALPHABET.value(*digit);
                    union |= *value;
                }
                for (word, digits) in words.as_flattened_mut().iter_mut().zip(digits.as_flattened()) {
                    *word = join(u64::from_be_bytes(*digits));
                }
                for ((words, id), valid) in words.iter().zip(ids).zip(&mut *valid) {
                    (*id, *valid) = I::from_words(*words);
                }
                if union & NO_DIGIT != 0 {
                    for (digits, valid) in digits.iter().zip(valid) {
                        *valid &= digits.as_flattened().iter().all(|digit| digit & NO_DIGIT == 0);
                    }
                }
            }
        },
    );
}

/// Does some work in the vector registers of AVX2, if the processor has them. Otherwise returns `None`, and does nothing.
///
/// Without AVX2, the loops of this module take longer than the functions of the specifications.
#[inline(always)]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> Option<R> {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }

        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            #[allow(unsafe_code)]
            return Some(unsafe { with_avx2(work) });
        }
    }
    let _ = work;
    None
}
