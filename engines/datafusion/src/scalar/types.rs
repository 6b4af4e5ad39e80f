//! The types of arguments and results.

use super::{
    kind::Kind,
    native::{ArrowId, Native, one},
    result::UTC,
};
use datafusion::{
    arrow::datatypes::{DataType, TimeUnit},
    common::{Result, plan_err},
    logical_expr::{Signature, TypeSignature, Volatility},
};
use sortid_columns::Read;

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
    let unit = if I::MICROS == 1 { TimeUnit::Microsecond } else { TimeUnit::Millisecond };
    DataType::Timestamp(unit, Some(UTC.into()))
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
    let plain = match found {
        DataType::Dictionary(_, values) => values,
        plain => plain,
    };
    let (is_expected, expected) = match argument(kind) {
        Argument::Id => (is_id::<I>(plain) || plain.is_string(), id_types::<I>()),
        Argument::Text => (plain.is_string(), "a text".to_owned()),
        Argument::Moment => (is_moment(plain), "a timestamp, a date or the text of one".to_owned()),
    };
    if !is_expected {
        return plan_err!("{function}: expected {expected}, found {found}");
    }
    Ok(match kind {
        Kind::Time | Kind::TextTime => timestamp::<I>(),
        Kind::Text => DataType::Utf8,
        Kind::IsValid => DataType::Boolean,
        Kind::Parse | Kind::TryParse | Kind::MinAt | Kind::MaxAt => I::Value::TYPE,
        Kind::Field(field) => match field.read {
            Read::Integers(_) => DataType::Int64,
            Read::Unsigned(_) => DataType::UInt64,
            Read::Texts(..) => DataType::Utf8,
            Read::Bytes(width, _) => DataType::FixedSizeBinary(width as i32),
        },
    })
}

/// Whether values of a type are IDs: integers of Ulid-Flakes, or bytes. A type of bytes of another size is not.
pub(super) fn is_id<I: ArrowId>(found: &DataType) -> bool {
    match found {
        DataType::FixedSizeBinary(size) => usize::try_from(*size) == Ok(I::BYTES),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        other => *other == I::Value::TYPE,
    }
}

fn id_types<I: ArrowId>() -> String {
    let (size, one) = (I::BYTES, one::<I>());
    let integer = if I::Value::TYPE == DataType::Int64 { "Int64, " } else { "" };
    format!(
        "{one} ({integer}FixedSizeBinary({size}), Binary, LargeBinary or BinaryView) or its text (Utf8, LargeUtf8 or Utf8View)"
    )
}

fn is_moment(found: &DataType) -> bool {
    matches!(found, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64) || found.is_string()
}
