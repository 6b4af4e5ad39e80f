//! `ToSql` and `FromSql`.

use super::columns::{BoxError, Column, wrong_type};
use crate::{AsText, SortableId};
use alloc::{string::ToString, vec::Vec};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Type, Value, ValueRef};

/// The value of an ID in an SQLite column.
pub trait SqliteColumn: Column {
    fn write(id: &impl SortableId) -> ToSqlOutput<'_>;

    fn read<I: SortableId>(value: ValueRef<'_>) -> Result<I, BoxError>;
}

impl SqliteColumn for Vec<u8> {
    fn write(id: &impl SortableId) -> ToSqlOutput<'_> {
        ToSqlOutput::Borrowed(ValueRef::Blob(id.as_ref()))
    }

    fn read<I: SortableId>(value: ValueRef<'_>) -> Result<I, BoxError> {
        match value {
            ValueRef::Blob(bytes) => Ok(I::try_from(bytes)?),
            other => Err(wrong_type::<I>("the BLOB", name(other.data_type()))),
        }
    }
}

impl SqliteColumn for i64 {
    fn write(id: &impl SortableId) -> ToSqlOutput<'_> {
        ToSqlOutput::Owned(Value::Integer(Self::of(id)))
    }

    fn read<I: SortableId>(value: ValueRef<'_>) -> Result<I, BoxError> {
        match value {
            ValueRef::Integer(int) => Ok(Column::read(int)?),
            other => Err(wrong_type::<I>("the INTEGER", name(other.data_type()))),
        }
    }
}

/// Returns SQLite's name for the type.
fn name(found: Type) -> &'static str {
    match found {
        Type::Null => "NULL",
        Type::Integer => "INTEGER",
        Type::Real => "REAL",
        Type::Text => "TEXT",
        Type::Blob => "BLOB",
    }
}

pub fn from_sql<I: SortableId, C: SqliteColumn>(value: ValueRef<'_>) -> FromSqlResult<I> {
    <C as SqliteColumn>::read(value).map_err(FromSqlError::Other)
}

impl<I: SortableId> ToSql for AsText<I> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Owned(Value::Text(self.0.encode().to_string())))
    }
}

impl<I: SortableId> FromSql for AsText<I> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Text(_) => value.as_str()?.parse().map_err(FromSqlError::other),
            other => Err(FromSqlError::Other(wrong_type::<I>("the TEXT", name(other.data_type())))),
        }
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_rusqlite {
    ([$($cfg:tt)*] $id:ident, bytes) => {
        $crate::__integrate_rusqlite!(@ [$($cfg)*] $id, Vec<u8>);
    };
    ([$($cfg:tt)*] $id:ident, uuid) => {
        $crate::__integrate_rusqlite!(@ [$($cfg)*] $id, Vec<u8>);
    };
    ([$($cfg:tt)*] $id:ident, integer) => {
        $crate::__integrate_rusqlite!(@ [$($cfg)*] $id, i64);
    };
    (@ [$($cfg:tt)*] $id:ident, $column:ty) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                alloc::vec::Vec,
                dependencies::rusqlite::{
                    self,
                    types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef},
                },
                integrations::rusqlite::{SqliteColumn, from_sql},
                prelude::*,
            };

            impl ToSql for $id {
                fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                    Ok(<$column as SqliteColumn>::write(self))
                }
            }

            impl FromSql for $id {
                fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                    from_sql::<Self, $column>(value)
                }
            }
        };
    };
}
