// `repair` cuts at the first fault, wherever it is. It changes nothing without `--write`, because only a person can
// decide between a cut and a backup. It does not cut off whole events if none would stay: a crash seldom leaves such
// a file, but a byte order mark or a comment does. The bytes are synced in FILE.cut before the ledger is shortened.

use super::{
    disk::{self, Disk, Files},
    lock::{Access, Timeout},
    profile::Profile,
    scan::{Damage, Scan},
    tail::BEGINNING,
};
use crate::{
    examples::examples,
    failure::Failure,
    json, lines,
    mistakes::input::{Foreign, plain},
    progress,
    terminal::{argument, escaped},
    verdict::Verdict,
};
use indicatif::ProgressBar;
use serde::Serialize;
use sortid::evently_ledger::{EventId, LONGEST_LINE, Verifier};
use std::{
    io::{self, Write as _},
    path::PathBuf,
};

/// Shows what is damaged at the end of a ledger, and cuts it off with `--write`.
///
/// Verifies the whole file. Everything before the first fault stays; from the first faulty line on, everything is cut off.
/// It is added to FILE.cut, without the NULs at its end, so nothing is lost. The exit code is 0 if there is nothing to cut off or it was cut off, 1 if
/// there is something to cut off, and 2 if the file could not be read or repaired.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Show what would be cut off", "sortid ledger repair shop.ndjson"),
    ("Cut it off, and keep it in shop.ndjson.cut", "sortid ledger repair --write shop.ndjson"),
]))]
pub(crate) struct Args {
    /// The file of the ledger; it must not be compressed
    file: PathBuf,

    /// Change the file; without this option, only show what would change
    #[arg(long)]
    write: bool,

    /// Which members of an event the checksums cover [default: the one that the event IDs fit]
    #[arg(long, value_enum)]
    profile: Option<Profile>,

    /// Start with the event after this one, which you trust: for a file that does not have the beginning of its ledger
    #[arg(long, value_name = "EVENT_ID", value_parser = EventId::parse)]
    after: Option<EventId>,

    #[command(flatten)]
    lock: Timeout,
}

impl Args {
    /// The command that does what a dry run shows.
    fn command_to_write(&self) -> String {
        let mut command = "sortid ledger repair --write".to_owned();
        if let Some(profile) = self.profile {
            command = format!("{command} --profile {}", sortid::evently_ledger::Profile::from(profile));
        }
        if let Some(event_id) = self.after {
            command = format!("{command} --after {event_id}");
        }
        format!("{command} {}", argument(&self.file))
    }
}

/// How many bytes are enough to recognise the kind of a file.
const HEAD: u64 = 64;

/// How many bytes are verified at once.
const BLOCK: u64 = 4 << 20;

impl Scan {
    /// What to do if no event would stay and whole events would be cut off. Perhaps nothing is wrong with the events:
    /// the file is a part of a ledger, or something else is before it.
    fn advice_if_none_stays(&self, args: &Args) -> Option<String> {
        let damage = self.damage.as_ref().filter(|_| self.events == 0)?;
        let first = damage.first_event?;
        if first == damage.line {
            let part = match args.after {
                None => "If the file is a part of a ledger, add --after EVENT_ID. ".to_owned(),
                Some(after) => {
                    format!("If the event before the first line is not {after}, give --after its ID. ")
                }
            };
            let profile = args
                .profile
                .map_or("", |_| "If --profile does not name the profile of the ledger, leave it out. ");
            return Some(format!("{part}{profile}To begin a new ledger, move the file away"));
        }
        let (from, to) = (argument(&args.file), argument(&plain(&args.file)));
        Some(format!(
            "The first event is in line {first}. If what is before it is not a part of the ledger, leave it out: \
             tail -n +{first} {from} > {to} && sortid ledger verify {to}. Otherwise look for a backup, or move the \
             file away to begin a new ledger"
        ))
    }

    /// Verifies the whole file, which has `len` bytes. Reads `block` bytes at once.
    pub(super) fn of(
        disk: &mut impl Disk,
        len: u64,
        block: u64,
        mut verifier: Verifier,
        progress: &ProgressBar,
    ) -> Result<Self, Failure> {
        let path = disk.path().to_owned();
        let unread = |error| Failure::file("read", &path, error);
        let mut scan = Self::new(len);
        // The line whose end was not read yet: its beginning, its length, and its length without the NULs at its end.
        let (mut line, mut length, mut text) = (vec![], 0, 0);
        let mut at = 0;
        while at < len {
            let bytes = disk.read(at..len.min(at + block)).map_err(unread)?;
            if bytes.is_empty() {
                return Err(unread(io::ErrorKind::UnexpectedEof.into()));
            }
            for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
                if let Some(last) = piece.iter().rposition(|&byte| byte != 0) {
                    text = length + last as u64 + 1;
                }
                length += piece.len() as u64;
                line.extend_from_slice(piece);
                at += piece.len() as u64;
                if line.ends_with(b"\n") {
                    scan.line(&mut verifier, at - length, &line);
                    line.clear();
                    (length, text) = (0, 0);
                }
            }
            // The beginning of a line that is too long is enough.
            line.truncate(LONGEST_LINE + 1);
            progress.set_position(at);
        }
        if length > 0 {
            line.truncate(usize::try_from(text).unwrap_or(usize::MAX));
            scan.tail(&mut verifier, at - length, &line, length - text);
        }
        progress.finish_and_clear();
        Ok(scan)
    }

    /// Makes the file valid: cuts off what is damaged, and ends the last event with a line feed.
    pub(super) fn repair(&self, disk: &mut impl Disk) -> Result<(), Failure> {
        let kept = self.kept();
        if kept < self.len {
            disk::cut(disk, kept..self.len)?;
        }
        if self.lacks_line_feed {
            disk.write(kept, b"\n")
                .and_then(|()| disk.sync())
                .map_err(|error| Failure::file("write to", disk.path(), error))?;
        }
        Ok(())
    }
}

/// The object of `--json`.
#[derive(Serialize)]
struct Found<'a> {
    valid: bool,
    repaired: bool,
    events: u64,
    last_event_id: Option<String>,
    lacks_line_feed: bool,
    damage: Option<FoundDamage<'a>>,
}

#[derive(Serialize)]
struct FoundDamage<'a> {
    line: u64,
    offset: u64,
    bytes: u64,
    kind: &'static str,
    expected: &'a str,
    found: &'a str,
    lines: u64,
    events: u64,
    valid_events: u64,
    cut_file: String,
}

pub(crate) fn run(args: &Args, json: bool, verdict: &mut Verdict) -> Result<(), Failure> {
    lines::not_stdin("ledger repair", &args.file)?;
    let access = if args.write { Access::Exclusive } else { Access::Shared };
    let mut files = Files::open(&args.file, args.lock.duration(), access)?;
    files.refuse_as_output("ledger repair")?;
    files.lock(false)?;
    let len = files.len().map_err(|error| Failure::file("read", &args.file, error))?;
    if !args.write {
        // The bytes up to `len` no longer change, so no other process has to wait until they are verified.
        files.unlock()?;
    }
    let refuse = |message: &str| Err(Failure::file("repair", &args.file, io::Error::other(message)));
    let head = files.read(0..HEAD).map_err(|error| Failure::file("read", &args.file, error))?;
    if let Some(foreign) = Foreign::of(&head) {
        return refuse(&foreign.advice(&args.file));
    }
    let mut scan = |profile: Option<Profile>| {
        let mut verifier = Verifier::new(profile.map(Into::into));
        if let Some(event_id) = args.after {
            verifier = verifier.resume_after(event_id);
        }
        Scan::of(&mut files, len, BLOCK, verifier, &progress::of_inputs(&[&args.file]))
    };
    let with_given = scan(args.profile)?;
    if args.profile.is_some() && with_given.damage.is_some() {
        let recognised = scan(None)?;
        if recognised.kept() > with_given.kept() {
            let (given, events) = (with_given.events, recognised.events);
            return refuse(&format!(
                "with the profile that its event IDs fit, it keeps {events} events, and with this one {given}: leave out \
                 --profile"
            ));
        }
    }
    let scan = with_given;
    if let Some(damage) = &scan.damage {
        // A new ledger whose first events a crash has damaged begins as this program writes it, or with NULs.
        let head = head.trim_ascii_start();
        let can_be_new =
            BEGINNING.starts_with(head) || head.starts_with(BEGINNING) || head.starts_with(b"\0");
        if scan.events + damage.events == 0 && !can_be_new {
            return refuse("it is not a ledger: no line is an event with an ID");
        }
        if let Some(advice) = scan.advice_if_none_stays(args).filter(|_| args.write) {
            let Damage { sentence, events, .. } = damage;
            let s = if *events == 1 { "" } else { "s" };
            return refuse(&format!(
                "a repair would cut off {events} complete event{s} and keep none: {sentence}. {advice}"
            ));
        }
        if !args.write {
            *verdict = Verdict::Invalid;
        }
    }
    if args.write {
        files.check_place()?;
        scan.repair(&mut files)?;
        files.unlock()?;
    }
    let printed = if json { print_json(args, &scan, &files) } else { print(args, &scan, &files) };
    match printed {
        // Nobody may take this for a failure of the repair, nor for its success.
        Err(error) if args.write => Err(Failure::Message(format!(
            "{} is repaired, but the report cannot be written to standard output: {error}",
            args.file.display()
        ))),
        printed => Ok(printed?),
    }
}

fn print_json(args: &Args, scan: &Scan, files: &Files) -> io::Result<()> {
    let found = Found {
        valid: (args.write || scan.damage.is_none()) && scan.events > 0,
        repaired: args.write && (scan.damage.is_some() || scan.lacks_line_feed),
        events: scan.events,
        last_event_id: scan.last.map(|id| id.to_string()),
        lacks_line_feed: scan.lacks_line_feed && !args.write,
        damage: scan.damage.as_ref().map(|damage| FoundDamage {
            line: damage.line,
            offset: damage.at,
            bytes: scan.len - damage.at,
            kind: damage.kind,
            expected: &damage.expected,
            found: &damage.found,
            lines: damage.lines,
            events: damage.events,
            valid_events: damage.valid,
            cut_file: files.cut_path().display().to_string(),
        }),
    };
    let mut out = io::stdout().lock();
    json::write_line(&mut out, &found)?;
    out.flush()
}

fn print(args: &Args, scan: &Scan, files: &Files) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let advice = scan.advice_if_none_stays(args);
    if let Some(damage) = &scan.damage {
        let Damage { at, line, sentence, lines, events, valid, .. } = damage;
        let cut_path = files.cut_path().display().to_string();
        let cut_path = escaped(&cut_path);
        writeln!(out, "{}", escaped(sentence))?;
        let (cut, keep) = if args.write { ("cut", "kept") } else { ("would cut", "keep") };
        // Without a line, there are only NULs.
        let kept = if *lines == 0 { String::new() } else { format!(", and {keep} it in {cut_path}") };
        writeln!(out, "{cut} off everything from byte {at} on{kept}:")?;
        writeln!(out, "  bytes       {}", scan.len - at)?;
        writeln!(out, "  lines       {lines}")?;
        writeln!(out, "  events      {events}, of which {valid} have no fault of their own")?;
        if *valid > 0 && !args.write && advice.is_none() {
            writeln!(
                out,
                "line {line} was changed or added, or lines before it are missing: with a backup, these events can stay"
            )?;
            writeln!(
                out,
                "to see whether line {line} was added: sed {line}d {} | sortid ledger verify",
                argument(&args.file)
            )?;
        }
    }
    if scan.lacks_line_feed {
        writeln!(
            out,
            "{} the line feed after the last event",
            if args.write { "added" } else { "would add" }
        )?;
    } else if scan.damage.is_none() {
        writeln!(out, "nothing to repair")?;
    }
    if scan.damage.is_some() && scan.events == 0 && advice.is_none() {
        writeln!(out, "no event stays: append then begins a new ledger, with another ledger ID")?;
    } else {
        writeln!(out, "events that stay:")?;
        writeln!(out, "  events      {}", scan.events)?;
    }
    if let Some(last) = scan.last {
        writeln!(out, "  last event  {last}")?;
    }
    if let Some(advice) = advice {
        writeln!(out, "repair --write refuses to cut off all events. {}", escaped(&advice))?;
    } else if !args.write && (scan.damage.is_some() || scan.lacks_line_feed) {
        writeln!(out, "to repair the file: {}", escaped(&args.command_to_write()))?;
    }
    out.flush()
}
