//! Standard output, in pieces of whole lines.

use std::io::{self, Write as _};

/// As many bytes as a pipe takes as a whole or not at all.
#[cfg(unix)]
const MOST: usize = rustix::pipe::PIPE_BUF;
#[cfg(not(unix))]
const MOST: usize = 4096;

/// Writes whole lines, so that a signal that ends the program leaves no part of an ID: a part can be another ID.
pub(crate) struct Output {
    #[cfg(unix)]
    out: std::fs::File,
    #[cfg(not(unix))]
    out: io::Stdout,
    /// How many bytes stay together, if there are no lines.
    unit: Option<usize>,
}

impl Output {
    pub(crate) fn of_lines() -> io::Result<Self> {
        Self::new(None)
    }

    /// For IDs of this many bytes, without line feeds.
    pub(crate) fn of_bytes(unit: usize) -> io::Result<Self> {
        Self::new(Some(unit))
    }

    fn new(unit: Option<usize>) -> io::Result<Self> {
        #[cfg(unix)]
        let out = {
            use std::os::fd::AsFd as _;
            // Without the buffer of the standard library, which takes any byte of an ID for the end of a line.
            io::stdout().as_fd().try_clone_to_owned()?.into()
        };
        #[cfg(not(unix))]
        let out = io::stdout();
        Ok(Self { out, unit })
    }

    pub(crate) fn write(&mut self, mut whole: &[u8]) -> io::Result<()> {
        while !whole.is_empty() {
            let (piece, rest) = whole.split_at(end_of_piece(whole, self.unit));
            self.out.write_all(piece)?;
            whole = rest;
        }
        self.out.flush()
    }
}

/// Where the first piece ends: after as many lines, or units, as a pipe takes at once, and at least one.
fn end_of_piece(bytes: &[u8], unit: Option<usize>) -> usize {
    let most = &bytes[..bytes.len().min(MOST)];
    match unit {
        Some(unit) => most.len() / unit * unit,
        None => memchr::memrchr(b'\n', most)
            .or_else(|| memchr::memchr(b'\n', bytes))
            .map_or(bytes.len(), |at| at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, end_of_piece};

    #[test]
    fn a_piece_ends_with_a_line_or_a_unit() {
        let lines = "1CQKneD1-X~\n".repeat(MOST);
        assert_eq!(end_of_piece(lines.as_bytes(), None), MOST / 12 * 12);
        assert_eq!(end_of_piece(lines.as_bytes(), Some(20)), MOST / 20 * 20);
        let long = format!("{}\nx\n", "x".repeat(MOST));
        assert_eq!(end_of_piece(long.as_bytes(), None), MOST + 1);
        for (bytes, unit, end) in [("a\nb", None, 2), ("a", None, 1), ("ab\n", Some(3), 3)] {
            assert_eq!(end_of_piece(bytes.as_bytes(), unit), end);
        }
    }
}
