//! How many IDs were read from each form.

use serde::{Serialize, Serializer};
use sortid_inspect::Form;
use std::fmt;

/// How many IDs have each form.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts([u64; Form::ALL.len()]);

impl Counts {
    pub(crate) const fn add(&mut self, form: Form) {
        self.0[form as usize] += 1;
    }

    /// Adds the others, and sets them to 0.
    pub(crate) fn append(&mut self, others: &mut Self) {
        for (count, other) in self.0.iter_mut().zip(&mut others.0) {
            *count += std::mem::take(other);
        }
    }

    /// Whether all IDs are text.
    pub(crate) fn is_text(&self) -> bool {
        self.found().all(|(form, _)| form == Form::Text)
    }

    fn found(&self) -> impl Iterator<Item = (Form, u64)> {
        Form::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

/// An object with a member for each form.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.found().map(|(form, count)| (form.name(), count)))
    }
}

/// What a summary adds if there are others than text: ` (3 text, 1 int)`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_text() {
            return Ok(());
        }
        let counts: Vec<_> = self.found().map(|(form, count)| format!("{count} {}", form.name())).collect();
        write!(f, " ({})", counts.join(", "))
    }
}
