//! The state of the array or object that a pass reads.

use super::style::Key;

/// The order of the keys of an object that were read so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum KeyOrder {
    Ascending,
    /// The object is sorted when it closes. Until then, nothing is flushed.
    Unordered,
    /// The object was already wide when a key did not ascend. It is noted for the second pass, and this pass leaves it.
    Noted,
}

/// An open array or object, or the place of the whole value.
///
/// The pass keeps the frames around the innermost one in memory of its own. It calls no function for a value within a
/// value, so the depth of a text costs none of the caller's stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) order: KeyOrder,
    /// The [progress](Pass::progress) at which the innermost open object began.
    pub(super) object_start: Option<usize>,
    /// How many members the output had when the object began.
    pub(super) first_member: usize,
    pub(super) last_key: Option<Key>,
    /// The greatest number of times that a byte in it was moved because an object closed.
    pub(super) moves: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Whole,
    Array,
    Object,
}
