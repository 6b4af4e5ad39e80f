//! `ToSchema` of each version of utoipa: a string with the lengths and the pattern of the ID's text, or the schema of a form
//! of serde, the same as for `schemars`.

// `__dev::ComposeSchema` is what the derives ask of a generic type, in their output in the crate of the user.

/// Writes the module of a version, and its macro.
// rustfmt would indent the inner macro further each time.
#[rustfmt::skip]
macro_rules! version {
    ($dollar:tt $feature:literal $library:ident $macro:ident) => {
        #[cfg(feature = $feature)]
        pub mod $library {
            use crate::{
                AsText, SortableId,
                integrations::{
                    Texts,
                    shape::{Kind, Shape},
                },
            };
            use alloc::{borrow::Cow, string::ToString, vec::Vec};
            use $library::{
                __dev::ComposeSchema,
                ToSchema,
                openapi::{
                    RefOr,
                    schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type},
                },
            };

            #[must_use]
            pub fn schema<I: Texts>() -> RefOr<Schema> {
                of(Shape::of_id::<I>())
            }

            fn of(shape: Shape) -> RefOr<Schema> {
                let object = ObjectBuilder::new().description(Some(shape.description.clone()));
                let types: &[Type] = match shape.kind {
                    Kind::Text { .. } => &[Type::String],
                    Kind::Integer => &[Type::Integer],
                    Kind::IntegerOrDigits => &[Type::Integer, Type::String],
                    Kind::Bytes(_) => &[Type::Array],
                };
                let types = types.iter().cloned().chain(shape.is_nullable.then_some(Type::Null));
                let types: SchemaType = match types.collect::<Vec<_>>() {
                    one if one.len() == 1 => one[0].clone().into(),
                    types => types.into_iter().collect(),
                };
                match shape.kind {
                    Kind::Text { lengths, pattern, format } => object
                        .schema_type(types)
                        .min_length(lengths.as_ref().map(|lengths| *lengths.start()))
                        .max_length(lengths.as_ref().map(|lengths| *lengths.end()))
                        .pattern(pattern)
                        .format(format.map(|format| SchemaFormat::Custom(format.to_string())))
                        .into(),
                    Kind::Integer => object
                        .schema_type(types)
                        .minimum(Some(0))
                        .format(Some(SchemaFormat::Custom("int64".to_string())))
                        .into(),
                    kind @ Kind::IntegerOrDigits => {
                        object.schema_type(types).minimum(Some(0)).pattern(kind.pattern()).into()
                    }
                    Kind::Bytes(count) => {
                        let byte = ObjectBuilder::new().schema_type(Type::Integer);
                        ArrayBuilder::new()
                            .schema_type(types)
                            .description(Some(shape.description))
                            .items(byte.minimum(Some(0)).maximum(Some(255)))
                            .min_items(count)
                            .max_items(count)
                            .into()
                    }
                }
            }

            impl<I: SortableId + ToSchema> ComposeSchema for AsText<I> {
                fn compose(_: Vec<RefOr<Schema>>) -> RefOr<Schema> {
                    I::schema()
                }
            }

            impl<I: SortableId + ToSchema> ToSchema for AsText<I> {
                fn name() -> Cow<'static, str> {
                    "AsText".into()
                }
            }

            #[cfg(feature = "serde")]
            const _: () = {
                use crate::{
                    integrations::shape::{Shaped, Subject},
                    serde::Form,
                };

                impl<F: Shaped, T: Subject> ComposeSchema for Form<F, T> {
                    fn compose(_: Vec<RefOr<Schema>>) -> RefOr<Schema> {
                        of(F::shape::<T>())
                    }
                }

                impl<F: Shaped, T: Subject> ToSchema for Form<F, T> {
                    fn name() -> Cow<'static, str> {
                        F::NAME.into()
                    }
                }
            };
        }

        #[cfg(feature = $feature)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $macro {
            ([$dollar($dollar cfg:tt)*] $dollar id:ident) => {
                $dollar($dollar cfg)*
                const _: () = {
                    use $dollar crate::__private::{
                        alloc::borrow::Cow,
                        dependencies::$library::{
                            PartialSchema, ToSchema,
                            openapi::{RefOr, schema::Schema},
                        },
                        integrations::utoipa::$library::schema,
                        prelude::*,
                    };

                    impl PartialSchema for $dollar id {
                        fn schema() -> RefOr<Schema> {
                            schema::<Self>()
                        }
                    }

                    impl ToSchema for $dollar id {
                        fn name() -> Cow<'static, str> {
                            Cow::Borrowed(stringify!($dollar id))
                        }
                    }
                };
            };
        }
    };
}

version!($ "utoipa5" utoipa5 __integrate_utoipa5);
version!($ "utoipa6" utoipa6 __integrate_utoipa6);
