//! `Type`, `Encode` and `Decode` of each version of sqlx, for every driver that supports the type of the column.

// Like those of sqlx's derive, the implementations are for every `Database` that knows the type of the column. So one
// feature serves every driver, and turns on none. Arrays are a trait of the PostgreSQL driver, so they have a feature
// of their own, which turns on the driver. The drivers accept three kinds of values that this module refuses: text as
// bytes, integers of another size in MySQL, and in SQLite `NULL`, which reads as 0.

/// Writes the module of a version, and its macros. The buffer of `Encode` has a lifetime in 0.8.
// rustfmt would indent the inner macros further each time.
#[rustfmt::skip]
macro_rules! version {
    (
        $dollar:tt $feature:literal $version:ident $library:ident, ArgumentBuffer $(<$buffer:lifetime>)?,
        $macro:ident, $arrays:literal $arrays_macro:ident
    ) => {
        #[cfg(feature = $feature)]
        pub mod $version {
            use crate::{
                AsText, SortableId,
                integrations::columns::{BoxError, Column},
            };
            use alloc::string::{String, ToString};
            use $library::{Database, Decode, Encode, Type, TypeInfo, ValueRef, encode::IsNull, error::UnexpectedNullError};

            /// Refuses text: drivers also read it as bytes, so a text with as many characters as an ID has bytes would
            /// become an ID. The name of the type does not show the difference: in MySQL, a `CHAR(16)` with a binary
            /// collation has the name `BINARY`.
            pub fn compatible_bytes<C: Type<DB>, DB: Database>(info: &DB::TypeInfo) -> bool
            where
                String: Type<DB>,
            {
                C::compatible(info) && !String::compatible(info)
            }

            /// Refuses integers of another size, which the driver of MySQL also reads.
            pub fn compatible_integer<C: Type<DB>, DB: Database>(info: &DB::TypeInfo) -> bool {
                C::compatible(info) && info.name() == C::type_info().name()
            }

            pub fn encode<'q, C: Column + Encode<'q, DB>, DB: Database>(
                id: &impl SortableId,
                buffer: &mut DB::ArgumentBuffer $(<$buffer>)?,
            ) -> Result<IsNull, BoxError> {
                C::of(id).encode(buffer)
            }

            /// Refuses `NULL`, which the driver of SQLite reads as 0 or as an empty byte string.
            fn not_null<'r, DB: Database>(value: DB::ValueRef<'r>) -> Result<DB::ValueRef<'r>, BoxError> {
                if value.is_null() { Err(UnexpectedNullError.into()) } else { Ok(value) }
            }

            pub fn decode<'r, I: SortableId, C: Column + Decode<'r, DB>, DB: Database>(
                value: DB::ValueRef<'r>,
            ) -> Result<I, BoxError> {
                Ok(C::decode(not_null::<DB>(value)?)?.read()?)
            }

            impl<I: SortableId, DB: Database> Type<DB> for AsText<I>
            where
                String: Type<DB>,
            {
                fn type_info() -> DB::TypeInfo {
                    String::type_info()
                }

                fn compatible(info: &DB::TypeInfo) -> bool {
                    String::compatible(info)
                }
            }

            impl<'q, I: SortableId, DB: Database> Encode<'q, DB> for AsText<I>
            where
                String: Encode<'q, DB>,
            {
                fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer $(<$buffer>)?) -> Result<IsNull, BoxError> {
                    self.0.encode().to_string().encode(buffer)
                }
            }

            impl<'r, I: SortableId, DB: Database> Decode<'r, DB> for AsText<I>
            where
                String: Decode<'r, DB>,
            {
                fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxError> {
                    Ok(String::decode(not_null::<DB>(value)?)?.parse()?)
                }
            }

            #[cfg(feature = $arrays)]
            impl<I: SortableId> $library::postgres::PgHasArrayType for AsText<I> {
                fn array_type_info() -> $library::postgres::PgTypeInfo {
                    String::array_type_info()
                }

                fn array_compatible(info: &$library::postgres::PgTypeInfo) -> bool {
                    String::array_compatible(info)
                }
            }
        }

        #[cfg(feature = $feature)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $macro {
            ([$dollar($dollar cfg:tt)*] $dollar id:ident, bytes) => {
                $dollar crate::$macro!(@ [$dollar($dollar cfg)*] $dollar id, Vec<u8>, compatible_bytes);
            };
            ([$dollar($dollar cfg:tt)*] $dollar id:ident, uuid) => {
                $dollar crate::$macro!(@ [$dollar($dollar cfg)*] $dollar id, Uuid, compatible_bytes);
            };
            ([$dollar($dollar cfg:tt)*] $dollar id:ident, integer) => {
                $dollar crate::$macro!(@ [$dollar($dollar cfg)*] $dollar id, i64, compatible_integer);
            };
            (@ [$dollar($dollar cfg:tt)*] $dollar id:ident, $dollar column:ty, $dollar compatible:ident) => {
                $dollar($dollar cfg)*
                const _: () = {
                    use $dollar crate::__private::{
                        alloc::{string::String, vec::Vec},
                        dependencies::{
                            $library::{Database, Decode, Encode, Type, encode::IsNull},
                            uuid::Uuid,
                        },
                        integrations::{
                            columns::BoxError,
                            sqlx::$version::{$dollar compatible, decode, encode},
                        },
                        prelude::*,
                    };

                    impl<DB: Database> Type<DB> for $dollar id
                    where
                        $dollar column: Type<DB>,
                        String: Type<DB>,
                    {
                        fn type_info() -> DB::TypeInfo {
                            <$dollar column>::type_info()
                        }

                        fn compatible(info: &DB::TypeInfo) -> bool {
                            $dollar compatible::<$dollar column, DB>(info)
                        }
                    }

                    impl<'q, DB: Database> Encode<'q, DB> for $dollar id
                    where
                        $dollar column: Encode<'q, DB>,
                    {
                        fn encode_by_ref(
                            &self,
                            buffer: &mut DB::ArgumentBuffer $(<$buffer>)?,
                        ) -> Result<IsNull, BoxError> {
                            encode::<$dollar column, DB>(self, buffer)
                        }
                    }

                    impl<'r, DB: Database> Decode<'r, DB> for $dollar id
                    where
                        $dollar column: Decode<'r, DB>,
                    {
                        fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxError> {
                            decode::<Self, $dollar column, DB>(value)
                        }
                    }
                };
            };
        }

        /// Implements what arrays need, which only the driver of PostgreSQL has.
        #[cfg(feature = $arrays)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $arrays_macro {
            ([$dollar($dollar cfg:tt)*] $dollar id:ident, bytes) => {
                $dollar crate::$arrays_macro!(@ [$dollar($dollar cfg)*] $dollar id, Vec<u8>);
            };
            ([$dollar($dollar cfg:tt)*] $dollar id:ident, uuid) => {
                $dollar crate::$arrays_macro!(@ [$dollar($dollar cfg)*] $dollar id, Uuid);
            };
            ([$dollar($dollar cfg:tt)*] $dollar id:ident, integer) => {
                $dollar crate::$arrays_macro!(@ [$dollar($dollar cfg)*] $dollar id, i64);
            };
            (@ [$dollar($dollar cfg:tt)*] $dollar id:ident, $dollar column:ty) => {
                $dollar($dollar cfg)*
                const _: () = {
                    use $dollar crate::__private::{
                        alloc::vec::Vec,
                        dependencies::{
                            $library::postgres::{PgHasArrayType, PgTypeInfo},
                            uuid::Uuid,
                        },
                        prelude::*,
                    };

                    impl PgHasArrayType for $dollar id {
                        fn array_type_info() -> PgTypeInfo {
                            <$dollar column>::array_type_info()
                        }
                    }
                };
            };
        }
    };
}

version!($ "sqlx08" sqlx08 sqlx08, ArgumentBuffer<'q>, __integrate_sqlx08, "sqlx08-postgres" __integrate_sqlx08_postgres);
version!($ "sqlx09" sqlx09 sqlx, ArgumentBuffer, __integrate_sqlx09, "sqlx09-postgres" __integrate_sqlx09_postgres);
