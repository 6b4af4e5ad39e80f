//! The text of a UUID: 8-4-4-4-12 hex digits.

use crate::{ParseError, Text, error::create as error};

/// The number of characters.
pub const LEN: usize = 36;

/// Writes 16 bytes.
#[must_use]
pub fn write(bytes: &[u8]) -> Text<LEN> {
    let mut text = Text::EMPTY;
    for (at, &digit) in Text::<32>::hex(bytes).as_bytes().iter().enumerate() {
        if matches!(at, 8 | 12 | 16 | 20) {
            text.push(b'-');
        }
        text.push(digit);
    }
    text
}

/// Reads 16 bytes.
///
/// # Errors
///
/// `Length` unless the text has 36 bytes, `Sign` if a hyphen is missing, and `Character`.
pub fn read(text: &[u8]) -> Result<[u8; 16], ParseError> {
    if text.len() != LEN {
        return Err(error::text_length("the 36 characters of a UUID with hyphens", text));
    }
    let mut bytes = [0; 16];
    let mut digits = 0;
    for (at, &byte) in text.iter().enumerate() {
        match (matches!(at, 8 | 13 | 18 | 23), char::from(byte).to_digit(16)) {
            (true, _) if byte == b'-' => {}
            (true, _) if byte.is_ascii() => return Err(error::sign(byte, at, "a hyphen")),
            (false, Some(value)) => {
                bytes[digits / 2] = bytes[digits / 2] << 4 | value as u8;
                digits += 1;
            }
            _ => return Err(error::character(text, at, "hex")),
        }
    }
    Ok(bytes)
}
