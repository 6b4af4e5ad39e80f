//! The integer that at most 16 bytes make in big-endian order, in decimal digits.

use super::error::FormError;
use std::io::Write as _;

/// Digits of 2^128 − 1.
const LONGEST: usize = 39;

pub(crate) fn push(bytes: &[u8], out: &mut Vec<u8>) {
    let int = bytes.iter().fold(0, |int: u128, &byte| int << 8 | u128::from(byte));
    write!(out, "{int}").expect("writing to a Vec does not fail");
}

/// Whether the text is decimal digits without zeros before them, for an ID that can be an integer.
///
/// Shorter integers are not taken for IDs of 16 bytes: their upper 8 bytes would be 0, as in a column of row numbers.
pub(crate) fn fits(text: &[u8], bytes: usize) -> bool {
    let least = match bytes {
        0..=8 => 1,
        9..=16 => 20,
        _ => return false,
    };
    text.len() >= least && text[0] != b'0' && text.iter().all(u8::is_ascii_digit)
}

pub(crate) fn read(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError> {
    if text.is_empty() {
        return Err(FormError::empty());
    }
    if bytes.len() > 16 {
        return Err(FormError::overflow(format!(
            "an ID of {} bytes is longer than an integer of 128 bits: try hex",
            bytes.len()
        )));
    }
    if let Some(at) = text.iter().position(|byte| !byte.is_ascii_digit()) {
        return Err(FormError::character(text, at, "decimal"));
    }
    let greatest = u128::MAX >> (128 - 8 * bytes.len());
    let digits = std::str::from_utf8(text).unwrap_or_default();
    let int = match digits.trim_start_matches('0') {
        "" => Some(0),
        digits if digits.len() <= LONGEST => digits.parse().ok(),
        _ => None,
    };
    match int {
        Some(int) if int <= greatest => {
            bytes.copy_from_slice(&u128::to_be_bytes(int)[16 - bytes.len()..]);
            Ok(())
        }
        _ => {
            // A line can have megabytes: its first digits are enough to recognise it.
            let more = if digits.len() > LONGEST { "…" } else { "" };
            Err(FormError::overflow(format!(
                "{digits:.LONGEST$}{more} is above the greatest integer of {} bytes, {greatest}",
                bytes.len()
            )))
        }
    }
}
