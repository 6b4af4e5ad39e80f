//! `JsonSchema`: a string with the lengths and the pattern of the ID's text.

use super::Identifier;
use crate::AsText;
use alloc::{borrow::Cow, format};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

#[must_use]
pub fn schema<I: Identifier>() -> Schema {
    json_schema!({
        "description": format!("{} as text", I::NAME),
        "type": "string",
        "minLength": *I::TEXT_LEN.start(),
        "maxLength": *I::TEXT_LEN.end(),
        "pattern": I::PATTERN,
    })
}

impl<I: Identifier + JsonSchema> JsonSchema for AsText<I> {
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
macro_rules! integrate_schemars {
    ($id:ident) => {
        #[cfg(feature = "schemars")]
        impl $crate::integrations::dependencies::schemars::JsonSchema for $id {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($id).into()
            }

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($id)).into()
            }

            fn json_schema(
                _: &mut $crate::integrations::dependencies::schemars::SchemaGenerator,
            ) -> $crate::integrations::dependencies::schemars::Schema {
                $crate::integrations::schemars::schema::<Self>()
            }
        }
    };
}
