//! What only MariaDB and MySQL have: views with expressions.

use super::Proof;
use crate::subject;

impl Proof {
    pub(super) fn mysql(&mut self) {
        for subject in &subject::ALL {
            self.attempt("views", |proof| proof.view(subject, "as a view"));
        }
    }
}
