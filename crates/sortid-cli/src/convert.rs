use crate::{
    Verdict,
    answers::{Answers, Printer},
    encoding::Encoding,
    failure::Failure,
    help,
    inspect::{Refusal, nearest},
    json,
    lines::{Line, Lines},
    spec,
};
use clap::ValueEnum;
use serde::Serialize;
use sortid::{AnyId, ParseErrorKind, Spec, detect};
use std::{
    borrow::Cow,
    ffi::OsString,
    io::{self, Write as _},
};

/// Converts IDs from one form to another, one a line.
///
/// Without --spec, a text is of the specification that `sortid inspect` names first, if something speaks for it: any word
/// could be a RON UID. Bytes (hex, UUID, base64url) do not say of which specification they are. They become other bytes
/// without --spec, and texts where their length tells: 8 are a Ulid-Flake, 20 a SCRU160.
///
/// Without --from, and with --spec, an ID that is as long as the specification's text is one. Otherwise the length decides: hex has two
/// digits a byte; decimal digits alone are an integer; 36 characters are a UUID; else it is base64url. An integer of 16 digits, as the
/// Ulid-Flakes of early 2024 have, is taken for hex then, and one of 13 for a text: give --from int.
///
/// What cannot be converted is reported on standard error and left out.
#[derive(clap::Args)]
#[command(after_long_help = help::examples(&[
    ("An EUID for a column of UUIDs", "sortid convert --to uuid C8EE934SR007G5Q94QKKXFRFV8B"),
    ("A Ulid-Flake from a column of integers", "sortid convert --spec ulid-flake --to text 14246757444195114"),
    ("Many of them", "sortid new scru160 -n 3 | sortid convert --to hex"),
]))]
pub(crate) struct Args {
    /// IDs; without any, the lines of standard input
    #[arg(value_name = "ID")]
    ids: Vec<OsString>,

    /// The specification of all IDs [default: that of each text]
    #[arg(long, value_parser = spec::by_name())]
    spec: Option<Spec>,

    /// The form they have [default: that of each ID]
    #[arg(long, value_enum, value_name = "FORM")]
    from: Option<Form>,

    /// The form they get
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,

    /// Print an object for each ID, also where it cannot be converted
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// The specification's text
    Text,
    /// The bytes in hex
    Hex,
    /// The integer, in decimal digits
    Int,
    /// The bytes as a UUID: 8-4-4-4-12 hex digits
    Uuid,
    /// The bytes in base64, its URL-safe digits, without padding
    Base64url,
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Hex => "hex",
            Self::Int => "int",
            Self::Uuid => "uuid",
            Self::Base64url => "base64url",
        }
    }

    const fn encoding(self) -> Option<Encoding> {
        match self {
            Self::Text => None,
            Self::Hex => Some(Encoding::Hex),
            Self::Int => Some(Encoding::Int),
            Self::Uuid => Some(Encoding::Uuid),
            Self::Base64url => Some(Encoding::Base64url),
        }
    }

    /// Whether IDs of this specification have the form; if not, why.
    fn suits(self, spec: Spec) -> Result<(), String> {
        self.encoding().map_or(Ok(()), |encoding| encoding.suits(spec.name(), spec.bytes()))
    }

    const fn of(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Hex => Self::Hex,
            Encoding::Int => Self::Int,
            Encoding::Uuid => Self::Uuid,
            Encoding::Base64url => Self::Base64url,
        }
    }
}

const OF_16_BYTES: &str = "16 bytes are an EUID, an Event ID or a RON UID: add --spec";

const OF_AN_INTEGER: &str = "an integer does not say how many bytes it has: add --spec";

/// What was read.
#[derive(Clone, Copy)]
enum Value {
    Id(AnyId),
    /// The first so many of these bytes, of an ID that may be of several specifications.
    Bytes([u8; 20], usize),
}

/// Why an ID is left out.
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
        (None, Some(Form::Uuid)) if args.to == Form::Text => {
            return Err(usage(OF_16_BYTES));
        }
        (Some(spec), from) => {
            for form in from.into_iter().chain([args.to]) {
                form.suits(spec).map_err(|error| usage(&error))?;
            }
        }
        _ => {}
    }
    let mut printer = Printer::new(verdict);
    if args.ids.is_empty() {
        printer.lines(
            "standard input",
            Lines::of_stdin(),
            &|line: &Line, number, answers: &mut Answers| convert(args, line, Some(number), answers),
        )?;
        return Ok(());
    }
    printer.arguments(&args.ids, &|line: &Line, _, answers: &mut Answers| convert(args, line, None, answers))
}

fn convert(args: &Args, line: &Line, number: Option<u64>, answers: &mut Answers) -> io::Result<()> {
    let start = answers.out.len();
    let converted = read(args, line).and_then(|(value, from)| {
        push(value, args.to, &mut answers.out)?;
        Ok((value, from))
    });
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
            if let Some(number) = number {
                write!(answers.err, "line {number}: ")?;
            }
            writeln!(answers.err, "{}: {}", error.message, line.quoted())?;
        }
    }
    Ok(())
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
        /// `input` is only the beginning of a line of many megabytes.
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

/// The ID, and the form that it was read from.
fn read(args: &Args, line: &Line) -> Result<(Value, Form), Fault> {
    match args.spec {
        Some(spec) => read_of(spec, args.from, line).map(|(id, form)| (Value::Id(id), form)),
        None => read_of_any(args.from, line),
    }
}

fn read_of_any(from: Option<Form>, line: &Line) -> Result<(Value, Form), Fault> {
    let text = line.bytes();
    if let Some(encoding) = from.and_then(Form::encoding) {
        return read_bytes(encoding, text);
    }
    match detect(text).next() {
        Some(candidate) if candidate.weight() > 0 => Ok((Value::Id(candidate.id()), Form::Text)),
        // No text has 16 hex digits, or the form of a UUID.
        _ if from.is_none() && text.len() == 16 => read_bytes(Encoding::Hex, text),
        _ if from.is_none() && text.len() == 36 => read_bytes(Encoding::Uuid, text),
        Some(candidate) => {
            let spec = candidate.id().spec();
            let message = format!("nothing speaks for an ID, though it could be one: add --spec {spec}");
            Err(Fault::new("unknown", message))
        }
        None => Err(unknown(line)),
    }
}

/// Bytes of the length of any specification.
fn read_bytes(encoding: Encoding, text: &[u8]) -> Result<(Value, Form), Fault> {
    let mut room = [0; 20];
    // The longest one that the text is not too short for tells what was expected.
    let len = [20, 16].into_iter().find(|&len| encoding.has_len(text, len)).unwrap_or(8);
    let len = if encoding == Encoding::Uuid { 16 } else { len };
    match encoding.read(text, &mut room[..len]) {
        Ok(()) => Ok((Value::Bytes(room, len), Form::of(encoding))),
        Err(unread) if unread.kind == ParseErrorKind::Length && encoding != Encoding::Uuid => {
            let digits =
                if encoding == Encoding::Hex { "16, 32 or 40 hex" } else { "11, 22 or 27 base64url" };
            Err(Fault::new(unread.kind.name(), format!("expected {digits} digits, found {}", text.len())))
        }
        Err(unread) => Err(Fault::new(unread.kind.name(), unread.message)),
    }
}

fn read_of(spec: Spec, from: Option<Form>, line: &Line) -> Result<(AnyId, Form), Fault> {
    let text = line.bytes();
    let as_text = |error| Fault::from(Refusal::new(spec, line, &error));
    let encoding = match from {
        Some(form) => form.encoding(),
        None => match AnyId::parse_ascii(spec, text) {
            Ok(id) => return Ok((id, Form::Text)),
            // What is as long as a text is one, right or wrong. (Those of RON have no length.)
            Err(error) if error.kind() != ParseErrorKind::Length && spec != Spec::RonUid => {
                return Err(as_text(error));
            }
            Err(error) => match Encoding::guess(text, spec.bytes()) {
                None => return Err(as_text(error)),
                encoding => encoding,
            },
        },
    };
    let Some(encoding) = encoding else {
        return AnyId::parse_ascii(spec, text).map(|id| (id, Form::Text)).map_err(as_text);
    };
    let mut room = [0; 20];
    let bytes = &mut room[..spec.bytes()];
    encoding
        .read(text, bytes)
        .and_then(|()| Ok(AnyId::try_from_bytes(spec, bytes)?))
        .map(|id| (id, Form::of(encoding)))
        .map_err(|unread| Refusal::of(spec, line, unread.kind, unread.message).into())
}

/// No specification reads the text.
fn unknown(line: &Line) -> Fault {
    let refusals: Vec<_> = Spec::ALL
        .iter()
        .filter_map(|&spec| {
            AnyId::parse_ascii(spec, line.bytes()).err().map(|error| Refusal::new(spec, line, &error))
        })
        .collect();
    let (spec, error) = nearest(&refusals);
    if spec.is_none() && Encoding::Int.read(line.bytes(), &mut [0; 16]).is_ok() {
        return Fault::new("unknown", OF_AN_INTEGER);
    }
    Fault { spec, error }
}

fn push(value: Value, form: Form, out: &mut Vec<u8>) -> Result<(), Fault> {
    let (spec, bytes) = match &value {
        Value::Id(id) => (Some(id.spec()), id.as_bytes()),
        Value::Bytes(bytes, len) => (None, &bytes[..*len]),
    };
    let Some(encoding) = form.encoding() else {
        let id = match value {
            Value::Id(id) => id,
            Value::Bytes(..) => id_of_bytes(bytes)?,
        };
        out.extend_from_slice(id.encode().as_bytes());
        return Ok(());
    };
    encoding
        .suits(spec.map_or("the ID", Spec::name), bytes.len())
        .map_err(|message| Fault { spec, ..Fault::new("form", message) })?;
    encoding.push(bytes, out);
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
