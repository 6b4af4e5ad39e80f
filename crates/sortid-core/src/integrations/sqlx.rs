//! `Type`, `Encode` and `Decode`, for every driver that supports the type of the column.

// Like those of sqlx's derive, the implementations are for every `Database` that knows the type of the column. So one
// feature serves every driver, and turns on none. Arrays are a trait of the PostgreSQL driver, so they have a feature
// of their own, which turns on the driver. The drivers accept three kinds of values that this module refuses: text as
// bytes, integers of another size in MySQL, and in SQLite `NULL`, which reads as 0.

use super::columns::{BoxError, Column};
use crate::{AsText, SortableId};
use alloc::string::{String, ToString};
use sqlx::{Database, Decode, Encode, Type, TypeInfo, ValueRef, encode::IsNull, error::UnexpectedNullError};

/// Refuses text: drivers also read it as bytes, so a text with as many characters as an ID has bytes would become an
/// ID. The name of the type does not show the difference: in MySQL, a `CHAR(16)` with a binary collation has the name
/// `BINARY`.
pub fn compatible_bytes<C: Type<DB>, DB: Database>(info: &DB::TypeInfo) -> bool
where
    String: Type<DB>,
{
    C::compatible(info) && !String::compatible(info)
}

/// Refuses integers of another size, which the driver of MySQL also reads.
pub fn compatible_integer<C: Type<DB>, DB: Database>(info: &DB::TypeInfo) -> bool {
    C::compatible(info) && info.name() == C::type_info().name()
}

pub fn encode<'q, C: Column + Encode<'q, DB>, DB: Database>(
    id: &impl SortableId,
    buffer: &mut DB::ArgumentBuffer,
) -> Result<IsNull, BoxError> {
    C::of(id).encode(buffer)
}

/// Refuses `NULL`, which the driver of SQLite reads as 0 or as an empty byte string.
fn not_null<'r, DB: Database>(value: DB::ValueRef<'r>) -> Result<DB::ValueRef<'r>, BoxError> {
    if value.is_null() { Err(UnexpectedNullError.into()) } else { Ok(value) }
}

pub fn decode<'r, I: SortableId, C: Column + Decode<'r, DB>, DB: Database>(
    value: DB::ValueRef<'r>,
) -> Result<I, BoxError> {
    Ok(C::decode(not_null::<DB>(value)?)?.read()?)
}

impl<I: SortableId, DB: Database> Type<DB> for AsText<I>
where
    String: Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        String::type_info()
    }

    fn compatible(info: &DB::TypeInfo) -> bool {
        String::compatible(info)
    }
}

impl<'q, I: SortableId, DB: Database> Encode<'q, DB> for AsText<I>
where
    String: Encode<'q, DB>,
{
    fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxError> {
        self.0.encode().to_string().encode(buffer)
    }
}

impl<'r, I: SortableId, DB: Database> Decode<'r, DB> for AsText<I>
where
    String: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxError> {
        Ok(String::decode(not_null::<DB>(value)?)?.parse()?)
    }
}

#[cfg(feature = "sqlx09-postgres")]
impl<I: SortableId> sqlx::postgres::PgHasArrayType for AsText<I> {
    fn array_type_info() -> sqlx::postgres::PgTypeInfo {
        String::array_type_info()
    }

    fn array_compatible(info: &sqlx::postgres::PgTypeInfo) -> bool {
        String::array_compatible(info)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_sqlx {
    ([$($cfg:tt)*] $id:ident, bytes) => {
        $crate::__integrate_sqlx!(@ [$($cfg)*] $id, Vec<u8>, compatible_bytes);
    };
    ([$($cfg:tt)*] $id:ident, uuid) => {
        $crate::__integrate_sqlx!(@ [$($cfg)*] $id, Uuid, compatible_bytes);
    };
    ([$($cfg:tt)*] $id:ident, integer) => {
        $crate::__integrate_sqlx!(@ [$($cfg)*] $id, i64, compatible_integer);
    };
    (@ [$($cfg:tt)*] $id:ident, $column:ty, $compatible:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                alloc::{string::String, vec::Vec},
                dependencies::sqlx::{Database, Decode, Encode, Type, encode::IsNull, types::Uuid},
                integrations::{
                    columns::BoxError,
                    sqlx::{$compatible, decode, encode},
                },
                prelude::*,
            };

            impl<DB: Database> Type<DB> for $id
            where
                $column: Type<DB>,
                String: Type<DB>,
            {
                fn type_info() -> DB::TypeInfo {
                    <$column>::type_info()
                }

                fn compatible(info: &DB::TypeInfo) -> bool {
                    $compatible::<$column, DB>(info)
                }
            }

            impl<'q, DB: Database> Encode<'q, DB> for $id
            where
                $column: Encode<'q, DB>,
            {
                fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxError> {
                    encode::<$column, DB>(self, buffer)
                }
            }

            impl<'r, DB: Database> Decode<'r, DB> for $id
            where
                $column: Decode<'r, DB>,
            {
                fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxError> {
                    decode::<Self, $column, DB>(value)
                }
            }
        };
    };
}

/// Implements what arrays need, which only the driver of PostgreSQL has.
#[cfg(feature = "sqlx09-postgres")]
#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_sqlx_postgres {
    ([$($cfg:tt)*] $id:ident, bytes) => {
        $crate::__integrate_sqlx_postgres!(@ [$($cfg)*] $id, Vec<u8>);
    };
    ([$($cfg:tt)*] $id:ident, uuid) => {
        $crate::__integrate_sqlx_postgres!(@ [$($cfg)*] $id, Uuid);
    };
    ([$($cfg:tt)*] $id:ident, integer) => {
        $crate::__integrate_sqlx_postgres!(@ [$($cfg)*] $id, i64);
    };
    (@ [$($cfg:tt)*] $id:ident, $column:ty) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                alloc::vec::Vec,
                dependencies::sqlx::{
                    postgres::{PgHasArrayType, PgTypeInfo},
                    types::Uuid,
                },
                prelude::*,
            };

            impl PgHasArrayType for $id {
                fn array_type_info() -> PgTypeInfo {
                    <$column>::array_type_info()
                }
            }
        };
    };
}
