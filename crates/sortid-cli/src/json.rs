//! The JSON that the program prints: one object per line.

use crate::{
    description::{Description, Value},
    form::hex,
};
use serde::Serialize;
use std::io::{self, Write};

pub(crate) fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
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
    let Description { id, text, time, fields } = description;
    push(out, [r#""spec":""#, id.spec().name(), r#"","text":""#, text, r#"","hex":""#]);
    push(out, [&*hex::encode::<40>(id.as_bytes()), r#"","time":"#]);
    match time {
        Some(time) => push(out, ["\"", &*time.text(), "\""]),
        None => push(out, ["null"]),
    }
    push(out, [r#","fields":{"#]);
    for (index, field) in fields.iter().filter(|field| !field.only_in_picture).enumerate() {
        push(out, [if index > 0 { ",\"" } else { "\"" }, field.name, "\":"]);
        match &field.value {
            Value::Null => push(out, ["null"]),
            Value::Number(number) => drop(write!(out, "{number}")),
            Value::Text(text) => push(out, ["\"", text, "\""]),
        }
    }
    out.push(b'}');
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

impl From<&sortid::evently_ledger::JsonError> for Error {
    fn from(error: &sortid::evently_ledger::JsonError) -> Self {
        Self { kind: error.kind().name(), message: error.in_line() }
    }
}
