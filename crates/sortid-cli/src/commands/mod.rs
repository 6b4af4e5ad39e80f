//! The commands: a file each, or a folder. No command uses another; what several need is at the root.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod inspect;
pub(crate) mod ledger;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod nodes;
pub(crate) mod range;
pub(crate) mod ron;
pub(crate) mod sql;
