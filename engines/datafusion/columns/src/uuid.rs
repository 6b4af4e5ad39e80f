//! The texts of UUIDs, such as `0c7f613c-7a56-1510-eddd-e216d959d3b1`.

use crate::wide::Alphabet;
use sortid::{__private::error, ParseError};

/// The number of characters.
const LEN: usize = 36;

/// Where the hyphens are.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

/// Returns a text that has the length and the hyphens of a UUID. No text of an ID has them.
#[inline]
pub(crate) fn of(text: &[u8]) -> Option<&[u8; LEN]> {
    let text: &[u8; LEN] = text.try_into().ok()?;
    HYPHENS.iter().all(|&at| text[at] == b'-').then_some(text)
}

/// Returns the bytes of a text that has the form of a UUID. Digits can be upper or lower case.
pub(crate) fn parse(text: &[u8; LEN]) -> Result<[u8; 16], ParseError> {
    let mut digits = [0; 32];
    digits[..8].copy_from_slice(&text[..8]);
    digits[8..12].copy_from_slice(&text[9..13]);
    digits[12..16].copy_from_slice(&text[14..18]);
    digits[16..20].copy_from_slice(&text[19..23]);
    digits[20..].copy_from_slice(&text[24..]);
    let mut are_digits = true;
    for digit in &mut digits {
        let is_digit;
        (*digit, is_digit) = Alphabet::HEX.value(*digit);
        are_digits &= is_digit;
    }
    if !are_digits {
        return Err(wrong(text));
    }
    let mut bytes = [0; 16];
    for (byte, [high, low]) in bytes.iter_mut().zip(digits.as_chunks().0) {
        *byte = high << 4 | low;
    }
    Ok(bytes)
}

#[cold]
fn wrong(text: &[u8; LEN]) -> ParseError {
    let is_wrong = |at: &usize| !HYPHENS.contains(at) && !text[*at].is_ascii_hexdigit();
    error::character(text, (0..text.len()).find(is_wrong).unwrap_or_default(), "hex")
}
