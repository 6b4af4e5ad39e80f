//! Hex: two digits a byte, written in lower case and read in both.
//!
//! What others print before the digits is read: `\x` as psql, `\\x` as PostgreSQL's `COPY`, `0x` as many languages. After `0x`, an integer can
//! lack its first zeros.

use super::error::FormError;
/// The number of digits for this many bytes.
#[must_use]
pub const fn len(bytes: usize) -> usize {
    2 * bytes
}

/// Appends two digits for each byte.
pub fn push(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        out.extend_from_slice(&digits(byte));
    }
}

fn digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xf)]]
}

/// Whether the text is two hex digits for each of this many bytes, or has one of the prefixes.
#[must_use]
pub fn fits(text: &[u8], bytes: usize) -> bool {
    prefix(text).is_some()
        || text.len() == len(bytes) && text.iter().fold(true, |all, byte| all & byte.is_ascii_hexdigit())
}

/// The text without the prefix.
pub fn digits_of(text: &[u8]) -> &[u8] {
    &text[prefix(text).map_or(0, str::len)..]
}

/// What stands before the digits.
fn prefix(text: &[u8]) -> Option<&'static str> {
    match text {
        [b'\\', b'x', ..] => Some("\\x"),
        [b'\\', b'\\', b'x', ..] => Some("\\\\x"),
        [b'0', b'x' | b'X', ..] => Some("0x"),
        _ => None,
    }
}

/// Reads the form of `bytes.len()` bytes into `bytes`.
///
/// # Errors
///
/// If the text has another length, or a character that is not a hex digit.
pub fn read(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError> {
    let prefix = prefix(text);
    let start = prefix.map_or(0, str::len);
    let digits = text.len() - start;
    let all = len(bytes.len());
    // As for decimal digits: an ID of 16 bytes has more digits than one of 8.
    let least = match bytes.len() {
        0..=8 => 1,
        9..=16 => 17,
        _ => all,
    };
    if prefix == Some("0x") && (least..all).contains(&digits) {
        let digits = [&vec![b'0'; all - digits][..], &text[start..]].concat();
        return read_at(&digits, 0, bytes).map_err(|_| {
            let at = text[start..].iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or_default();
            FormError::character(text, start + at, "hex")
        });
    }
    if digits != all {
        let expected = match bytes.len() {
            8 => "16 hex digits",
            16 => "32 hex digits",
            _ => "40 hex digits",
        };
        return Err(FormError::length(expected, &text[start..]));
    }
    read_at(text, start, bytes)
}

/// Reads two digits for each byte, from `text[at]` on.
pub(super) fn read_at(text: &[u8], at: usize, bytes: &mut [u8]) -> Result<(), FormError> {
    let end = at + len(bytes.len());
    let mut is_wrong = false;
    // Without a branch for each digit, the compiler makes vector instructions.
    for (byte, pair) in bytes.iter_mut().zip(text[at..end].chunks_exact(2)) {
        let (high, low) = (value(pair[0]), value(pair[1]));
        is_wrong |= (high | low) > 0xf;
        *byte = high << 4 | (low & 0xf);
    }
    if is_wrong {
        let wrong = text[at..end].iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or_default();
        return Err(FormError::character(text, at + wrong, "hex"));
    }
    Ok(())
}

/// The value of a digit, or 0xff.
#[inline]
const fn value(digit: u8) -> u8 {
    let (decimal, letter) = (digit.wrapping_sub(b'0'), (digit | 0x20).wrapping_sub(b'a'));
    if decimal < 10 {
        decimal
    } else if letter < 6 {
        letter + 10
    } else {
        u8::MAX
    }
}
