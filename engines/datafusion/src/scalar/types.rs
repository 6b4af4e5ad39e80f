//! The types of arguments and results.

use super::{
    UTC,
    kind::{Kind, Typed},
};
use datafusion::{
    arrow::datatypes::DataType,
    common::{Result, ScalarValue, plan_datafusion_err, plan_err},
    logical_expr::{Signature, TypeSignature, Volatility},
};
use sortid::__private::typed_id;
use sortid_columns::arrow::{self, ArrowId, Found, Native, check_id, check_moment, check_text};

/// What an argument is.
enum Argument {
    Id,
    Text,
    Moment,
}

fn argument<I: ArrowId>(kind: Kind<I>) -> Argument {
    match kind {
        Kind::Time | Kind::Text | Kind::Field(_) | Kind::Typed(Typed::Text) => Argument::Id,
        Kind::Parse
        | Kind::TryParse
        | Kind::IsValid
        | Kind::TextTime
        | Kind::Typed(Typed::Parse | Typed::TryParse) => Argument::Text,
        Kind::MinAt | Kind::MaxAt => Argument::Moment,
    }
}

/// The type of a time.
pub(super) fn timestamp<I: ArrowId>() -> DataType {
    arrow::timestamp::<I>(UTC)
}

/// The usual types of the argument, or of the one after the prefix, which `SHOW FUNCTIONS` lists. A NULL gets the first.
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
    let prefix = matches!(kind, Kind::Typed(_)).then_some(DataType::Utf8);
    let types = |data_type| prefix.iter().cloned().chain([data_type]).collect();
    let usual = usual(kind).into_iter().map(|data_type| TypeSignature::Exact(types(data_type)));
    Signature::one_of(usual.chain([TypeSignature::UserDefined]).collect(), Volatility::Immutable)
}

/// The types to which the engine casts the arguments: NULL has no type of its own.
pub(super) fn coerced<I: ArrowId>(kind: Kind<I>, found: &[DataType]) -> Vec<DataType> {
    let cast = |(index, found): (usize, &DataType)| match (found, kind) {
        (DataType::Null, Kind::Typed(_)) if index == 0 => DataType::Utf8,
        (DataType::Null, _) => usual(kind).swap_remove(0),
        (other, _) => other.clone(),
    };
    found.iter().enumerate().map(cast).collect()
}

/// The type of the result.
///
/// # Errors
///
/// If the function does not take arguments of these types.
pub(super) fn result<I: ArrowId>(function: &str, kind: Kind<I>, found: &[DataType]) -> Result<DataType> {
    let found = match (kind, found) {
        (Kind::Typed(_), [prefix, found]) if prefix.is_string() => found,
        (Kind::Typed(_), [prefix, _]) => {
            return plan_err!("{function}: expected a prefix, which is a text, found {prefix}");
        }
        (Kind::Typed(_), _) => {
            return plan_err!(
                "{function}: expected 2 arguments, a prefix and another, found {}",
                found.len()
            );
        }
        (_, [found]) => found,
        (_, _) => return plan_err!("{function}: expected 1 argument, found {}", found.len()),
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
        Kind::Text | Kind::Typed(Typed::Text) => DataType::Utf8,
        Kind::IsValid => DataType::Boolean,
        Kind::Parse
        | Kind::TryParse
        | Kind::MinAt
        | Kind::MaxAt
        | Kind::Typed(Typed::Parse | Typed::TryParse) => I::Value::TYPE,
        Kind::Field(field) => arrow::field_type(field.read),
    })
}

/// Reads the prefix of typed IDs. `None` for NULL.
///
/// # Errors
///
/// If the text is not a prefix.
pub(super) fn prefix<'a>(function: &str, value: &'a ScalarValue) -> Result<Option<&'a str>> {
    let prefix = value.try_as_str().flatten();
    match prefix {
        Some(found) if !typed_id::is_prefix(found.as_bytes()) => plan_err!(
            "{function}: expected a prefix of 1 to 63 characters 'a' to 'z' and '_', with a letter at both ends, found {}",
            Found::text(found)
        ),
        prefix => Ok(prefix),
    }
}
