//! `ToSql` and `FromSql`. In binary form, bytes, a UUID and an integer are all the bytes of the ID.

use super::Identifier;
use crate::AsText;
use alloc::boxed::Box;
use core::error::Error;
use postgres_types::{FromSql, IsNull, ToSql, Type, WrongType, private::BytesMut};

pub type Result<T> = core::result::Result<T, Box<dyn Error + Sync + Send>>;

pub fn to_sql(id: &impl Identifier, out: &mut BytesMut) -> Result<IsNull> {
    out.extend_from_slice(id.as_ref());
    Ok(IsNull::No)
}

/// What the library's macro of this name does, which asks for the prelude of std.
pub fn to_sql_checked<T: ToSql>(value: &T, ty: &Type, out: &mut BytesMut) -> Result<IsNull> {
    if T::accepts(ty) { value.to_sql(ty, out) } else { Err(Box::new(WrongType::new::<T>(ty.clone()))) }
}

pub fn from_sql<I: Identifier>(raw: &[u8]) -> Result<I> {
    Ok(I::try_from(raw)?)
}

impl<I: Identifier> ToSql for AsText<I> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull> {
        (&*self.0.text()).to_sql(ty, out)
    }

    fn accepts(ty: &Type) -> bool {
        <&str as ToSql>::accepts(ty)
    }

    fn to_sql_checked(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull> {
        to_sql_checked(self, ty, out)
    }
}

impl<'a, I: Identifier> FromSql<'a> for AsText<I> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self> {
        Ok(<&str>::from_sql(ty, raw)?.parse()?)
    }

    fn accepts(ty: &Type) -> bool {
        <&str as FromSql<'_>>::accepts(ty)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! integrate_postgres_types {
    ($id:ident, bytes) => {
        $crate::integrate_postgres_types!(@ $id, BYTEA);
    };
    ($id:ident, uuid) => {
        $crate::integrate_postgres_types!(@ $id, UUID);
    };
    ($id:ident, integer) => {
        $crate::integrate_postgres_types!(@ $id, INT8);
    };
    (@ $id:ident, $type:ident) => {
        #[cfg(feature = "postgres-types")]
        impl $crate::integrations::dependencies::postgres_types::ToSql for $id {
            fn to_sql(
                &self,
                _: &$crate::integrations::dependencies::postgres_types::Type,
                out: &mut $crate::integrations::dependencies::postgres_types::private::BytesMut,
            ) -> $crate::integrations::postgres_types::Result<
                $crate::integrations::dependencies::postgres_types::IsNull,
            > {
                $crate::integrations::postgres_types::to_sql(self, out)
            }

            $crate::integrations::dependencies::postgres_types::accepts!($type);

            fn to_sql_checked(
                &self,
                ty: &$crate::integrations::dependencies::postgres_types::Type,
                out: &mut $crate::integrations::dependencies::postgres_types::private::BytesMut,
            ) -> $crate::integrations::postgres_types::Result<
                $crate::integrations::dependencies::postgres_types::IsNull,
            > {
                $crate::integrations::postgres_types::to_sql_checked(self, ty, out)
            }
        }

        #[cfg(feature = "postgres-types")]
        impl<'a> $crate::integrations::dependencies::postgres_types::FromSql<'a> for $id {
            fn from_sql(
                _: &$crate::integrations::dependencies::postgres_types::Type,
                raw: &'a [u8],
            ) -> $crate::integrations::postgres_types::Result<Self> {
                $crate::integrations::postgres_types::from_sql(raw)
            }

            $crate::integrations::dependencies::postgres_types::accepts!($type);
        }
    };
}
