//! Verifying parts of a ledger side by side.
//!
//! An event needs only the ID before it, which the line before states. So a chunk is cut into pieces of whole lines.
//! The last line of each piece is read ahead, for the ID before the next piece. Then the pieces are verified side by
//! side. Only the beginning of a ledger is verified in sequence, until the profile, the ledger ID and the ID before
//! are known.

use crate::{
    line::Line,
    verifier::{Verifier, check::Previous, is_blank, report::Fault, take_line},
};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

/// The least length of a piece, in bytes. A shorter piece is not worth the work of another thread.
const MIN_PIECE: usize = 1 << 14;

/// How many pieces there are for each thread, so that no thread waits long for the last piece.
const PIECES_PER_THREAD: usize = 4;

impl Verifier {
    /// Verifies the lines of `chunk` as [`verify_chunk`](Self::verify_chunk) does, with the same result and the faults in
    /// the same order, on all threads of rayon's pool. Requires the feature `parallel`.
    ///
    /// ```
    /// use evently_ledger::{Event, Ledger, Profile, Verifier};
    ///
    /// let mut ledger = Ledger::new(Profile::Classic);
    /// let mut batch = ledger.batch();
    /// let mut file = String::new();
    /// for _ in 0..1000 {
    ///     batch.append_line(br#"{"event":"placed","entity":"order","key":"17"}"#, &mut file)?;
    /// }
    /// let mut verifier = Verifier::new(None);
    /// verifier.verify_chunk_parallel(file.as_bytes(), |fault| panic!("{fault}"));
    /// assert_eq!(verifier.report().last_event_id, batch.last_event_id());
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    pub fn verify_chunk_parallel(&mut self, chunk: &[u8], mut on_fault: impl FnMut(&Fault)) {
        let mut rest = chunk;
        while !self.knows_the_ledger() {
            if !self.verify_next(&mut rest, &mut on_fault) {
                return;
            }
        }

        let length = rest.len() / (PIECES_PER_THREAD * rayon::current_num_threads());
        let pieces = pieces_of(rest, length.max(MIN_PIECE));
        let mut before_pieces = vec![];
        let mut previous = self.previous;
        for piece in &pieces {
            before_pieces.push(previous);
            previous = self.last_of(piece).unwrap_or(previous);
        }
        let verified: Vec<_> = pieces
            .into_par_iter()
            .zip(before_pieces)
            .map(|(piece, previous)| {
                let mut verifier = self.for_piece(previous);
                let mut faults = vec![];
                verifier.verify_chunk(piece, |fault| faults.push(fault.clone()));
                (verifier, faults)
            })
            .collect();
        for (piece, faults) in verified {
            if self.is_done() {
                break;
            }
            self.append_piece(&piece, faults, &mut on_fault);
        }
    }

    /// Whether the verifier knows the profile, the ledger ID and the ID before.
    fn knows_the_ledger(&self) -> bool {
        self.profile.is_some()
            && self.report.ledger_id.is_some()
            && matches!(self.previous, Previous::Event(_))
    }

    /// The last event of `piece`, as the event before the next line; `None` if all lines are blank. It is not verified.
    fn last_of(&mut self, piece: &[u8]) -> Option<Previous> {
        let piece = piece.trim_ascii_end();
        let line = piece.rsplit(|&byte| byte == b'\n').next().filter(|line| !is_blank(line))?;
        Some(match self.reader.read(line) {
            Ok(Line { event_id: Some(id), .. }) => Previous::Event(id),
            _ => Previous::Unknown,
        })
    }

    /// A verifier of the piece of this ledger that follows `previous`.
    fn for_piece(&self, previous: Previous) -> Self {
        let mut verifier = Self::new(self.profile);
        verifier.previous = previous;
        verifier.report.ledger_id = self.report.ledger_id;
        verifier.stop_at_first_fault = self.stop_at_first_fault;
        verifier.is_strict = self.is_strict;
        verifier
    }

    /// Takes over what the verifier of the next piece found.
    fn append_piece(&mut self, piece: &Self, faults: Vec<Fault>, mut on_fault: impl FnMut(&Fault)) {
        for mut fault in faults {
            fault.line += self.lines_read;
            on_fault(&fault);
            self.report.first_fault.get_or_insert(fault);
        }
        self.lines_read += piece.lines_read;
        self.previous = piece.previous;
        self.report.events += piece.report.events;
        self.report.javascript_events += piece.report.javascript_events;
        self.report.faults += piece.report.faults;
        self.report.last_event_id = piece.report.last_event_id.or(self.report.last_event_id);
    }
}

/// Cuts the chunk into pieces of whole lines, each of at least `length` bytes but the last.
fn pieces_of(chunk: &[u8], length: usize) -> Vec<&[u8]> {
    let mut pieces = vec![];
    let mut rest = chunk;
    while !rest.is_empty() {
        let mut after = &rest[length.min(rest.len())..];
        take_line(&mut after);
        let (piece, others) = rest.split_at(rest.len() - after.len());
        pieces.push(piece);
        rest = others;
    }
    pieces
}
