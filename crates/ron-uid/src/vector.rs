//! Lists of UIDs, each compressed in the context of the one before.

use crate::RonUid;
use core::iter::FusedIterator;
use sortid_core::ParseError;

/// An iterator over the UIDs of a vector: compressed UIDs joined by `,`. The context of the first is
/// [`ZERO`](RonUid::ZERO), the context of each other UID is the UID before it. Does not allocate.
///
/// An empty body is an empty vector. An empty element repeats the UID before it.
///
/// The iterator ends after an error, because the next element needs the UID that could not be parsed. Positions count
/// bytes from the beginning of the body.
///
/// ```
/// use ron_uid::{RonUid, Vector, ron_uid};
///
/// let uids: Vec<RonUid> = Vector::new("time-origin,[1,(2{2").collect::<Result<_, _>>()?;
/// assert_eq!(uids, [ron_uid!("time-origin"), ron_uid!("time01-origin"), ron_uid!("time2-origin2")]);
///
/// let error = Vector::new("time-origin,[!").last().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "'!' at position 13 is not a Base64x64 digit");
/// # Ok::<(), ron_uid::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vector<'a> {
    body: &'a [u8],
    /// Where the next element begins; `None` after the last element, or after an error.
    next: Option<usize>,
    context: RonUid,
}

impl<'a> Vector<'a> {
    /// Creates an iterator over the UIDs of this body.
    #[must_use]
    pub const fn new(body: &'a str) -> Self {
        Self::from_ascii(body.as_bytes())
    }

    /// Creates an iterator over the UIDs of a body that may not be UTF-8.
    #[must_use]
    pub const fn from_ascii(body: &'a [u8]) -> Self {
        Self { body, next: if body.is_empty() { None } else { Some(0) }, context: RonUid::ZERO }
    }
}

impl Iterator for Vector<'_> {
    type Item = Result<RonUid, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.next.take()?;
        let end =
            self.body[at..].iter().position(|&byte| byte == b',').map_or(self.body.len(), |len| at + len);
        let result = RonUid::unzip_from(&self.body[..end], at, &self.context);
        if let Ok(uid) = result {
            self.context = uid;
            self.next = (end < self.body.len()).then_some(end + 1);
        }
        Some(result)
    }
}

impl FusedIterator for Vector<'_> {}

/// Writes a vector, for [`Vector`] to read.
///
/// ```
/// use ron_uid::{VectorBuilder, ron_uid};
///
/// let mut vector = VectorBuilder::new();
/// vector.push(ron_uid!("time-origin"));
/// vector.push(ron_uid!("time01-origin"));
/// vector.extend([ron_uid!("time2-origin2")]);
/// assert_eq!(vector.as_str(), "time-origin,[1,(2{2");
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorBuilder {
    body: alloc::string::String,
    context: RonUid,
}

#[cfg(feature = "alloc")]
impl VectorBuilder {
    /// Creates an empty vector.
    #[must_use]
    pub const fn new() -> Self {
        Self { body: alloc::string::String::new(), context: RonUid::ZERO }
    }

    /// Appends a UID.
    pub fn push(&mut self, uid: RonUid) {
        if !self.body.is_empty() {
            self.body.push(',');
        }
        self.body.push_str(&uid.zip(&self.context));
        self.context = uid;
    }

    /// Returns the body so far.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.body
    }

    /// Returns the body.
    #[must_use]
    pub fn finish(self) -> alloc::string::String {
        self.body
    }
}

#[cfg(feature = "alloc")]
impl core::fmt::Display for VectorBuilder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(&self.body)
    }
}

#[cfg(feature = "alloc")]
impl Extend<RonUid> for VectorBuilder {
    fn extend<I: IntoIterator<Item = RonUid>>(&mut self, uids: I) {
        for uid in uids {
            self.push(uid);
        }
    }
}

#[cfg(feature = "alloc")]
impl FromIterator<RonUid> for VectorBuilder {
    fn from_iter<I: IntoIterator<Item = RonUid>>(uids: I) -> Self {
        let mut vector = Self::new();
        vector.extend(uids);
        vector
    }
}
