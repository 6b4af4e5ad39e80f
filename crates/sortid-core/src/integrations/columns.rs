//! What a database's natural column for an ID holds, where libraries ask for a value and not for bytes.

use super::Identifier;
use crate::ParseError;
use alloc::{boxed::Box, format, vec::Vec};
use core::error::Error;

pub type BoxError = Box<dyn Error + Send + Sync>;

/// What a column holds: bytes, a UUID, or an integer.
pub trait Column: Sized {
    fn of(id: &impl Identifier) -> Self;

    fn read<I: Identifier>(self) -> Result<I, ParseError>;
}

impl Column for Vec<u8> {
    fn of(id: &impl Identifier) -> Self {
        id.as_ref().into()
    }

    fn read<I: Identifier>(self) -> Result<I, ParseError> {
        I::try_from(&self)
    }
}

#[cfg(feature = "sqlx")]
impl Column for uuid::Uuid {
    fn of(id: &impl Identifier) -> Self {
        Self::from_slice(id.as_ref()).expect("an ID in a UUID column has 16 bytes")
    }

    fn read<I: Identifier>(self) -> Result<I, ParseError> {
        I::try_from(self.as_bytes())
    }
}

impl Column for i64 {
    fn of(id: &impl Identifier) -> Self {
        Self::from_be_bytes(id.as_ref().try_into().expect("an ID in an integer column has 8 bytes"))
    }

    fn read<I: Identifier>(self) -> Result<I, ParseError> {
        I::try_from(&self.to_be_bytes())
    }
}

/// A value of another type than the column's should have.
#[cold]
#[must_use]
pub fn wrong_type<I: Identifier>(expected: &str, found: &str) -> BoxError {
    format!("expected {expected} of a {}, found {found}", I::NAME).into()
}
