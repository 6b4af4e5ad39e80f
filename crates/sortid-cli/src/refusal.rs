//! Why a specification does not accept an input.

use crate::{json, lines::Line, mistakes::wrapped};
use sortid::{ParseError, ParseErrorKind, Spec};
use std::fmt;

/// A specification, and why an input is not one of its IDs.
pub(crate) struct Refusal {
    pub(crate) spec: Spec,
    pub(crate) kind: ParseErrorKind,
    pub(crate) message: String,
    /// Whether the input is an ID with something around it.
    pub(crate) is_wrapped: bool,
}

impl Refusal {
    pub(crate) fn new(spec: Spec, line: &Line, error: &ParseError) -> Self {
        Self::of(spec, line, error.kind(), error.to_string())
    }

    pub(crate) fn of(spec: Spec, line: &Line, kind: ParseErrorKind, mut message: String) -> Self {
        if line.is_cut() && kind == ParseErrorKind::Length {
            // The parser saw only the part of the line that was kept, and reported its length.
            let expected = message.split(", found").next().unwrap_or_default();
            message = format!("{expected}, found {}", line.len());
        }
        let advice = wrapped::advice(spec, line.bytes());
        let is_wrapped = advice.is_some();
        if let Some(advice) = advice {
            message = format!("{message}; {advice}");
        }
        Self { spec, kind, message, is_wrapped }
    }

    /// The one refusal that helps, with its specification; all of them if none stands out.
    pub(crate) fn nearest(refusals: &[Self]) -> (Option<Spec>, json::Error) {
        // If the length is right for exactly one specification, the reason of that one helps. RON UIDs have no fixed
        // length, so theirs does not count.
        let fits = |refusal: &&Self| refusal.kind != ParseErrorKind::Length && refusal.spec != Spec::RonUid;
        // Any word with a comma is a RON UID with a comma.
        let is_wrapped = |refusal: &&Self| refusal.is_wrapped && refusal.spec != Spec::RonUid;
        let wrapped: Vec<_> = refusals.iter().filter(is_wrapped).collect();
        let near = if wrapped.is_empty() { refusals.iter().filter(fits).collect() } else { wrapped };
        let refusals = if near.len() == 1 { near } else { refusals.iter().collect() };
        if let [refusal] = refusals[..] {
            return (Some(refusal.spec), refusal.into());
        }
        let reasons: Vec<_> = refusals.iter().map(ToString::to_string).collect();
        (None, json::Error { kind: "unknown", message: reasons.join("; ") })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.spec.name();
        // EUID is spelled out: "an EUID".
        let article = if name.starts_with('e') { "an" } else { "a" };
        write!(f, "not {article} {name}: {}", self.message)
    }
}

impl From<&Refusal> for json::Error {
    fn from(refusal: &Refusal) -> Self {
        Self { kind: refusal.kind.name(), message: refusal.message.clone() }
    }
}
