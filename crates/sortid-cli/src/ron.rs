use crate::{
    Verdict, complain,
    failure::Failure,
    inspect::Refusal,
    json,
    lines::{Line, Lines},
    spec::Spec,
};
use clap::Subcommand;
use ron_uid::{RonUid, Vector, VectorBuilder};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// Compresses RON UIDs, each in the context of the one before, and reads what was compressed.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,

    /// Print an object a line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// UIDs, one a line of standard input, to one vector
    Zip,
    /// Vectors, one a line of standard input, to UIDs, one a line
    Unzip,
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut lines = Lines::of_stdin();
    let mut line = Line::default();
    let mut number = 0;
    let mut zipped = VectorBuilder::new();
    let mut count = 0;
    while lines.read(&mut line).map_err(|error| Failure::reading("standard input", error))? {
        number += 1;
        let mut refuse = |error: &ron_uid::ParseError| {
            *verdict = Verdict::Invalid;
            let refusal = Refusal::new(Spec::RonUid, &line, error);
            complain(format_args!("line {number}: {}: {}", refusal.message, line.quoted()));
        };
        match args.command {
            Command::Zip => match RonUid::parse_ascii(line.bytes()) {
                Ok(uid) => {
                    zipped.push(uid);
                    count += 1;
                }
                Err(error) => refuse(&error),
            },
            Command::Unzip => {
                for uid in Vector::from_ascii(line.bytes()) {
                    match uid {
                        Ok(uid) if args.json => {
                            json::write_line(&mut out, &Unzipped { line: number, text: uid })?;
                        }
                        Ok(uid) => writeln!(out, "{}", uid.encode())?,
                        Err(error) => refuse(&error),
                    }
                }
                if lines.may_wait() {
                    out.flush()?;
                }
            }
        }
    }
    if matches!(args.command, Command::Zip) {
        let vector = zipped.as_str();
        if args.json {
            json::write_line(&mut out, &Zipped { vector, count })?;
        } else {
            writeln!(out, "{vector}")?;
        }
    }
    Ok(out.flush()?)
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

#[derive(Serialize)]
struct Zipped<'a> {
    vector: &'a str,
    count: u64,
}
