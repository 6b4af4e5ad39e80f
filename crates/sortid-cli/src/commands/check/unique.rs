//! Finds IDs that occur twice among those that were kept.

use super::{
    fault,
    order::Check,
    seen::{LONGEST_ID, Seen, array},
    sorter::{Record, Sorter},
};
use crate::{answers::Threads, failure::Failure, lines::Line, progress};
use sortid::AnyId;
use std::io::Write;

/// A line with the ID of an earlier line. They sort by line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Duplicate {
    line: [u8; 8],
    earlier: [u8; 8],
    id: [u8; LONGEST_ID],
}

impl Record for Duplicate {
    const BYTES: usize = 16 + LONGEST_ID;

    fn push(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.line);
        out.extend_from_slice(&self.earlier);
        out.extend_from_slice(&self.id);
    }

    fn read(bytes: &[u8]) -> Self {
        Self { line: array(&bytes[..8]), earlier: array(&bytes[8..16]), id: array(&bytes[16..]) }
    }
}

impl Check<'_> {
    /// Finds and counts the duplicates among the IDs that were kept.
    pub(super) fn find_duplicates(&mut self, threads: &Threads) -> Result<Sorter<Duplicate>, Failure> {
        let mut found = Sorter::new(self.args.memory() / 4);
        let mut last: Option<Seen> = None;
        let progress = progress::of_ids(self.seen.len());
        let mut count = 0_u64;
        self.seen.take().finish(threads, |seen| {
            count += 1;
            if count.is_multiple_of(1 << 16) {
                progress.set_position(count);
            }
            if let Some(last) = last.replace(seen).filter(|last| last.id == seen.id) {
                self.tally.duplicates += 1;
                found.add(&[Duplicate { line: seen.line, earlier: last.line, id: seen.id }], threads)?;
            }
            Ok(())
        })?;
        progress.finish_and_clear();
        Ok(found)
    }

    /// Prints the duplicates in the order of their lines.
    pub(super) fn print_duplicates(
        &self,
        found: Sorter<Duplicate>,
        threads: &Threads,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let spec = self.args.spec;
        let mut line = Line::default();
        found.finish(threads, |Duplicate { line: number, earlier, id }| {
            let places = [number, earlier].map(|line| self.inputs.place(u64::from_be_bytes(line)));
            // The text of the line was not kept.
            if let Ok(id) = AnyId::try_from_bytes(spec, &id[..spec.bytes()]) {
                line.set(id.encode().as_bytes());
            }
            Ok(fault::write_duplicate(self.args, places, &line, out)?)
        })
    }
}
