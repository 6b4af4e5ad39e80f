//! How many IDs were read from each form.

use serde::{Serialize, Serializer};
use sortid_inspect::{__private::reading::Found, Form};
use std::fmt;

/// How many IDs have each form.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts([u64; KINDS.len()]);

/// The names of the forms, and that of texts with the prefix of a typed ID.
const KINDS: [&str; Form::ALL.len() + 1] = {
    let mut kinds = ["typed"; _];
    let mut at = 0;
    while at < Form::ALL.len() {
        kinds[at] = Form::ALL[at].name();
        at += 1;
    }
    kinds
};

impl Counts {
    pub(crate) const fn add(&mut self, found: &Found) {
        let is_typed = found.prefix_len > 0;
        self.0[if is_typed { Form::ALL.len() } else { found.form as usize }] += 1;
    }

    /// Adds the others.
    pub(crate) fn append(&mut self, others: Self) {
        for (count, other) in self.0.iter_mut().zip(others.0) {
            *count += other;
        }
    }

    /// Whether all IDs are text without a prefix.
    pub(crate) fn is_text(&self) -> bool {
        self.found().all(|(kind, _)| kind == Form::Text.name())
    }

    fn found(&self) -> impl Iterator<Item = (&'static str, u64)> {
        KINDS.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

/// An object with a member for each form.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.found())
    }
}

/// What a summary adds if there are others than text: ` (3 text, 1 int)`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_text() {
            return Ok(());
        }
        let counts: Vec<_> = self.found().map(|(kind, count)| format!("{count} {kind}")).collect();
        write!(f, " ({})", counts.join(", "))
    }
}
