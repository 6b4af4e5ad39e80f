//! `Type`, `Encode` and `Decode`, for every driver that knows the column's type.

use super::{
    Identifier,
    columns::{BoxError, Column},
};
use crate::AsText;
use alloc::string::{String, ToString};
use sqlx::{Database, Decode, Encode, Type, TypeInfo, ValueRef, encode::IsNull, error::UnexpectedNullError};

/// Drivers read texts as bytes too. A text of as many characters as an ID has bytes would be an ID.
pub fn compatible<C: Type<DB>, DB: Database>(info: &DB::TypeInfo) -> bool {
    let is_text = ["CHAR", "ENUM", "TEXT"].iter().any(|text| info.name().contains(text));
    C::compatible(info) && !is_text
}

pub fn encode<'q, C: Column + Encode<'q, DB>, DB: Database>(
    id: &impl Identifier,
    buffer: &mut DB::ArgumentBuffer,
) -> Result<IsNull, BoxError> {
    C::of(id).encode(buffer)
}

/// SQLite's driver reads `NULL` as 0, and as nothing.
fn not_null<'r, DB: Database>(value: DB::ValueRef<'r>) -> Result<DB::ValueRef<'r>, BoxError> {
    if value.is_null() { Err(UnexpectedNullError.into()) } else { Ok(value) }
}

pub fn decode<'r, I: Identifier, C: Column + Decode<'r, DB>, DB: Database>(
    value: DB::ValueRef<'r>,
) -> Result<I, BoxError> {
    Ok(C::decode(not_null::<DB>(value)?)?.read()?)
}

impl<I: Identifier, DB: Database> Type<DB> for AsText<I>
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

impl<'q, I: Identifier, DB: Database> Encode<'q, DB> for AsText<I>
where
    String: Encode<'q, DB>,
{
    fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxError> {
        self.0.text().to_string().encode(buffer)
    }
}

impl<'r, I: Identifier, DB: Database> Decode<'r, DB> for AsText<I>
where
    String: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxError> {
        Ok(String::decode(not_null::<DB>(value)?)?.parse()?)
    }
}

#[cfg(feature = "sqlx-postgres")]
impl<I: Identifier> sqlx::postgres::PgHasArrayType for AsText<I> {
    fn array_type_info() -> sqlx::postgres::PgTypeInfo {
        String::array_type_info()
    }

    fn array_compatible(info: &sqlx::postgres::PgTypeInfo) -> bool {
        String::array_compatible(info)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! integrate_sqlx {
    ($id:ident, bytes) => {
        $crate::integrate_sqlx!(@ $id, alloc::vec::Vec<u8>);
    };
    ($id:ident, uuid) => {
        $crate::integrate_sqlx!(@ $id, $crate::integrations::dependencies::sqlx::types::Uuid);
    };
    ($id:ident, integer) => {
        $crate::integrate_sqlx!(@ $id, i64);
    };
    (@ $id:ident, $column:ty) => {
        #[cfg(feature = "sqlx")]
        impl<DB: $crate::integrations::dependencies::sqlx::Database>
            $crate::integrations::dependencies::sqlx::Type<DB> for $id
        where
            $column: $crate::integrations::dependencies::sqlx::Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <$column>::type_info()
            }

            fn compatible(info: &DB::TypeInfo) -> bool {
                $crate::integrations::sqlx::compatible::<$column, DB>(info)
            }
        }

        #[cfg(feature = "sqlx")]
        impl<'q, DB: $crate::integrations::dependencies::sqlx::Database>
            $crate::integrations::dependencies::sqlx::Encode<'q, DB> for $id
        where
            $column: $crate::integrations::dependencies::sqlx::Encode<'q, DB>,
        {
            fn encode_by_ref(
                &self,
                buffer: &mut DB::ArgumentBuffer,
            ) -> Result<
                $crate::integrations::dependencies::sqlx::encode::IsNull,
                $crate::integrations::columns::BoxError,
            > {
                $crate::integrations::sqlx::encode::<$column, DB>(self, buffer)
            }
        }

        #[cfg(feature = "sqlx")]
        impl<'r, DB: $crate::integrations::dependencies::sqlx::Database>
            $crate::integrations::dependencies::sqlx::Decode<'r, DB> for $id
        where
            $column: $crate::integrations::dependencies::sqlx::Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<Self, $crate::integrations::columns::BoxError> {
                $crate::integrations::sqlx::decode::<Self, $column, DB>(value)
            }
        }

        #[cfg(feature = "sqlx-postgres")]
        impl $crate::integrations::dependencies::sqlx::postgres::PgHasArrayType for $id {
            fn array_type_info() -> $crate::integrations::dependencies::sqlx::postgres::PgTypeInfo {
                <$column>::array_type_info()
            }
        }
    };
}
