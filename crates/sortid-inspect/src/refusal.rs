use crate::{Input, form::FormError, wrapped};
use sortid::{__private::error, ParseErrorKind, Spec};
use std::fmt;

/// Why a specification does not accept a text.
///
/// ```
/// use sortid_inspect::{Options, inspect};
///
/// let inspection = inspect("0005cd755a43d79238c05790c0331ddx", &Options::default());
/// let refusal = &inspection.refusals[0];
/// assert_eq!(refusal.to_string(), "not an evently-id: 'x' at position 31 is not a hex digit");
/// assert_eq!(refusal.position, Some(31));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The specification.
    pub spec: Spec,
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// What was expected, what was found, and where.
    pub message: String,
    /// The position of the wrong character: the number of bytes before it. `None` if the whole text is wrong, or a value.
    pub position: Option<usize>,
    /// The ID in a text with something around the ID, such as quotes, or between its digits, such as hyphens.
    pub inner: Option<String>,
}

impl Refusal {
    #[doc(hidden)]
    #[must_use]
    pub fn new(spec: Spec, input: Input<'_>, error: impl Into<FormError>) -> Self {
        let FormError { kind, mut message, position } = error.into();
        if input.is_cut() && kind == ParseErrorKind::Length {
            // The parser saw only the part of the line that was kept, and reported its length.
            let expected = message.split(", found").next().unwrap_or_default();
            message = format!("{expected}, found {}", input.len());
        }
        // A text with the prefix of other IDs is not mistyped.
        let wrapped = if kind == ParseErrorKind::Prefix { None } else { wrapped::find(spec, input.bytes()) };
        let in_groups = if wrapped.is_none() { wrapped::in_groups(spec, input.bytes()) } else { None };
        if let Some(wrapped) = &wrapped {
            // The advice shows it.
            message = format!("{}; {wrapped}", message.trim_end_matches(error::WHITE_SPACE));
        } else if let Some(id) = &in_groups {
            message = format!("{message}; {id} is valid without the characters that are not digits");
        }
        Self { spec, kind, message, position, inner: wrapped.map(|it| it.id.to_owned()).or(in_groups) }
    }

    /// Returns the one refusal that helps; `None` if none stands out.
    #[must_use]
    pub fn nearest(refusals: &[Self]) -> Option<&Self> {
        // If the length is right for exactly one specification, the reason of that one helps. RON UIDs have no fixed
        // length, so theirs does not count.
        let fits = |refusal: &&Self| refusal.kind != ParseErrorKind::Length && refusal.spec != Spec::RonUid;
        // Any word with a comma is a RON UID with a comma.
        let is_wrapped = |refusal: &&Self| refusal.inner.is_some() && refusal.spec != Spec::RonUid;
        let wrapped: Vec<_> = refusals.iter().filter(is_wrapped).collect();
        let near = if wrapped.is_empty() { refusals.iter().filter(fits).collect() } else { wrapped };
        match (&near[..], refusals) {
            ([refusal], _) => Some(refusal),
            (_, [refusal]) => Some(refusal),
            _ => None,
        }
    }
}

/// Writes a sentence such as `not an euid: expected 27 characters, found 26`.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.spec.name();
        // EUID is spelled out: "an EUID".
        let article = if name.starts_with('e') { "an" } else { "a" };
        write!(f, "not {article} {name}: {}", self.message)
    }
}
