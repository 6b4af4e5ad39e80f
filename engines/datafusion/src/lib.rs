//! Functions for time-sortable identifiers and Evently ledgers in Apache DataFusion.
#![forbid(unsafe_code)]

mod ledger;
mod scalar;

pub use ledger::{LedgerLines, LinesSource, LinesTable, aggregate_functions};

use datafusion::{execution::context::SessionContext, logical_expr::ScalarUDF};
use std::sync::Arc;

/// Registers all functions.
pub fn register_all(ctx: &SessionContext) {
    for function in scalar_functions() {
        ctx.register_udf(function.as_ref().clone());
    }
    for function in aggregate_functions() {
        ctx.register_udaf(function.as_ref().clone());
    }
    ctx.register_udtf("ledger_lines", Arc::new(LedgerLines));
}

/// The functions of a row.
#[must_use]
pub fn scalar_functions() -> Vec<Arc<ScalarUDF>> {
    scalar::functions()
}
