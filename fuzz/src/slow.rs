//! Decoders that are slow, and simple enough to be right by inspection.

use std::ops::Deref;

pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const BASE32HEX: &str = "0123456789abcdefghijklmnopqrstuv";
pub(crate) const CROCKFORD: &str = "0123456789abcdefghjkmnpqrstvwxyz";
pub(crate) const BASE64X64: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";

/// The value of a digit in either case.
pub(crate) fn ignoring_case(alphabet: &str) -> impl Fn(u8) -> Option<usize> {
    move |byte| alphabet.bytes().position(|digit| digit == byte.to_ascii_lowercase())
}

/// The value of a Crockford digit, or of a letter that looks like one.
pub(crate) fn crockford_aliased(byte: u8) -> Option<usize> {
    match byte {
        b'i' | b'I' | b'l' | b'L' => Some(1),
        b'o' | b'O' => Some(0),
        _ => ignoring_case(CROCKFORD)(byte),
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
pub(crate) fn bits(text: &[u8], width: usize, digit: impl Fn(u8) -> Option<usize>) -> Option<Bits> {
    let mut bits = Bits { bits: [false; 160], len: text.len() * width };
    for (place, &byte) in bits.bits.chunks_mut(width).zip(text) {
        let digit = digit(byte)?;
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
