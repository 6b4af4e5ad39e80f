//! The tests of the crate as one program.

mod append;
mod check;
mod common;
mod convert;
mod docs;
mod faults;
mod forms;
mod given_times;
mod help;
mod hostile;
mod inspect;
mod ledger;
mod mistakes;
mod new;
mod nodes;
mod order;
mod picture;
mod progress;
mod range;
mod repair;
mod ron;
#[cfg(unix)]
mod shown;
mod sql;
mod stdin;
mod table;
mod typed;
mod verify;
