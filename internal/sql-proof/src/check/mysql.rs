//! What only MariaDB and MySQL have: views with expressions.

use super::Proof;
use crate::{Result, subject};

impl Proof {
    pub(super) fn mysql(&mut self) -> Result {
        for subject in &subject::ALL {
            self.view(subject, "as a view")?;
        }
        Ok(())
    }
}
