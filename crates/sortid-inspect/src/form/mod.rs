//! The forms of an ID: the text of its specification, and four that show its bytes.

pub mod base64url;
pub mod hex;
pub(crate) mod int;
pub mod uuid;

mod error;

pub use error::FormError;

/// A form of an ID.
///
/// ```
/// use sortid_inspect::Form;
///
/// assert_eq!(Form::Base64url.name(), "base64url");
/// assert_eq!(Form::ALL.len(), 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Form {
    /// The text that the specification defines
    Text,
    /// The bytes in hex
    Hex,
    /// The integer, in decimal digits
    Int,
    /// The bytes as a UUID: 8-4-4-4-12 hex digits
    Uuid,
    /// The bytes in URL-safe base64 without padding; standard base64 is read, too
    Base64url,
}

/// Appends the form of these bytes.
pub type Writer = fn(bytes: &[u8], out: &mut Vec<u8>);

/// Reads the form into as many bytes as the ID has.
pub type Reader = fn(text: &[u8], bytes: &mut [u8]) -> Result<(), FormError>;

impl Form {
    /// All forms, the text first.
    pub const ALL: [Self; 5] = [Self::Text, Self::Hex, Self::Int, Self::Uuid, Self::Base64url];

    /// Returns the name in lower case: `text`, `hex`, `int`, `uuid` or `base64url`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Hex => "hex",
            Self::Int => "int",
            Self::Uuid => "uuid",
            Self::Base64url => "base64url",
        }
    }

    // Only the program and tests use the hidden methods. Their types are in `__private`.

    /// What writes the bytes in this form. `None` for the text, which only the specification can write.
    #[doc(hidden)]
    pub const fn writer(self) -> Option<Writer> {
        match self {
            Self::Text => None,
            Self::Hex => Some(hex::push),
            Self::Int => Some(int::push),
            Self::Uuid => Some(uuid::push),
            Self::Base64url => Some(base64url::push),
        }
    }

    /// What reads the bytes from this form. `None` for the text, which only the specification can read.
    #[doc(hidden)]
    pub const fn reader(self) -> Option<Reader> {
        match self {
            Self::Text => None,
            Self::Hex => Some(hex::read),
            Self::Int => Some(int::read),
            Self::Uuid => Some(uuid::read),
            Self::Base64url => Some(base64url::read),
        }
    }

    /// Whether IDs of this many bytes have the form; if not, why. `name` is the name of the specification.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    #[doc(hidden)]
    pub fn suits(self, name: &str, bytes: usize) -> Result<(), String> {
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

    /// Whether a text looks like this form of this many bytes. The digits can still be wrong.
    #[doc(hidden)]
    #[must_use]
    pub fn fits(self, text: &[u8], bytes: usize) -> bool {
        match self {
            Self::Text => false,
            Self::Hex => hex::fits(text, bytes),
            Self::Int => int::fits(text, bytes),
            Self::Uuid => bytes == uuid::BYTES && uuid::fits(text),
            Self::Base64url => base64url::fits(text, bytes),
        }
    }
}
