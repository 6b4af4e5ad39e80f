use crate::{ParseError, SortableId};
use core::{fmt, str::FromStr};

/// An ID that is stored as its text in databases and in binary serde formats, where it would otherwise be bytes or an
/// integer.
///
/// A database compares texts by their collation. To sort texts as IDs, use a collation that compares bytes:
/// `COLLATE "C"` in PostgreSQL, `COLLATE ascii_bin` in MySQL, the default in SQLite.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AsText<I>(pub I);

impl<I> From<I> for AsText<I> {
    fn from(id: I) -> Self {
        Self(id)
    }
}

impl<I: fmt::Display> fmt::Display for AsText<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<I: fmt::Debug> fmt::Debug for AsText<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AsText({:?})", self.0)
    }
}

impl<I: SortableId> FromStr for AsText<I> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse().map(Self)
    }
}
