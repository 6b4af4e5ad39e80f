//! `ToSchema`: a string with the lengths and the pattern of the ID's text, as in [`schemars`](super::schemars).

use crate::{AsText, SortableId};
use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::ops::RangeInclusive;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, Type},
    },
};

#[must_use]
pub fn schema<I: SortableId>(lengths: &RangeInclusive<usize>, pattern: &str) -> RefOr<Schema> {
    ObjectBuilder::new()
        .description(Some(format!("{} as text", I::TITLE)))
        .schema_type(Type::String)
        .min_length(Some(*lengths.start()))
        .max_length(Some(*lengths.end()))
        .pattern(Some(pattern))
        .into()
}

impl<I: PartialSchema> PartialSchema for AsText<I> {
    fn schema() -> RefOr<Schema> {
        I::schema()
    }
}

impl<I: ToSchema> ToSchema for AsText<I> {
    fn name() -> Cow<'static, str> {
        I::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        I::schemas(schemas);
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_utoipa {
    ([$($cfg:tt)*] $id:ident, $lengths:expr, $pattern:expr) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                alloc::borrow::Cow,
                dependencies::utoipa::{
                    PartialSchema, ToSchema,
                    openapi::{RefOr, schema::Schema},
                },
                integrations::utoipa::schema,
                prelude::*,
            };

            impl PartialSchema for $id {
                fn schema() -> RefOr<Schema> {
                    schema::<Self>(&$lengths, $pattern)
                }
            }

            impl ToSchema for $id {
                fn name() -> Cow<'static, str> {
                    Cow::Borrowed(stringify!($id))
                }
            }
        };
    };
}
