//! `FromValue`, and conversions into `Value`, for `mysql` and `mysql_async`.
//!
//! A value does not contain the type of its column. So a text with as many bytes as an ID is read as the bytes of an
//! ID, as the library itself reads UUIDs. The text protocol sends integers as text, so they are read from their
//! canonical text.

// The version is 0.37, because `mysql` and `mysql_async` depend on it. The newer 0.38 would serve neither.

use super::columns::Column;
use crate::{AsText, SortableId};
use alloc::{string::ToString, vec::Vec};
use mysql_common::value::{
    Value,
    convert::{FromValue, FromValueError},
};

/// The value of an ID in a MySQL column.
pub trait MysqlColumn: Column + Into<Value> {
    fn of_value(value: &Value) -> Option<Self>;
}

impl MysqlColumn for Vec<u8> {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }
}

impl MysqlColumn for i64 {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(int) => Some(*int),
            Value::UInt(int) => Self::try_from(*int).ok(),
            Value::Bytes(text) => {
                let int: Self = core::str::from_utf8(text).ok()?.parse().ok()?;
                (int.to_string().as_bytes() == text).then_some(int)
            }
            _ => None,
        }
    }
}

/// What can be read from a value.
pub trait FromMysql: Sized {
    fn from_mysql(value: &Value) -> Option<Self>;
}

#[must_use]
pub fn from_mysql<I: SortableId, C: MysqlColumn>(value: &Value) -> Option<I> {
    C::of_value(value)?.read().ok()
}

/// What was read, and from which value. The library returns the value to its row if another column cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Intermediate<T> {
    pub read: T,
    value: Value,
}

impl<T: FromMysql> TryFrom<Value> for Intermediate<T> {
    type Error = FromValueError;

    fn try_from(value: Value) -> Result<Self, FromValueError> {
        match T::from_mysql(&value) {
            Some(read) => Ok(Self { read, value }),
            None => Err(FromValueError(value)),
        }
    }
}

impl<T> From<Intermediate<T>> for Value {
    fn from(intermediate: Intermediate<T>) -> Self {
        intermediate.value
    }
}

impl<I: SortableId> From<AsText<I>> for Value {
    fn from(text: AsText<I>) -> Self {
        Self::from(text.0.encode().as_bytes())
    }
}

impl<I: SortableId> FromMysql for AsText<I> {
    fn from_mysql(value: &Value) -> Option<Self> {
        match value {
            Value::Bytes(text) => I::parse_ascii(text).ok().map(Self),
            _ => None,
        }
    }
}

impl<I> From<Intermediate<Self>> for AsText<I> {
    fn from(intermediate: Intermediate<Self>) -> Self {
        intermediate.read
    }
}

impl<I: SortableId> FromValue for AsText<I> {
    type Intermediate = Intermediate<Self>;
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_mysql_common {
    ([$($cfg:tt)*] $id:ident, bytes) => {
        $crate::__integrate_mysql_common!(@ [$($cfg)*] $id, $crate::__private::alloc::vec::Vec<u8>);
    };
    ([$($cfg:tt)*] $id:ident, uuid) => {
        $crate::__integrate_mysql_common!(@ [$($cfg)*] $id, $crate::__private::alloc::vec::Vec<u8>);
    };
    ([$($cfg:tt)*] $id:ident, integer) => {
        $crate::__integrate_mysql_common!(@ [$($cfg)*] $id, i64);
    };
    (@ [$($cfg:tt)*] $id:ident, $column:ty) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::mysql_common::value::{Value, convert::FromValue},
                integrations::{
                    columns::Column,
                    mysql_common::{FromMysql, Intermediate, from_mysql},
                },
                prelude::*,
            };

            impl FromMysql for $id {
                fn from_mysql(value: &Value) -> Option<Self> {
                    from_mysql::<Self, $column>(value)
                }
            }

            impl From<$id> for Value {
                fn from(id: $id) -> Self {
                    <$column as Column>::of(&id).into()
                }
            }

            impl From<Intermediate<Self>> for $id {
                fn from(intermediate: Intermediate<Self>) -> Self {
                    intermediate.read
                }
            }

            impl FromValue for $id {
                type Intermediate = Intermediate<Self>;
            }
        };
    };
}
