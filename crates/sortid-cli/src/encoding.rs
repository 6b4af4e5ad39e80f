//! Forms of an ID that are forms of its bytes.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sortid::{ParseError, ParseErrorKind};
use std::io::Write as _;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Hex,
    /// The integer that the bytes make in big-endian order.
    Int,
    /// `8-4-4-4-12` hex digits.
    Uuid,
    Base64url,
}

/// Where the groups of a UUID end, in bytes, and a hyphen follows.
const UUID_GROUPS: [usize; 4] = [4, 6, 8, 10];
const UUID_LEN: usize = 36;

/// Digits of 2^128 − 1.
const INT_LEN: usize = 39;

/// Why a text cannot be read.
pub(crate) struct Unread {
    pub(crate) kind: ParseErrorKind,
    pub(crate) message: String,
}

impl From<ParseError> for Unread {
    fn from(error: ParseError) -> Self {
        Self { kind: error.kind(), message: error.to_string() }
    }
}

impl Encoding {
    /// Whether IDs of so many bytes have the form; if not, why. `name` is that of the specification.
    pub(crate) fn suits(self, name: &str, bytes: usize) -> Result<(), String> {
        match self {
            Self::Int if bytes > 16 => {
                Err(format!("{name} has no integer form, it is longer than 128 bits: try hex"))
            }
            Self::Uuid if bytes != 16 => {
                Err(format!("{name} has no UUID form, it has {bytes} bytes and a UUID 16: try hex"))
            }
            _ => Ok(()),
        }
    }

    /// Appends the form of these bytes. There have to be 16 for a UUID, and no more for an integer.
    pub(crate) fn push(self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Hex => push_hex(bytes, out),
            Self::Int => {
                let int = bytes.iter().fold(0, |int: u128, &byte| int << 8 | u128::from(byte));
                write!(out, "{int}").expect("a Vec takes all");
            }
            Self::Uuid => {
                let mut start = 0;
                for end in UUID_GROUPS {
                    push_hex(&bytes[start..end], out);
                    out.push(b'-');
                    start = end;
                }
                push_hex(&bytes[start..], out);
            }
            Self::Base64url => {
                let start = out.len();
                out.resize(start + base64_len(bytes.len()), 0);
                URL_SAFE_NO_PAD.encode_slice(bytes, &mut out[start..]).expect("there is room for all digits");
            }
        }
    }

    /// Reads the form into as many bytes as there have to be.
    pub(crate) fn read(self, text: &[u8], bytes: &mut [u8]) -> Result<(), Unread> {
        match self {
            Self::Hex => read_hex(text, 0, bytes)?,
            Self::Int => read_int(text, bytes)?,
            Self::Uuid => {
                if text.len() != UUID_LEN {
                    return Err(ParseError::text_length("36 characters", text).into());
                }
                let mut start = 0;
                for end in UUID_GROUPS {
                    // Two digits a byte, and a hyphen for each group before.
                    let hyphens = UUID_GROUPS.iter().filter(|group| **group <= start).count();
                    read_digits(text, 2 * start + hyphens, &mut bytes[start..end])?;
                    let at = 2 * end + hyphens;
                    if text[at] != b'-' {
                        return Err(ParseError::sign(text[at], at, "a hyphen").into());
                    }
                    start = end;
                }
                read_digits(text, 2 * start + UUID_GROUPS.len(), &mut bytes[start..])?;
            }
            Self::Base64url => read_base64url(text, bytes)?,
        }
        Ok(())
    }

    /// Whether a text of hex or base64url is of so many bytes.
    pub(crate) const fn has_len(self, text: &[u8], bytes: usize) -> bool {
        let len = match self {
            Self::Hex => 2 * bytes,
            Self::Base64url => base64_len(bytes),
            Self::Int | Self::Uuid => return false,
        };
        text.len() == len
    }

    /// The form that a text for so many bytes can have, by its length and digits.
    pub(crate) fn guess(text: &[u8], bytes: usize) -> Option<Self> {
        let is_int = bytes <= 16 && !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        match text.len() {
            len if len == 2 * bytes => Some(Self::Hex),
            _ if is_int => Some(Self::Int),
            UUID_LEN if bytes == 16 => Some(Self::Uuid),
            len if len == base64_len(bytes) => Some(Self::Base64url),
            _ => None,
        }
    }
}

/// Characters of so many bytes, without padding.
const fn base64_len(bytes: usize) -> usize {
    (8 * bytes).div_ceil(6)
}

pub(crate) fn push_hex(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for &byte in bytes {
        out.extend_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xf)]]);
    }
}

fn read_hex(text: &[u8], at: usize, bytes: &mut [u8]) -> Result<(), ParseError> {
    if text.len() != 2 * bytes.len() {
        let expected = match bytes.len() {
            8 => "16 hex digits",
            16 => "32 hex digits",
            _ => "40 hex digits",
        };
        return Err(ParseError::text_length(expected, text));
    }
    read_digits(text, at, bytes)
}

/// Reads two hex digits a byte, from `text[at]` on.
fn read_digits(text: &[u8], at: usize, bytes: &mut [u8]) -> Result<(), ParseError> {
    let digit =
        |at: usize| char::from(text[at]).to_digit(16).ok_or_else(|| ParseError::character(text, at, "hex"));
    for (index, byte) in bytes.iter_mut().enumerate() {
        let at = at + 2 * index;
        *byte = (digit(at)? << 4 | digit(at + 1)?) as u8;
    }
    Ok(())
}

fn read_int(text: &[u8], bytes: &mut [u8]) -> Result<(), Unread> {
    if text.is_empty() {
        return Err(ParseError::length("at least 1 digit", 0).into());
    }
    if let Some(at) = text.iter().position(|byte| !byte.is_ascii_digit()) {
        return Err(ParseError::character(text, at, "decimal").into());
    }
    let greatest = u128::MAX >> (128 - 8 * bytes.len());
    let digits = std::str::from_utf8(text).unwrap_or_default();
    let int = match digits.trim_start_matches('0') {
        "" => Some(0),
        digits if digits.len() <= INT_LEN => digits.parse().ok(),
        _ => None,
    };
    match int {
        Some(int) if int <= greatest => {
            bytes.copy_from_slice(&u128::to_be_bytes(int)[16 - bytes.len()..]);
            Ok(())
        }
        _ => {
            // The start will do to say which: a line can be of megabytes.
            let more = if digits.len() > INT_LEN { "…" } else { "" };
            let message = format!(
                "{digits:.INT_LEN$}{more} is above the greatest integer of {} bytes, {greatest}",
                bytes.len()
            );
            Err(Unread { kind: ParseErrorKind::Overflow, message })
        }
    }
}

fn read_base64url(text: &[u8], bytes: &mut [u8]) -> Result<(), Unread> {
    if text.len() != base64_len(bytes.len()) {
        let expected = match bytes.len() {
            8 => "11 base64url digits",
            16 => "22 base64url digits",
            _ => "27 base64url digits",
        };
        return Err(ParseError::text_length(expected, text).into());
    }
    if let Some(at) = text.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"-_".contains(byte)) {
        return Err(ParseError::character(text, at, "base64url").into());
    }
    // What is left to be wrong are the bits of the last digit that belong to no byte.
    let mut room = [0; 24];
    match URL_SAFE_NO_PAD.decode_slice(text, &mut room) {
        Ok(len) if len == bytes.len() => {
            bytes.copy_from_slice(&room[..len]);
            Ok(())
        }
        _ => {
            let message = format!("the last digit is more than {} bytes have room for", bytes.len());
            Err(Unread { kind: ParseErrorKind::Overflow, message })
        }
    }
}
