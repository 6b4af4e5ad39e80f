//! The option `--format` of `new` and `range`.

use crate::json;
use clap::{ValueEnum, builder::PossibleValue};
use sortid_inspect::{Description, Form};

/// How to print IDs, as an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
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
    pub(crate) const TEXT: Self = Self::Form(Form::Text);

    /// What the options `--format` and `--json` ask for.
    pub(crate) fn of_options(format: Option<Self>, json: bool) -> Self {
        if json { Self::Json } else { format.unwrap_or(Self::TEXT) }
    }

    /// Whether IDs of this many bytes can be printed in this way; if not, why. `name` is the name of the specification.
    pub(crate) fn suits(self, name: &str, bytes: usize) -> Result<(), String> {
        match self {
            Self::Form(form) => form.suits(name, bytes),
            Self::Bytes | Self::Json => Ok(()),
        }
    }

    /// Appends an ID with these bytes. `push_text` appends its text.
    pub(crate) fn push(
        self,
        bytes: &[u8],
        push_text: impl FnOnce(&mut Vec<u8>),
        describe: impl FnOnce() -> Description,
        out: &mut Vec<u8>,
    ) {
        match self {
            Self::Bytes => return out.extend_from_slice(bytes),
            Self::Json => json::push_object(&describe(), out),
            Self::Form(form) => match form.writer() {
                Some(write) => write(bytes, out),
                None => push_text(out),
            },
        }
        out.push(b'\n');
    }
}
