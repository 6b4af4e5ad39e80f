use crate::{
    answers::{Answers, Printer},
    description::Description,
    examples::examples,
    failure::Failure,
    form::Form,
    json,
    lines::Line,
    mistakes::{kinds, notes},
    picture::Painter,
    reading::{self, Found, Guess},
    refusal::Refusal,
    spec::{self, DescribeOptions, ulid_flake::parse_epoch},
    verdict::Verdict,
};
use serde::Serialize;
use sortid::{Spec, ron_uid::ReplicaScheme, ulid_flake::Epoch};
use std::{borrow::Cow, ffi::OsString, io};

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

    /// Read the input as this specification only
    #[arg(long, value_parser = spec::by_name())]
    spec: Option<Spec>,

    /// The form to read the input from [default: found for each ID]
    #[arg(long, value_enum, value_name = "FORM", ignore_case = true)]
    from: Option<Form>,

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
    let report = Report::new(line, args, options);
    *invalid += u64::from(report.found.is_empty());
    let Some(painter) = painter else {
        return report.push_json(args.spec, out);
    };
    // A blank line separates IDs.
    if !is_first {
        out.push(b'\n');
    }
    if report.found.is_empty() {
        let hint = kinds::of_text(line.bytes())
            .map(|kind| format!("it looks like {kind}, which is another kind of ID"));
        return painter.refusal(line, &report.refusals, hint.as_deref(), out);
    }
    for (index, (found, description)) in report.found.iter().enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        let reasons = report.guesses.get(index).filter(|_| report.guesses.len() > 1).map(Guess::reasons);
        let details = spec::details(description.id, options);
        painter.description(description, found.form, &details, reasons.as_deref(), out)?;
    }
    let is_ours = report.guesses.iter().any(Guess::is_plausible);
    match kinds::of_uuid(line.bytes(), is_ours) {
        Some(kind) if args.spec.is_none() => painter.note(&kind, out),
        _ => Ok(()),
    }
}

/// The answers of the specifications to one input.
struct Report<'a> {
    line: &'a Line,
    /// What the input can be, the likeliest first.
    found: Vec<(Found, Description)>,
    /// Where `found` comes from if the specification was not given.
    guesses: Vec<Guess>,
    /// Why it is not an ID, if it can be none.
    refusals: Vec<Refusal>,
}

impl<'a> Report<'a> {
    /// Asks the specification of the command line, or all of them.
    fn new(line: &'a Line, args: &Args, options: DescribeOptions) -> Self {
        let mut report = Self { line, found: vec![], guesses: vec![], refusals: vec![] };
        let mut add = |found: Found| {
            let description = match found.form {
                Form::Text => spec::describe_text(found.id, line.bytes(), options),
                _ => spec::describe(found.id, options),
            };
            report.found.push((found, description));
        };
        let read = |spec| reading::read(spec, args.from, line);
        match args.spec {
            Some(spec) => match read(spec) {
                Ok(found) => {
                    add(found);
                    if args.from.is_none() {
                        reading::others(found.id, found.form, line).for_each(add);
                    }
                }
                Err(refusal) => report.refusals.push(refusal),
            },
            None if args.from.is_none()
                && let Some(found) = reading::find_one(line.bytes()) =>
            {
                add(found);
            }
            None => {
                let guesses = reading::find(args.from, line.bytes());
                guesses.iter().map(Guess::found).for_each(add);
                report.guesses = guesses;
                if report.found.is_empty() {
                    report.refusals.extend(Spec::ALL.iter().filter_map(|&spec| read(spec).err()));
                }
            }
        }
        report
    }

    /// Appends the object of the JSON contract. It describes the most likely ID, and `also` contains the others: always
    /// without `--spec`, and if there are any with it.
    fn push_json(&self, spec: Option<Spec>, out: &mut Vec<u8>) -> io::Result<()> {
        let [(found, first), others @ ..] = &self.found[..] else { return self.push_refusal(out) };
        json::push(out, [r#"{"input":"#]);
        json::write_value(out, &self.line.lossy())?;
        json::push(out, [r#","valid":true,"#]);
        push_members(found, first, out);
        if spec.is_none() || !others.is_empty() {
            json::push(out, [r#","also":["#]);
            for (index, (found, other)) in others.iter().enumerate() {
                json::push(out, [if index > 0 { ",{" } else { "{" }]);
                push_members(found, other, out);
                out.push(b'}');
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

/// Appends the members of an ID, with its form if that is not the text.
fn push_members(found: &Found, description: &Description, out: &mut Vec<u8>) {
    json::push_members(description, out);
    if found.form != Form::Text {
        json::push(out, [r#","from":""#, found.form.name(), "\""]);
    }
}
