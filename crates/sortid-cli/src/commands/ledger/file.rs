//! Appending to the file of a ledger: what is read before, and written through to the disk.

// `append` reads what it builds on under the lock, even if it knew it before: whether the path still leads to the open
// file, and the bytes of the last event. The length alone does not show that a file was rewritten. Before it
// acknowledges, it looks at the path once more.
//
// It builds only on what is durable. A process that died may have written lines, or the entry in the directory,
// without syncing them. So each process syncs what it has read before it writes, and the directory before it
// acknowledges. A missing line feed is written and synced by itself. The model of crashes found the reason: a crash
// that damages it together with the new lines makes the event before it a part of a faulty line.

use super::{
    disk::{self, Disk, Files},
    end::{self, End, Reach},
    tail::Tail,
};
use crate::{
    failure::Failure,
    lines::Line,
    mistakes::input::{Foreign, HEAD},
    terminal::argument,
};
use sortid::evently_ledger::{Event, EventError, EventId, Fault, LONGEST_LINE, Ledger, Profile, Verifier};
use std::{io, path::Path, time::Duration};

/// How many bytes are written before they are synced. A crash can damage all of these bytes, and with them a whole
/// event.
const WRITTEN: usize = 4 << 20;

/// A ledger that begins with its first event, which determines the profile if the command line does not.
pub(super) struct Appender {
    profile: Option<Profile>,
    ledger: Option<Ledger>,
    warnings: Vec<String>,
}

impl Appender {
    /// Completes the event and appends it to `out`.
    pub(super) fn append(&mut self, line: &[u8], out: &mut String) -> Result<EventId, EventError> {
        self.warnings.clear();
        let mut new = None;
        let ledger = match &mut self.ledger {
            Some(ledger) => ledger,
            // A line without a profile is invalid in every profile.
            None => {
                new.insert(Ledger::new(self.profile.or_else(|| profile_of(line)).unwrap_or(Profile::Classic)))
            }
        };
        let mut batch = ledger.batch();
        let id = batch.append_line(line, out)?;
        self.warnings.extend(batch.unknown_members().iter().map(ToString::to_string));
        let others = batch.unknown_member_count() - self.warnings.len();
        if others > 0 {
            self.warnings.push(format!("{others} other members are not known: no checksum protects them"));
        }
        // If the lines cannot be written, this process adds no other.
        batch.commit();
        self.ledger = self.ledger.take().or(new);
        Ok(id)
    }

    /// The warnings about the last event that was added. A refused event has none.
    pub(super) fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn last(&self) -> Option<EventId> {
        self.ledger.as_ref()?.last_event_id()
    }

    /// The profile of the ledger, or the one that the command line gives.
    fn profile(&self) -> Option<Profile> {
        self.ledger.as_ref().map(Ledger::profile).or(self.profile)
    }
}

fn profile_of(line: &[u8]) -> Option<Profile> {
    Event::parse(str::from_utf8(line).ok()?).ok()?.profile()
}

/// A ledger, and the file that it is in.
pub(super) struct LedgerFile<D = Files> {
    disk: D,
    reach: Reach,
    appender: Appender,
    /// What the file had when it was last read or written; `None` before.
    known: Option<Known>,
    /// Whether all that was read is durable: the process that wrote it may have died before it synced the file.
    is_synced: bool,
    /// Whether this process has added an event.
    has_added: bool,
    /// Whether this process has made the file's directory entry durable.
    is_directory_synced: bool,
    /// What was repaired, for people.
    notices: Vec<String>,
}

/// The end of a file that was read or written.
struct Known {
    len: u64,
    /// The line of the last event, and where it begins. Only blank lines follow it.
    last_line: Vec<u8>,
    at: u64,
    /// Whether the line feed after the last line is missing.
    is_open_ended: bool,
}

impl Known {
    /// Where the line of the last event ends.
    fn end(&self) -> u64 {
        self.at + self.last_line.len() as u64
    }

    /// Returns how this part of the file was changed, if it was. The file has `len` bytes now.
    fn change(&self, disk: &mut impl Disk, len: u64, reach: Reach) -> io::Result<Option<String>> {
        if len < self.len {
            return Ok(Some(format!("it is shorter: it had {} bytes, and has {len}", self.len)));
        }
        if disk.read(self.at..self.end())? != self.last_line {
            return Ok(Some("its last event has changed; compare it with a copy".to_owned()));
        }
        let is_other = |byte: u8| !byte.is_ascii_whitespace();
        if end::first(disk, self.end()..self.len, reach, is_other)?.is_some() {
            return Ok(Some("blank lines at its end have changed; compare it with a copy".to_owned()));
        }
        if self.is_open_ended && self.end() == self.len {
            let is_end = |byte| byte == b'\n' || byte != 0 && is_other(byte);
            let end = end::first(disk, self.len..len, reach, is_end)?;
            if end.is_some_and(|byte| byte != b'\n') {
                return Ok(Some("its last line has become longer".to_owned()));
            }
        }
        Ok(None)
    }
}

/// The lines at the end of the file, verified.
struct Verified {
    end: End,
    /// Has verified the lines, and the tail.
    verifier: Verifier,
    tail: Tail,
    /// The text of the tail, or the beginning of one that is too long.
    text: Vec<u8>,
}

impl LedgerFile {
    pub(super) fn open(path: &Path, profile: Option<Profile>, timeout: Duration) -> Result<Self, Failure> {
        Ok(Self::on(Files::open_or_create(path, timeout)?, profile))
    }

    /// Ends the work with the file. Removes the file if this process made it and has added nothing.
    pub(super) fn close(self) {
        if !self.has_added {
            self.disk.remove_if_unused();
        }
    }

    /// Refuses a ledger that the program's own output would go into.
    pub(super) fn refuse_as_output(&self) -> Result<(), Failure> {
        self.disk.refuse_as_output("ledger append")
    }
}

impl<D: Disk> LedgerFile<D> {
    pub(super) fn on(disk: D, profile: Option<Profile>) -> Self {
        let appender = Appender { profile, ledger: None, warnings: vec![] };
        Self {
            disk,
            reach: Reach::default(),
            appender,
            known: None,
            is_synced: false,
            has_added: false,
            is_directory_synced: false,
            notices: vec![],
        }
    }

    #[cfg(test)]
    pub(super) fn with_reach(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }

    #[cfg(test)]
    pub(super) const fn disk(&mut self) -> &mut D {
        &mut self.disk
    }

    /// Takes the messages about what was repaired.
    pub(super) fn notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Writes the lines that `fill` makes through to the disk, while no other process writes. After an error, the file has
    /// none of them. The inner result is whether the file could be unlocked: if not, it has the lines.
    pub(super) fn write(
        &mut self,
        fill: impl FnOnce(&mut Appender, &mut String),
    ) -> Result<Result<(), Failure>, Failure> {
        // Until there is an event to build on, it does not matter which file is at the path.
        let may_reopen = self.appender.ledger.is_none();
        if may_reopen {
            self.known = None;
        }
        self.disk.lock(may_reopen)?;
        let result = self.write_locked(fill);
        let unlocked = self.disk.unlock();
        result.map(|()| unlocked)
    }

    fn write_locked(&mut self, fill: impl FnOnce(&mut Appender, &mut String)) -> Result<(), Failure> {
        let (mut len, is_open_ended) = self.catch_up()?;
        let mut lines = String::new();
        fill(&mut self.appender, &mut lines);
        if lines.is_empty() {
            return Ok(());
        }
        // The line feed is durable before the new lines are written: the head of this file says why.
        if is_open_ended {
            self.write_synced(len, b"\n")?;
            len += 1;
        } else if !self.is_synced && len > 0 {
            self.disk.sync().map_err(|error| Failure::file("sync", self.disk.path(), error))?;
        }
        self.is_synced = true;
        if let Err(failure) = self.write_through(lines.as_bytes(), len) {
            // None of these events is acknowledged, so no part of them may stay.
            return Err(match self.disk.set_len(len).and_then(|()| self.disk.sync()) {
                Ok(()) => failure,
                Err(error) => Failure::Message(format!(
                    "{failure}. What was written cannot be taken back: {error}. So the file may have events that are not \
                     acknowledged: see sortid ledger verify {}",
                    argument(self.disk.path())
                )),
            });
        }
        self.has_added = true;
        let last_line = last_line(lines.as_bytes()).to_owned();
        let len = len + lines.len() as u64;
        self.known = Some(Known { len, at: len - last_line.len() as u64, last_line, is_open_ended: false });
        Ok(())
    }

    fn write_through(&mut self, bytes: &[u8], len: u64) -> Result<(), Failure> {
        let mut at = len;
        for piece in bytes.chunks(WRITTEN) {
            self.write_synced(at, piece)?;
            at += piece.len() as u64;
        }
        // A file survives a crash only if its directory entry does. The process that made it may have died before.
        if !self.is_directory_synced {
            match self.disk.sync_directory() {
                // Some file systems cannot sync a directory, and some users who may write to the file may not. The
                // first event needs it.
                Err(error) if len == 0 || !is_not_possible(&error) => {
                    return Err(Failure::file("sync the directory of", self.disk.path(), error));
                }
                _ => {}
            }
            self.is_directory_synced = true;
        }
        // Otherwise the events would be in a file that nobody finds.
        self.disk.check_place()
    }

    fn write_synced(&mut self, at: u64, bytes: &[u8]) -> Result<(), Failure> {
        let result = self.disk.write(at, bytes).and_then(|()| self.disk.sync());
        result.map_err(|error| Failure::file("write to", self.disk.path(), error))
    }

    /// Reads what other processes have written since the last time, or everything relevant at the first time. Cuts off what
    /// a crash left unfinished. Returns the length of the file, and whether its last line lacks a line feed.
    fn catch_up(&mut self) -> Result<(u64, bool), Failure> {
        let len = self.disk.len().map_err(|error| self.unread(error))?;
        if let Some(known) = &self.known {
            let change = known.change(&mut self.disk, len, self.reach);
            if let Some(happened) = change.map_err(|error| self.unread(error))? {
                return Err(Failure::changed(self.disk.path(), &happened));
            }
            if len == known.len {
                return Ok((len, known.is_open_ended));
            }
        }
        self.is_synced = false;
        let before = self.appender.last();
        // The line that was known may have become longer by white space.
        let floor = self.known.as_ref().filter(|known| !known.is_open_ended).map_or(0, |known| known.len);
        let Verified { end, verifier, tail, text } = self.verify(floor, len)?;
        let kept = end.text.start + tail.kept as u64;
        let last = verifier.report().last_event_id.or(before);
        if let (Some(before), Some(last)) = (before, last)
            && (last < before || !last.ledger_id().is_same_ledger(before.ledger_id()))
        {
            let happened =
                format!("it had the last event {before}, and ends with {last}, which cannot follow it");
            return Err(Failure::changed(self.disk.path(), &happened));
        }
        if kept < len {
            disk::cut(&mut self.disk, kept..len)?;
            self.notices.push(self.cut_notice(&tail, len - kept, text));
        }
        let profile = verifier.report().profile.or(self.appender.profile());
        self.appender = Appender {
            profile,
            ledger: profile.zip(last).map(|(profile, last)| Ledger::resume(profile, last)),
            warnings: vec![],
        };
        let is_open_ended = end.text.start < kept;
        let last_line = if tail.event.is_some() { Some(end.text) } else { end.last };
        self.known = match (last_line, self.known.take()) {
            // Only blank lines are new.
            (None, Some(known)) => Some(Known { len: kept, is_open_ended, ..known }),
            (last_line, _) => {
                let range = last_line.unwrap_or(kept..kept);
                let at = range.start;
                let last_line = end::read(&mut self.disk, range).map_err(|error| self.unread(error))?;
                Some(Known { len: kept, last_line, at, is_open_ended })
            }
        };
        Ok((kept, is_open_ended))
    }

    /// Verifies the end of the file from `floor` on, where the file begins or what is known ends.
    fn verify(&mut self, floor: u64, len: u64) -> Result<Verified, Failure> {
        let end = End::find(&mut self.disk, floor, len, self.reach).map_err(|error| self.unread(error))?;
        if end.has_long_blank {
            let fault = Verifier::new(None).verify_line(&vec![b' '; LONGEST_LINE + 1]);
            return Err(self.faulty(&fault.expect_err("no line is so long")));
        }
        let text = end::read_line(&mut self.disk, end.text.clone()).map_err(|error| self.unread(error))?;
        let given = self.appender.profile();
        let mut verifier = Verifier::new(given);
        if !end.is_whole {
            verifier = verifier.resume_unanchored();
        } else if let Some(last) = self.appender.last().filter(|_| floor > 0) {
            verifier = verifier.resume_after(last);
        }
        verifier = verifier.stop_at_first_fault();
        for range in &end.lines {
            let lines = end::read_line(&mut self.disk, range.clone()).map_err(|error| self.unread(error))?;
            verifier.verify_chunk(&lines, |_| ());
        }
        if let Some(fault) = &verifier.report().first_fault {
            return Err(self.faulty(fault));
        }
        let nuls = len - end.text.end;
        let follows_event = floor > 0 || verifier.report().events > 0;
        match Tail::read(&mut verifier, &text, nuls, follows_event) {
            Ok(tail) => Ok(Verified { end, verifier, tail, text }),
            Err(fault) => Err(self.faulty(&fault)),
        }
    }

    fn unread(&self, error: io::Error) -> Failure {
        Failure::file("read", self.disk.path(), error)
    }

    fn faulty(&mut self, fault: &Fault) -> Failure {
        let head = self.disk.len().and_then(|len| self.disk.read(0..len.min(HEAD as u64)));
        if let Some(foreign) = head.ok().and_then(|head| Foreign::of(&head)) {
            let error = io::Error::new(io::ErrorKind::InvalidData, foreign.advice(self.disk.path()));
            return Failure::file("append to", self.disk.path(), error);
        }
        let (Fault { expected, found, .. }, path) = (fault, argument(self.disk.path()));
        let message = format!(
            "one of its events is faulty, and nothing is changed: expected {expected}, found {found} \
             (for details: sortid ledger verify {path}; to see what could be cut off: sortid ledger repair {path})"
        );
        let error = io::Error::new(io::ErrorKind::InvalidData, message);
        Failure::file("append to", self.disk.path(), error)
    }

    /// The message that this many bytes were cut off. `text` is the first of them.
    fn cut_notice(&self, tail: &Tail, count: u64, text: Vec<u8>) -> String {
        let (path, cut_path) = (self.disk.path().display(), self.disk.cut_path().display());
        if tail.fault.is_none() {
            return format!("{path}: cut off {count} NUL bytes at the end");
        }
        let line = Line::new(text);
        format!(
            "{path}: cut off a half-written last line, {count} bytes, kept in {cut_path}: {}",
            line.quoted()
        )
    }
}

/// The last line that is not blank, and all that follows it.
fn last_line(bytes: &[u8]) -> &[u8] {
    let before = memchr::memrchr(b'\n', bytes.trim_ascii_end());
    &bytes[before.map_or(0, |end| end + 1)..]
}

/// Whether syncing a directory fails because it is not possible at all.
fn is_not_possible(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), PermissionDenied | InvalidInput | Unsupported)
}
