use crate::{
    examples::examples,
    failure::Failure,
    json,
    lines::{Line, Lines, name_of},
    progress, stderr,
    terminal::quoted,
    verdict::Verdict,
};
use clap::Subcommand;
use serde::Serialize;
use sortid::{ParseError, Spec, ron_uid::RonUid};
use sortid_inspect::Refusal;
use std::{
    fmt,
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

/// Compresses and decompresses RON UIDs.
///
/// The compressed form is a vector: UIDs with commas between them, each written relative to the one before.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Compress two UIDs and decompress them", "printf 'time-origin\\ntime01-origin\\n' | sortid ron zip | sortid ron unzip"),
]))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,

    /// Print JSON objects, one per line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Compresses UIDs, one per line, to one vector
    #[command(aliases = ["compress", "pack"], after_long_help = examples(&[
        ("Compress three UIDs", "printf 'time-origin\\ntime01-origin\\ntime2-origin2\\n' | sortid ron zip"),
    ]))]
    Zip(Input),
    /// Decompresses vectors, one per line, and prints the UIDs, one per line
    #[command(aliases = ["decompress", "unpack"], after_long_help = examples(&[
        ("Decompress a vector", "echo 'time-origin,[1,(2{2' | sortid ron unzip"),
    ]))]
    Unzip(Input),
}

#[derive(clap::Args)]
struct Input {
    /// The file; `-` is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,
}

/// A better message for users who gave UIDs instead of a file.
fn no_file(args: &Args, file: &Path, failure: Failure) -> Failure {
    let text = file.to_string_lossy();
    if file.exists() || !text.contains(',') && RonUid::parse_ascii(text.as_bytes()).is_err() {
        return failure;
    }
    let command = if matches!(args.command, Command::Zip(_)) { "zip" } else { "unzip" };
    let uids = quoted(&text);
    Failure::Message(format!("{failure}. Give UIDs on standard input: echo {uids} | sortid ron {command}"))
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    let (Command::Zip(Input { file }) | Command::Unzip(Input { file })) = &args.command;
    let what = if matches!(args.command, Command::Zip(_)) { "RON UIDs" } else { "vectors of RON UIDs" };
    let progress = progress::of_filter(&[file]);
    let mut lines = Lines::of_path(file, what, &progress).map_err(|failure| no_file(args, file, failure))?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let cannot_read = |error| Failure::read(&name_of(file), error);
    let mut refuse = |place: fmt::Arguments<'_>, line: &Line, error: &ParseError| {
        *verdict = Verdict::Invalid;
        let refusal = Refusal::new(Spec::RonUid, line.input(), error);
        progress.suspend(|| {
            stderr::print_line(format_args!("{place}: {}: {}", refusal.message, line.quoted()));
        });
    };
    match args.command {
        Command::Zip(_) => zip(&mut lines, &mut out, args.json, cannot_read, &mut refuse)?,
        Command::Unzip(_) => unzip(&mut lines, &mut out, args.json, cannot_read, &mut refuse)?,
    }
    Ok(out.flush()?)
}

/// Prints the vector while it grows, because it can be longer than memory. JSON escapes none of its characters.
fn zip(
    lines: &mut Lines<Box<dyn Read>>,
    out: &mut impl Write,
    json: bool,
    cannot_read: impl Fn(io::Error) -> Failure,
    refuse: &mut impl FnMut(fmt::Arguments<'_>, &Line, &ParseError),
) -> Result<(), Failure> {
    let mut line = Line::default();
    let (mut number, mut count) = (0, 0);
    let mut context = RonUid::ZERO;
    if json {
        out.write_all(br#"{"vector":""#)?;
    }
    while lines.read(&mut line).map_err(&cannot_read)? {
        number += 1;
        match RonUid::parse_ascii(line.bytes()) {
            Ok(uid) => {
                if count > 0 {
                    out.write_all(b",")?;
                }
                out.write_all(uid.zip(&context).as_bytes())?;
                context = uid;
                count += 1;
            }
            Err(error) => refuse(format_args!("line {number}"), &line, &error),
        }
        if lines.may_wait() {
            out.flush()?;
        }
    }
    if json {
        write!(out, r#"","count":{count}}}"#)?;
    }
    Ok(out.write_all(b"\n")?)
}

fn unzip(
    lines: &mut Lines<Box<dyn Read>>,
    out: &mut impl Write,
    json: bool,
    cannot_read: impl Fn(io::Error) -> Failure,
    refuse: &mut impl FnMut(fmt::Arguments<'_>, &Line, &ParseError),
) -> Result<(), Failure> {
    let mut piece = Line::default();
    let mut line = 1;
    // The place in the vector, and the UID before it; `None` after an invalid one, since the rest of the vector depends
    // on it.
    let (mut place, mut context) = (1_u64, Some(RonUid::ZERO));
    loop {
        let end = lines.read_piece(&mut piece).map_err(&cannot_read)?;
        let is_whole_line = place == 1 && end != Some(b',');
        if let Some(before) = context.filter(|_| !(is_whole_line && piece.len() == 0)) {
            context = match RonUid::unzip_ascii(piece.bytes(), &before) {
                Ok(uid) if json => {
                    json::write_line(out, &Unzipped { line, text: uid })?;
                    Some(uid)
                }
                Ok(uid) => {
                    out.write_all(uid.encode().as_bytes())?;
                    out.write_all(b"\n")?;
                    Some(uid)
                }
                Err(error) => {
                    refuse(format_args!("line {line}, UID {place}"), &piece, &error);
                    None
                }
            };
        }
        match end {
            Some(b',') => place += 1,
            Some(_) => {
                (place, context) = (1, Some(RonUid::ZERO));
                line += 1;
                if lines.may_wait() {
                    out.flush()?;
                }
            }
            None => return Ok(()),
        }
    }
}

#[derive(Serialize)]
struct Unzipped {
    line: u64,
    #[serde(serialize_with = "as_text")]
    text: RonUid,
}

fn as_text<S: serde::Serializer>(uid: &RonUid, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(uid)
}
