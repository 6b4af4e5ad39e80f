//! The module of the Python package `sortid`: the classes of IDs, generators and backfills, and functions for columns.
//!
//! The classes of the five specifications are written by one macro, [`id_class`](id), and say only what their
//! specification has of its own. Python code around the module is in `python/sortid`.
#![forbid(unsafe_code)]

mod backfill;
mod clock;
mod columns;
mod error;
mod field;
mod fleet;
mod generator;
mod id;
mod ledger;
mod specs;
mod time;

use pyo3::prelude::*;

/// The Python package exports what is public.
#[pymodule(gil_used = false)]
mod _sortid {
    use super::*;

    #[pymodule_export]
    use super::{
        backfill::{Backfill, backfill_column},
        columns::{Column, compute, from_numpy, to_numpy},
        fleet::{Fleet, Node},
        generator::Generator,
        id::describe,
        ledger::{Fault, Report, verify_ledger},
        specs::generate_column,
    };

    /// Interpreters of one process would share the classes, and what they import. PyO3 lets only the first one make an inner
    /// module: the others get an `ImportError`. It does not check an outer module.
    #[pymodule]
    mod _interpreter {}

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        error::add(module)?;
        fleet::add(module)?;
        specs::add(module)?;
        field::add(py)
    }
}
