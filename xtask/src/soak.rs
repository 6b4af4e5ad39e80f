//! `cargo xtask soak`: one process that makes IDs for an hour, while clocks step, threads come and go, processes fork, and
//! reservations are lost. It checks all of its IDs.
//!
//! The process is `sortid-soak` of `lab/chaos`.

use crate::{
    records::Record,
    shell::{self, Result, cargo},
    workspace,
};
use clap::Parser;
use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
};

#[derive(Parser)]
pub(crate) struct Options {
    /// How long to make IDs. Without `--write`, Ctrl-C ends it earlier, with the checks and the summary
    #[arg(long, default_value_t = 3600)]
    seconds: u64,
    /// The seed of random decisions [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// Write some IDs twice, so that the check must fail
    #[arg(long)]
    sabotage: bool,
    /// Write records/soak.json
    #[arg(long, conflicts_with = "sabotage")]
    write: bool,
}

/// Ten minutes, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    shell::run(&mut soak(600)?)
}

/// The process, for this many seconds.
fn soak(seconds: u64) -> Result<Command> {
    let build = ["build", "--locked", "--release", "--package", "sortid-chaos", "--bin", "sortid-soak"];
    shell::run(&mut cargo(&build))?;
    let program =
        workspace::target()?.join("release").join(format!("sortid-soak{}", std::env::consts::EXE_SUFFIX));
    let mut soak = Command::new(program);
    soak.args(["--seconds", &seconds.to_string()]);
    // The folder is on a disk: some systems have their temporary files in memory.
    soak.arg("--folder").arg(workspace::target()?);
    Ok(soak)
}

pub(crate) fn run(options: &Options) -> Result {
    let mut soak = soak(options.seconds)?;
    if let Some(seed) = options.seed {
        soak.args(["--seed", &seed.to_string()]);
    }
    if options.sabotage {
        soak.arg("--sabotage");
    }
    if !options.write {
        return alone(&mut soak);
    }
    eprintln!("$ {}", shell::shown(&soak));
    let mut child = soak.stdout(Stdio::piped()).spawn()?;
    let out = child.stdout.take().ok_or("the soak has no output")?;
    let mut last = String::new();
    for line in BufReader::new(out).lines() {
        last = line?;
        println!("{last}");
    }
    let status = child.wait()?;
    if !status.success() {
        return Err(format!("a law is broken, or the soak failed: {status}").into());
    }
    let about = "One process that makes IDs while clocks step, threads come and go, and the process forks";
    Record::new(about, &["what", "number"], rows(&serde_json::from_str(&last)?)?)?.write("soak")
}

/// Becomes the soak, so that Ctrl-C reaches it alone.
#[cfg(unix)]
fn alone(soak: &mut Command) -> Result {
    eprintln!("$ {}", shell::shown(soak));
    Err(std::os::unix::process::CommandExt::exec(soak).into())
}

#[cfg(not(unix))]
fn alone(soak: &mut Command) -> Result {
    shell::run(soak)
}

/// What each member of the summary is called in the record.
const ROWS: [(&str, &str); 16] = [
    ("seconds", "seconds"),
    ("ids", "IDs, all checked"),
    ("repeated", "IDs that occur twice"),
    ("threads", "threads that came and went"),
    ("forks", "forks"),
    ("ids_of_children", "IDs that children made"),
    ("small_steps", "steps of the clock within the allowance"),
    ("great_steps", "steps of the clock by up to an hour"),
    ("reservations", "reservations on the clock that steps, one after the other"),
    ("numbers", "node IDs of the fleet that the process took"),
    ("numbers_of_children", "node IDs of the fleet that children took"),
    ("renewals", "renewals"),
    ("losses", "reservations that another one ended"),
    ("outages", "outages of the store"),
    ("memory_early", "resident memory in the second fifth of the time, in KiB (median)"),
    ("memory_late", "resident memory in the last fifth of the time, in KiB (median)"),
];

fn rows(summary: &Value) -> Result<Vec<Vec<String>>> {
    let row = |(member, name): (&str, &str)| {
        let number = summary[member].as_u64().ok_or_else(|| {
            format!("the summary lacks {member}: a soak of less than 100 s has no verdict on the memory")
        })?;
        Ok(vec![name.to_owned(), number.to_string()])
    };
    ROWS.into_iter().map(row).collect()
}
