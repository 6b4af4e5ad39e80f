//! `JsonSchema`: a string with the lengths and the pattern of the ID's text, or the schema of a form of serde.

use super::{
    Texts,
    shape::{Kind, Shape},
};
use crate::{AsText, SortableId};
use alloc::{borrow::Cow, vec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

#[must_use]
pub fn schema<I: Texts>() -> Schema {
    of(Shape::of_id::<I>())
}

fn of(shape: Shape) -> Schema {
    let mut types = match shape.kind {
        Kind::Text { .. } => vec!["string"],
        Kind::Integer => vec!["integer"],
        Kind::IntegerOrDigits => vec!["integer", "string"],
        Kind::Bytes(_) => vec!["array"],
    };
    if shape.is_nullable {
        types.push("null");
    }
    let mut schema = json_schema!({ "description": shape.description });
    match types[..] {
        [one] => schema.insert("type".into(), one.into()),
        _ => schema.insert("type".into(), types.into()),
    };
    match &shape.kind {
        Kind::Text { lengths, format, .. } => {
            if let Some(lengths) = lengths {
                schema.insert("minLength".into(), (*lengths.start()).into());
                schema.insert("maxLength".into(), (*lengths.end()).into());
            }
            if let Some(format) = format {
                schema.insert("format".into(), (*format).into());
            }
        }
        Kind::Integer => {
            schema.insert("format".into(), "int64".into());
            schema.insert("minimum".into(), 0.into());
        }
        Kind::IntegerOrDigits => {
            schema.insert("minimum".into(), 0.into());
        }
        Kind::Bytes(count) => {
            let byte = json_schema!({ "type": "integer", "minimum": 0, "maximum": 255 });
            schema.insert("items".into(), byte.into());
            if let Some(count) = *count {
                schema.insert("minItems".into(), count.into());
                schema.insert("maxItems".into(), count.into());
            }
        }
    }
    if let Some(pattern) = shape.kind.pattern() {
        schema.insert("pattern".into(), pattern.into());
    }
    schema
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

#[cfg(feature = "serde")]
impl<F: super::shape::Shaped, T: super::shape::Subject> JsonSchema for crate::serde::Form<F, T> {
    // The names of two IDs may be the same, in different modules.
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        F::NAME.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        of(F::shape::<T>())
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_schemars {
    ([$($cfg:tt)*] $id:ident) => {
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
                    schema::<Self>()
                }
            }
        };
    };
}
