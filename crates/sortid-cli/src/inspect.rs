use crate::{
    Verdict,
    failure::Failure,
    json,
    lines::{Line, Lines},
    picture::Painter,
    reading::Reading,
    spec::{ReadOptions, Spec, ulid_flake::parse_epoch},
};
use ron_uid::ReplicaScheme;
use scru160::{ParseError, ParseErrorKind};
use serde::Serialize;
use std::{
    borrow::Cow,
    ffi::OsString,
    fmt,
    io::{self, BufWriter, StdoutLock, Write},
};
use ulid_flake::Epoch;

/// Says which specification an ID can be of, and shows its fields.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// IDs; without any, the lines of standard input
    #[arg(value_name = "ID")]
    ids: Vec<OsString>,

    /// Read as this specification only
    #[arg(long, value_enum)]
    spec: Option<Spec>,

    /// Read a Ulid-Flake as the scalable version
    #[arg(long)]
    scalable: bool,

    /// What the timestamps of Ulid-Flakes count from [default: 2024-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_epoch)]
    epoch: Option<Epoch>,

    /// How the origins of RON UIDs are divided into peer, server, user and session, such as 0163
    #[arg(long, value_name = "DIGITS", value_parser = ReplicaScheme::parse)]
    scheme: Option<ReplicaScheme>,

    /// Print an object a line
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
    let mut printer = if args.json {
        Printer::Json(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    } else {
        Printer::Picture(Painter::of_stdout())
    };
    if args.ids.is_empty() {
        let mut lines = Lines::of_stdin();
        let mut line = Line::default();
        while lines.read(&mut line).map_err(|error| Failure::reading("standard input", error))? {
            inspect(args, &line, &mut printer, verdict)?;
            if lines.may_wait() {
                printer.flush()?;
            }
        }
    } else {
        for id in &args.ids {
            inspect(args, &Line::new(id.as_encoded_bytes().to_vec()), &mut printer, verdict)?;
        }
    }
    Ok(printer.flush()?)
}

fn inspect(args: &Args, line: &Line, printer: &mut Printer, verdict: &mut Verdict) -> io::Result<()> {
    let options = ReadOptions {
        scalable: args.scalable,
        epoch: args.epoch.unwrap_or_default(),
        replica_scheme: args.scheme,
        ..ReadOptions::default()
    };
    let specs = args.spec.as_ref().map_or(&Spec::ALL[..], std::slice::from_ref);
    let report = Report::new(line, specs, options);
    if report.readings.is_empty() {
        *verdict = Verdict::Invalid;
    }
    match printer {
        Printer::Json(out) => json::write_line(out, &report.to_json(args.spec)),
        Printer::Picture(painter) if report.readings.is_empty() => painter.refusal(line, &report.refusals),
        Printer::Picture(painter) => report.readings.iter().try_for_each(|reading| painter.reading(reading)),
    }
}

enum Printer {
    Json(BufWriter<StdoutLock<'static>>),
    Picture(Painter),
}

impl Printer {
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Json(out) => out.flush(),
            Self::Picture(painter) => painter.flush(),
        }
    }
}

/// A specification, and why it does not read an input.
pub(crate) struct Refusal {
    pub(crate) spec: Spec,
    pub(crate) kind: ParseErrorKind,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(spec: Spec, line: &Line, error: &ParseError) -> Self {
        let mut message = error.to_string();
        if line.is_cut() && error.kind() == ParseErrorKind::Length {
            // The length that was found is that of what is left of the line.
            let expected = message.split(", found").next().unwrap_or_default();
            message = format!("{expected}, found {}", line.len());
        }
        Self { spec, kind: error.kind(), message }
    }
}

/// What the specifications say of one input.
struct Report<'a> {
    line: &'a Line,
    readings: Vec<Reading>,
    refusals: Vec<Refusal>,
}

impl<'a> Report<'a> {
    fn new(line: &'a Line, specs: &[Spec], options: ReadOptions) -> Self {
        let mut report = Self { line, readings: vec![], refusals: vec![] };
        for &spec in specs {
            match spec.read(line.bytes(), options) {
                Ok(reading) => report.readings.push(reading),
                Err(error) => report.refusals.push(Refusal::new(spec, line, &error)),
            }
        }
        report
    }

    /// The object of the JSON contract. Without `--spec`, it is about the most likely specification, and `also` has
    /// the others that read the text.
    fn to_json(&self, spec: Option<Spec>) -> impl Serialize {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Object<'a> {
            Valid {
                input: Cow<'a, str>,
                valid: bool,
                #[serde(flatten)]
                reading: json::Explained<'a>,
                #[serde(skip_serializing_if = "Option::is_none")]
                also: Option<Vec<json::Explained<'a>>>,
            },
            Invalid {
                input: Cow<'a, str>,
                valid: bool,
                spec: Option<&'static str>,
                error: json::Error,
                /// `input` is only the beginning of a line of many megabytes.
                #[serde(skip_serializing_if = "std::ops::Not::not")]
                truncated: bool,
            },
        }
        let truncated = self.line.is_cut();
        let input = self.line.lossy();
        // Where the length is right for one specification, its reason is the one that helps. (RON UIDs have none.)
        let fits =
            |refusal: &&Refusal| refusal.kind != ParseErrorKind::Length && refusal.spec != Spec::RonUid;
        let near: Vec<_> = self.refusals.iter().filter(fits).collect();
        let refusals = if near.len() == 1 { near } else { self.refusals.iter().collect() };
        match (&self.readings[..], &refusals[..]) {
            ([first, others @ ..], _) => Object::Valid {
                input,
                valid: true,
                reading: first.into(),
                also: spec.is_none().then(|| others.iter().map(json::Explained::from).collect()),
            },
            ([], [refusal]) => Object::Invalid {
                input,
                valid: false,
                spec: Some(refusal.spec.name()),
                error: (*refusal).into(),
                truncated,
            },
            ([], refusals) => {
                let reasons: Vec<_> = refusals.iter().map(ToString::to_string).collect();
                let error = json::Error { kind: "unknown", message: reasons.join("; ") };
                Object::Invalid { input, valid: false, spec: None, error, truncated }
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {}: {}", self.spec.name(), self.message)
    }
}

impl From<&Refusal> for json::Error {
    fn from(refusal: &Refusal) -> Self {
        Self { kind: refusal.kind.name(), message: refusal.message.clone() }
    }
}
