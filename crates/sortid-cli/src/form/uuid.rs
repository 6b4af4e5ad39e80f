//! The 16 bytes as a UUID: hex digits in groups of 8, 4, 4, 4 and 12, with hyphens between them.

use super::{error::FormError, hex};

pub(crate) const BYTES: usize = 16;

/// Characters.
pub(crate) const LEN: usize = 36;

/// The byte at which each group but the last ends. A hyphen follows.
const GROUP_ENDS: [usize; 4] = [4, 6, 8, 10];

pub(crate) fn push(bytes: &[u8], out: &mut Vec<u8>) {
    let mut start = 0;
    for end in GROUP_ENDS {
        hex::push(&bytes[start..end], out);
        out.push(b'-');
        start = end;
    }
    hex::push(&bytes[start..], out);
}

pub(crate) fn read(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError> {
    if text.len() != LEN {
        return Err(FormError::length("36 characters", text));
    }
    let mut start = 0;
    for (hyphens, end) in GROUP_ENDS.into_iter().enumerate() {
        hex::read_at(text, hex::len(start) + hyphens, &mut bytes[start..end])?;
        let at = hex::len(end) + hyphens;
        if text[at] != b'-' {
            return Err(FormError::sign(text, at, "a hyphen"));
        }
        start = end;
    }
    hex::read_at(text, hex::len(start) + GROUP_ENDS.len(), &mut bytes[start..])
}
