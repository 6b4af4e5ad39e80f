//! `ToSchema`: a string with the lengths and the pattern of the ID's text, the same as for `schemars`.
//!
//! `AsText` does not implement it, because the derives of utoipa accept a generic type only if it implements a
//! private trait of theirs. `#[schema(value_type = …)]` on a field names the ID type.

use super::with_prefix;
use crate::SortableId;
use alloc::format;
use core::ops::RangeInclusive;
use utoipa::openapi::{
    RefOr,
    schema::{ObjectBuilder, Schema, Type},
};

#[must_use]
pub fn schema<I: SortableId>(prefix: &str, lengths: &RangeInclusive<usize>, pattern: &str) -> RefOr<Schema> {
    let (least, greatest, pattern) = with_prefix(prefix, lengths, pattern);
    ObjectBuilder::new()
        .description(Some(format!("{} as text", I::TITLE)))
        .schema_type(Type::String)
        .min_length(Some(least))
        .max_length(Some(greatest))
        .pattern(Some(pattern))
        .into()
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_utoipa {
    ([$($cfg:tt)*] $id:ident, $prefix:expr, $lengths:expr, $pattern:expr) => {
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
                    schema::<Self>($prefix, &$lengths, $pattern)
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
