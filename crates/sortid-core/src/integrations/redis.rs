//! `ToRedisArgs` and `FromRedisValue`: the text, in keys, members and values.
//!
//! Redis has no types of columns, and people read its keys, so an ID is its text. Bytes are refused: the 16
//! characters of a RON UID can be the bytes of another UID.

use super::one;
use crate::SortableId;
use alloc::{format, string::ToString};
use redis::{ParsingError, RedisWrite, Value};

pub fn write<W: RedisWrite + ?Sized>(id: &impl SortableId, out: &mut W) {
    out.write_arg(id.encode().as_bytes());
}

pub fn read<I: SortableId>(mut value: &Value) -> Result<I, ParsingError> {
    while let Value::Attribute { data, .. } = value {
        value = data;
    }
    let text = match value {
        Value::BulkString(bytes) => bytes.as_slice(),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => text.as_bytes(),
        other => return Err(format!("expected the text of {}, found {}", one::<I>(), name(other)).into()),
    };
    I::parse_ascii(text).map_err(|error| error.to_string().into())
}

/// Returns the name of the type of a value that is not a text.
fn name(value: &Value) -> &'static str {
    match value {
        Value::Nil => "nil",
        Value::Int(_) | Value::BigNumber(_) => "an integer",
        Value::Double(_) => "a double",
        Value::Boolean(_) => "a boolean",
        Value::Okay => "the status OK",
        Value::ServerError(_) => "an error of the server",
        _ => "a collection",
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_redis {
    ([$($cfg:tt)*] $id:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::redis::{
                    FromRedisValue, ParsingError, RedisWrite, ToRedisArgs, ToSingleRedisArg, Value,
                },
                integrations::redis::{read, write},
                prelude::*,
            };

            impl ToRedisArgs for $id {
                fn write_redis_args<W: RedisWrite + ?Sized>(&self, out: &mut W) {
                    write(self, out);
                }
            }

            impl ToSingleRedisArg for $id {}

            impl FromRedisValue for $id {
                fn from_redis_value_ref(value: &Value) -> Result<Self, ParsingError> {
                    read(value)
                }

                fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
                    read(&value)
                }
            }
        };
    };
}
