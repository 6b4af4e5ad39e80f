use crate::{
    Verdict,
    failure::Failure,
    json,
    lines::{Line, Lines},
    picture::Painter,
    reading::Reading,
    spec::{ReadOptions, Spec, ulid_flake::parse_epoch},
};
use serde::Serialize;
use std::{
    borrow::Cow,
    ffi::OsString,
    fmt,
    io::{self, BufWriter, Write},
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

    /// Print an object a line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    let of_ulid_flake = args.scalable || args.epoch.is_some();
    if of_ulid_flake && args.spec.is_some_and(|spec| spec != Spec::UlidFlake) {
        return Err(Failure::usage("inspect", "--scalable and --epoch are for --spec ulid-flake"));
    }
    let options = ReadOptions { scalable: args.scalable, epoch: args.epoch.unwrap_or_default() };
    let specs = args.spec.as_ref().map_or(&Spec::ALL[..], std::slice::from_ref);
    if args.json {
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let verdict = for_each_input(&args.ids, |line, wait| {
            let report = Report::new(line, specs, options);
            json::write_line(&mut out, &report.to_json(args.spec))?;
            if wait {
                out.flush()?;
            }
            Ok(report.verdict())
        })?;
        out.flush()?;
        Ok(verdict)
    } else {
        let mut painter = Painter::of_stdout();
        let verdict = for_each_input(&args.ids, |line, wait| {
            let report = Report::new(line, specs, options);
            for reading in &report.readings {
                painter.reading(reading)?;
            }
            if report.readings.is_empty() {
                painter.refusal(line, &report.refusals)?;
            }
            if wait {
                painter.flush()?;
            }
            Ok(report.verdict())
        })?;
        painter.finish()?;
        Ok(verdict)
    }
}

/// Hands out each ID of the command line, or else each line of standard input; `wait` is true where the next one may
/// be long in coming, so that what there is should be shown.
fn for_each_input(
    ids: &[OsString],
    mut each: impl FnMut(&Line, bool) -> io::Result<Verdict>,
) -> Result<Verdict, Failure> {
    let mut verdict = Verdict::Valid;
    if ids.is_empty() {
        let interactive = io::IsTerminal::is_terminal(&io::stdin());
        let mut lines = Lines::of_stdin();
        let mut line = Line::default();
        while lines.read(&mut line).map_err(|error| Failure::reading("standard input", error))? {
            if each(&line, interactive)? == Verdict::Invalid {
                verdict = Verdict::Invalid;
            }
        }
    } else {
        for id in ids {
            if each(&Line::new(id.as_encoded_bytes().to_vec()), false)? == Verdict::Invalid {
                verdict = Verdict::Invalid;
            }
        }
    }
    Ok(verdict)
}

/// A specification, and why it does not read an input.
pub(crate) struct Refusal {
    pub(crate) spec: Spec,
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

/// Why `spec` does not read `line`.
pub(crate) fn refusal<T>(
    line: &Line,
    spec: Spec,
    read: impl FnOnce(&[u8]) -> Result<T, scru160::ParseError>,
) -> Result<T, Refusal> {
    match line.whole() {
        Ok(text) => read(text).map_err(|error| Refusal {
            spec,
            kind: error.kind().name(),
            message: error.to_string(),
        }),
        Err(len) => Err(Refusal {
            spec,
            kind: scru160::ParseErrorKind::Length.name(),
            message: format!("expected an ID, found a line of {len} bytes"),
        }),
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
            match refusal(line, spec, |text| spec.read(text, options)) {
                Ok(reading) => report.readings.push(reading),
                Err(refusal) => report.refusals.push(refusal),
            }
        }
        report
    }

    const fn verdict(&self) -> Verdict {
        if self.readings.is_empty() { Verdict::Invalid } else { Verdict::Valid }
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
            },
        }
        let input = self.line.lossy();
        match (&self.readings[..], &self.refusals[..]) {
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
                error: refusal.into(),
            },
            ([], refusals) => {
                let reasons: Vec<_> = refusals.iter().map(ToString::to_string).collect();
                let error = json::Error { kind: "unknown", message: reasons.join("; ") };
                Object::Invalid { input, valid: false, spec: None, error }
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
        Self { kind: refusal.kind, message: refusal.message.clone() }
    }
}
