//! The macro behind `typed_id!` of each spec crate, which writes an ID type into the crate of a user.
//!
//! The type is a struct of the user's crate. So the user can add methods and foreign traits, which a generic type of this
//! crate would not allow.

// A generic type such as `Typed<I, Kind>` would not allow that, and a derive would need a crate of procedural macros
// with three dependencies. `typed_id!` of a spec crate passes the same description of the ID as the integrations of
// the ID itself, so a typed ID has all of them.
//
// `from_id` and `get` convert, and there is no `Deref`. With it, a function that takes a `&Scru160` would accept
// every typed ID, and `encode_hex` would be a method of a type whose text has a prefix. `NonZero` and `Cell` also
// call the method `get`.
//
// The prefix is a part of the text and not of the ID. So the ID keeps its size, its order and its natural column, and
// a prefix can be added later if no text is stored. The rules are those of TypeID, so the texts look familiar. The
// separator needs no search, because the type knows its prefix. So RON UIDs can have prefixes, too, although their
// digits include `_`. A wrong prefix does not compile, even if the type is never used.
//
// Printing a typed SCRU160 takes 88 instructions, as many as a bare one. Parsing takes 122 instead of 116, because
// the result is packed again. A prefix adds 2 and 7.

use crate::{ParseError, Text, error::create};

/// The separator between the prefix and the ID, as in TypeID.
const SEPARATOR: u8 = b'_';

/// The most characters of a prefix.
const LONGEST_PREFIX: usize = 63;

/// The most characters of a prefix and its separator.
pub const START_LEN: usize = LONGEST_PREFIX + 1;

/// Whether the text is a prefix by the rules of TypeID.
#[must_use]
pub const fn is_prefix(text: &[u8]) -> bool {
    let ([first, .., last] | [first @ last]) = text else { return false };
    let mut is_prefix = text.len() <= LONGEST_PREFIX && *first != SEPARATOR && *last != SEPARATOR;
    let mut at = 0;
    while at < text.len() {
        is_prefix &= matches!(text[at], b'a'..=b'z' | SEPARATOR);
        at += 1;
    }
    is_prefix
}

/// Splits a text after its last separator, if a prefix is before that.
#[must_use]
pub fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = text.iter().rposition(|&byte| byte == SEPARATOR)?;
    is_prefix(&text[..at]).then(|| text.split_at(at + 1))
}

/// Returns the start of each text: the prefix and its separator.
///
/// # Panics
///
/// With the message `otherwise`, if the prefix does not follow the rules of TypeID. The macro calls this function at compile
/// time.
#[must_use]
pub const fn start<const N: usize>(prefix: &str, otherwise: &str) -> Text<N> {
    let prefix = prefix.as_bytes();
    assert!(is_prefix(prefix), "{}", otherwise);
    let mut text = Text::EMPTY;
    let mut at = 0;
    while at < prefix.len() {
        text.push(prefix[at]);
        at += 1;
    }
    text.push(SEPARATOR);
    text
}

/// Returns what follows `start` in the text.
///
/// # Errors
///
/// `Prefix` if the text does not start with it.
#[inline]
pub const fn strip<'a, const N: usize>(
    text: &'a [u8],
    start: &'static Text<N>,
) -> Result<&'a [u8], ParseError> {
    if let Some((found, rest)) = text.split_first_chunk::<N>() {
        let mut differs = false;
        let mut at = 0;
        while at < N {
            differs |= found[at] != start.as_bytes()[at];
            at += 1;
        }
        if !differs {
            return Ok(rest);
        }
    }
    Err(create::prefix(text, start.as_str()))
}

/// Writes ID types. The arguments are the definitions, the spec crate, the name of its ID type, the function that reads the
/// bytes of an ID, and the arguments of [`__integrations!`](crate::__integrations!) from `column` on.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_id {
    (
        { $($(#[$($attribute:tt)*])* $vis:vis struct $name:ident;)* }
        $($spec:tt)*
    ) => {
        $crate::__typed_id!(@each [$($spec)*] $([$(#[$($attribute)*])*] [$vis] $name;)*);
    };
    ({ $($other:tt)* } $($spec:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "expected definitions such as `pub struct OrderId;`, each after its attributes and with its `;`, found `",
            ::core::stringify!($($other)*),
            "`",
        ));
    };
    (@each $spec:tt $($attributes:tt $vis:tt $name:ident;)*) => {
        $($crate::__typed_id!(@attributes $spec $vis $name [] [] [new] $attributes);)*
    };
    // Moves `#[prefix = "…"]` and `#[no_new]` out of the attributes.
    (@attributes $spec:tt $vis:tt $name:ident $others:tt [] $new:tt [#[prefix = $prefix:literal] $($rest:tt)*]) => {
        $crate::__typed_id!(@attributes $spec $vis $name $others [$prefix] $new [$($rest)*]);
    };
    (@attributes $spec:tt $vis:tt $name:ident $others:tt [$($first:tt)+] $new:tt [#[prefix = $prefix:literal] $($rest:tt)*]) => {
        ::core::compile_error!("expected one attribute `#[prefix = \"…\"]`, found two");
    };
    (@attributes $spec:tt $vis:tt $name:ident $others:tt $first:tt $new:tt [#[prefix $($wrong:tt)*] $($rest:tt)*]) => {
        ::core::compile_error!(::core::concat!(
            "expected `#[prefix = \"…\"]` with a literal text, found `#[prefix",
            ::core::stringify!($($wrong)*),
            "]`",
        ));
    };
    (@attributes $spec:tt $vis:tt $name:ident $others:tt $prefix:tt $new:tt [#[no_new] $($rest:tt)*]) => {
        $crate::__typed_id!(@attributes $spec $vis $name $others $prefix [] [$($rest)*]);
    };
    (@attributes $spec:tt $vis:tt $name:ident [$($others:tt)*] $prefix:tt $new:tt [#[$($other:tt)*] $($rest:tt)*]) => {
        $crate::__typed_id!(@attributes $spec $vis $name [$($others)* #[$($other)*]] $prefix $new [$($rest)*]);
    };
    (@attributes [$($spec:tt)*] [$vis:vis] $name:ident [$($attributes:tt)*] [$($prefix:literal)?] $new:tt []) => {
        $crate::__typed_id!(@define [$($attributes)*] $vis $name [$($prefix)?] $new $($spec)*);
    };
    (
        @define [$($attributes:tt)*] $vis:vis $name:ident $prefix:tt [$($new:ident)?]
        $spec:tt $id:ident $from_bytes:ident,
        column: $column:ident,
        uuid: $uuid:ident,
        integer: ($($integer:ty)?),
        $($integrations:tt)*
    ) => {
        $spec::__typed::derives! {
            $($attributes)*
            #[derive(
                ::core::clone::Clone,
                ::core::marker::Copy,
                ::core::default::Default,
                ::core::cmp::PartialEq,
                ::core::cmp::Eq,
                ::core::cmp::PartialOrd,
                ::core::cmp::Ord,
                ::core::hash::Hash,
            )]
            #[repr(transparent)]
            $vis struct $name($spec::$id);
        }

        const _: () = {
            use $crate::__private::prelude::*;

            impl $name {
                /// The least ID.
                pub const MIN: Self = Self(<$spec::$id>::MIN);

                /// The greatest ID.
                pub const MAX: Self = Self(<$spec::$id>::MAX);

                #[doc = ::core::concat!("Returns this ", ::core::stringify!($id), " as an ID of this type.")]
                #[inline]
                #[must_use]
                pub const fn from_id(id: $spec::$id) -> Self {
                    Self(id)
                }

                #[doc = ::core::concat!("Returns the ", ::core::stringify!($id), ".")]
                #[inline]
                #[must_use]
                pub const fn get(self) -> $spec::$id {
                    self.0
                }

                /// Returns the bytes, most significant first.
                #[inline]
                #[must_use]
                pub const fn to_bytes(self) -> [u8; size_of::<$spec::$id>()] {
                    self.0.to_bytes()
                }

                /// Returns the bytes, most significant first.
                #[inline]
                #[must_use]
                pub const fn as_bytes(&self) -> &[u8; size_of::<$spec::$id>()] {
                    self.0.as_bytes()
                }

                /// Parses the text. Positions in errors count bytes from 0.
                ///
                /// # Errors
                ///
                #[doc = ::core::concat!("Those of `", ::core::stringify!($id), "::parse`, and `Prefix` if the type has a")]
                /// prefix and the text does not start with it.
                #[inline]
                pub const fn parse(text: &str) -> Result<Self, $crate::ParseError> {
                    Self::parse_ascii(text.as_bytes())
                }

                /// Returns the least ID of the tick (the millisecond or microsecond) that contains `time`.
                ///
                /// # Errors
                ///
                /// If no ID has this time.
                pub fn min_at(time: impl $crate::UnixTime) -> Result<Self, $crate::RangeError> {
                    Ok(Self(<$spec::$id>::min_at(time)?))
                }

                /// Returns the greatest ID of the tick that contains `time`.
                ///
                /// # Errors
                ///
                /// If no ID has this time.
                pub fn max_at(time: impl $crate::UnixTime) -> Result<Self, $crate::RangeError> {
                    Ok(Self(<$spec::$id>::max_at(time)?))
                }
            }

            $crate::__typed_id!(@bytes $name $spec $id $from_bytes);
            $crate::__typed_id!(@text $name $spec $id $prefix);

            impl From<$spec::$id> for $name {
                #[inline]
                fn from(id: $spec::$id) -> Self {
                    Self(id)
                }
            }

            impl From<$name> for $spec::$id {
                #[inline]
                fn from(id: $name) -> Self {
                    id.0
                }
            }

            $($crate::__typed_id!(@integer $name $integer, $from_bytes);)?
        };

        $($spec::__typed::$new!($name $spec);)?

        $crate::__sortable_id!(
            [] $name, ::core::mem::size_of::<$spec::$id>(), $from_bytes,
            name: <$spec::$id as $crate::SortableId>::NAME,
            title: <$spec::$id as $crate::SortableId>::TITLE,
            times: <$spec::$id as $crate::SortableId>::TIMES,
            unix_micros: |id| $crate::SortableId::unix_micros(&id.0),
            fields: <$spec::$id as $crate::SortableId>::FIELDS,
            |id, each| $crate::SortableId::for_each_field(&id.0, &mut each),
        );

        $crate::__integrations!(
            [] $name,
            prefix: $crate::__typed_id!(@start $prefix),
            column: $column,
            uuid: $uuid,
            integer: ($($integer)?),
            $($integrations)*
        );
    };
    (@bytes $name:ident $spec:tt $id:ident from_bytes) => {
        impl $name {
            /// Returns the ID with these bytes.
            #[inline]
            #[must_use]
            pub const fn from_bytes(bytes: [u8; size_of::<$spec::$id>()]) -> Self {
                Self(<$spec::$id>::from_bytes(bytes))
            }
        }
    };
    (@bytes $name:ident $spec:tt $id:ident try_from_bytes) => {
        impl $name {
            /// Returns the ID with these bytes.
            ///
            /// # Errors
            ///
            /// `Overflow` if the bytes are not an ID.
            #[inline]
            pub const fn try_from_bytes(bytes: [u8; size_of::<$spec::$id>()]) -> Result<Self, $crate::ParseError> {
                match <$spec::$id>::try_from_bytes(bytes) {
                    Ok(id) => Ok(Self(id)),
                    Err(error) => Err(error),
                }
            }
        }
    };
    (@text $name:ident $spec:tt $id:ident []) => {
        impl $name {
            /// The number of characters of the longest text that [`encode`](Self::encode) returns.
            pub const TEXT_LEN: usize = <$spec::$id>::TEXT_LEN;

            /// Returns the text.
            #[inline]
            #[must_use]
            pub const fn encode(&self) -> $crate::Text<{ Self::TEXT_LEN }> {
                self.0.encode()
            }

            /// Parses a text that may not be UTF-8.
            ///
            /// # Errors
            ///
            /// Those of [`parse`](Self::parse).
            #[inline]
            pub const fn parse_ascii(text: &[u8]) -> Result<Self, $crate::ParseError> {
                match <$spec::$id>::parse_ascii(text) {
                    Ok(id) => Ok(Self(id)),
                    Err(error) => Err(error),
                }
            }
        }
    };
    (@text $name:ident $spec:tt $id:ident [$prefix:literal]) => {
        const START: &$crate::Text<{ $prefix.len() + 1 }> = &$crate::__private::typed_id::start(
            $prefix,
            ::core::concat!(
                "the prefix \"", $prefix, "\" of ", ::core::stringify!($name),
                " is not 1 to 63 characters 'a' to 'z' and '_', with a letter at both ends",
            ),
        );

        impl $name {
            /// The prefix of the text, without the `_` after it.
            pub const PREFIX: &'static str = $prefix;

            /// The number of characters of the longest text that [`encode`](Self::encode) returns.
            pub const TEXT_LEN: usize = START.as_bytes().len() + <$spec::$id>::TEXT_LEN;

            /// Returns the text: the prefix, `_` and the text of the ID.
            #[inline]
            #[must_use]
            pub const fn encode(&self) -> $crate::Text<{ Self::TEXT_LEN }> {
                let mut text = $crate::Text::EMPTY;
                text.push_text(START);
                text.push_text(&self.0.encode());
                text
            }

            /// Parses a text that may not be UTF-8.
            ///
            /// # Errors
            ///
            /// Those of [`parse`](Self::parse).
            #[inline]
            pub const fn parse_ascii(text: &[u8]) -> Result<Self, $crate::ParseError> {
                match $crate::__private::typed_id::strip(text, START) {
                    Ok(rest) => match <$spec::$id>::parse_ascii(rest) {
                        Ok(id) => Ok(Self(id)),
                        Err(error) => Err($crate::__private::error::after_prefix(error, START.as_str())),
                    },
                    Err(error) => Err(error),
                }
            }
        }
    };
    (@start []) => {
        ""
    };
    (@start [$prefix:literal]) => {
        ::core::concat!($prefix, "_")
    };
    (@integer $name:ident $integer:ty, from_bytes) => {
        impl From<$integer> for $name {
            #[inline]
            fn from(int: $integer) -> Self {
                Self(int.into())
            }
        }

        $crate::__typed_id!(@integer $name $integer);
    };
    (@integer $name:ident $integer:ty, try_from_bytes) => {
        impl TryFrom<$integer> for $name {
            type Error = $crate::ParseError;

            #[inline]
            fn try_from(int: $integer) -> Result<Self, Self::Error> {
                int.try_into().map(Self)
            }
        }

        $crate::__typed_id!(@integer $name $integer);
    };
    (@integer $name:ident $integer:ty) => {
        impl From<$name> for $integer {
            #[inline]
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }
    };
}

/// What the documentation of `typed_id!` says in each spec crate, around an example of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_id_docs {
    (before) => {
        "Defines ID types of your own, such as `OrderId` and `UserId`, which cannot be mixed up.

Each type is a struct of your crate, so you can add methods and traits. It contains an ID of this crate, and has its size \
and its integrations. The exception is `zerocopy`: a macro of another crate cannot write its derives, so derive its traits \
yourself.

Attributes such as docs and derives stay on the struct, but `#[cfg(…)]` belongs on the call of the macro. Let the names end \
with `Id`: an integration may use a name such as `Value` for something else."
    };
    (after) => {
        "The type has `new()` if this crate has the function `new`. The attribute `#[no_new]` leaves `new()` out, so that only a \
generator of yours makes IDs, such as the generator of a fleet. [`Generate::typed`](crate::Generate::typed) returns a \
generator of the type. `from_id` converts an ID of this crate to the type, and `get()` converts it back, for its fields and \
times.

A prefix follows the rules of TypeID: it has 1 to 63 characters `a` to `z` and `_`, and neither begins nor ends with `_`. \
Another `_` separates it from the ID. All texts have the prefix: `Display`, `encode` and `parse`, text in serde formats, \
columns of [`AsText`](crate::AsText), and the JSON schema. Bytes, hex, integers and columns that are not text do not have it.

IDs of different types cannot be compared, converted or assigned to each other. A prefix that breaks the rules is a compile \
error."
    };
}

/// Writes the module `typed`. It has the two parts of an ID type that depend on the features of the spec crate,
/// because the bare ID has to have them, too: the derives of `bytemuck`, and `new()`. The arguments are `__typed_pod`
/// if all bytes are an ID, else `__typed_no_uninit`; then `new` if the crate has the function `new`.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_parts {
    ($derives:ident $($new:ident)?) => {
        #[doc(hidden)]
        pub mod typed {
            #[cfg(not(feature = "bytemuck"))]
            pub use $crate::__typed_plain as derives;
            #[cfg(feature = "bytemuck")]
            pub use $crate::$derives as derives;
            $crate::__typed_parts!(@new $($new)?);
        }
    };
    (@new new) => {
        #[cfg(all(feature = "std", target_has_atomic = "ptr"))]
        pub use $crate::__typed_new as new;
        #[cfg(not(all(feature = "std", target_has_atomic = "ptr")))]
        pub use $crate::__typed_without_new as new;
    };
    (@new) => {
        pub use $crate::__typed_without_new as new;
    };
}

/// Writes the function `new` of an ID type, for a spec crate that has one.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_new {
    ($name:ident $spec:tt) => {
        impl $name {
            /// Returns a new ID of the generator that the process shares.
            ///
            /// # Panics
            ///
            /// As the function `new` of the specification's crate: if no ID can be generated. That function also says what
            /// happens after the clock was set back by more than 10 s.
            #[must_use]
            pub fn new() -> Self {
                Self($spec::new())
            }
        }
    };
}

/// Writes nothing instead of `new`.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_without_new {
    ($name:ident $spec:tt) => {};
}

/// Writes a struct with the traits of `bytemuck`, for an ID type of which all bytes are an ID.
///
/// The derives need a path to `bytemuck` that is a literal, so it cannot contain `$crate`. The glob import gives the
/// module a name for `bytemuck`. Unlike another import, a glob import may be repeated.
#[cfg(feature = "bytemuck")]
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_pod {
    ($($struct:tt)*) => {
        use $crate::__private::bytemuck::*;

        #[derive(
            $crate::__private::dependencies::bytemuck::Pod,
            $crate::__private::dependencies::bytemuck::Zeroable,
        )]
        #[bytemuck(crate = "__sortid_bytemuck")]
        $($struct)*
    };
}

/// Writes a struct with the traits of `bytemuck`, for an ID type of which some bytes are not an ID.
#[cfg(feature = "bytemuck")]
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_no_uninit {
    ($($struct:tt)*) => {
        use $crate::__private::bytemuck::*;

        #[derive(
            $crate::__private::dependencies::bytemuck::NoUninit,
            $crate::__private::dependencies::bytemuck::Zeroable,
        )]
        #[bytemuck(crate = "__sortid_bytemuck")]
        $($struct)*
    };
}

/// Writes a struct unchanged.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_plain {
    ($($struct:tt)*) => {
        $($struct)*
    };
}
