//! The JSON that the program prints: one object per line.

use crate::terminal::is_hidden;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use sortid::{Spec, Text};
use sortid_inspect::{Description, Refusal, Value};
use std::io::{self, Write};

pub(crate) fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    write_value(out, value)?;
    out.write_all(b"\n")
}

/// Writes a value, with hidden characters escaped: JSON allows most of them as they are, but terminals obey them.
pub(crate) fn write_value(out: &mut impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Escaping))?)
}

/// Writes a part of a JSON text, with hidden characters escaped. They occur only in strings.
pub(crate) fn write_escaped(out: &mut (impl Write + ?Sized), mut text: &str) -> io::Result<()> {
    // Most texts are plain ASCII, which is faster to see.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return out.write_all(text.as_bytes());
    }
    while let Some((at, hidden)) = text.char_indices().find(|&(_, character)| is_hidden(character)) {
        out.write_all(&text.as_bytes()[..at])?;
        for unit in hidden.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        text = &text[at + hidden.len_utf8()..];
    }
    out.write_all(text.as_bytes())
}

struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        write_escaped(out, text)
    }
}

/// An integer, or its digits if readers of JSON could round it.
pub(crate) fn serialize_integer<S: serde::Serializer>(
    integer: &u64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if *integer < 1 << 53 { serializer.serialize_u64(*integer) } else { serializer.collect_str(integer) }
}

/// Appends an object about a valid ID.
pub(crate) fn push_object(description: &Description, out: &mut Vec<u8>) {
    out.push(b'{');
    push_members(description, out);
    out.push(b'}');
}

/// Appends the members that every object about a valid ID has. The names and texts of IDs contain nothing that JSON
/// escapes, so they are copied as they are.
pub(crate) fn push_members(description: &Description, out: &mut Vec<u8>) {
    let Description { id, text, fields, .. } = description;
    push(out, [r#""spec":""#, id.spec().name(), r#"","text":""#, text, r#"","hex":""#]);
    push(out, [&*Text::<40>::hex(id.as_bytes()), r#"","time":"#]);
    match description.time() {
        Some(time) => push(out, ["\"", &*time, "\""]),
        None => push(out, ["null"]),
    }
    push(out, [r#","fields":{"#]);
    for (index, field) in fields.iter().filter(|field| !field.only_in_picture).enumerate() {
        push(out, [if index > 0 { ",\"" } else { "\"" }, field.name, "\":"]);
        match &field.value {
            Value::Null => push(out, ["null"]),
            Value::Number(number) if *number < 1 << 53 => push_integer(*number, out),
            Value::Number(number) | Value::Integer(number) => {
                out.push(b'"');
                push_integer(*number, out);
                out.push(b'"');
            }
            Value::Text(text) => push(out, ["\"", text, "\""]),
        }
    }
    out.push(b'}');
}

/// Appends the digits of an integer. `write!` takes several times as long.
fn push_integer(integer: u64, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &integer).expect("an integer has digits, and a Vec takes them");
}

/// Appends a string with the text of these bytes. Invalid UTF-8 is replaced.
pub(crate) fn push_string(bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    // Most lines are IDs, which have nothing to escape.
    let is_plain = |&byte: &u8| matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\');
    if !bytes.iter().fold(true, |all, byte| all & is_plain(byte)) {
        return write_value(out, &String::from_utf8_lossy(bytes));
    }
    out.push(b'"');
    out.extend_from_slice(bytes);
    out.push(b'"');
    Ok(())
}

/// Appends these pieces.
pub(crate) fn push<const N: usize>(out: &mut Vec<u8>, pieces: [&str; N]) {
    for piece in pieces {
        out.extend_from_slice(piece.as_bytes());
    }
}

/// What is wrong with an input.
#[derive(Serialize)]
pub(crate) struct Error {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

impl From<&Refusal> for Error {
    fn from(refusal: &Refusal) -> Self {
        Self { kind: refusal.kind.name(), message: refusal.message.clone() }
    }
}

impl Error {
    /// What is wrong with a row of a table.
    pub(crate) fn of_row(fault: &str) -> Self {
        Self { kind: "row", message: fault.to_owned() }
    }

    /// The refusal that helps most, with its specification; all refusals if none stands out.
    pub(crate) fn nearest(refusals: &[Refusal]) -> (Option<Spec>, Self) {
        if let Some(refusal) = Refusal::nearest(refusals) {
            return (Some(refusal.spec), refusal.into());
        }
        let reasons: Vec<_> = refusals.iter().map(ToString::to_string).collect();
        (None, Self { kind: "unknown", message: reasons.join("; ") })
    }
}

impl From<&sortid::evently_ledger::JsonError> for Error {
    fn from(error: &sortid::evently_ledger::JsonError) -> Self {
        Self { kind: error.kind().name(), message: error.in_line() }
    }
}
