//! `AsExpression`, `ToSql`, `FromSql` and `Queryable`, for PostgreSQL and SQLite.

use super::{Identifier, columns::wrong_type};
use crate::AsText;
use alloc::{format, string::String};
use diesel::{
    deserialize::{self, FromSql},
    pg::{Pg, PgValue},
    serialize::{self, IsNull, Output, ToSql},
    sql_types::Text,
};
use std::io::Write;

/// A type of PostgreSQL: its name, its number, and that of its array.
#[derive(Clone, Copy, Debug)]
pub struct PgType(&'static str, [u32; 2]);

impl PgType {
    pub const BYTES: Self = Self("bytea", [17, 1001]);
    pub const UUID: Self = Self("uuid", [2950, 2951]);
    pub const INTEGER: Self = Self("bigint", [20, 1016]);
}

/// The number of an anonymous record, and the first of types that users define. Within such a type, the number is
/// that of the whole, and so it is in an array.
const RECORD: u32 = 2249;
const FIRST_OF_USERS: u32 = 16_384;

/// In binary form, bytes, a UUID and an integer are all the bytes of the ID.
pub fn to_pg(id: &impl Identifier, out: &mut Output<'_, '_, Pg>) -> serialize::Result {
    out.write_all(id.as_ref())?;
    Ok(IsNull::No)
}

/// Diesel believes the schema that it was given. Where the column's type is another, its bytes are no ID, even if they
/// are as many.
pub fn from_pg<I: Identifier>(expected: PgType, value: PgValue<'_>) -> deserialize::Result<I> {
    let found = value.get_oid().get();
    if expected.1.contains(&found) || found == RECORD || found >= FIRST_OF_USERS {
        Ok(I::try_from(value.as_bytes())?)
    } else {
        Err(wrong_type::<I>(&format!("the {}", expected.0), &format!("a value of the type with OID {found}")))
    }
}

/// SQLite has no types of columns, but of values, and turns each into whatever it is asked for: `0` where a text is no
/// integer.
#[cfg(feature = "diesel-sqlite")]
pub mod sqlite {
    use super::{super::columns::Column, Identifier, String, deserialize, wrong_type};
    use alloc::vec::Vec;
    use diesel::{
        serialize::{IsNull, Output, Result},
        sqlite::{Sqlite, SqliteType, SqliteValue},
    };

    pub trait SqliteColumn: Column {
        fn write<'b>(id: &'b impl Identifier, out: &mut Output<'b, '_, Sqlite>);

        fn read<I: Identifier>(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<I>;
    }

    impl SqliteColumn for Vec<u8> {
        fn write<'b>(id: &'b impl Identifier, out: &mut Output<'b, '_, Sqlite>) {
            out.set_value(id.as_ref());
        }

        fn read<I: Identifier>(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<I> {
            match value.value_type() {
                Some(SqliteType::Binary) => Ok(I::try_from(value.read_blob())?),
                found => Err(wrong_type::<I>("the BLOB", name(found))),
            }
        }
    }

    impl SqliteColumn for i64 {
        fn write<'b>(id: &'b impl Identifier, out: &mut Output<'b, '_, Sqlite>) {
            out.set_value(Self::of(id));
        }

        fn read<I: Identifier>(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<I> {
            match value.value_type() {
                Some(SqliteType::Long) => Ok(Column::read(value.read_long())?),
                found => Err(wrong_type::<I>("the INTEGER", name(found))),
            }
        }
    }

    /// SQLite's name for the type.
    fn name(found: Option<SqliteType>) -> &'static str {
        match found {
            None => "NULL",
            Some(SqliteType::Binary) => "BLOB",
            Some(SqliteType::Text) => "TEXT",
            Some(SqliteType::Float | SqliteType::Double) => "REAL",
            Some(_) => "INTEGER",
        }
    }

    pub fn to_sql<'b, C: SqliteColumn>(id: &'b impl Identifier, out: &mut Output<'b, '_, Sqlite>) -> Result {
        C::write(id, out);
        Ok(IsNull::No)
    }

    pub fn from_sql<I: Identifier, C: SqliteColumn>(
        value: SqliteValue<'_, '_, '_>,
    ) -> deserialize::Result<I> {
        <C as SqliteColumn>::read(value)
    }

    pub(super) fn text<I: Identifier>(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<I> {
        match value.value_type() {
            Some(SqliteType::Text) => Ok(String::from(value.read_text()).parse()?),
            found => Err(wrong_type::<I>("the TEXT", name(found))),
        }
    }
}

impl<I: Identifier> ToSql<Text, Pg> for AsText<I> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.0.text().as_bytes())?;
        Ok(IsNull::No)
    }
}

impl<I: Identifier> FromSql<Text, Pg> for AsText<I> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(<String as FromSql<Text, Pg>>::from_sql(value)?.parse()?)
    }
}

#[cfg(feature = "diesel-sqlite")]
impl<I: Identifier> ToSql<Text, diesel::sqlite::Sqlite> for AsText<I> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, diesel::sqlite::Sqlite>) -> serialize::Result {
        out.set_value(String::from(&*self.0.text()));
        Ok(IsNull::No)
    }
}

#[cfg(feature = "diesel-sqlite")]
impl<I: Identifier> FromSql<Text, diesel::sqlite::Sqlite> for AsText<I> {
    fn from_sql(value: diesel::sqlite::SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        sqlite::text(value).map(Self)
    }
}

/// What `#[derive(AsExpression)]` would implement, for a type that is defined without diesel.
#[doc(hidden)]
#[macro_export]
macro_rules! diesel_expressions {
    ([$($parameters:tt)*] $id:ty, $sql:ty) => {
        $crate::diesel_expressions!(@ [$($parameters)*] $id, $sql, $sql);
        $crate::diesel_expressions!(
            @ [$($parameters)*] $id, $sql, $crate::integrations::dependencies::diesel::sql_types::Nullable<$sql>
        );

        #[cfg(feature = "diesel")]
        impl<DB, $($parameters)*> $crate::integrations::dependencies::diesel::serialize::ToSql<
            $crate::integrations::dependencies::diesel::sql_types::Nullable<$sql>, DB
        > for $id
        where
            DB: $crate::integrations::dependencies::diesel::backend::Backend,
            Self: $crate::integrations::dependencies::diesel::serialize::ToSql<$sql, DB>,
        {
            fn to_sql<'b>(
                &'b self,
                out: &mut $crate::integrations::dependencies::diesel::serialize::Output<'b, '_, DB>,
            ) -> $crate::integrations::dependencies::diesel::serialize::Result {
                $crate::integrations::dependencies::diesel::serialize::ToSql::<$sql, DB>::to_sql(self, out)
            }
        }
    };
    (@ [$($parameters:tt)*] $id:ty, $sql:ty, $as:ty) => {
        $crate::diesel_expressions!(@@ [$($parameters)*] $id, $as);
        $crate::diesel_expressions!(@@ ['a, $($parameters)*] &'a $id, $as);
        $crate::diesel_expressions!(@@ ['a, 'b, $($parameters)*] &'a &'b $id, $as);
    };
    (@@ [$($parameters:tt)*] $id:ty, $as:ty) => {
        #[cfg(feature = "diesel")]
        impl<$($parameters)*> $crate::integrations::dependencies::diesel::expression::AsExpression<$as> for $id {
            type Expression =
                $crate::integrations::dependencies::diesel::internal::derives::as_expression::Bound<$as, Self>;

            fn as_expression(self) -> Self::Expression {
                $crate::integrations::dependencies::diesel::internal::derives::as_expression::Bound::new(self)
            }
        }
    };
}

/// What `#[derive(FromSqlRow)]` would implement.
#[doc(hidden)]
#[macro_export]
macro_rules! diesel_queryable {
    ([$($parameters:tt)*] $id:ty) => {
        #[cfg(feature = "diesel")]
        impl<DB, ST, $($parameters)*> $crate::integrations::dependencies::diesel::deserialize::Queryable<ST, DB>
            for $id
        where
            DB: $crate::integrations::dependencies::diesel::backend::Backend,
            ST: $crate::integrations::dependencies::diesel::sql_types::SingleValue,
            Self: $crate::integrations::dependencies::diesel::deserialize::FromSql<ST, DB>,
        {
            type Row = Self;

            fn build(row: Self) -> $crate::integrations::dependencies::diesel::deserialize::Result<Self> {
                Ok(row)
            }
        }
    };
}

crate::diesel_expressions!([I: Identifier] AsText<I>, Text);
crate::diesel_queryable!([I: Identifier] AsText<I>);

#[doc(hidden)]
#[macro_export]
macro_rules! integrate_diesel {
    ($id:ident, bytes) => {
        $crate::integrate_diesel!(@pg $id, Binary, BYTES);
        $crate::integrate_diesel!(@sqlite $id, Binary, alloc::vec::Vec<u8>);
        $crate::integrate_diesel!(@expressions $id, Binary);
    };
    ($id:ident, uuid) => {
        $crate::integrate_diesel!(@pg $id, Uuid, UUID);
        $crate::integrate_diesel!(@sqlite $id, Binary, alloc::vec::Vec<u8>);
        $crate::integrate_diesel!(@expressions $id, Binary, Uuid);
    };
    ($id:ident, integer) => {
        $crate::integrate_diesel!(@pg $id, BigInt, INTEGER);
        $crate::integrate_diesel!(@sqlite $id, BigInt, i64);
        $crate::integrate_diesel!(@expressions $id, BigInt);
    };
    (@expressions $id:ident, $($sql:ident),*) => {
        $($crate::diesel_expressions!(
            [] $id, $crate::integrations::dependencies::diesel::sql_types::$sql
        );)*
        $crate::diesel_queryable!([] $id);
    };
    (@pg $id:ident, $sql:ident, $type:ident) => {
        #[cfg(feature = "diesel")]
        impl $crate::integrations::dependencies::diesel::serialize::ToSql<
            $crate::integrations::dependencies::diesel::sql_types::$sql,
            $crate::integrations::dependencies::diesel::pg::Pg,
        > for $id {
            fn to_sql<'b>(
                &'b self,
                out: &mut $crate::integrations::dependencies::diesel::serialize::Output<
                    'b, '_, $crate::integrations::dependencies::diesel::pg::Pg,
                >,
            ) -> $crate::integrations::dependencies::diesel::serialize::Result {
                $crate::integrations::diesel::to_pg(self, out)
            }
        }

        #[cfg(feature = "diesel")]
        impl $crate::integrations::dependencies::diesel::deserialize::FromSql<
            $crate::integrations::dependencies::diesel::sql_types::$sql,
            $crate::integrations::dependencies::diesel::pg::Pg,
        > for $id {
            fn from_sql(
                value: $crate::integrations::dependencies::diesel::pg::PgValue<'_>,
            ) -> $crate::integrations::dependencies::diesel::deserialize::Result<Self> {
                $crate::integrations::diesel::from_pg($crate::integrations::diesel::PgType::$type, value)
            }
        }
    };
    (@sqlite $id:ident, $sql:ident, $column:ty) => {
        #[cfg(feature = "diesel-sqlite")]
        impl $crate::integrations::dependencies::diesel::serialize::ToSql<
            $crate::integrations::dependencies::diesel::sql_types::$sql,
            $crate::integrations::dependencies::diesel::sqlite::Sqlite,
        > for $id {
            fn to_sql<'b>(
                &'b self,
                out: &mut $crate::integrations::dependencies::diesel::serialize::Output<
                    'b, '_, $crate::integrations::dependencies::diesel::sqlite::Sqlite,
                >,
            ) -> $crate::integrations::dependencies::diesel::serialize::Result {
                $crate::integrations::diesel::sqlite::to_sql::<$column>(self, out)
            }
        }

        #[cfg(feature = "diesel-sqlite")]
        impl $crate::integrations::dependencies::diesel::deserialize::FromSql<
            $crate::integrations::dependencies::diesel::sql_types::$sql,
            $crate::integrations::dependencies::diesel::sqlite::Sqlite,
        > for $id {
            fn from_sql(
                value: $crate::integrations::dependencies::diesel::sqlite::SqliteValue<'_, '_, '_>,
            ) -> $crate::integrations::dependencies::diesel::deserialize::Result<Self> {
                $crate::integrations::diesel::sqlite::from_sql::<Self, $column>(value)
            }
        }
    };
}
