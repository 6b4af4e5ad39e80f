//! Finds the last lines of a file: the last line, the line before it, and further lines up to a number of bytes that
//! is more than one crash can damage. It reads the file backwards, in pieces, so blanks of any length need little
//! memory.

use super::disk::Disk;
use sortid::evently_ledger::LONGEST_LINE;
use std::{io, ops::Range};

/// How far the end of a ledger is read. Tests read less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reach {
    /// How many bytes of lines are verified, each against the event before it. One crash damages fewer.
    pub(super) verified: u64,
    /// How many bytes are read at once.
    pub(super) piece: u64,
}

impl Default for Reach {
    fn default() -> Self {
        Self { verified: 8 << 20, piece: 1 << 20 }
    }
}

/// The end of a file, from a place on where a line begins.
pub(super) struct End {
    /// The lines to verify, in their order. The lines between these ranges are blank. A range has one line, or at most as
    /// many bytes as `Reach::verified`.
    pub(super) lines: Vec<Range<u64>>,
    /// The last line that has a line feed and is not blank.
    pub(super) last: Option<Range<u64>>,
    /// Whether no other line is before them.
    pub(super) is_whole: bool,
    /// Whether a blank line is too long. Other lines that are too long are among those to verify.
    pub(super) has_long_blank: bool,
    /// What is after the last line feed, without the NULs behind it.
    pub(super) text: Range<u64>,
}

impl End {
    /// Finds the lines that determine the last event, in a file of `len` bytes, from `floor` on: the last line,
    /// further lines until there are as many bytes as `reach` asks for, and the line before them; or all lines.
    pub(super) fn find(disk: &mut impl Disk, floor: u64, len: u64, reach: Reach) -> io::Result<Self> {
        debug_assert!(reach.piece.max(reach.verified) <= LONGEST_LINE as u64);
        let mut back = Backwards { disk, floor, piece: reach.piece, bytes: vec![], at: 0 };
        let text_end = back.after_last(len, |byte| byte != 0)?;
        let text = back.after_last(text_end, is_line_feed)?..text_end;
        let mut end = Self { lines: vec![], last: None, is_whole: false, has_long_blank: false, text };
        let (mut at, mut verified) = (end.text.start, 0);
        loop {
            let content_end = back.skip_blank_lines(at, &mut end.has_long_blank)?;
            if content_end == floor {
                end.is_whole = true;
                break;
            }
            let line = back.after_last(content_end, is_line_feed)?..back.line_end(content_end, at)?;
            at = line.start;
            match end.lines.last_mut() {
                Some(next)
                    if next.start - line.end <= reach.piece && next.end - line.start <= reach.verified =>
                {
                    next.start = line.start;
                }
                _ => end.lines.push(line.clone()),
            }
            if end.last.is_some() && verified >= reach.verified {
                end.is_whole = line.start == floor;
                break;
            }
            verified += line.end - line.start;
            end.last.get_or_insert(line);
        }
        end.lines.reverse();
        Ok(end)
    }
}

fn is_line_feed(byte: u8) -> bool {
    byte == b'\n'
}

/// Reads a file backwards, down to `floor`.
struct Backwards<'d, D> {
    disk: &'d mut D,
    floor: u64,
    piece: u64,
    /// The piece that was read last.
    bytes: Vec<u8>,
    /// The place of the piece in the file.
    at: u64,
}

impl<D: Disk> Backwards<'_, D> {
    /// The bytes before `end`, which is not `floor`: some of them, and one at least.
    fn before(&mut self, end: u64) -> io::Result<&[u8]> {
        if !(self.at + 1..=self.at + self.bytes.len() as u64).contains(&end) {
            let start = end.saturating_sub(self.piece).max(self.floor);
            self.bytes = read(self.disk, start..end)?;
            self.at = start;
        }
        Ok(&self.bytes[..(end - self.at) as usize])
    }

    /// The place after the last byte before `end` of which this is true; `floor` if there is none.
    fn after_last(&mut self, mut end: u64, is: impl Fn(u8) -> bool) -> io::Result<u64> {
        while end > self.floor {
            let bytes = self.before(end)?;
            if let Some(found) = bytes.iter().rposition(|&byte| is(byte)) {
                return Ok(end - (bytes.len() - found - 1) as u64);
            }
            end -= bytes.len() as u64;
        }
        Ok(end)
    }

    /// The place after the last byte before `end` that is not white space; `floor` if there is none. A line begins at
    /// `end`. Sets `has_long` if a blank line before `end` is too long.
    fn skip_blank_lines(&mut self, mut end: u64, has_long: &mut bool) -> io::Result<u64> {
        // Where the last line begins whose beginning was found.
        let mut begin = end;
        let is_long = |start: u64, end: u64| end - start > LONGEST_LINE as u64 + 1;
        while end > self.floor {
            let bytes = self.before(end)?;
            let content = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |at| at + 1);
            let (start, blank) = (end - bytes.len() as u64, &bytes[content..]);
            let place = |at: usize| start + (content + at) as u64 + 1;
            if let (Some(first), Some(last)) = (memchr::memchr(b'\n', blank), memchr::memrchr(b'\n', blank)) {
                *has_long |= is_long(place(last), begin);
                begin = place(first);
            }
            if content > 0 {
                return Ok(start + content as u64);
            }
            end = start;
        }
        *has_long |= is_long(end, begin);
        Ok(end)
    }

    /// The place after the first line feed from `at` on. There is a line feed before `end`.
    fn line_end(&mut self, mut at: u64, end: u64) -> io::Result<u64> {
        loop {
            let is_read = (self.at..self.at + self.bytes.len() as u64).contains(&at);
            let bytes = if is_read {
                &self.bytes[(at - self.at) as usize..]
            } else {
                &read(self.disk, at..end.min(at + self.piece))?
            };
            match memchr::memchr(b'\n', bytes) {
                Some(found) => return Ok(at + found as u64 + 1),
                None if bytes.is_empty() => return Err(io::ErrorKind::UnexpectedEof.into()),
                None => at += bytes.len() as u64,
            }
        }
    }
}

/// Reads all these bytes. If the file has become shorter, that is an error.
pub(super) fn read(disk: &mut impl Disk, range: Range<u64>) -> io::Result<Vec<u8>> {
    let length = range.end - range.start;
    let bytes = disk.read(range)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Reads a line, or the beginning of a line that is too long: the verdict is the same.
pub(super) fn read_line(disk: &mut impl Disk, range: Range<u64>) -> io::Result<Vec<u8>> {
    read(disk, range.start..range.end.min(range.start + LONGEST_LINE as u64 + 2))
}

/// The first of these bytes of which this is true.
pub(super) fn first(
    disk: &mut impl Disk,
    range: Range<u64>,
    reach: Reach,
    is: impl Fn(u8) -> bool,
) -> io::Result<Option<u8>> {
    let mut at = range.start;
    while at < range.end {
        let bytes = read(disk, at..range.end.min(at + reach.piece))?;
        if let Some(&found) = bytes.iter().find(|&&byte| is(byte)) {
            return Ok(Some(found));
        }
        at += bytes.len() as u64;
    }
    Ok(None)
}
