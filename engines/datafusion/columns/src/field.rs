use crate::Column;
use std::fmt;

/// A field of an ID.
///
/// ```
/// use sortid::euid::Euid;
/// use sortid_columns::{Column, Read};
///
/// let ids = [sortid_columns::parse::<Euid>(b"C8EE934SR007G5Q94QKKXFRFV8B").unwrap(), [0; 16]];
/// let extension = Euid::READS.iter().find(|field| field.name == "extension").unwrap();
/// let Read::Integers(read) = extension.read else { panic!("an extension is an integer") };
/// let mut values = [0; 2];
/// assert!(!read(&ids, &mut values));
/// assert_eq!(values, [7, -1]); // the second ID has no extension
/// ```
pub struct Field<I: Column> {
    /// The name, such as `timestamp_ms`.
    pub name: &'static str,
    /// What the field is, as the end of a sentence.
    pub about: &'static str,
    /// How to read it.
    pub read: Read<I>,
}

/// The kernel of a field. It returns whether all values have the field.
pub enum Read<I: Column> {
    /// Writes integers. An integer is negative only for a value without the field.
    Integers(fn(&[I::Value], &mut [i64]) -> bool),
    /// Writes integers that may be above `i64::MAX`. All values have the field.
    Unsigned(fn(&[I::Value], &mut [u64])),
    /// Writes each text into this number of bytes. Zeros follow a shorter text, and are all bytes of a value without the
    /// field.
    Texts(usize, fn(&[I::Value], &mut [u8]) -> bool),
    /// Writes this number of bytes for each value. All values have the field.
    Bytes(usize, fn(&[I::Value], &mut [u8])),
}

impl<I: Column> Field<I> {
    /// A field of the description of the ID, and how to read it.
    pub(crate) const fn new(field: sortid::Field, read: Read<I>) -> Self {
        Self::named(field.name, field, read)
    }

    /// The same with another name.
    pub(crate) const fn named(name: &'static str, field: sortid::Field, read: Read<I>) -> Self {
        Self { name, about: field.about, read }
    }
}

impl<I: Column> Clone for Read<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Column> Copy for Read<I> {}

impl<I: Column> fmt::Debug for Field<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Writes an integer for each ID, or -1.
pub(crate) fn integers<I: Column>(
    ids: &[I::Value],
    out: &mut [i64],
    field: impl Fn(I) -> Option<i64>,
) -> bool {
    assert_eq!(ids.len(), out.len(), "an integer for each ID");
    let mut union = 0;
    for (id, out) in ids.iter().zip(out) {
        *out = I::from_value(id).ok().and_then(&field).unwrap_or(-1);
        union |= *out;
    }
    union >= 0
}

/// Writes a text or bytes for each ID into `width` bytes.
pub(crate) fn slots<I: Column, T: AsRef<[u8]>>(
    ids: &[I::Value],
    out: &mut [u8],
    width: usize,
    field: impl Fn(I) -> T,
) -> bool {
    assert_eq!(ids.len() * width, out.len(), "{width} bytes for each ID");
    out.fill(0);
    let mut all = true;
    for (id, slot) in ids.iter().zip(out.chunks_exact_mut(width)) {
        if let Ok(id) = I::from_value(id) {
            let text = field(id);
            let text = text.as_ref();
            slot[..text.len()].copy_from_slice(text);
        } else {
            all = false;
        }
    }
    all
}
