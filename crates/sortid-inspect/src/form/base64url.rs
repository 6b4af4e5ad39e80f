//! The bytes in base64 with the URL-safe digits, without padding.

use super::error::FormError;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

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

/// Reads the form of `bytes.len()` bytes into `bytes`.
///
/// # Errors
///
/// If the text has another length, a character that is not a digit, or surplus bits.
pub fn read(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError> {
    if text.len() != len(bytes.len()) {
        let expected = match bytes.len() {
            8 => "11 base64url digits",
            16 => "22 base64url digits",
            _ => "27 base64url digits",
        };
        return Err(FormError::length(expected, text));
    }
    if let Some(at) = text.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"-_".contains(byte)) {
        return Err(FormError::character(text, at, "base64url"));
    }
    // Only the surplus bits of the last digit, which belong to no byte, can still be wrong.
    let mut room = [0; 24];
    match URL_SAFE_NO_PAD.decode_slice(text, &mut room) {
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
