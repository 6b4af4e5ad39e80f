//! The JSON that the program prints: one object a line.

use crate::reading::{Field, Reading, Value, hex};
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::io::{self, Write};

pub(crate) fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// The members that every object about a valid ID has.
#[derive(Serialize)]
pub(crate) struct Explained<'a> {
    spec: &'static str,
    text: &'a str,
    hex: String,
    time: Option<String>,
    fields: Fields<'a>,
}

impl<'a> From<&'a Reading> for Explained<'a> {
    fn from(reading: &'a Reading) -> Self {
        Self {
            spec: reading.spec.name(),
            text: &reading.text,
            hex: hex(&reading.bytes),
            time: reading.time.map(|time| time.to_string()),
            fields: Fields(&reading.fields),
        }
    }
}

struct Fields<'a>(&'a [Field]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for field in self.0.iter().filter(|field| !field.only_in_picture) {
            map.serialize_entry(field.name, &field.value)?;
        }
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Number(number) => serializer.serialize_u64(*number),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// What is wrong with an input.
#[derive(Serialize)]
pub(crate) struct Error {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

impl From<&sortid::evently_id::JsonError> for Error {
    fn from(error: &sortid::evently_id::JsonError) -> Self {
        Self { kind: error.kind().name(), message: error.in_line() }
    }
}
