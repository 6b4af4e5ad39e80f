//! What a function computes.

use sortid_columns::{Field, arrow::ArrowId};

/// What a function computes.
pub(super) enum Kind<I: ArrowId> {
    Time,
    Text,
    Parse,
    TryParse,
    IsValid,
    TextTime,
    MinAt,
    MaxAt,
    Field(&'static Field<I>),
    Typed(Typed),
}

/// A function of typed IDs. Its first argument is their prefix, a constant.
#[derive(Clone, Copy)]
pub(super) enum Typed {
    Text,
    Parse,
    TryParse,
}

impl<I: ArrowId> Clone for Kind<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: ArrowId> Copy for Kind<I> {}

impl<I: ArrowId> Kind<I> {
    /// The name after the prefix.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Text => "text",
            Self::Parse => "parse",
            Self::TryParse => "try_parse",
            Self::IsValid => "is_valid",
            Self::TextTime => "text_time",
            Self::MinAt => "min_at",
            Self::MaxAt => "max_at",
            Self::Field(field) => field.name,
            Self::Typed(Typed::Text) => "typed_text",
            Self::Typed(Typed::Parse) => "typed_parse",
            Self::Typed(Typed::TryParse) => "typed_try_parse",
        }
    }
}
