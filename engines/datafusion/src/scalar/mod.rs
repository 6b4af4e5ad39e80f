//! The functions of a row, such as `scru160_time(id)`.
//!
//! One type, [`Function`], is every function of every specification. The functions of [`sortid_columns::arrow`] compute
//! its results. This module has what only the engine needs: types of plans, literals, texts of times, and messages.

mod documentation;
mod error;
mod function;
mod kind;
mod moment;
mod preimage;
mod types;

use datafusion::logical_expr::ScalarUDF;
use function::Function;
use kind::{Kind, Typed};
use sortid::{__with_type as with_type, Spec};
use sortid_columns::arrow::ArrowId;
use std::sync::Arc;

/// The zone of all times.
const UTC: &str = "+00:00";

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
        Kind::Typed(Typed::Text),
        Kind::Typed(Typed::Parse),
        Kind::Typed(Typed::TryParse),
    ];
    let fields = I::READS.iter().map(Kind::Field);
    kinds.into_iter().chain(fields).map(|kind| Arc::new(Function::<I>::new(kind).into())).collect()
}
