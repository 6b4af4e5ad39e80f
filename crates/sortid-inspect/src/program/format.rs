//! How a program prints an ID: the option `--format`.

use super::json;
use crate::{Description, Form, Options, describe};
use clap::{ValueEnum, builder::PossibleValue};
use sortid::AnyId;

/// How to print IDs, as an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A line with this form of the ID.
    Form(Form),
    /// The bytes themselves, without anything between one ID and the next.
    Bytes,
    /// A line with a JSON object.
    Json,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Form(Form::Text),
            Self::Form(Form::Hex),
            Self::Form(Form::Int),
            Self::Form(Form::Uuid),
            Self::Form(Form::Base64url),
            Self::Bytes,
            Self::Json,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Form(form) => form.to_possible_value(),
            Self::Bytes => Some(PossibleValue::new("bytes").help("The bytes alone, without line feeds")),
            Self::Json => Some(PossibleValue::new("json").help("An object with the ID and its fields")),
        }
    }
}

impl Format {
    pub const TEXT: Self = Self::Form(Form::Text);

    /// What the options `--format` and `--json` ask for.
    pub fn of_options(format: Option<Self>, json: bool) -> Self {
        if json { Self::Json } else { format.unwrap_or(Self::TEXT) }
    }

    /// Whether IDs of this many bytes can be printed in this way; if not, why. `name` is the name of the specification.
    pub fn suits(self, name: &str, bytes: usize) -> Result<(), String> {
        match self {
            Self::Form(form) => form.suits(name, bytes),
            Self::Bytes | Self::Json => Ok(()),
        }
    }

    /// Appends the least and the greatest ID of a time span.
    pub fn push_range(self, bounds: [AnyId; 2], options: &Options, out: &mut Vec<u8>) {
        if self == Self::Json {
            return json::push_range(bounds, options, out);
        }
        for id in bounds {
            let push_text = |out: &mut Vec<u8>| out.extend_from_slice(id.encode().as_bytes());
            self.push(id.as_bytes(), push_text, || describe(id, options), out);
        }
    }

    /// Appends an ID with these bytes, and what ends a line of this format. `push_text` appends its text.
    pub fn push(
        self,
        bytes: &[u8],
        push_text: impl FnOnce(&mut Vec<u8>),
        describe: impl FnOnce() -> Description,
        out: &mut Vec<u8>,
    ) {
        self.push_id(bytes, push_text, describe, out);
        if self != Self::Bytes {
            out.push(b'\n');
        }
    }

    /// The same without the end of the line.
    pub fn push_id(
        self,
        bytes: &[u8],
        push_text: impl FnOnce(&mut Vec<u8>),
        describe: impl FnOnce() -> Description,
        out: &mut Vec<u8>,
    ) {
        match self {
            Self::Bytes => out.extend_from_slice(bytes),
            Self::Json => json::push_object(&describe(), out),
            Self::Form(form) => match form.writer() {
                Some(write) => write(bytes, out),
                None => push_text(out),
            },
        }
    }
}
