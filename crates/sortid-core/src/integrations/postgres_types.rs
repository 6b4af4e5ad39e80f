//! `ToSql` and `FromSql`. In binary form, a `bytea`, a `uuid` and a `bigint` are the bytes of the ID.

use crate::{AsText, SortableId};
use alloc::boxed::Box;
use core::error::Error;
use postgres_types::{FromSql, IsNull, ToSql, Type, WrongType, private::BytesMut};

pub type Result<T> = core::result::Result<T, Box<dyn Error + Sync + Send>>;

pub fn to_sql(id: &impl SortableId, out: &mut BytesMut) -> Result<IsNull> {
    out.extend_from_slice(id.as_ref());
    Ok(IsNull::No)
}

/// Does the same as the library's macro of this name, which needs the prelude of std.
pub fn to_sql_checked<T: ToSql>(value: &T, ty: &Type, out: &mut BytesMut) -> Result<IsNull> {
    if T::accepts(ty) { value.to_sql(ty, out) } else { Err(Box::new(WrongType::new::<T>(ty.clone()))) }
}

pub fn from_sql<I: SortableId>(raw: &[u8]) -> Result<I> {
    Ok(I::try_from(raw)?)
}

impl<I: SortableId> ToSql for AsText<I> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull> {
        (&*self.0.encode()).to_sql(ty, out)
    }

    fn accepts(ty: &Type) -> bool {
        <&str as ToSql>::accepts(ty)
    }

    fn to_sql_checked(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull> {
        to_sql_checked(self, ty, out)
    }
}

impl<'a, I: SortableId> FromSql<'a> for AsText<I> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self> {
        Ok(<&str>::from_sql(ty, raw)?.parse()?)
    }

    fn accepts(ty: &Type) -> bool {
        <&str as FromSql<'_>>::accepts(ty)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_postgres_types {
    ([$($cfg:tt)*] $id:ident, bytes) => {
        $crate::__integrate_postgres_types!(@ [$($cfg)*] $id, BYTEA);
    };
    ([$($cfg:tt)*] $id:ident, uuid) => {
        $crate::__integrate_postgres_types!(@ [$($cfg)*] $id, UUID);
    };
    ([$($cfg:tt)*] $id:ident, integer) => {
        $crate::__integrate_postgres_types!(@ [$($cfg)*] $id, INT8);
    };
    (@ [$($cfg:tt)*] $id:ident, $type:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::postgres_types::{FromSql, IsNull, ToSql, Type, accepts, private::BytesMut},
                integrations::postgres_types::{Result, from_sql, to_sql, to_sql_checked},
                prelude::*,
            };

            impl ToSql for $id {
                fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull> {
                    to_sql(self, out)
                }

                accepts!($type);

                fn to_sql_checked(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull> {
                    to_sql_checked(self, ty, out)
                }
            }

            impl<'a> FromSql<'a> for $id {
                fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self> {
                    from_sql(raw)
                }

                accepts!($type);
            }
        };
    };
}
