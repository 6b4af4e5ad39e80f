//! The traits that an entity of SeaORM needs of the type of a field or of its primary key.

// The drivers of SeaORM read a text as bytes, and in MySQL the text of a UUID as a UUID. So this module also asks for
// the value as a text and as bytes, and refuses it if it is a text or other bytes. With sqlx, an integer of another
// size than the column is refused. Here it is not, because SeaORM hides the type.

use super::columns::{Column, wrong_type};
use crate::{AsText, SortableId};
use alloc::{
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::error::Error;
use sea_orm::{
    ActiveValue, ColIdx, DbErr, IntoActiveValue, QueryResult, TryFromU64, TryGetError, TryGetable,
    TryGetableArray, Value,
    sea_query::{ArrayType, ColumnType, Nullable, StringLen, ValueType, ValueTypeErr, postgres_array::NotU8},
};
use uuid::Uuid;

/// The value of an ID in a column.
pub trait SeaColumn: Column + TryGetable + ValueType + Nullable + Into<Value> {
    /// Whether drivers also read a text as this type, byte for byte.
    const IS_READ_FROM_TEXT: bool;

    type Array: TryGetable + IntoIterator<Item = Self>;

    fn column_type<I: SortableId>() -> ColumnType;

    fn get<I: SortableId, X: ColIdx>(row: &QueryResult, index: X) -> Result<Self, TryGetError> {
        Self::try_get_by(row, index)
    }
}

impl SeaColumn for Vec<u8> {
    const IS_READ_FROM_TEXT: bool = true;

    type Array = Vec<Self>;

    fn column_type<I: SortableId>() -> ColumnType {
        ColumnType::Binary(I::BYTES as u32)
    }
}

impl SeaColumn for Uuid {
    const IS_READ_FROM_TEXT: bool = true;

    type Array = Vec<Self>;

    fn column_type<I: SortableId>() -> ColumnType {
        ColumnType::Uuid
    }

    /// In MySQL, SeaORM also reads bytes that are the text of a UUID.
    fn get<I: SortableId, X: ColIdx>(row: &QueryResult, index: X) -> Result<Self, TryGetError> {
        match (Self::try_get_by(row, index), Vec::try_get_by(row, index)) {
            (Ok(uuid), Ok(bytes)) if uuid.as_bytes()[..] == bytes[..] => Ok(uuid),
            (_, Ok(bytes)) => {
                I::try_from(&bytes).map_err(wrong_value::<I>)?;
                Err(wrong_column::<I>("the UUID", "bytes"))
            }
            (result, Err(_)) => result,
        }
    }
}

impl SeaColumn for i64 {
    const IS_READ_FROM_TEXT: bool = false;

    type Array = Vec<Self>;

    fn column_type<I: SortableId>() -> ColumnType {
        ColumnType::BigInteger
    }
}

fn wrong_value<I: SortableId>(error: impl Error + Send + Sync + 'static) -> TryGetError {
    DbErr::TryIntoErr { from: "a value of a column", into: I::TITLE, source: Arc::new(error) }.into()
}

fn wrong_column<I: SortableId>(expected: &str, found: &str) -> TryGetError {
    DbErr::Type(wrong_type::<I>(expected, found).to_string()).into()
}

pub fn get<I: SortableId, C: SeaColumn, X: ColIdx>(row: &QueryResult, index: X) -> Result<I, TryGetError> {
    if C::IS_READ_FROM_TEXT && String::try_get_by(row, index).is_ok() {
        return Err(wrong_column::<I>("the bytes", "text"));
    }
    C::get::<I, X>(row, index)?.read().map_err(wrong_value::<I>)
}

/// Reads an array of PostgreSQL.
pub fn get_array<I: SortableId, C: SeaColumn, X: ColIdx>(
    row: &QueryResult,
    index: X,
) -> Result<Vec<I>, TryGetError> {
    let values = C::Array::try_get_by(row, index)?;
    values.into_iter().map(|value| value.read().map_err(wrong_value::<I>)).collect()
}

pub fn from_value<I: SortableId, C: SeaColumn>(value: Value) -> Result<I, ValueTypeErr> {
    <C as ValueType>::try_from(value)?.read().map_err(|_| ValueTypeErr)
}

impl<I: SortableId> From<AsText<I>> for Value {
    fn from(text: AsText<I>) -> Self {
        Self::from(&*text.0.encode())
    }
}

impl<I: SortableId> TryGetable for AsText<I> {
    fn try_get_by<X: ColIdx>(row: &QueryResult, index: X) -> Result<Self, TryGetError> {
        String::try_get_by(row, index)?.parse().map_err(wrong_value::<I>)
    }
}

impl<I: SortableId> TryGetableArray for AsText<I> {
    fn try_get_by<X: ColIdx>(row: &QueryResult, index: X) -> Result<Vec<Self>, TryGetError> {
        let texts = <Vec<String> as TryGetable>::try_get_by(row, index)?;
        texts.into_iter().map(|text| text.parse().map_err(wrong_value::<I>)).collect()
    }
}

impl<I: SortableId> ValueType for AsText<I> {
    fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
        <String as ValueType>::try_from(value)?.parse().map_err(|_| ValueTypeErr)
    }

    fn type_name() -> String {
        String::from(I::NAME)
    }

    fn array_type() -> ArrayType {
        String::array_type()
    }

    fn column_type() -> ColumnType {
        ColumnType::String(StringLen::N(I::TEXT_LEN as u32))
    }
}

impl<I: SortableId> Nullable for AsText<I> {
    fn null() -> Value {
        String::null()
    }
}

impl<I> NotU8 for AsText<I> {}

impl<I: SortableId> IntoActiveValue<Self> for AsText<I> {
    fn into_active_value(self) -> ActiveValue<Self> {
        ActiveValue::Set(self)
    }
}

/// No ID is an auto-increment number.
impl<I: SortableId> TryFromU64 for AsText<I> {
    fn try_from_u64(_: u64) -> Result<Self, DbErr> {
        Err(DbErr::ConvertFromU64(I::TITLE))
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_sea_orm {
    ([$($cfg:tt)*] $id:ident, bytes) => {
        $crate::__integrate_sea_orm!(@ [$($cfg)*] $id, $crate::__private::alloc::vec::Vec<u8>);
    };
    ([$($cfg:tt)*] $id:ident, uuid) => {
        $crate::__integrate_sea_orm!(@ [$($cfg)*] $id, $crate::__private::dependencies::uuid::Uuid);
    };
    ([$($cfg:tt)*] $id:ident, integer) => {
        $crate::__integrate_sea_orm!(@ [$($cfg)*] $id, i64);
    };
    (@ [$($cfg:tt)*] $id:ident, $column:ty) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                alloc::{string::String, vec::Vec},
                dependencies::sea_orm::{
                    ActiveValue, ColIdx, DbErr, IntoActiveValue, QueryResult, TryFromU64, TryGetError,
                    TryGetable, TryGetableArray, Value,
                    sea_query::{
                        ArrayType, ColumnType, Nullable, ValueType, ValueTypeErr, postgres_array::NotU8,
                    },
                },
                integrations::{
                    columns::Column,
                    sea_orm::{SeaColumn, from_value, get, get_array},
                },
                prelude::*,
            };

            impl From<$id> for Value {
                fn from(id: $id) -> Self {
                    <$column as Column>::of(&id).into()
                }
            }

            impl TryGetable for $id {
                fn try_get_by<X: ColIdx>(row: &QueryResult, index: X) -> Result<Self, TryGetError> {
                    get::<Self, $column, X>(row, index)
                }
            }

            impl TryGetableArray for $id {
                fn try_get_by<X: ColIdx>(row: &QueryResult, index: X) -> Result<Vec<Self>, TryGetError> {
                    get_array::<Self, $column, X>(row, index)
                }
            }

            impl ValueType for $id {
                fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
                    from_value::<Self, $column>(value)
                }

                fn type_name() -> String {
                    stringify!($id).into()
                }

                fn array_type() -> ArrayType {
                    <$column as ValueType>::array_type()
                }

                fn column_type() -> ColumnType {
                    <$column as SeaColumn>::column_type::<Self>()
                }
            }

            impl Nullable for $id {
                fn null() -> Value {
                    <$column as Nullable>::null()
                }
            }

            impl NotU8 for $id {}

            impl IntoActiveValue<Self> for $id {
                fn into_active_value(self) -> ActiveValue<Self> {
                    ActiveValue::Set(self)
                }
            }

            /// No ID is an auto-increment number.
            impl TryFromU64 for $id {
                fn try_from_u64(_: u64) -> Result<Self, DbErr> {
                    Err(DbErr::ConvertFromU64(stringify!($id)))
                }
            }
        };
    };
}
