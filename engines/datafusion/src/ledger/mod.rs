//! Evently ledgers: their lines as a table, and aggregates that verify them.
//!
//! - `lines`: reads the lines of files.
//! - `table`: the table function `ledger_lines`.
//! - `runs`: what the rows of an aggregate find, wherever each row is processed.
//! - `verify`: the aggregates.
//! - `verdict`: their result.

mod lines;
mod runs;
mod table;
mod verdict;
mod verify;

pub use lines::LinesSource;
pub use table::{LedgerLines, LinesTable};
pub use verify::aggregate_functions;
