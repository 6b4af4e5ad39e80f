use crate::{Field, FieldValue, ParseError, RangeError, UnixTime};
use core::{
    fmt::{Debug, Display, LowerHex, UpperHex},
    hash::Hash,
    ops::{Deref, RangeInclusive},
    str::FromStr,
};

// The trait has what all ID types have, in the weakest form that fits all of them: the bytes may not be an ID, the
// time may be missing, and each type chooses the type of its text, because the length of a text is a constant of the
// ID type. The ID types have methods of the same names with stronger results. Rust prefers these methods to those of
// the trait, so code that knows its type loses nothing when the trait is in scope. One macro, `__sortable_id!`,
// implements the trait. So a specification states its name, its lengths and its times once.
/// The common interface of the ID types of all specifications, for generic code. Only ID types of this project and those of
/// `typed_id!` implement it.
///
/// ```
/// # use sortid_core::{ParseError, SortableId};
/// /// The key of an index that holds IDs of any one specification.
/// fn key<I: SortableId>(text: &str) -> Result<Vec<u8>, ParseError> {
///     Ok(I::parse(text)?.as_bytes().to_vec())
/// }
/// ```
///
/// The types have methods of the same names, some with stronger results: `EventId::unix_micros` always returns a time, and
/// `Euid::from_bytes` accepts every 16 bytes.
pub trait SortableId:
    Copy
    + Ord
    + Hash
    + Default
    + Debug
    + Display
    + LowerHex
    + UpperHex
    + FromStr<Err = ParseError>
    + AsRef<[u8]>
    + for<'a> TryFrom<&'a [u8], Error = ParseError>
    + Send
    + Sync
    + crate::__private::Sealed
    + 'static
{
    /// The name of the specification for programs, which is the name of its crate: `scru160`.
    const NAME: &'static str;

    /// The name of the specification for people: `SCRU160`.
    const TITLE: &'static str;

    /// The number of bytes of an ID.
    const BYTES: usize = size_of::<Self::Bytes>();

    /// The number of characters of the longest text that [`encode`](Self::encode) returns.
    const TEXT_LEN: usize;

    /// The least ID.
    const MIN: Self;

    /// The greatest ID.
    const MAX: Self;

    /// The times that IDs can have, in microseconds since 1970. [`min_at`](Self::min_at) and [`max_at`](Self::max_at)
    /// accept these times. The times of Ulid-Flakes are for the default epoch.
    const TIMES: RangeInclusive<u64>;

    /// The fields in the order of their bits, and each view after the fields that it shows. The fields of Ulid-Flakes
    /// are those of the stand-alone version.
    const FIELDS: &'static [Field];

    /// The array type of the bytes.
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Copy + Default;

    /// The type of the text, which is on the stack.
    type Text: Copy + Deref<Target = str> + AsRef<str> + AsRef<[u8]> + Display;

    /// Returns the ID with these bytes.
    ///
    /// # Errors
    ///
    /// `Length` unless there are [`BYTES`](Self::BYTES) bytes; `Overflow` if the bytes are not an ID.
    fn try_from_bytes(bytes: &[u8]) -> Result<Self, ParseError> {
        Self::try_from(bytes)
    }

    /// Returns the bytes, most significant first.
    fn as_bytes(&self) -> &[u8] {
        self.as_ref()
    }

    /// Parses the text.
    ///
    /// # Errors
    ///
    /// Those of the type's own `parse`.
    fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(text.as_bytes())
    }

    // The program reads lines that may not be UTF-8, and its messages name the wrong byte.
    /// Parses a text that may not be UTF-8.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse).
    fn parse_ascii(text: &[u8]) -> Result<Self, ParseError>;

    /// Returns the text.
    #[must_use]
    fn encode(&self) -> Self::Text;

    /// Returns the bytes as a big-endian integer; `None` for IDs of more than 128 bits.
    #[must_use]
    fn integer(&self) -> Option<u128> {
        (Self::BYTES <= 16).then(|| self.as_bytes().iter().fold(0, |int, &byte| int << 8 | u128::from(byte)))
    }

    /// Returns when the ID was generated, in microseconds since 1970, with the precision of the ID; `None` if the ID has no
    /// time, such as a RON name. The time of a Ulid-Flake counts from the default epoch.
    #[must_use]
    fn unix_micros(&self) -> Option<u64>;

    /// Calls `each` with every field and its value, in the order of [`FIELDS`](Self::FIELDS). The bits of a field may depend on
    /// the ID: an extension of an EUID takes some bits of `random_upper`.
    fn for_each_field(&self, each: impl FnMut(Field, FieldValue));

    /// Returns the least ID of the tick (the millisecond or microsecond) that contains `time`. With
    /// [`max_at`](Self::max_at), these are the bounds of a query by time.
    ///
    /// # Errors
    ///
    /// If `time` is outside [`TIMES`](Self::TIMES).
    fn min_at(time: impl UnixTime) -> Result<Self, RangeError>;

    /// Returns the greatest ID of the tick that contains `time`.
    ///
    /// # Errors
    ///
    /// If `time` is outside [`TIMES`](Self::TIMES).
    fn max_at(time: impl UnixTime) -> Result<Self, RangeError>;
}

/// The plausible times of an ID, in microseconds since 1970: from the beginning of 2000 to the end of 2099.
pub const PLAUSIBLE: RangeInclusive<u64> = 946_684_800_000_000..=4_102_444_799_999_999;

/// Returns all microseconds of these milliseconds: the [`TIMES`](SortableId::TIMES) of a specification that counts
/// milliseconds.
#[must_use]
pub const fn millis(first: u64, last: u64) -> RangeInclusive<u64> {
    first * 1000..=last * 1000 + 999
}

/// Implements the standard traits of an ID type, and [`SortableId`], from the type's inherent items: `MIN`, `MAX`,
/// `TEXT_LEN`, `parse`, `parse_ascii`, `encode`, `as_bytes`, `to_bytes`, `min_at`, `max_at`, and `from_bytes`, or
/// `try_from_bytes` if not all bytes are an ID.
///
/// The first argument is that of [`__integrations!`](crate::__integrations!). This is a macro because Rust allows no
/// blanket implementation of foreign traits.
#[macro_export]
#[doc(hidden)]
macro_rules! __sortable_id {
    (
        [$($cfg:ident)?] $id:ident, $bytes:expr, $from_bytes:ident,
        name: $name:expr,
        title: $title:expr,
        times: $times:expr,
        unix_micros: |$this:ident| $unix_micros:expr,
        fields: $fields:expr,
        |$of:ident, $each:ident| $for_each_field:expr $(,)?
    ) => {
        $crate::__standard_traits!([$($cfg)?] $id, $bytes, $from_bytes);

        const _: () = {
            use $crate::__private::prelude::*;

            impl $crate::__private::Sealed for $id {}

            impl $crate::SortableId for $id {
                const NAME: &'static str = $name;
                const TITLE: &'static str = $title;
                const TEXT_LEN: usize = Self::TEXT_LEN;
                const MIN: Self = Self::MIN;
                const MAX: Self = Self::MAX;
                const TIMES: ::core::ops::RangeInclusive<u64> = $times;
                const FIELDS: &'static [$crate::Field] = $fields;

                type Bytes = [u8; $bytes];
                type Text = $crate::Text<{ Self::TEXT_LEN }>;

                #[inline]
                fn parse_ascii(text: &[u8]) -> Result<Self, $crate::ParseError> {
                    Self::parse_ascii(text)
                }

                #[inline]
                fn encode(&self) -> Self::Text {
                    self.encode()
                }

                #[inline]
                fn unix_micros(&self) -> Option<u64> {
                    let $this = self;
                    $unix_micros
                }

                fn for_each_field(&self, mut $each: impl FnMut($crate::Field, $crate::FieldValue)) {
                    let $of = self;
                    $for_each_field
                }

                fn min_at(time: impl $crate::UnixTime) -> Result<Self, $crate::RangeError> {
                    Self::min_at(time)
                }

                fn max_at(time: impl $crate::UnixTime) -> Result<Self, $crate::RangeError> {
                    Self::max_at(time)
                }
            }
        };
    };
}

/// Implements only the standard traits of [`__sortable_id!`], for a type without a time, such as the ID of a ledger.
#[macro_export]
#[doc(hidden)]
macro_rules! __standard_traits {
    ([$($cfg:ident)?] $id:ident, $bytes:expr, from_bytes) => {
        $crate::__standard_traits!(@common $id, $bytes, |bytes| Ok($id::from_bytes(bytes)),
            impl From<[u8; $bytes]> for $id {
                fn from(bytes: [u8; $bytes]) -> Self {
                    Self::from_bytes(bytes)
                }
            }
        );
        $crate::__integrate_alloc!([$(#[$cfg(feature = "alloc")])?] $id);
    };
    ([$($cfg:ident)?] $id:ident, $bytes:expr, try_from_bytes) => {
        $crate::__standard_traits!(@common $id, $bytes, $id::try_from_bytes,
            impl TryFrom<[u8; $bytes]> for $id {
                type Error = $crate::ParseError;

                fn try_from(bytes: [u8; $bytes]) -> Result<Self, Self::Error> {
                    Self::try_from_bytes(bytes)
                }
            }
        );
        $crate::__integrate_alloc!([$(#[$cfg(feature = "alloc")])?] $id);
    };
    (@common $id:ident, $bytes:expr, $read:expr, $from_bytes:item) => {
        const _: () = {
            use $crate::__private::prelude::*;

            $from_bytes

            /// Converts the bytes of an ID. To parse text, use `parse_ascii`.
            impl TryFrom<&[u8]> for $id {
                type Error = $crate::ParseError;

                fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
                    match bytes.try_into() {
                        Ok(bytes) => $read(bytes),
                        Err(_) => Err($crate::__private::error::byte_length($bytes, bytes.len())),
                    }
                }
            }

            impl fmt::Display for $id {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(&self.encode())
                }
            }

            impl fmt::Debug for $id {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, concat!(stringify!($id), "({})"), self.encode())
                }
            }

            /// Writes the bytes, two digits each.
            impl fmt::LowerHex for $id {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad_integral(true, "0x", &$crate::Text::<{ 2 * $bytes }>::hex(self.as_bytes()))
                }
            }

            /// Writes the bytes, two digits each.
            impl fmt::UpperHex for $id {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    let text = $crate::Text::<{ 2 * $bytes }>::hex(self.as_bytes());
                    f.pad_integral(true, "0x", &text.to_ascii_uppercase())
                }
            }

            impl FromStr for $id {
                type Err = $crate::ParseError;

                fn from_str(text: &str) -> Result<Self, Self::Err> {
                    Self::parse(text)
                }
            }

            impl TryFrom<&str> for $id {
                type Error = $crate::ParseError;

                fn try_from(text: &str) -> Result<Self, Self::Error> {
                    Self::parse(text)
                }
            }

            impl From<$id> for [u8; $bytes] {
                fn from(id: $id) -> Self {
                    id.to_bytes()
                }
            }

            impl AsRef<[u8]> for $id {
                fn as_ref(&self) -> &[u8] {
                    self.as_bytes()
                }
            }
        };
    };
}

#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_alloc {
    ([$($cfg:tt)*] $id:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{alloc::string::String, prelude::*};

            impl From<$id> for String {
                fn from(id: $id) -> Self {
                    id.encode().into()
                }
            }
        };
    };
}
