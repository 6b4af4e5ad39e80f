//! The IDs of a time: `scru160_time(id) >= '2024-06-01'` becomes a comparison of `id`, which prunes files and row groups.

// Without this, a query by time would read all row groups. The price: in a column of other bytes, values that are not
// IDs take part in the comparison, and raise no error.

use super::types;
use datafusion::{
    arrow::datatypes::DataType,
    common::{Result, ScalarValue},
    logical_expr::{
        Expr, interval_arithmetic::Interval, preimage::PreimageResult, simplify::SimplifyContext,
    },
};
use sortid::UnixMicros;
use sortid_columns::arrow::{ArrowId, Native, is_id};

/// Whether the times of a column of this type have the order of its values.
///
/// Columns of RON UIDs do not, because names and hashes are between the events and have no time. Texts do not,
/// because an ID has several texts.
pub(super) fn is_ordered<I: ArrowId>(data_type: &DataType) -> bool {
    I::IN_TIME_ORDER && is_id::<I>(data_type)
}

/// Returns the IDs of the time in `literal`, from the least one to the least one of the next time.
pub(super) fn of_time<I: ArrowId>(
    args: &[Expr],
    literal: &Expr,
    info: &SimplifyContext,
) -> Result<PreimageResult> {
    let ([id], Some(time)) = (args, literal.as_literal()) else {
        return Ok(PreimageResult::None);
    };
    let id_type = info.get_data_type(id)?;
    if !is_ordered::<I>(&id_type) || time.data_type() != types::timestamp::<I>() {
        return Ok(PreimageResult::None);
    }
    let (ScalarValue::TimestampMillisecond(Some(time), _) | ScalarValue::TimestampMicrosecond(Some(time), _)) =
        time
    else {
        return Ok(PreimageResult::None);
    };
    let micros = i128::from(*time) * i128::from(I::MICROS);
    let (lower, upper) = if micros < i128::from(*I::TIMES.start()) {
        // All IDs are later. No ID is in an empty range before the first.
        (Ok(I::MIN), Ok(I::MIN))
    } else {
        (I::min_at(UnixMicros(micros)), I::min_at(UnixMicros(micros + i128::from(I::MICROS))))
    };
    // No value is above the IDs of the last time, so they have no such range.
    let (Ok(lower), Ok(upper)) = (lower, upper) else {
        return Ok(PreimageResult::None);
    };
    let (Some(lower), Some(upper)) = (literal_of(lower, &id_type)?, literal_of(upper, &id_type)?) else {
        return Ok(PreimageResult::None);
    };
    let interval = Box::new(Interval::try_new(lower, upper)?);
    Ok(PreimageResult::Range { expr: id.clone(), interval })
}

/// Returns the ID as a literal of the type of a column. `None` for types that do not have the order of the bytes.
fn literal_of<I: ArrowId>(id: I, data_type: &DataType) -> Result<Option<ScalarValue>> {
    if *data_type == I::Value::TYPE {
        return ScalarValue::try_from_array(&I::Value::array(vec![id.to_value()], None), 0).map(Some);
    }
    let bytes = Some(id.as_bytes().to_vec());
    Ok(match data_type {
        DataType::FixedSizeBinary(size) if usize::try_from(*size) == Ok(I::BYTES) => {
            Some(ScalarValue::FixedSizeBinary(*size, bytes))
        }
        DataType::Binary => Some(ScalarValue::Binary(bytes)),
        DataType::LargeBinary => Some(ScalarValue::LargeBinary(bytes)),
        DataType::BinaryView => Some(ScalarValue::BinaryView(bytes)),
        _ => None,
    })
}
