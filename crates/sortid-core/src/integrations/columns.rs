//! The value of an ID in its natural column of a database, for libraries that take a value instead of bytes.

use super::one;
use crate::{ParseError, SortableId};
use alloc::{boxed::Box, format, vec::Vec};
use core::error::Error;

pub type BoxError = Box<dyn Error + Send + Sync>;

/// The value of a column: bytes, a UUID or an integer.
pub trait Column: Sized {
    fn of(id: &impl SortableId) -> Self;

    fn read<I: SortableId>(self) -> Result<I, ParseError>;
}

impl Column for Vec<u8> {
    fn of(id: &impl SortableId) -> Self {
        id.as_ref().into()
    }

    fn read<I: SortableId>(self) -> Result<I, ParseError> {
        I::try_from(&self)
    }
}

#[cfg(any(feature = "sea-orm", feature = "sqlx08", feature = "sqlx09"))]
impl Column for uuid::Uuid {
    fn of(id: &impl SortableId) -> Self {
        Self::from_slice(id.as_ref()).expect("an ID in a UUID column has 16 bytes")
    }

    fn read<I: SortableId>(self) -> Result<I, ParseError> {
        I::try_from(self.as_bytes())
    }
}

impl Column for i64 {
    fn of(id: &impl SortableId) -> Self {
        Self::from_be_bytes(id.as_ref().try_into().expect("an ID in an integer column has 8 bytes"))
    }

    fn read<I: SortableId>(self) -> Result<I, ParseError> {
        I::try_from(&self.to_be_bytes())
    }
}

/// Returns the error of a value whose type is not the type of the natural column.
#[cold]
#[must_use]
pub fn wrong_type<I: SortableId>(expected: &str, found: &str) -> BoxError {
    format!("expected {expected} of {}, found {found}", one::<I>()).into()
}
