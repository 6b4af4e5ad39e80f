use crate::{
    answers::{Answers, Printer},
    examples::examples,
    failure::Failure,
    json,
    lines::Line,
    mistakes::notes,
    picture::Painter,
    spec::{self, DescribeOptions, parse_epoch},
    table::Table,
    verdict::Verdict,
};
use sortid::{Spec, ron_uid::ReplicaScheme, ulid_flake::Epoch};
use sortid_inspect::{Candidate, Form, Inspection, Prefix, details, inspect_as};
use std::{ffi::OsString, io, mem};

/// Shows which specifications an ID fits, and its fields.
///
/// An ID can be a text, or what a column of a database prints: a UUID, an integer, hex digits. The forms are tried in this
/// order: text; UUID, with or without braces; decimal digits that do not begin with 0, at least 20 for IDs of 128 bits; as
/// many hex digits as the ID has, or hex digits after `\x` or `0x`. If another form gives another ID from 2000 to 2099,
/// both are shown. `--from` reads one form only.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Explain an ID and show its bits", "sortid inspect 00CMXB6TAK4SA"),
    ("Explain an integer of a column", "sortid inspect 14246757444195114"),
    ("Explain bytes as PostgreSQL prints them", "sortid inspect '\\x017bdf6431bb33750751eb63beb3c3f8c5969d86'"),
    ("Explain 32 hex digits as another specification", "sortid inspect --spec scru160 0005cd755a43d79238c05790c0331dd8"),
    ("Print objects for other programs", "sortid new scru160 -n 3 | sortid inspect --json --spec scru160"),
]))]
pub(crate) struct Args {
    /// The IDs; `-` is the lines of standard input; write `--` before an ID that begins with a sign [default: standard
    /// input]
    #[arg(value_name = "ID")]
    ids: Vec<OsString>,

    #[command(flatten)]
    table: Table,

    /// Read the input as this specification only
    #[arg(long, aliases = ["type", "as"], value_parser = spec::by_name())]
    spec: Option<Spec>,

    /// The form to read the input from [default: found for each ID]
    #[arg(long, value_enum, value_name = "FORM", ignore_case = true)]
    from: Option<Form>,

    /// The prefix of typed IDs, such as order [default: found for each text, except for RON UIDs]
    #[arg(long, value_name = "PREFIX")]
    prefix: Option<Prefix>,

    /// Read Ulid-Flakes as the scalable version
    #[arg(long)]
    scalable: bool,

    /// The time that the timestamps of Ulid-Flakes count from [default: 2024-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_epoch)]
    epoch: Option<Epoch>,

    /// How many digits of a RON UID's origin name the peer, the server, the user and the session, such as 0163
    #[arg(long, value_name = "DIGITS", value_parser = ReplicaScheme::parse)]
    scheme: Option<ReplicaScheme>,

    /// Print JSON objects, one per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    let of_ulid_flake = args.scalable || args.epoch.is_some();
    if of_ulid_flake && args.spec.is_some_and(|spec| spec != Spec::UlidFlake) {
        return Err(Failure::usage("inspect", "--scalable and --epoch are for --spec ulid-flake"));
    }
    if args.scheme.is_some() && args.spec.is_some_and(|spec| spec != Spec::RonUid) {
        return Err(Failure::usage("inspect", "--scheme is for --spec ron-uid"));
    }
    if let (Some(spec), Some(from)) = (args.spec, args.from) {
        from.suits(spec.name(), spec.bytes()).map_err(|error| Failure::usage("inspect", error))?;
    }
    spec::prefix_suits("inspect", args.prefix, args.from)?;
    args.table.check("inspect", &args.ids)?;
    notes(&args.ids, args.spec.is_some());
    let painter = (!args.json).then(Painter::of_stdout);
    Printer::new(verdict).ids("inspect", &args.ids, &args.table, &|line, _, answers| {
        inspect(args, painter.as_ref(), line, answers)
    })
}

fn inspect(
    args: &Args,
    painter: Option<&Painter>,
    line: &Line,
    Answers { out, invalid, is_first, .. }: &mut Answers,
) -> io::Result<()> {
    // A blank line separates IDs.
    if !mem::take(is_first) && painter.is_some() {
        out.push(b'\n');
    }
    if let Some(fault) = line.row_fault() {
        *invalid += 1;
        return match painter {
            Some(painter) => painter.refusal(line, &[], Some(fault), out),
            None => json::push_invalid(line.input(), None, json::Error::of_row(fault), out),
        };
    }
    let options = DescribeOptions {
        scalable: args.scalable,
        epoch: args.epoch.unwrap_or_default(),
        replica_scheme: args.scheme,
        prefix: args.prefix,
        ..DescribeOptions::default()
    };
    let inspection = inspect_as(line.input(), args.spec, args.from, &options);
    let Inspection { candidates, refusals, .. } = &inspection;
    *invalid += u64::from(candidates.is_empty());
    let Some(painter) = painter else {
        return json::push_inspection(line.input(), args.spec, &inspection, out);
    };
    let note = inspection.note();
    if candidates.is_empty() {
        return painter.refusal(line, refusals, note.as_deref(), out);
    }
    for (index, candidate) in candidates.iter().enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        let Candidate { description, form, .. } = candidate;
        let reasons = candidate.reasons().filter(|_| candidates.len() > 1);
        let details = details(description.id, &options);
        let note = note.as_deref().filter(|_| index == 0);
        painter.description(description, *form, &details, note, reasons.as_deref(), out)?;
    }
    Ok(())
}
