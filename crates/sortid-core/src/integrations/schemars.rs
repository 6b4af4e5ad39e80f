//! `JsonSchema`: a string with the lengths and the pattern of the ID's text.

use super::with_prefix;
use crate::{AsText, SortableId};
use alloc::{borrow::Cow, format};
use core::ops::RangeInclusive;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

#[must_use]
pub fn schema<I: SortableId>(prefix: &str, lengths: &RangeInclusive<usize>, pattern: &str) -> Schema {
    let (least, greatest, pattern) = with_prefix(prefix, lengths, pattern);
    json_schema!({
        "description": format!("{} as text", I::TITLE),
        "type": "string",
        "minLength": least,
        "maxLength": greatest,
        "pattern": pattern,
    })
}

impl<I: SortableId + JsonSchema> JsonSchema for AsText<I> {
    fn schema_name() -> Cow<'static, str> {
        I::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        I::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        I::json_schema(generator)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_schemars {
    ([$($cfg:tt)*] $id:ident, $prefix:expr, $lengths:expr, $pattern:expr) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                alloc::borrow::Cow,
                dependencies::schemars::{JsonSchema, Schema, SchemaGenerator},
                integrations::schemars::schema,
                prelude::*,
            };

            impl JsonSchema for $id {
                fn schema_name() -> Cow<'static, str> {
                    stringify!($id).into()
                }

                fn schema_id() -> Cow<'static, str> {
                    concat!(module_path!(), "::", stringify!($id)).into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    schema::<Self>($prefix, &$lengths, $pattern)
                }
            }
        };
    };
}
