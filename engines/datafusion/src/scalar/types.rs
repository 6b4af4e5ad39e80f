//! The types of arguments and results.

use super::{UTC, kind::Kind};
use datafusion::{
    arrow::datatypes::DataType,
    common::{Result, plan_datafusion_err, plan_err},
    logical_expr::{Signature, TypeSignature, Volatility},
};
use sortid_columns::arrow::{self, ArrowId, Native, check_id, check_moment, check_text};

/// What an argument is.
enum Argument {
    Id,
    Text,
    Moment,
}

fn argument<I: ArrowId>(kind: Kind<I>) -> Argument {
    match kind {
        Kind::Time | Kind::Text | Kind::Field(_) => Argument::Id,
        Kind::Parse | Kind::TryParse | Kind::IsValid | Kind::TextTime => Argument::Text,
        Kind::MinAt | Kind::MaxAt => Argument::Moment,
    }
}

/// The type of a time.
pub(super) fn timestamp<I: ArrowId>() -> DataType {
    arrow::timestamp::<I>(UTC)
}

/// The usual types of the argument, which `SHOW FUNCTIONS` lists. A NULL gets the first.
fn usual<I: ArrowId>(kind: Kind<I>) -> Vec<DataType> {
    match argument(kind) {
        Argument::Id => vec![I::Value::TYPE, DataType::Binary, DataType::Utf8],
        Argument::Text => vec![DataType::Utf8],
        Argument::Moment => vec![timestamp::<I>(), DataType::Date32, DataType::Utf8],
    }
}

/// The signature. `UserDefined` lets all other types pass, so that [`result`] can refuse them: its message says what the
/// function expects, and the engine's would not.
pub(super) fn signature<I: ArrowId>(kind: Kind<I>) -> Signature {
    let usual = usual(kind).into_iter().map(|data_type| TypeSignature::Exact(vec![data_type]));
    Signature::one_of(usual.chain([TypeSignature::UserDefined]).collect(), Volatility::Immutable)
}

/// The types to which the engine casts the arguments: NULL has no type of its own.
pub(super) fn coerced<I: ArrowId>(kind: Kind<I>, found: &[DataType]) -> Vec<DataType> {
    let cast = |found: &DataType| match found {
        DataType::Null => usual(kind).swap_remove(0),
        other => other.clone(),
    };
    found.iter().map(cast).collect()
}

/// The type of the result.
///
/// # Errors
///
/// If the function does not take arguments of these types.
pub(super) fn result<I: ArrowId>(function: &str, kind: Kind<I>, found: &[DataType]) -> Result<DataType> {
    let [found] = found else {
        return plan_err!("{function}: expected 1 argument, found {}", found.len());
    };
    match argument(kind) {
        Argument::Id => check_id::<I>(found),
        Argument::Text => check_text(found),
        Argument::Moment if check_moment(found).is_ok() || check_text(found).is_ok() => Ok(()),
        Argument::Moment => {
            return plan_err!("{function}: expected a timestamp, a date or the text of one, found {found}");
        }
    }
    .map_err(|error| plan_datafusion_err!("{function}: {error}"))?;
    Ok(match kind {
        Kind::Time | Kind::TextTime => timestamp::<I>(),
        Kind::Text => DataType::Utf8,
        Kind::IsValid => DataType::Boolean,
        Kind::Parse | Kind::TryParse | Kind::MinAt | Kind::MaxAt => I::Value::TYPE,
        Kind::Field(field) => arrow::field_type(field.read),
    })
}
