//! The functions of a row, such as `scru160_time(id)`.
//!
//! One type, [`Function`], is every function of every specification. It computes arrays: `argument` reads the
//! argument, the kernels of `sortid-columns` compute, `result` makes the array. A kernel marks the rows without a
//! result. Only if a row is marked does a second pass ask the library what is wrong.

mod argument;
mod documentation;
mod error;
mod function;
mod kind;
mod moment;
mod native;
mod preimage;
mod result;
mod types;

use datafusion::logical_expr::ScalarUDF;
use function::Function;
use kind::Kind;
use native::ArrowId;
use sortid::{__with_type as with_type, Spec};
use std::sync::Arc;

/// All functions of all specifications.
pub(crate) fn functions() -> Vec<Arc<ScalarUDF>> {
    Spec::ALL.iter().flat_map(|&spec| with_type!(spec, Id => of::<Id>())).collect()
}

/// All functions of a specification.
fn of<I: ArrowId>() -> Vec<Arc<ScalarUDF>> {
    let kinds = [
        Kind::Time,
        Kind::Text,
        Kind::Parse,
        Kind::TryParse,
        Kind::IsValid,
        Kind::TextTime,
        Kind::MinAt,
        Kind::MaxAt,
    ];
    let fields = I::READS.iter().map(Kind::Field);
    kinds.into_iter().chain(fields).map(|kind| Arc::new(Function::<I>::new(kind).into())).collect()
}
