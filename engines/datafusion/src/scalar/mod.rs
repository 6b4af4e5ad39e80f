//! The functions of a row, such as `scru160_time(id)`.
//!
//! One type, [`Function`], is every function of every specification. It computes arrays: `argument` reads the argument,
//! the kernels of `sortid-columns` compute, `result` makes the array.

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
use sortid::{euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake};
use std::sync::Arc;

/// All functions of all specifications.
pub(crate) fn functions() -> Vec<Arc<ScalarUDF>> {
    [of::<Scru160>(), of::<Euid>(), of::<UlidFlake>(), of::<RonUid>(), of::<EventId>()].concat()
}

/// All functions of a specification.
fn of<I: ArrowId>() -> Vec<Arc<ScalarUDF>> {
    let kinds =
        [Kind::Time, Kind::Text, Kind::Parse, Kind::TryParse, Kind::IsValid, Kind::MinAt, Kind::MaxAt];
    let fields = I::READS.iter().map(Kind::Field);
    kinds.into_iter().chain(fields).map(|kind| Arc::new(Function::<I>::new(kind).into())).collect()
}
