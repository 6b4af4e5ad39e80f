//! The bytes in base64 with the URL-safe digits, without padding.
//!
//! The padding is read, too, and so are the digits `+` and `/` of standard base64 in place of `-` and `_`.

use super::error::FormError;
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};

/// The number of digits for this many bytes.
#[must_use]
pub const fn len(bytes: usize) -> usize {
    (8 * bytes).div_ceil(6)
}

/// Appends the form of the bytes.
///
/// # Panics
///
/// Never: there is room for all digits.
pub fn push(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + len(bytes.len()), 0);
    URL_SAFE_NO_PAD.encode_slice(bytes, &mut out[start..]).expect("there is room for all digits");
}

/// Whether the text has as many digits as this many bytes, with or without the padding.
#[must_use]
pub fn fits(text: &[u8], bytes: usize) -> bool {
    digits_of(text, bytes).len() == len(bytes)
}

/// The text without the padding of this many bytes.
fn digits_of(text: &[u8], bytes: usize) -> &[u8] {
    let padding = 4 * bytes.div_ceil(3) - len(bytes);
    match text.split_at_checked(len(bytes)) {
        Some((digits, rest)) if rest.len() == padding && rest.iter().all(|&byte| byte == b'=') => digits,
        _ => text,
    }
}

/// Reads the form of `bytes.len()` bytes into `bytes`.
///
/// # Errors
///
/// If the text has another length, a character that is not a digit, digits of both alphabets, or surplus bits.
pub fn read(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError> {
    if !fits(text, bytes.len()) {
        let expected = match bytes.len() {
            8 => "11 base64url digits",
            16 => "22 base64url digits",
            _ => "27 base64url digits",
        };
        return Err(FormError::length(expected, text));
    }
    let digits = digits_of(text, bytes.len());
    // The first digit that only one of the alphabets has decides.
    let (engine, signs, alphabet) = match digits.iter().find(|byte| b"+/-_".contains(byte)) {
        Some(b'+' | b'/') => (STANDARD_NO_PAD, b"+/", "base64"),
        _ => (URL_SAFE_NO_PAD, b"-_", "base64url"),
    };
    if let Some(at) = digits.iter().position(|byte| !byte.is_ascii_alphanumeric() && !signs.contains(byte)) {
        return Err(FormError::character(text, at, alphabet));
    }
    // Only the surplus bits of the last digit, which belong to no byte, can still be wrong.
    let mut room = [0; 24];
    match engine.decode_slice(digits, &mut room) {
        Ok(len) if len == bytes.len() => {
            bytes.copy_from_slice(&room[..len]);
            Ok(())
        }
        _ => Err(FormError::overflow(format!(
            "the last digit has bits set that {} bytes have no room for",
            bytes.len()
        ))),
    }
}
