//! The forms of an ID: the text of its specification, and four that show its bytes.

pub(crate) mod base64url;
pub(crate) mod hex;
pub(crate) mod int;
pub(crate) mod uuid;

mod error;

use clap::ValueEnum;
pub(crate) use error::FormError;
use serde::{Serialize, Serializer};
use std::fmt;

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

/// How many IDs have each form.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts([u64; Form::ALL.len()]);

impl Counts {
    pub(crate) const fn add(&mut self, form: Form) {
        self.0[form as usize] += 1;
    }

    /// Adds the others, and sets them to 0.
    pub(crate) fn append(&mut self, others: &mut Self) {
        for (count, other) in self.0.iter_mut().zip(&mut others.0) {
            *count += std::mem::take(other);
        }
    }

    /// Whether all IDs are text.
    pub(crate) fn is_text(&self) -> bool {
        self.found().all(|(form, _)| form == Form::Text)
    }

    fn found(&self) -> impl Iterator<Item = (Form, u64)> {
        Form::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

/// An object with a member for each form.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.found().map(|(form, count)| (form.name(), count)))
    }
}

/// What a summary adds if there are others than text: ` (3 text, 1 int)`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_text() {
            return Ok(());
        }
        let counts: Vec<_> = self.found().map(|(form, count)| format!("{count} {}", form.name())).collect();
        write!(f, " ({})", counts.join(", "))
    }
}

/// Appends the form of these bytes.
pub(crate) type Writer = fn(bytes: &[u8], out: &mut Vec<u8>);

/// Reads the form into as many bytes as the ID has.
pub(crate) type Reader = fn(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError>;

impl Form {
    const ALL: [Self; 5] = [Self::Text, Self::Hex, Self::Int, Self::Uuid, Self::Base64url];

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

    /// Whether a text has the look of this form of so many bytes. The digits can still be wrong.
    pub(crate) fn fits(self, text: &[u8], bytes: usize) -> bool {
        match self {
            Self::Text => false,
            Self::Hex => hex::fits(text, bytes),
            Self::Int => int::fits(text, bytes),
            Self::Uuid => bytes == uuid::BYTES && uuid::fits(text),
            Self::Base64url => text.len() == base64url::len(bytes),
        }
    }
}
