//! What only PostgreSQL has: plans, partitions, search paths.

use super::Proof;
use crate::Result;

impl Proof {
    pub(super) fn postgres(&mut self) -> Result {
        Ok(())
    }
}
