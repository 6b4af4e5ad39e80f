//! Functions for columns: whole arrays of IDs, texts or times at once.
//!
//! `sortid/columns.py` finds out what a column is, and makes the result of the same kind. Here, a column is an Arrow
//! array or a stream of arrays, a list, or the bytes of a NumPy array. Every result is a [`Column`].

mod column;
mod input;
mod list;
mod numpy;

pub(crate) use column::Column;
pub(crate) use input::Input;
pub(crate) use numpy::{from_numpy, to_numpy};

use crate::{
    error,
    id::{IdClass, PyId},
};
use arrow_array::ArrayRef;
use arrow_schema::DataType;
use pyo3::{
    exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
};
use sortid::__with_type as with_type;
use sortid_columns::arrow::{self, ArrowId, ErrorKind, Native, Typed};

/// The time zone of all times.
const UTC: &str = "UTC";

/// What is computed of each row.
#[derive(Clone, Copy)]
enum Function {
    Time,
    Text,
    Parse,
    TryParse,
    IsValid,
    /// The index of the field.
    Field(usize),
    Fields,
    MinAt,
    MaxAt,
}

impl Function {
    fn named<I: PyId>(name: &str, field: Option<&str>) -> PyResult<Self> {
        Ok(match name {
            "time" => Self::Time,
            "text" => Self::Text,
            "parse" => Self::Parse,
            "try_parse" => Self::TryParse,
            "is_valid" => Self::IsValid,
            "field" => {
                let name = field.unwrap_or_default();
                let index = I::READS.iter().position(|field| field.name == name).ok_or_else(|| {
                    let names: Vec<_> = I::READS.iter().map(|field| field.name).collect();
                    PyKeyError::new_err(format!("expected a field ({}), found {name:?}", names.join(", ")))
                })?;
                Self::Field(index)
            }
            "fields" => Self::Fields,
            "min_at" => Self::MinAt,
            "max_at" => Self::MaxAt,
            _ => return Err(PyValueError::new_err(format!("no function {name:?}"))),
        })
    }

    /// Whether the rows are times.
    fn takes_times(self) -> bool {
        matches!(self, Self::MinAt | Self::MaxAt)
    }

    /// Whether the results are IDs.
    fn returns_ids(self) -> bool {
        matches!(self, Self::Parse | Self::TryParse | Self::MinAt | Self::MaxAt)
    }

    /// The type of the results.
    fn result<I: ArrowId>(self) -> DataType {
        match self {
            Self::Time => arrow::timestamp::<I>(UTC),
            Self::Text => DataType::Utf8,
            Self::IsValid => DataType::Boolean,
            Self::Parse | Self::TryParse | Self::MinAt | Self::MaxAt => I::Value::TYPE,
            Self::Field(index) => arrow::field_type::<I>(I::READS[index].read),
            Self::Fields => arrow::fields_type::<I>(),
        }
    }

    fn check<I: ArrowId>(self, found: &DataType) -> arrow::Result<()> {
        if self.takes_times() { arrow::check_moment(found) } else { arrow::check_id::<I>(found) }
    }

    fn of<I: ArrowId>(self, array: &ArrayRef, typed: Option<Typed<'_>>) -> arrow::Result<ArrayRef> {
        match (self, typed) {
            (Self::Text, Some(typed)) => typed.texts::<I>(array),
            (Self::Parse, Some(typed)) => typed.parse::<I>(array),
            (Self::TryParse, Some(typed)) => typed.try_parse::<I>(array),
            (Self::IsValid, Some(typed)) => typed.is_valid::<I>(array),
            (Self::Time | Self::Field(_) | Self::Fields, Some(typed)) => {
                self.of_plain::<I>(&typed.parse::<I>(array)?)
            }
            (Self::MinAt | Self::MaxAt, _) | (_, None) => self.of_plain::<I>(array),
        }
    }

    fn of_plain<I: ArrowId>(self, array: &ArrayRef) -> arrow::Result<ArrayRef> {
        match self {
            Self::Time => arrow::times::<I>(array, UTC),
            Self::Text => arrow::texts::<I>(array),
            Self::Parse => arrow::parse::<I>(array),
            Self::TryParse => arrow::try_parse::<I>(array),
            Self::IsValid => arrow::is_valid::<I>(array),
            Self::Field(index) => arrow::field::<I>(array, I::READS[index].read),
            Self::Fields => arrow::fields::<I>(array),
            Self::MinAt => arrow::min_at::<I>(array),
            Self::MaxAt => arrow::max_at::<I>(array),
        }
    }
}

/// Computes a function of each row of a column. Without `uuid`, IDs have the type `arrow.uuid` if the column has it.
#[pyfunction]
#[pyo3(signature = (function, id_type, column, *, field=None, uuid=None))]
pub(crate) fn compute(
    function: &str,
    id_type: &Bound<'_, PyAny>,
    column: &Bound<'_, PyAny>,
    field: Option<&str>,
    uuid: Option<bool>,
) -> PyResult<Column> {
    fn of<I: PyId>(
        column: &Bound<'_, PyAny>,
        class: IdClass,
        function: Function,
        uuid: Option<bool>,
    ) -> PyResult<Column> {
        let py = column.py();
        let input =
            if function.takes_times() { Input::times(column)? } else { Input::ids::<I>(column, &class)? };
        function.check::<I>(input.data_type()).map_err(|error| exception(py, error))?;
        let is_uuid = uuid.unwrap_or(I::BYTES == 16 && input.is_uuid());
        let chunks = input.map(py, |array| function.of::<I>(array, class.typed()))?;
        if function.returns_ids() {
            Column::of_ids(class, is_uuid, chunks)
        } else {
            Column::new(function.result::<I>(), chunks)
        }
    }
    let class = IdClass::of(id_type)?;
    with_type!(class.spec, Id => of::<Id>(column, class, Function::named::<Id>(function, field)?, uuid))
}

/// Returns the exception of an array. Its message has the row.
#[cold]
pub(crate) fn exception(py: Python<'_>, error: arrow::Error) -> PyErr {
    let (row, message) = (error.row(), error.to_string());
    let of_row = |exception: PyErr| error::with(py, exception, "row", row);
    match error.into_kind() {
        ErrorKind::Type { .. } => PyTypeError::new_err(message),
        ErrorKind::Text { error, .. } | ErrorKind::Value { error, .. } => {
            of_row(error::not_an_id(py, error.kind().name(), error.position(), message))
        }
        ErrorKind::TypedText { kind, position, .. } => {
            of_row(error::not_an_id(py, kind.name(), position, message))
        }
        ErrorKind::Length { .. } => of_row(error::not_an_id(py, "length", None, message)),
        ErrorKind::Time { .. } => of_row(error::not_an_id(py, "overflow", None, message)),
        ErrorKind::Backfill(error) => error::backfill_at(py, &error, row, message),
        ErrorKind::Late { .. } | ErrorKind::Rows { .. } => of_row(PyValueError::new_err(message)),
        _ => PyRuntimeError::new_err(message),
    }
}
