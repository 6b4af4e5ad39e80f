//! `AsExpression`, `ToSql`, `FromSql` and `Queryable`, for PostgreSQL and SQLite.

// The feature `diesel` is for PostgreSQL, whose backend is pure Rust. `diesel-sqlite` links the C library.

use super::columns::wrong_type;
use crate::{AsText, SortableId};
use alloc::{format, string::String};
use diesel::{
    deserialize::{self, FromSql},
    pg::{Pg, PgValue},
    serialize::{self, IsNull, Output, ToSql},
    sql_types::Text,
};
use std::io::Write;

/// A type of PostgreSQL: its name, its OID, and the OID of its array type, which diesel gives for each element of an array.
///
/// The value of a domain has the OID of the base type, except in an array or a record. There, only PostgreSQL knows
/// whether a type beyond the built-in ones is such a domain, or another type whose values have as many bytes.
#[derive(Clone, Copy, Debug)]
pub struct PgType(&'static str, &'static [u32]);

impl PgType {
    pub const BYTES: Self = Self("bytea", &[17, 1001]);
    pub const UUID: Self = Self("uuid", &[2950, 2951]);
    pub const INTEGER: Self = Self("bigint", &[20, 1016]);
    /// `text`, `varchar`, `char`, `name`, and a literal without a type.
    const TEXT: Self = Self("text", &[25, 1009, 1043, 1015, 1042, 1014, 19, 1003, 705]);

    /// Diesel trusts its schema. This function refuses a value of another type, even if it has as many bytes as an ID.
    fn check<I: SortableId>(self, value: PgValue<'_>) -> deserialize::Result<()> {
        let Self(name, oids) = self;
        let found = value.get_oid().get();
        if oids.contains(&found) {
            return Ok(());
        }
        let found = format!("a value of the type with OID {found}: cast it to {name} in the query");
        Err(wrong_type::<I>(&format!("the {name}"), &found))
    }
}

/// In binary form, a `bytea`, a `uuid` and a `bigint` are the bytes of the ID.
pub fn to_pg(id: &impl SortableId, out: &mut Output<'_, '_, Pg>) -> serialize::Result {
    out.write_all(id.as_ref())?;
    Ok(IsNull::No)
}

pub fn from_pg<I: SortableId>(expected: PgType, value: PgValue<'_>) -> deserialize::Result<I> {
    expected.check::<I>(value)?;
    Ok(I::try_from(value.as_bytes())?)
}

/// In SQLite, values have types and columns do not. SQLite converts a value to any requested type: a text that is not an
/// integer becomes `0`. So these functions check the type of each value first.
#[cfg(feature = "diesel-sqlite")]
pub mod sqlite {
    use super::{super::columns::Column, SortableId, String, deserialize, wrong_type};
    use alloc::vec::Vec;
    use diesel::{
        serialize::{IsNull, Output, Result},
        sqlite::{Sqlite, SqliteType, SqliteValue},
    };

    pub trait SqliteColumn: Column {
        fn write<'b>(id: &'b impl SortableId, out: &mut Output<'b, '_, Sqlite>);

        fn read<I: SortableId>(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<I>;
    }

    impl SqliteColumn for Vec<u8> {
        fn write<'b>(id: &'b impl SortableId, out: &mut Output<'b, '_, Sqlite>) {
            out.set_value(id.as_ref());
        }

        fn read<I: SortableId>(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<I> {
            match value.value_type() {
                Some(SqliteType::Binary) => Ok(I::try_from(value.read_blob())?),
                found => Err(wrong_type::<I>("the BLOB", name(found))),
            }
        }
    }

    impl SqliteColumn for i64 {
        fn write<'b>(id: &'b impl SortableId, out: &mut Output<'b, '_, Sqlite>) {
            out.set_value(Self::of(id));
        }

        fn read<I: SortableId>(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<I> {
            match value.value_type() {
                Some(SqliteType::Long) => Ok(Column::read(value.read_long())?),
                found => Err(wrong_type::<I>("the INTEGER", name(found))),
            }
        }
    }

    /// Returns SQLite's name for the type.
    fn name(found: Option<SqliteType>) -> &'static str {
        match found {
            None => "NULL",
            Some(SqliteType::Binary) => "BLOB",
            Some(SqliteType::Text) => "TEXT",
            Some(SqliteType::Float | SqliteType::Double) => "REAL",
            Some(_) => "INTEGER",
        }
    }

    pub fn to_sql<'b, C: SqliteColumn>(id: &'b impl SortableId, out: &mut Output<'b, '_, Sqlite>) -> Result {
        C::write(id, out);
        Ok(IsNull::No)
    }

    pub fn from_sql<I: SortableId, C: SqliteColumn>(
        value: SqliteValue<'_, '_, '_>,
    ) -> deserialize::Result<I> {
        <C as SqliteColumn>::read(value)
    }

    pub(super) fn text<I: SortableId>(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<I> {
        match value.value_type() {
            Some(SqliteType::Text) => Ok(String::from(value.read_text()).parse()?),
            found => Err(wrong_type::<I>("the TEXT", name(found))),
        }
    }
}

impl<I: SortableId> ToSql<Text, Pg> for AsText<I> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.0.encode().as_bytes())?;
        Ok(IsNull::No)
    }
}

impl<I: SortableId> FromSql<Text, Pg> for AsText<I> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        PgType::TEXT.check::<I>(value)?;
        Ok(<String as FromSql<Text, Pg>>::from_sql(value)?.parse()?)
    }
}

#[cfg(feature = "diesel-sqlite")]
impl<I: SortableId> ToSql<Text, diesel::sqlite::Sqlite> for AsText<I> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, diesel::sqlite::Sqlite>) -> serialize::Result {
        out.set_value(String::from(&*self.0.encode()));
        Ok(IsNull::No)
    }
}

#[cfg(feature = "diesel-sqlite")]
impl<I: SortableId> FromSql<Text, diesel::sqlite::Sqlite> for AsText<I> {
    fn from_sql(value: diesel::sqlite::SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        sqlite::text(value).map(Self)
    }
}

/// Implements what `#[derive(AsExpression)]` implements, for a type whose definition does not mention diesel.
#[doc(hidden)]
#[macro_export]
macro_rules! __diesel_expressions {
    ([$($parameters:tt)*] $id:ty, $sql:ty) => {
        $crate::__diesel_expressions!(@as [$($parameters)*] $id, $sql);
        $crate::__diesel_expressions!(@as [$($parameters)*] $id, Nullable<$sql>);

        impl<DB: Backend, $($parameters)*> ToSql<Nullable<$sql>, DB> for $id
        where
            Self: ToSql<$sql, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
                ToSql::<$sql, DB>::to_sql(self, out)
            }
        }
    };
    (@as [$($parameters:tt)*] $id:ty, $sql:ty) => {
        $crate::__diesel_expressions!(@one [$($parameters)*] $id, $sql);
        $crate::__diesel_expressions!(@one ['a, $($parameters)*] &'a $id, $sql);
        $crate::__diesel_expressions!(@one ['a, 'b, $($parameters)*] &'a &'b $id, $sql);
    };
    (@one [$($parameters:tt)*] $id:ty, $sql:ty) => {
        impl<$($parameters)*> AsExpression<$sql> for $id {
            type Expression = Bound<$sql, Self>;

            fn as_expression(self) -> Self::Expression {
                Bound::new(self)
            }
        }
    };
}

/// Implements what `#[derive(FromSqlRow)]` implements.
#[doc(hidden)]
#[macro_export]
macro_rules! __diesel_queryable {
    ([$($parameters:tt)*] $id:ty) => {
        impl<DB: Backend, ST: SingleValue, $($parameters)*> Queryable<ST, DB> for $id
        where
            Self: FromSql<ST, DB>,
        {
            type Row = Self;

            fn build(row: Self) -> deserialize::Result<Self> {
                Ok(row)
            }
        }
    };
}

const _: () = {
    use diesel::{
        backend::Backend,
        deserialize::Queryable,
        expression::AsExpression,
        internal::derives::as_expression::Bound,
        sql_types::{Nullable, SingleValue},
    };

    crate::__diesel_expressions!([I: SortableId] AsText<I>, Text);
    crate::__diesel_queryable!([I: SortableId] AsText<I>);
};

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_diesel {
    ([$($cfg:tt)*] $id:ident, bytes) => {
        $crate::__integrate_diesel!(@ [$($cfg)*] $id, [Binary], Binary, BYTES);
    };
    ([$($cfg:tt)*] $id:ident, uuid) => {
        $crate::__integrate_diesel!(@ [$($cfg)*] $id, [Binary, Uuid], Uuid, UUID);
    };
    ([$($cfg:tt)*] $id:ident, integer) => {
        $crate::__integrate_diesel!(@ [$($cfg)*] $id, [BigInt], BigInt, INTEGER);
    };
    (@ [$($cfg:tt)*] $id:ident, [$($sql:ident),*], $pg:ident, $pg_type:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::diesel::{
                    backend::Backend,
                    deserialize::{self, FromSql, Queryable},
                    expression::AsExpression,
                    internal::derives::as_expression::Bound,
                    pg::{Pg, PgValue},
                    serialize::{self, Output, ToSql},
                    sql_types::{self, Nullable, SingleValue},
                },
                integrations::diesel::{PgType, from_pg, to_pg},
                prelude::*,
            };

            $($crate::__diesel_expressions!([] $id, sql_types::$sql);)*
            $crate::__diesel_queryable!([] $id);

            impl ToSql<sql_types::$pg, Pg> for $id {
                fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
                    to_pg(self, out)
                }
            }

            impl FromSql<sql_types::$pg, Pg> for $id {
                fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
                    from_pg(PgType::$pg_type, value)
                }
            }
        };
    };
}

#[cfg(feature = "diesel-sqlite")]
#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_diesel_sqlite {
    ([$($cfg:tt)*] $id:ident, bytes) => {
        $crate::__integrate_diesel_sqlite!(@ [$($cfg)*] $id, Binary, Vec<u8>);
    };
    ([$($cfg:tt)*] $id:ident, uuid) => {
        $crate::__integrate_diesel_sqlite!(@ [$($cfg)*] $id, Binary, Vec<u8>);
    };
    ([$($cfg:tt)*] $id:ident, integer) => {
        $crate::__integrate_diesel_sqlite!(@ [$($cfg)*] $id, BigInt, i64);
    };
    (@ [$($cfg:tt)*] $id:ident, $sqlite:ident, $column:ty) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                alloc::vec::Vec,
                dependencies::diesel::{
                    deserialize::{self, FromSql},
                    serialize::{self, Output, ToSql},
                    sql_types,
                    sqlite::{Sqlite, SqliteValue},
                },
                integrations::diesel::sqlite::{from_sql, to_sql},
                prelude::*,
            };

            impl ToSql<sql_types::$sqlite, Sqlite> for $id {
                fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
                    to_sql::<$column>(self, out)
                }
            }

            impl FromSql<sql_types::$sqlite, Sqlite> for $id {
                fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
                    from_sql::<Self, $column>(value)
                }
            }
        };
    };
}
