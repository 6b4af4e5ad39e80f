//! Decoders that are slow, and simple enough to be right by inspection.

use std::ops::Deref;

/// The digits of an alphabet.
pub(crate) struct Digits([Option<u8>; 256]);

pub(crate) static HEX: Digits = Digits::new("0123456789abcdef").in_both_cases();
pub(crate) static BASE32HEX: Digits = Digits::new("0123456789abcdefghijklmnopqrstuv").in_both_cases();
pub(crate) static CROCKFORD: Digits = Digits::new("0123456789abcdefghjkmnpqrstvwxyz").in_both_cases();
/// With letters that look like digits.
pub(crate) static CROCKFORD_ALIASED: Digits =
    Digits::new("0123456789abcdefghjkmnpqrstvwxyz").and(b'i', 1).and(b'l', 1).and(b'o', 0).in_both_cases();
pub(crate) static BASE64X64: Digits =
    Digits::new("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");

impl Digits {
    const fn new(alphabet: &str) -> Self {
        let mut digits = Self([None; 256]);
        let mut digit = 0;
        while digit < alphabet.len() {
            digits = digits.and(alphabet.as_bytes()[digit], digit as u8);
            digit += 1;
        }
        digits
    }

    const fn and(mut self, byte: u8, digit: u8) -> Self {
        self.0[byte as usize] = Some(digit);
        self
    }

    const fn in_both_cases(mut self) -> Self {
        let mut letter = b'a';
        while letter <= b'z' {
            self.0[letter.to_ascii_uppercase() as usize] = self.0[letter as usize];
            letter += 1;
        }
        self
    }

    /// Whether this is a digit.
    pub(crate) const fn has(&self, byte: u8) -> bool {
        self.0[byte as usize].is_some()
    }
}

/// The bits of at most 160, as many as the longest ID has.
pub(crate) struct Bits {
    bits: [bool; 160],
    len: usize,
}

impl Deref for Bits {
    type Target = [bool];

    fn deref(&self) -> &[bool] {
        &self.bits[..self.len]
    }
}

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// The bits of all digits, most significant first. `None` if a character is not a digit.
pub(crate) fn bits(text: &[u8], width: usize, digits: &Digits) -> Option<Bits> {
    let mut bits = Bits { bits: [false; 160], len: text.len() * width };
    for (place, &byte) in bits.bits.chunks_mut(width).zip(text) {
        let digit = digits.0[usize::from(byte)]?;
        for (at, bit) in place.iter_mut().rev().enumerate() {
            *bit = digit >> at & 1 == 1;
        }
    }
    Some(bits)
}

/// The integer of these bits, at most 128.
pub(crate) fn int(bits: &[bool]) -> u128 {
    bits.iter().fold(0, |int, &bit| int * 2 + u128::from(bit))
}

/// The bytes of these bits, whose number is a multiple of 8.
pub(crate) fn bytes(bits: &[bool]) -> Vec<u8> {
    bits.chunks(8).map(|byte| int(byte) as u8).collect()
}

/// The remainder of a division, bit by bit.
pub(crate) fn modulo(bits: &[bool], by: u32) -> u32 {
    bits.iter().fold(0, |rest, &bit| (rest * 2 + u32::from(bit)) % by)
}
