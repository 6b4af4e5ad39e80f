//! The JSON that the program prints: one object a line.

use crate::{
    reading::{Field, Reading, Value, hex},
    time::Time,
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use sortid::Text;
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
    #[serde(serialize_with = "as_str")]
    hex: Text<40>,
    #[serde(serialize_with = "as_optional_str")]
    time: Option<Text<30>>,
    fields: Fields<'a>,
}

impl<'a> From<&'a Reading> for Explained<'a> {
    fn from(reading: &'a Reading) -> Self {
        Self {
            spec: reading.id.spec().name(),
            text: &reading.text,
            hex: hex(reading.id.as_bytes()),
            time: reading.time.map(Time::text),
            fields: Fields(&reading.fields),
        }
    }
}

fn as_str<S: Serializer, const N: usize>(text: &Text<N>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

fn as_optional_str<S: Serializer, const N: usize>(
    text: &Option<Text<N>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    text.as_deref().serialize(serializer)
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
