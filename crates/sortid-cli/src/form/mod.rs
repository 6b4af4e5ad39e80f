//! The forms of an ID: the text of its specification, and four that show its bytes.

pub(crate) mod base64url;
pub(crate) mod hex;
pub(crate) mod int;
pub(crate) mod uuid;

mod error;

use clap::ValueEnum;
pub(crate) use error::FormError;

/// A form of an ID, as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// The text that the specification defines
    Text,
    /// The bytes in hex
    Hex,
    /// The integer, in decimal digits
    Int,
    /// The bytes as a UUID: 8-4-4-4-12 hex digits
    Uuid,
    /// The bytes in URL-safe base64 without padding
    Base64url,
}

/// Appends the form of these bytes.
pub(crate) type Writer = fn(bytes: &[u8], out: &mut Vec<u8>);

/// Reads the form into as many bytes as the ID has.
pub(crate) type Reader = fn(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError>;

impl Form {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Hex => "hex",
            Self::Int => "int",
            Self::Uuid => "uuid",
            Self::Base64url => "base64url",
        }
    }

    /// What writes the bytes in this form. `None` for the text, which only the specification can write.
    pub(crate) const fn writer(self) -> Option<Writer> {
        match self {
            Self::Text => None,
            Self::Hex => Some(hex::push),
            Self::Int => Some(int::push),
            Self::Uuid => Some(uuid::push),
            Self::Base64url => Some(base64url::push),
        }
    }

    /// What reads the bytes from this form. `None` for the text, which only the specification can read.
    pub(crate) const fn reader(self) -> Option<Reader> {
        match self {
            Self::Text => None,
            Self::Hex => Some(hex::read),
            Self::Int => Some(int::read),
            Self::Uuid => Some(uuid::read),
            Self::Base64url => Some(base64url::read),
        }
    }

    /// Whether IDs of so many bytes have the form; if not, why. `name` is that of the specification.
    pub(crate) fn suits(self, name: &str, bytes: usize) -> Result<(), String> {
        match self {
            Self::Int if bytes > 16 => {
                Err(format!("{name} has no integer form because it is longer than 128 bits: try hex"))
            }
            Self::Uuid if bytes != uuid::BYTES => Err(format!(
                "{name} has no UUID form because it has {bytes} bytes and a UUID has {}: try hex",
                uuid::BYTES
            )),
            _ => Ok(()),
        }
    }

    /// The form of bytes that a text can be for an ID of so many bytes, by its length and digits.
    pub(crate) fn guess(text: &[u8], bytes: usize) -> Option<Self> {
        let is_int = bytes <= 16 && !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        match text.len() {
            len if len == hex::len(bytes) => Some(Self::Hex),
            _ if is_int => Some(Self::Int),
            uuid::LEN if bytes == uuid::BYTES => Some(Self::Uuid),
            len if len == base64url::len(bytes) => Some(Self::Base64url),
            _ => None,
        }
    }
}
