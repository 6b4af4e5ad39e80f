//! Hex: two digits a byte, written in lower case and read in both.

use super::error::FormError;
use sortid::Text;

/// Digits of so many bytes.
pub(crate) const fn len(bytes: usize) -> usize {
    2 * bytes
}

/// At most `N / 2` bytes as digits.
pub(crate) fn encode<const N: usize>(bytes: &[u8]) -> Text<N> {
    let mut text = Text::EMPTY;
    for &byte in bytes {
        digits(byte).into_iter().for_each(|digit| text.push(digit));
    }
    text
}

pub(crate) fn push(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        out.extend_from_slice(&digits(byte));
    }
}

fn digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xf)]]
}

pub(crate) fn read(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError> {
    if text.len() != len(bytes.len()) {
        let expected = match bytes.len() {
            8 => "16 hex digits",
            16 => "32 hex digits",
            _ => "40 hex digits",
        };
        return Err(FormError::length(expected, text));
    }
    read_at(text, 0, bytes)
}

/// Reads two digits for each byte, from `text[at]` on.
pub(super) fn read_at(text: &[u8], at: usize, bytes: &mut [u8]) -> Result<(), FormError> {
    let digit =
        |at: usize| char::from(text[at]).to_digit(16).ok_or_else(|| FormError::character(text, at, "hex"));
    for (index, byte) in bytes.iter_mut().enumerate() {
        let at = at + 2 * index;
        *byte = (digit(at)? << 4 | digit(at + 1)?) as u8;
    }
    Ok(())
}
