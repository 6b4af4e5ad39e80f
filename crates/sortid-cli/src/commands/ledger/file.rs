//! Appending to the file of a ledger: what is read before, and written through to the disk.

use super::{
    disk::{self, Disk, Files},
    tail::Tail,
};
use crate::{
    failure::Failure,
    lines::Line,
    mistakes::input::{Foreign, HEAD},
    terminal::argument,
};
use sortid::evently_ledger::{Event, EventError, EventId, Fault, Ledger, Profile, Verifier};
use std::{io, path::Path, time::Duration};

/// How many bytes at the end of an existing file are verified before something is added to it: more than one crash can
/// damage.
const VERIFIED: u64 = 8 << 20;

/// How many bytes are written before they are synced. A crash can damage so many, and with them a whole event.
const WRITTEN: usize = 4 << 20;

/// A ledger that begins with its first event, which determines the profile if the command line does not.
pub(super) struct Appender {
    profile: Option<Profile>,
    ledger: Option<Ledger>,
}

impl Appender {
    /// Completes the event and appends it to `out`.
    pub(super) fn append(&mut self, line: &[u8], out: &mut String) -> Result<EventId, EventError> {
        if let Some(ledger) = &mut self.ledger {
            return ledger.append_line(line, out);
        }
        let profile = match self.profile {
            Some(profile) => profile,
            // A line without a profile is invalid in every profile.
            None => profile_of(line).unwrap_or(Profile::Classic),
        };
        let mut ledger = Ledger::new(profile);
        let id = ledger.append_line(line, out)?;
        self.ledger = Some(ledger);
        Ok(id)
    }

    /// The warnings about the last event that was added. A refused event has none.
    pub(super) fn warnings(&self) -> Vec<String> {
        let unknown = self.ledger.iter().flat_map(Ledger::unknown_members);
        unknown.map(ToString::to_string).collect()
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
    appender: Appender,
    /// What the file had when it was last read or written; `None` before.
    known: Option<Known>,
    /// Whether all that was read is durable: the process that wrote it may have died before it synced the file.
    is_synced: bool,
    /// Whether this process has made the file's directory entry durable.
    is_directory_synced: bool,
    /// What was repaired, for people.
    notices: Vec<String>,
}

/// The end of a file that was read or written.
struct Known {
    len: u64,
    /// The last event, and all that follows it: the last bytes of the file.
    last_line: Vec<u8>,
    /// Whether the line feed after the last event is missing.
    is_open_ended: bool,
}

impl LedgerFile {
    pub(super) fn open(path: &Path, profile: Option<Profile>, timeout: Duration) -> Result<Self, Failure> {
        Ok(Self::on(Files::open_or_create(path, timeout)?, profile))
    }

    /// Ends the work with the file. If this process made it, and has added nothing, there is no file again.
    pub(super) fn close(self) {
        if self.appender.ledger.is_none() {
            self.disk.remove_if_unused();
        }
    }

    /// Whether the acknowledgements would go into the ledger.
    pub(super) fn is_standard_output(&self) -> bool {
        self.disk.is_standard_output()
    }
}

impl<D: Disk> LedgerFile<D> {
    pub(super) fn on(disk: D, profile: Option<Profile>) -> Self {
        let appender = Appender { profile, ledger: None };
        Self { disk, appender, known: None, is_synced: false, is_directory_synced: false, notices: vec![] }
    }

    #[cfg(test)]
    pub(super) const fn disk(&self) -> &D {
        &self.disk
    }

    /// Takes the messages about what was repaired.
    pub(super) fn notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Writes the lines that `fill` makes through to the disk, while no other process writes. After an error, the file has
    /// none of them.
    pub(super) fn write(&mut self, fill: impl FnOnce(&mut Appender, &mut String)) -> Result<(), Failure> {
        // Until there is an event to build on, it does not matter which file is at the path.
        let may_reopen = self.appender.ledger.is_none();
        if may_reopen {
            self.known = None;
        }
        self.disk.lock(may_reopen)?;
        let result = self.write_locked(fill);
        let unlocked = self.disk.unlock();
        result.and(unlocked)
    }

    fn write_locked(&mut self, fill: impl FnOnce(&mut Appender, &mut String)) -> Result<(), Failure> {
        let (mut len, is_open_ended) = self.catch_up()?;
        let mut lines = String::new();
        fill(&mut self.appender, &mut lines);
        if lines.is_empty() {
            return Ok(());
        }
        // The new lines build only on what is durable. If a crash damaged a line feed with the lines that follow it, the
        // event before it would be in a faulty line.
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
        let last_line = last_line(lines.as_bytes()).to_owned();
        self.known = Some(Known { len: len + lines.len() as u64, last_line, is_open_ended: false });
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
                // Not every file system can do it, nor everyone who may write to a file. The first event needs it.
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
    /// a crash left unfinished. Returns the length of the file, and whether its last event has no line feed.
    fn catch_up(&mut self) -> Result<(u64, bool), Failure> {
        let len = self.disk.len().map_err(|error| self.unread(error))?;
        if let Some(known) = &self.known {
            if len < known.len {
                let happened = format!("it is shorter: it had {} bytes, and has {len}", known.len);
                return Err(Failure::changed(self.disk.path(), &happened));
            }
            let range = known.len - known.last_line.len() as u64..known.len;
            match self.disk.read(range) {
                Ok(bytes) if bytes == known.last_line => {}
                Ok(_) => {
                    return Err(Failure::changed(
                        self.disk.path(),
                        "its last event has changed; compare it with a copy",
                    ));
                }
                Err(error) => return Err(self.unread(error)),
            }
            if len == known.len {
                return Ok((len, known.is_open_ended));
            }
        }
        self.is_synced = false;
        let (mut verifier, start, mut bytes) = self.read_new(len).map_err(|error| self.unread(error))?;
        let goes_on = self.known.as_ref().is_some_and(|known| known.is_open_ended);
        let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        if goes_on && !first_line.iter().all(|&byte| byte == 0 || byte.is_ascii_whitespace()) {
            return Err(Failure::changed(self.disk.path(), "its last line has become longer"));
        }
        let (lines, tail) = bytes.split_at(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
        let mut first_fault = None;
        verifier.verify_chunk(lines, |fault| _ = first_fault.get_or_insert_with(|| fault.clone()));
        if let Some(fault) = first_fault {
            return Err(self.faulty(&fault));
        }
        let last = verifier.report().last_event_id.or(self.appender.last());
        let end = Tail::read(&mut verifier, tail, last.is_some()).map_err(|fault| self.faulty(&fault))?;
        let kept = lines.len() + end.kept;
        if kept < bytes.len() {
            disk::cut(&mut self.disk, start + kept as u64..len)?;
            self.notices.push(self.cut_notice(&end, &bytes[kept..]));
            bytes.truncate(kept);
        }
        let profile = verifier.report().profile;
        self.appender = Appender {
            profile,
            ledger: profile.zip(end.event.or(last)).map(|(profile, last)| Ledger::resume(profile, last)),
        };
        let last_line = match &self.known {
            // Only blank lines are new.
            Some(known) if bytes.trim_ascii().is_empty() => [&known.last_line[..], &bytes].concat(),
            _ => last_line(&bytes).to_owned(),
        };
        let is_open_ended = end.event.is_some() || goes_on && !bytes.contains(&b'\n');
        let len = start + kept as u64;
        self.known = Some(Known { len, last_line, is_open_ended });
        Ok((len, is_open_ended))
    }

    fn unread(&self, error: io::Error) -> Failure {
        Failure::file("read", self.disk.path(), error)
    }

    fn faulty(&mut self, fault: &Fault) -> Failure {
        let head = self.disk.len().and_then(|len| self.disk.read(0..len.min(HEAD as u64)));
        if let Some(foreign) = head.ok().and_then(|head| Foreign::of(&head)) {
            let cure = foreign.cure(self.disk.path(), "sortid ledger append --ledger");
            let error = io::Error::new(io::ErrorKind::InvalidData, cure);
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

    fn cut_notice(&self, tail: &Tail, bytes: &[u8]) -> String {
        let (path, cut_path) = (self.disk.path().display(), self.disk.cut_path().display());
        let count = bytes.len();
        if tail.fault.is_none() {
            return format!("{path}: cut off {count} NUL bytes at the end, kept in {cut_path}");
        }
        let line = Line::new(bytes.to_vec());
        format!(
            "{path}: cut off a half-written last line, {count} bytes, kept in {cut_path}: {}",
            line.quoted()
        )
    }

    /// The part of the file that was not read yet, or the end of it if that is enough: a verifier for it, where it starts,
    /// and its bytes.
    fn read_new(&mut self, len: u64) -> io::Result<(Verifier, u64, Vec<u8>)> {
        let verifier = Verifier::new(self.appender.profile());
        if let (Some(known), Some(last)) = (&self.known, self.appender.last())
            && len - known.len <= VERIFIED
        {
            let start = known.len;
            return Ok((verifier.resume_after(last), start, self.disk.read(start..len)?));
        }
        let mut window = VERIFIED;
        while window < len {
            let mut bytes = self.disk.read(len - window..len)?;
            // The first line is not whole, so there has to be another one.
            if let Some(end) = memchr::memchr(b'\n', &bytes)
                && memchr::memchr(b'\n', &bytes[end + 1..]).is_some()
            {
                bytes.drain(..=end);
                return Ok((verifier.resume_unanchored(), len - window + end as u64 + 1, bytes));
            }
            window *= 8;
        }
        Ok((verifier, 0, self.disk.read(0..len)?))
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
