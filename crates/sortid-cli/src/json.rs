//! The JSON that the program prints: one object per line.

use sortid::evently_ledger::JsonError;
pub(crate) use sortid_inspect::__private::program::json::*;

/// Describes why a text is not JSON.
pub(crate) fn error_of(error: &JsonError) -> Error {
    Error { kind: error.kind().name(), message: error.in_line() }
}
