use super::{input::Blocks, lock::Timeout, profile::Profile};
use crate::{examples::examples, failure::Failure, json, stderr, verdict::Verdict};
use indicatif::ProgressBar;
use serde::Serialize;
use sortid::evently_ledger::{Genesis, Verifier};
use std::{
    io::{self, Write as _},
    path::PathBuf,
};

/// Verifies the genesis event, the first one of a ledger, and prints the ledger ID.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Print the ledger ID of a file", "sortid ledger id shop.ndjson"),
]))]
pub(crate) struct Args {
    /// The ledger or its beginning: plain, gzip or zstd; `-` is standard input [default: standard input]
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,

    /// Which members of an event the checksums cover [default: the one that the event IDs fit]
    #[arg(long, value_enum)]
    profile: Option<Profile>,
}

#[derive(Serialize)]
struct Found {
    ledger_id: Option<String>,
    version: Option<u8>,
    genesis: Option<&'static str>,
}

pub(crate) fn run(args: &Args, json: bool, verdict: &mut Verdict) -> Result<(), Failure> {
    let mut blocks = Blocks::open(&args.file, &ProgressBar::hidden(), Timeout::default().duration())?;
    let mut verifier = Verifier::new(args.profile.map(Into::into));
    let mut block = vec![];
    'first: while blocks.read(&mut block)? {
        for line in block.split(|&byte| byte == b'\n') {
            if let Err(fault) = verifier.verify_line(line) {
                stderr::print_line(format_args!("{}: {fault}", blocks.name()));
            }
            if verifier.report().events > 0 {
                break 'first;
            }
        }
    }
    let report = verifier.report();
    if report.events == 0 {
        stderr::print_line(format_args!("{}: expected a genesis event, found no event", blocks.name()));
    }
    if report.events > 0 && report.genesis.is_none() {
        stderr::print_line(format_args!(
            "{}: there is no ledger ID: the first event is not a valid genesis event",
            blocks.name()
        ));
    }
    if report.genesis.is_none() {
        *verdict = Verdict::Invalid;
    }
    let mut out = io::stdout().lock();
    if json {
        let found = Found {
            ledger_id: report.ledger_id.map(|id| id.to_string()),
            version: report.ledger_id.map(sortid::evently_id::LedgerId::version),
            genesis: report.genesis.map(Genesis::name),
        };
        json::write_line(&mut out, &found)?;
    } else if let Some(id) = report.ledger_id {
        writeln!(out, "{id}")?;
    }
    Ok(out.flush()?)
}
