//! The IDs that are kept to find those that occur twice.

use super::sorter::Record;
use sortid::AnyId;

/// The number of bytes of a SCRU160. With one length for all IDs, the code of the sorter is compiled once. With its line,
/// an EUID takes 28 bytes instead of 24, and the sort up to 15 % longer.
pub(super) const LONGEST_ID: usize = 20;

/// An ID and the line where it occurs. They sort by ID, then by line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seen {
    pub(super) id: [u8; LONGEST_ID],
    pub(super) line: [u8; 8],
}

impl Seen {
    pub(super) fn new(id: &AnyId, line: u64) -> Self {
        Self { id: array(id.as_bytes()), line: line.to_be_bytes() }
    }
}

impl Record for Seen {
    const BYTES: usize = LONGEST_ID + 8;

    fn push(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.id);
        out.extend_from_slice(&self.line);
    }

    fn read(bytes: &[u8]) -> Self {
        let (id, line) = bytes.split_at(LONGEST_ID);
        Self { id: array(id), line: array(line) }
    }
}

/// `bytes`, which are at most `N`, with zeros behind them.
pub(super) fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array[..bytes.len()].copy_from_slice(bytes);
    array
}
