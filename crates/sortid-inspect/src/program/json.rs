//! The JSON that programs print: one object per line.

use super::hidden::is_hidden;
use crate::{Candidate, Description, Form, Input, Inspection, Options, Refusal, Value, describe};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use sortid::{AnyId, Spec, Text};
use std::{
    borrow::Cow,
    io::{self, Write},
};

pub fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    write_value(out, value)?;
    out.write_all(b"\n")
}

/// Writes a value, with hidden characters escaped: JSON allows most of them as they are, but terminals obey them.
pub fn write_value(out: &mut impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Escaping))?)
}

/// Writes a part of a JSON text, with hidden characters escaped. They occur only in strings.
pub fn write_escaped(out: &mut (impl Write + ?Sized), mut text: &str) -> io::Result<()> {
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
pub fn serialize_integer<S: serde::Serializer>(integer: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *integer < 1 << 53 { serializer.serialize_u64(*integer) } else { serializer.collect_str(integer) }
}

/// Appends an object about a valid ID.
pub fn push_object(description: &Description, out: &mut Vec<u8>) {
    out.push(b'{');
    push_members(description, out);
    out.push(b'}');
}

/// Appends the members that every object about a valid ID has. The names and texts of IDs contain nothing that JSON
/// escapes, so they are copied as they are.
pub fn push_members(description: &Description, out: &mut Vec<u8>) {
    let Description { id, text, prefix, fields, .. } = description;
    push(out, [r#""spec":""#, id.spec().name(), r#"","text":""#, text, "\""]);
    if let Some(prefix) = prefix {
        push(out, [r#","prefix":""#, prefix.as_str(), "\""]);
    }
    push(out, [r#","hex":""#, &Text::<40>::hex(id.as_bytes()), r#"","time":"#]);
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

/// Appends the line about an input of `inspect`. The object describes the likeliest ID. The member `also` has the other IDs.
/// If `spec` was given, it is left out if there are none.
pub fn push_inspection(
    input: Input<'_>,
    spec: Option<Spec>,
    inspection: &Inspection<'_>,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let [first, others @ ..] = &inspection.candidates[..] else {
        let (spec, error) = Error::nearest(&inspection.refusals);
        return push_invalid(input, spec, error, out);
    };
    push(out, [r#"{"input":"#]);
    push_string(input.bytes(), out)?;
    push(out, [r#","valid":true,"#]);
    push_candidate(first, out);
    if spec.is_none() || !others.is_empty() {
        push(out, [r#","also":["#]);
        for (index, other) in others.iter().enumerate() {
            push(out, [if index > 0 { ",{" } else { "{" }]);
            push_candidate(other, out);
            out.push(b'}');
        }
        out.push(b']');
    }
    push(out, ["}\n"]);
    Ok(())
}

/// Appends the line about an input that is not an ID.
pub fn push_invalid(input: Input<'_>, spec: Option<Spec>, error: Error, out: &mut Vec<u8>) -> io::Result<()> {
    #[derive(Serialize)]
    struct Invalid<'a> {
        input: Cow<'a, str>,
        valid: bool,
        spec: Option<&'static str>,
        error: Error,
        /// Whether `input` is only the beginning of a line of many megabytes.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        truncated: bool,
    }
    let (text, truncated) = (String::from_utf8_lossy(input.bytes()), input.is_cut());
    write_line(out, &Invalid { input: text, valid: false, spec: spec.map(Spec::name), error, truncated })
}

/// Appends the members of an ID, with its form if that is not the text.
fn push_candidate(Candidate { form, description, .. }: &Candidate, out: &mut Vec<u8>) {
    push_members(description, out);
    if *form != Form::Text {
        push(out, [r#","from":""#, form.name(), "\""]);
    }
}

/// Appends the line about the least and the greatest ID of a time span.
pub fn push_range([least, greatest]: [AnyId; 2], options: &Options, out: &mut Vec<u8>) {
    push(out, [r#"{"spec":""#, least.spec().name(), "\""]);
    for (name, id) in [(r#","least":"#, least), (r#","greatest":"#, greatest)] {
        push(out, [name]);
        push_object(&describe(id, options), out);
    }
    push(out, ["}\n"]);
}

/// Appends the digits of an integer. `write!` takes several times as long.
fn push_integer(integer: u64, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &integer).expect("an integer has digits, and a Vec takes them");
}

/// Appends a string with the text of these bytes. Invalid UTF-8 is replaced.
pub fn push_string(bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
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
pub fn push<const N: usize>(out: &mut Vec<u8>, pieces: [&str; N]) {
    for piece in pieces {
        out.extend_from_slice(piece.as_bytes());
    }
}

/// What is wrong with an input.
#[derive(Serialize)]
pub struct Error {
    pub kind: &'static str,
    pub message: String,
}

impl From<&Refusal> for Error {
    fn from(refusal: &Refusal) -> Self {
        Self { kind: refusal.kind.name(), message: refusal.message.clone() }
    }
}

impl Error {
    /// What is wrong with a row of a table.
    pub fn of_row(fault: &str) -> Self {
        Self { kind: "row", message: fault.to_owned() }
    }

    /// The refusal that helps most, with its specification; all refusals if none stands out.
    pub fn nearest(refusals: &[Refusal]) -> (Option<Spec>, Self) {
        if let Some(refusal) = Refusal::nearest(refusals) {
            return (Some(refusal.spec), refusal.into());
        }
        let reasons: Vec<_> = refusals.iter().map(ToString::to_string).collect();
        (None, Self { kind: "unknown", message: reasons.join("; ") })
    }
}
