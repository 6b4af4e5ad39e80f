//! Arrays of arguments and results, and calls of the functions.

use crate::specs::{Cell, Tested, time};
use datafusion::{
    arrow::{
        array::*,
        datatypes::{DataType, Field, Int16Type, TimestampMicrosecondType, TimestampMillisecondType},
    },
    common::{Result, ScalarValue, config::ConfigOptions},
    logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF},
};
use sortid_columns::Column;
use std::sync::Arc;

pub(crate) fn function(name: &str) -> Arc<ScalarUDF> {
    let functions = sortid_datafusion::scalar_functions();
    functions.into_iter().find(|function| function.name() == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The prefix of the functions that need one.
pub(crate) const PREFIX: &str = "order";

/// Calls a function as the engine does. The result has the type that the function promises.
pub(crate) fn invoke(function: &ScalarUDF, argument: ColumnarValue) -> Result<ColumnarValue> {
    let number_rows = match &argument {
        ColumnarValue::Array(array) => array.len(),
        ColumnarValue::Scalar(_) => 1,
    };
    let mut args = vec![argument];
    if function.name().contains("_typed_") {
        args.insert(0, ColumnarValue::Scalar(ScalarValue::from(PREFIX)));
    }
    let arg_fields: Vec<_> =
        args.iter().map(|arg| Arc::new(Field::new("id", arg.data_type(), true))).collect();
    let scalar_arguments: Vec<_> = args
        .iter()
        .map(|arg| match arg {
            ColumnarValue::Scalar(value) => Some(value),
            ColumnarValue::Array(_) => None,
        })
        .collect();
    let return_field = function.return_field_from_args(ReturnFieldArgs {
        arg_fields: &arg_fields,
        scalar_arguments: &scalar_arguments,
    })?;
    let promised = return_field.data_type().clone();
    let result = function.invoke_with_args(ScalarFunctionArgs {
        args,
        arg_fields: arg_fields.clone(),
        number_rows,
        return_field,
        config_options: Arc::new(ConfigOptions::default()),
    })?;
    assert_eq!(result.data_type(), promised, "{}", function.name());
    Ok(result)
}

pub(crate) fn call(function: &ScalarUDF, argument: &ArrayRef) -> Result<ArrayRef> {
    match invoke(function, ColumnarValue::Array(argument.clone()))? {
        ColumnarValue::Array(array) => Ok(array),
        ColumnarValue::Scalar(value) => panic!("expected an array, found {value}"),
    }
}

pub(crate) fn call_scalar(function: &ScalarUDF, argument: ScalarValue) -> Result<ScalarValue> {
    match invoke(function, ColumnarValue::Scalar(argument))? {
        ColumnarValue::Array(_) => panic!("expected a scalar"),
        ColumnarValue::Scalar(value) => Ok(value),
    }
}

fn each<'a, I, T>(ids: &'a [Option<I>], value: impl Fn(&'a I) -> T) -> impl Iterator<Item = Option<T>> {
    ids.iter().map(move |id| id.as_ref().map(&value))
}

fn texts<I: Column>(ids: &[Option<I>]) -> Vec<Option<String>> {
    each(ids, ToString::to_string).collect()
}

/// The texts, as each type of texts.
pub(crate) fn text_arrays<I: Column>(ids: &[Option<I>]) -> Vec<ArrayRef> {
    let texts = texts(ids);
    vec![
        Arc::new(StringArray::from(texts.clone())),
        Arc::new(LargeStringArray::from(texts.clone())),
        Arc::new(StringViewArray::from_iter(texts)),
    ]
}

/// The IDs, as each type of IDs without the texts. The first is the type of `parse`.
pub(crate) fn id_arrays<I: Column>(ids: &[Option<I>]) -> Vec<ArrayRef> {
    let bytes: Vec<_> = each(ids, I::as_bytes).collect();
    let fixed: ArrayRef = Arc::new(
        FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes.iter().copied(), I::BYTES as i32).unwrap(),
    );
    let mut arrays: Vec<ArrayRef> = vec![
        fixed,
        Arc::new(BinaryArray::from(bytes.clone())),
        Arc::new(LargeBinaryArray::from(bytes.clone())),
        Arc::new(BinaryViewArray::from_iter(bytes)),
    ];
    if I::PREFIX == "ulid_flake" {
        let integers = each(ids, |id| id.integer().unwrap() as i64);
        arrays.insert(0, Arc::new(Int64Array::from_iter(integers)));
    }
    arrays
}

/// A dictionary of an array with two rows for each value, the last values first, and a value that no row uses.
pub(crate) fn dictionary(values: &ArrayRef) -> ArrayRef {
    let keys = (0..values.len() as i16 - 1).rev().chain(0..values.len() as i16 - 1);
    Arc::new(DictionaryArray::<Int16Type>::new(keys.map(Some).collect(), values.clone()))
}

/// The rows of [`dictionary`].
pub(crate) fn dictionary_rows<T: Clone>(values: &[T]) -> Vec<T> {
    let used = &values[..values.len() - 1];
    used.iter().rev().chain(used).cloned().collect()
}

pub(crate) fn expected_times<I: Tested>(ids: &[Option<I>]) -> ArrayRef {
    let times: Vec<_> = ids.iter().map(|id| id.as_ref().and_then(time)).collect();
    if I::PREFIX == "event_id" {
        let times = PrimitiveArray::<TimestampMicrosecondType>::from(times);
        Arc::new(times.with_timezone("+00:00"))
    } else {
        Arc::new(PrimitiveArray::<TimestampMillisecondType>::from(times).with_timezone("+00:00"))
    }
}

pub(crate) fn expected_texts<I: Tested>(ids: &[Option<I>]) -> ArrayRef {
    Arc::new(StringArray::from(texts(ids)))
}

pub(crate) fn expected_fields<I: Tested>(name: &str, ids: &[Option<I>]) -> ArrayRef {
    let cells: Vec<_> = each(ids, |id| id.field(name)).collect();
    match cells.iter().flatten().next().unwrap() {
        Cell::Int(_) => Arc::new(Int64Array::from_iter(cells.into_iter().map(|cell| match cell {
            Some(Cell::Int(value)) => value,
            _ => None,
        }))),
        Cell::Unsigned(_) => Arc::new(UInt64Array::from_iter(cells.into_iter().map(|cell| match cell {
            Some(Cell::Unsigned(value)) => Some(value),
            _ => None,
        }))),
        Cell::Text(_) => Arc::new(StringArray::from_iter(cells.into_iter().map(|cell| match cell {
            Some(Cell::Text(value)) => Some(value),
            _ => None,
        }))),
        Cell::Bytes(bytes) => {
            let size = bytes.len() as i32;
            let cells = cells.into_iter().map(|cell| match cell {
                Some(Cell::Bytes(value)) => Some(value),
                _ => None,
            });
            Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(cells, size).unwrap())
        }
    }
}

pub(crate) fn value_type<I: Column>() -> DataType {
    match I::PREFIX {
        "ulid_flake" => DataType::Int64,
        _ => DataType::FixedSizeBinary(I::BYTES as i32),
    }
}
