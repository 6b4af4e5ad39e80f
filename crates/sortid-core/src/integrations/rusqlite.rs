//! `ToSql` and `FromSql`.

use super::{
    Identifier,
    columns::{BoxError, Column, wrong_type},
};
use crate::AsText;
use alloc::{string::ToString, vec::Vec};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Type, Value, ValueRef};

/// What an ID is in an SQLite column.
pub trait SqliteColumn: Column {
    fn write(id: &impl Identifier) -> ToSqlOutput<'_>;

    fn read<I: Identifier>(value: ValueRef<'_>) -> Result<I, BoxError>;
}

impl SqliteColumn for Vec<u8> {
    fn write(id: &impl Identifier) -> ToSqlOutput<'_> {
        ToSqlOutput::Borrowed(ValueRef::Blob(id.as_ref()))
    }

    fn read<I: Identifier>(value: ValueRef<'_>) -> Result<I, BoxError> {
        match value {
            ValueRef::Blob(bytes) => Ok(I::try_from(bytes)?),
            other => Err(wrong_type::<I>("the BLOB", name(other.data_type()))),
        }
    }
}

impl SqliteColumn for i64 {
    fn write(id: &impl Identifier) -> ToSqlOutput<'_> {
        ToSqlOutput::Owned(Value::Integer(Self::of(id)))
    }

    fn read<I: Identifier>(value: ValueRef<'_>) -> Result<I, BoxError> {
        match value {
            ValueRef::Integer(int) => Ok(Column::read(int)?),
            other => Err(wrong_type::<I>("the INTEGER", name(other.data_type()))),
        }
    }
}

/// SQLite's name for the type.
fn name(found: Type) -> &'static str {
    match found {
        Type::Null => "NULL",
        Type::Integer => "INTEGER",
        Type::Real => "REAL",
        Type::Text => "TEXT",
        Type::Blob => "BLOB",
    }
}

pub fn from_sql<I: Identifier, C: SqliteColumn>(value: ValueRef<'_>) -> FromSqlResult<I> {
    <C as SqliteColumn>::read(value).map_err(FromSqlError::Other)
}

impl<I: Identifier> ToSql for AsText<I> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Owned(Value::Text(self.0.text().to_string())))
    }
}

impl<I: Identifier> FromSql for AsText<I> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Text(_) => value.as_str()?.parse().map_err(FromSqlError::other),
            other => Err(FromSqlError::Other(wrong_type::<I>("the TEXT", name(other.data_type())))),
        }
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! integrate_rusqlite {
    ($id:ident, bytes) => {
        $crate::integrate_rusqlite!(@ $id, alloc::vec::Vec<u8>);
    };
    ($id:ident, uuid) => {
        $crate::integrate_rusqlite!(@ $id, alloc::vec::Vec<u8>);
    };
    ($id:ident, integer) => {
        $crate::integrate_rusqlite!(@ $id, i64);
    };
    (@ $id:ident, $column:ty) => {
        #[cfg(feature = "rusqlite")]
        impl $crate::integrations::dependencies::rusqlite::types::ToSql for $id {
            fn to_sql(
                &self,
            ) -> $crate::integrations::dependencies::rusqlite::Result<
                $crate::integrations::dependencies::rusqlite::types::ToSqlOutput<'_>,
            > {
                Ok(<$column as $crate::integrations::rusqlite::SqliteColumn>::write(self))
            }
        }

        #[cfg(feature = "rusqlite")]
        impl $crate::integrations::dependencies::rusqlite::types::FromSql for $id {
            fn column_result(
                value: $crate::integrations::dependencies::rusqlite::types::ValueRef<'_>,
            ) -> $crate::integrations::dependencies::rusqlite::types::FromSqlResult<Self> {
                $crate::integrations::rusqlite::from_sql::<Self, $column>(value)
            }
        }
    };
}
