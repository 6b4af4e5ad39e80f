//! The 16 bytes as a UUID: hex digits in groups of 8, 4, 4, 4 and 12, with hyphens between them.
//!
//! Braces around them are read, and `urn:uuid:` before them, as in RFC 9562. In braces, the hyphens can be missing.

use super::{error::FormError, hex};

/// Bytes of an ID that has this form.
pub const BYTES: usize = 16;

/// Characters.
pub const LEN: usize = 36;

/// The byte at which each group but the last ends. A hyphen follows.
const GROUP_ENDS: [usize; 4] = [4, 6, 8, 10];

/// Appends the form of 16 bytes.
pub fn push(bytes: &[u8], out: &mut Vec<u8>) {
    let mut start = 0;
    for end in GROUP_ENDS {
        hex::push(&bytes[start..end], out);
        out.push(b'-');
        start = end;
    }
    hex::push(&bytes[start..], out);
}

/// Whether the text has the look of a UUID.
#[must_use]
pub fn fits(text: &[u8]) -> bool {
    // Objects of JSON begin with a brace, too.
    start(text) > 1
        || matches!(text, [b'{', digit, ..] if digit.is_ascii_hexdigit())
        || text.len() == LEN && text[GROUP_ENDS[0] * 2] == b'-'
}

const URN: &[u8] = b"urn:uuid:";

/// How many bytes stand before the digits.
fn start(text: &[u8]) -> usize {
    match text.first() {
        Some(b'{') => 1,
        _ if text.get(..URN.len()).is_some_and(|urn| urn.eq_ignore_ascii_case(URN)) => URN.len(),
        _ => 0,
    }
}

/// Reads the form into 16 bytes.
///
/// # Errors
///
/// If the text is not a UUID.
pub fn read(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError> {
    let mut start = start(text);
    let mut end = text.len();
    if start == 1 {
        end -= 1;
        if text[end] != b'}' {
            return Err(FormError::sign(text, end, "a closing brace"));
        }
        if end - start == hex::len(BYTES) {
            return hex::read_at(text, start, bytes);
        }
    }
    if end - start != LEN {
        return Err(FormError::length("36 characters", &text[start..end]));
    }
    let mut group = 0;
    for end in GROUP_ENDS.into_iter().chain([BYTES]) {
        hex::read_at(text, start, &mut bytes[group..end])?;
        start += hex::len(end - group);
        if end < BYTES && text[start] != b'-' {
            return Err(FormError::sign(text, start, "a hyphen"));
        }
        start += 1;
        group = end;
    }
    Ok(())
}
