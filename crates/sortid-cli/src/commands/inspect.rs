use crate::{
    answers::{Answers, Printer},
    description::Description,
    examples::examples,
    failure::Failure,
    form::{hex, int, uuid},
    json,
    lines::Line,
    mistakes::notes,
    picture::Painter,
    refusal::Refusal,
    spec::{self, DescribeOptions, ulid_flake::parse_epoch},
    verdict::Verdict,
};
use serde::Serialize;
use sortid::{Candidate, Spec, detect, ron_uid::ReplicaScheme, ulid_flake::Epoch};
use std::{borrow::Cow, ffi::OsString, io, slice};

/// Shows which specifications an ID fits, and its fields.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Explain an ID and show its bits", "sortid inspect 00CMXB6TAK4SA"),
    ("Explain 32 hex digits as another specification", "sortid inspect --spec scru160 0005cd755a43d79238c05790c0331dd8"),
    ("Print objects for other programs", "sortid new scru160 -n 3 | sortid inspect --json --spec scru160"),
]))]
pub(crate) struct Args {
    /// The IDs; `-` is the lines of standard input; write `--` before an ID that begins with a sign [default: standard
    /// input]
    #[arg(value_name = "ID")]
    ids: Vec<OsString>,

    /// Read the input as this specification only
    #[arg(long, value_parser = spec::by_name())]
    spec: Option<Spec>,

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
    notes("inspect", &args.ids, args.spec.is_some());
    let painter = (!args.json).then(Painter::of_stdout);
    Printer::new(verdict).ids("inspect", &args.ids, |line, _, is_first, answers| {
        inspect(args, painter.as_ref(), line, is_first, answers)
    })
}

fn inspect(
    args: &Args,
    painter: Option<&Painter>,
    line: &Line,
    is_first: bool,
    Answers { out, invalid, .. }: &mut Answers,
) -> io::Result<()> {
    let options = DescribeOptions {
        scalable: args.scalable,
        epoch: args.epoch.unwrap_or_default(),
        replica_scheme: args.scheme,
        ..DescribeOptions::default()
    };
    let report = Report::new(line, args.spec, options);
    *invalid += u64::from(report.descriptions.is_empty());
    let Some(painter) = painter else {
        return report.push_json(args.spec, out);
    };
    // A blank line separates IDs.
    if !is_first {
        out.push(b'\n');
    }
    if report.descriptions.is_empty() {
        let hint = if args.spec.is_none() { hint(line.bytes()) } else { None };
        return painter.refusal(line, &report.refusals, hint, out);
    }
    for (index, description) in report.descriptions.iter().enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        let reasons = report.candidates.get(index).map(reasons);
        painter.description(description, &spec::details(description.id, options), reasons.as_deref(), out)?;
    }
    Ok(())
}

/// Advice for a text that is a form of an ID's bytes.
fn hint(text: &[u8]) -> Option<&'static str> {
    if uuid::read(text, &mut [0; 16]).is_ok() {
        Some("a UUID: try sortid convert --to text, with --spec euid, evently-id or ron-uid")
    } else if int::read(text, &mut [0; 16]).is_ok() {
        Some("an integer: try sortid convert --to text, with --spec")
    } else if hex::read(text, &mut [0; 8]).is_ok() {
        Some("the bytes of a Ulid-Flake: try sortid convert --to text")
    } else {
        None
    }
}

fn reasons(candidate: &Candidate) -> String {
    candidate.reasons().map(|reason| reason.to_string()).collect::<Vec<_>>().join(", ")
}

/// The answers of the specifications to one input.
struct Report<'a> {
    line: &'a Line,
    descriptions: Vec<Description>,
    /// One for each description if there are several.
    candidates: Vec<Candidate>,
    refusals: Vec<Refusal>,
}

impl<'a> Report<'a> {
    /// Asks this specification, or all of them. Has either descriptions, the most likely first, or refusals.
    fn new(line: &'a Line, spec: Option<Spec>, options: DescribeOptions) -> Self {
        let mut report = Self { line, descriptions: vec![], candidates: vec![], refusals: vec![] };
        if spec.is_none() {
            let candidates = detect(line.bytes());
            if candidates.len() > 1 {
                report.candidates = candidates.clone().collect();
            }
            report.descriptions.extend(
                candidates.map(|candidate| spec::describe_text(candidate.id(), line.bytes(), options)),
            );
            if !report.descriptions.is_empty() {
                return report;
            }
        }
        for &spec in spec.as_ref().map_or(Spec::ALL, slice::from_ref) {
            match spec::read(spec, line.bytes(), options) {
                Ok(description) => report.descriptions.push(description),
                Err(error) => report.refusals.push(Refusal::new(spec, line, &error)),
            }
        }
        report
    }

    /// Appends the object of the JSON contract. Without `--spec`, it describes the most likely ID, and `also` contains the
    /// others.
    fn push_json(&self, spec: Option<Spec>, out: &mut Vec<u8>) -> io::Result<()> {
        let [first, others @ ..] = &self.descriptions[..] else { return self.push_refusal(out) };
        json::push(out, [r#"{"input":"#]);
        json::write_value(out, &self.line.lossy())?;
        json::push(out, [r#","valid":true,"#]);
        json::push_members(first, out);
        if spec.is_none() {
            json::push(out, [r#","also":["#]);
            for (index, other) in others.iter().enumerate() {
                json::push(out, [if index > 0 { "," } else { "" }]);
                json::push_object(other, out);
            }
            out.push(b']');
        }
        json::push(out, ["}\n"]);
        Ok(())
    }

    fn push_refusal(&self, out: &mut Vec<u8>) -> io::Result<()> {
        #[derive(Serialize)]
        struct Invalid<'a> {
            input: Cow<'a, str>,
            valid: bool,
            spec: Option<&'static str>,
            error: json::Error,
            /// Whether `input` is only the beginning of a line of many megabytes.
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            truncated: bool,
        }
        let (spec, error) = Refusal::nearest(&self.refusals);
        let (input, truncated) = (self.line.lossy(), self.line.is_cut());
        json::write_line(out, &Invalid { input, valid: false, spec: spec.map(Spec::name), error, truncated })
    }
}
