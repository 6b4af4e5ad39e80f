use crate::{
    answers::{Answers, Printer},
    examples::examples,
    failure::Failure,
    json,
    lines::Line,
    mistakes::notes,
    spec::{self, DescribeOptions, parse_epoch},
    table::Table,
    terminal::escaped,
    verdict::Verdict,
};
use clap::{ValueEnum, builder::PossibleValue};
use serde::Serialize;
use sortid::{AnyId, ParseErrorKind, Spec, detect, ulid_flake::Epoch};
use sortid_inspect::{
    __private::{
        Reader, base64url, hex, kinds,
        reading::{self, Found},
        time, uuid,
    },
    Form, Prefix, Refusal,
};
use std::{
    borrow::Cow,
    ffi::OsString,
    io::{self, Write as _},
    sync::atomic::{AtomicBool, Ordering},
};

/// Converts IDs from one form to another, one per line.
///
/// Without --spec, a text belongs to the specification that `sortid inspect` names first. A text that can be an ordinary
/// word is not converted: such words can be RON UIDs. Bytes (hex, UUID, base64url) can be IDs of several specifications.
/// They can be converted to other forms of bytes. They can be converted to text if only one specification has IDs of their
/// length: 8 bytes are a Ulid-Flake, and 20 bytes are a SCRU160.
///
/// With --spec and without --from, input that is as long as the text form is read as text. For other input, the forms are
/// tried in the order of `sortid inspect --help`, then decimal digits of any length, and then base64url. If an ID can have
/// two forms, a note on standard error names the first such ID: 16 digits can be hex, or the integer of a Ulid-Flake of
/// early 2024. To choose a form, add --from.
///
/// `--to time` prints the time of each ID, with the milliseconds or microseconds that the specification has. RON UIDs that
/// are names or hashes have no time.
///
/// IDs that cannot be converted are reported on standard error and left out.
///
/// With --csv or --tsv, rows are printed with the converted ID in place of the ID. All else stays as it is. Rows whose ID
/// cannot be converted are reported and left out. An empty field stays empty.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Convert an EUID for a column of UUIDs", "sortid convert --to uuid C8EE934SR007G5Q94QKKXFRFV8B"),
    ("Convert an integer to a Ulid-Flake", "sortid convert --spec ulid-flake --to text 14246757444195114"),
    ("Convert many IDs", "sortid new scru160 -n 3 | sortid convert --to hex"),
    ("Replace the IDs of a table by their times", "printf 'id,item\\n00CMXB6TAK4SA,tea\\n' \\ | sortid convert --csv --column id --to time"),
]))]
pub(crate) struct Args {
    /// The IDs; `-` is the lines of standard input; write `--` before an ID that begins with a sign [default: standard
    /// input]
    #[arg(value_name = "ID")]
    ids: Vec<OsString>,

    #[command(flatten)]
    table: Table,

    /// The specification of all IDs [default: found for each text]
    #[arg(long, alias = "type", value_parser = spec::by_name())]
    spec: Option<Spec>,

    /// The form to convert from [default: found for each ID]
    #[arg(long, value_enum, value_name = "FORM", ignore_case = true)]
    from: Option<Form>,

    /// The form to convert to
    #[arg(long, aliases = ["into", "format"], value_enum, value_name = "FORM", ignore_case = true)]
    to: Target,

    /// Write texts with this prefix, such as order, as typed IDs have it, and refuse texts with another one
    #[arg(long, value_name = "PREFIX")]
    prefix: Option<Prefix>,

    /// The time that the timestamps of Ulid-Flakes count from, for --to time [default: 2024-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_epoch)]
    epoch: Option<Epoch>,

    /// Print a JSON object for each ID, even if it cannot be converted
    #[arg(long, conflicts_with = "separated")]
    json: bool,
}

/// What an ID becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Form(Form),
    Time,
}

impl ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Form(Form::Text),
            Self::Form(Form::Hex),
            Self::Form(Form::Int),
            Self::Form(Form::Uuid),
            Self::Form(Form::Base64url),
            Self::Time,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Form(form) => form.to_possible_value(),
            Self::Time => Some(
                PossibleValue::new(self.name())
                    .help("The time in UTC, as inspect shows it: 2024-06-06T06:06:06.666Z"),
            ),
        }
    }
}

impl Target {
    const fn name(self) -> &'static str {
        match self {
            Self::Form(form) => form.name(),
            Self::Time => "time",
        }
    }

    /// The form; `None` if the ID becomes something else.
    const fn form(self) -> Option<Form> {
        match self {
            Self::Form(form) => Some(form),
            Self::Time => None,
        }
    }

    /// Whether the specification of the ID has to be known.
    const fn needs_spec(self) -> bool {
        matches!(self, Self::Form(Form::Text) | Self::Time)
    }
}

const OF_16_BYTES: &str = "16 bytes can be an EUID, an Event ID or a RON UID: add --spec";

const OF_AN_INTEGER: &str = "an integer can be an ID of several specifications: add --spec";

/// An ID, or the bytes of one.
#[derive(Clone, Copy)]
enum Value {
    Id(AnyId),
    /// The bytes of an ID that fits several specifications, and how many of them count.
    Bytes([u8; 20], usize),
}

/// Why an ID cannot be converted.
struct Fault {
    spec: Option<Spec>,
    error: json::Error,
}

impl Fault {
    fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { spec: None, error: json::Error { kind, message: message.into() } }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self { spec: Some(refusal.spec), error: (&refusal).into() }
    }
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    let usage = |message: &str| Failure::usage("convert", message);
    match (args.spec, args.from) {
        (None, Some(Form::Int)) => {
            return Err(usage(OF_AN_INTEGER));
        }
        (None, Some(Form::Uuid)) if args.to.needs_spec() => {
            return Err(usage(OF_16_BYTES));
        }
        (Some(spec), from) => {
            for form in from.into_iter().chain(args.to.form()) {
                form.suits(spec.name(), spec.bytes()).map_err(|error| usage(&error))?;
            }
        }
        _ => {}
    }
    if args.epoch.is_some()
        && (args.to != Target::Time || args.spec.is_some_and(|spec| spec != Spec::UlidFlake))
    {
        return Err(usage("--epoch is for the times of Ulid-Flakes: --spec ulid-flake --to time"));
    }
    args.table.check("convert", &args.ids)?;
    notes(&args.ids, args.spec.is_some());
    let is_noted = AtomicBool::new(false);
    Printer::new(verdict).keeping_rows().ids("convert", &args.ids, &args.table, &|line, number, answers| {
        convert(args, line, number, &is_noted, answers)
    })
}

/// `is_noted` is whether a note about a line that can be two things was already printed.
fn convert(
    args: &Args,
    line: &Line,
    number: Option<u64>,
    is_noted: &AtomicBool,
    answers: &mut Answers,
) -> io::Result<()> {
    let place = || number.map(|number| format!("{}: ", args.table.place(number, line))).unwrap_or_default();
    let start = answers.out.len();
    let converted = read(args, line).and_then(|(value, from)| {
        push(args, value, &mut answers.out)?;
        Ok((value, from))
    });
    if let Ok((value, from)) = &converted
        && let Some(doubt) = doubt(args, *value, *from, line)
        && !is_noted.swap(true, Ordering::Relaxed)
    {
        writeln!(answers.err, "note: {}{} is read as {doubt}", place(), line.quoted())?;
    }
    if converted.is_err() {
        answers.invalid += 1;
    }
    if args.json {
        let output = answers.out.split_off(start);
        return write_object(args, line, &converted, &String::from_utf8_lossy(&output), &mut answers.out);
    }
    match converted {
        Ok(_) => answers.out.push(b'\n'),
        Err(Fault { error, .. }) => {
            writeln!(answers.err, "{}{}: {}", place(), escaped(&error.message), line.quoted())?;
        }
    }
    Ok(())
}

/// What a line was read as, and what else it can be.
fn doubt(args: &Args, value: Value, from: Form, line: &Line) -> Option<String> {
    let Value::Id(id) = value else { return None };
    if args.from.is_some() {
        return None;
    }
    if args.spec.is_some() {
        if from != Form::Text && !reading::is_plausible(id) {
            let kind = kinds::of_uuid(line.bytes(), false)?;
            return Some(format!("{}; {kind}", spec::one(id.spec())));
        }
        let other = reading::others(id, from, line.input()).next()?.form.name();
        return Some(format!("{}, and can also be {other}: to choose, add --from", from.name()));
    }
    reading::form_of_bytes(line.bytes())?;
    let likeliest = reading::find(None, line.bytes()).first()?.found().id.spec();
    let spec = id.spec();
    (likeliest != spec)
        .then(|| format!("{spec}, and is more likely the bytes of {likeliest}: to choose, add --spec"))
}

fn write_object(
    args: &Args,
    line: &Line,
    converted: &Result<(Value, Form), Fault>,
    output: &str,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Valid<'a> {
        input: Cow<'a, str>,
        valid: bool,
        spec: Option<&'static str>,
        from: &'static str,
        to: &'static str,
        output: &'a str,
    }

    #[derive(Serialize)]
    struct Invalid<'a> {
        input: Cow<'a, str>,
        valid: bool,
        spec: Option<&'static str>,
        error: &'a json::Error,
        /// Whether `input` is only the beginning of a line of many megabytes.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        truncated: bool,
    }

    let input = line.lossy();
    match converted {
        Ok((value, from)) => {
            let spec = match value {
                Value::Id(id) => Some(id.spec().name()),
                Value::Bytes(..) => None,
            };
            let (from, to) = (from.name(), args.to.name());
            json::write_line(out, &Valid { input, valid: true, spec, from, to, output })
        }
        Err(Fault { spec, error }) => json::write_line(
            out,
            &Invalid { input, valid: false, spec: spec.map(Spec::name), error, truncated: line.is_cut() },
        ),
    }
}

/// Returns the ID and the form that it was read from.
fn read(args: &Args, line: &Line) -> Result<(Value, Form), Fault> {
    if let Some(fault) = line.row_fault() {
        return Err(Fault { spec: None, error: json::Error::of_row(fault) });
    }
    // Texts without a prefix are read, too: they get one.
    let prefix = args.prefix.as_ref().filter(|prefix| line.bytes().starts_with(prefix.start().as_bytes()));
    let Some(spec) = args.spec else { return read_of_any(args, prefix, line) };
    let Found { id, form, prefix_len } = read_of(spec, args.from, prefix, line)?;
    refuse_other_prefix(args, spec, prefix_len, line)?;
    Ok((Value::Id(id), form))
}

/// Refuses a text with a prefix that is not the one of `--prefix`.
fn refuse_other_prefix(args: &Args, spec: Spec, found: usize, line: &Line) -> Result<(), Refusal> {
    match &args.prefix {
        Some(prefix) if found > 0 => reading::read(spec, None, Some(prefix), line.input()).map(drop),
        _ => Ok(()),
    }
}

fn read_of_any(args: &Args, prefix: Option<&Prefix>, line: &Line) -> Result<(Value, Form), Fault> {
    let (from, text) = (args.from, line.bytes());
    let bare = &text[prefix.map_or(0, |prefix| prefix.start().len())..];
    let candidate = if matches!(from, None | Some(Form::Text)) { detect(bare).next() } else { None };
    if let Some(candidate) = candidate.filter(|candidate| candidate.weight() > 0) {
        let id = candidate.id();
        refuse_other_prefix(args, id.spec(), candidate.prefix_len(), line)?;
        return Ok((Value::Id(id), Form::Text));
    }
    let form = from.or_else(|| reading::form_of_bytes(text));
    match form {
        Some(Form::Hex) => read_hex(text),
        Some(Form::Uuid) => read_uuid(text),
        Some(Form::Base64url) => read_base64url(text),
        _ => match candidate {
            Some(candidate) => {
                let spec = candidate.id().spec();
                let message = format!("the text could be any word: to read it as an ID, add --spec {spec}");
                Err(Fault::new("unknown", message))
            }
            None => Err(unknown(form, line)),
        },
    }
}

fn read_hex(text: &[u8]) -> Result<(Value, Form), Fault> {
    let digits = hex::digits_of(text);
    match id_len(digits, |digits, bytes| digits.len() == hex::len(bytes), "16, 32 or 40 hex digits") {
        // After 0x, an integer can lack zeros.
        Err(_) if text.starts_with(b"0") && digits.len() < text.len() => {
            Err(Fault::new("unknown", OF_AN_INTEGER))
        }
        len => read_bytes(Form::Hex, hex::read, text, len?),
    }
}

fn read_uuid(text: &[u8]) -> Result<(Value, Form), Fault> {
    read_bytes(Form::Uuid, uuid::read, text, uuid::BYTES)
}

fn read_base64url(text: &[u8]) -> Result<(Value, Form), Fault> {
    let len = id_len(text, base64url::fits, "11, 22 or 27 base64url digits")?;
    read_bytes(Form::Base64url, base64url::read, text, len)
}

/// How many bytes an ID has whose form is as long as the text. `fits` is whether it is, for a number of bytes.
fn id_len(text: &[u8], fits: fn(&[u8], usize) -> bool, expected: &str) -> Result<usize, Fault> {
    [8, 16, 20].into_iter().find(|&bytes| fits(text, bytes)).ok_or_else(|| {
        let message = format!("expected {expected}, found {}", text.len());
        Fault::new(ParseErrorKind::Length.name(), message)
    })
}

fn read_bytes(form: Form, read: Reader, text: &[u8], len: usize) -> Result<(Value, Form), Fault> {
    let mut bytes = [0; 20];
    read(text, &mut bytes[..len]).map_err(|error| Fault::new(error.kind.name(), error.message))?;
    Ok((Value::Bytes(bytes, len), form))
}

fn read_of(spec: Spec, from: Option<Form>, prefix: Option<&Prefix>, line: &Line) -> Result<Found, Refusal> {
    reading::read(spec, from, prefix, line.input()).or_else(|refusal| {
        let has_other_length = refusal.kind == ParseErrorKind::Length || spec == Spec::RonUid;
        if from.is_some() || prefix.is_some() || !has_other_length {
            return Err(refusal);
        }
        // Other commands don't guess these: row numbers look like short integers, and beginnings of texts like base64url.
        let text = line.bytes();
        let is_int = spec.bytes() <= 16 && !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        match () {
            () if is_int => reading::read(spec, Some(Form::Int), None, line.input()),
            () if Form::Base64url.fits(text, spec.bytes()) => {
                reading::read(spec, Some(Form::Base64url), None, line.input())
            }
            () => Err(refusal),
        }
    })
}

/// The fault of a text that no specification accepts.
fn unknown(form: Option<Form>, line: &Line) -> Fault {
    let text = Some(Form::Text);
    let refusals: Vec<_> =
        Spec::ALL.iter().filter_map(|&spec| reading::read(spec, text, None, line.input()).err()).collect();
    let (spec, error) = json::Error::nearest(&refusals);
    if spec.is_none() && form == Some(Form::Int) {
        return Fault::new("unknown", OF_AN_INTEGER);
    }
    Fault { spec, error }
}

fn push(args: &Args, value: Value, out: &mut Vec<u8>) -> Result<(), Fault> {
    let (spec, bytes) = match &value {
        Value::Id(id) => (Some(id.spec()), id.as_bytes()),
        Value::Bytes(bytes, len) => (None, &bytes[..*len]),
    };
    if let Some((form, write)) = args.to.form().and_then(|form| Some((form, form.writer()?))) {
        form.suits(spec.map_or("the ID", Spec::name), bytes.len())
            .map_err(|message| Fault { spec, ..Fault::new("form", message) })?;
        write(bytes, out);
        return Ok(());
    }
    let id = match value {
        Value::Id(id) => id,
        Value::Bytes(..) => id_of_bytes(bytes)?,
    };
    if args.to != Target::Time {
        if let Some(prefix) = &args.prefix {
            out.extend_from_slice(prefix.start().as_bytes());
        }
        out.extend_from_slice(id.encode().as_bytes());
        return Ok(());
    }
    let options = DescribeOptions { epoch: args.epoch.unwrap_or_default(), ..DescribeOptions::default() };
    let time = time(id, &options).ok_or_else(|| Fault {
        spec: Some(id.spec()),
        ..Fault::new("time", format!("this {} has no time", id.spec().name()))
    })?;
    out.extend_from_slice(time.as_bytes());
    Ok(())
}

fn id_of_bytes(bytes: &[u8]) -> Result<AnyId, Fault> {
    let spec = match bytes.len() {
        8 => Spec::UlidFlake,
        20 => Spec::Scru160,
        _ => return Err(Fault::new("unknown", OF_16_BYTES)),
    };
    AnyId::try_from_bytes(spec, bytes)
        .map_err(|error| Fault { spec: Some(spec), ..Fault::new(error.kind().name(), error.to_string()) })
}
