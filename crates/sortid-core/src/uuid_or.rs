use crate::{RangeError, SortableId, UnixTime, error::create, rfc9562, sortable_id::PLAUSIBLE};
use ::uuid::Uuid;
use core::ops::{Bound, RangeBounds, RangeInclusive};

// The time of the ID decides, and the version bits only if that time is not from 2000 to 2099. The version bits alone
// would be wrong for one EUID in eight. A UUID of version 7 from 2000 to 2099 is never an ID of these years, because
// the timestamps have other widths. `ranges` returns both ranges in one array, so that no query forgets one of them.
/// A UUID, or an ID of one specification: what a value is in a column that has both. The bits of the value decide.
///
/// The type of such a column is that of the specification's crate, such as `EuidOrUuid`, which has the integrations of an
/// ID.
///
/// ```
/// # use sortid_core::{SortableId, UuidOr};
/// use uuid::Uuid;
///
/// fn name_of<I: SortableId<Bytes = [u8; 16]>>(uuid: Uuid) -> String {
///     match UuidOr::<I>::from(uuid) {
///         UuidOr::Id(id) => id.to_string(),
///         UuidOr::Uuid(uuid) => uuid.to_string(),
///     }
/// }
/// ```
///
/// UUIDs of version 7, EUIDs, Event IDs and RON UIDs are always recognised if their times are from 2000 to 2099. For
/// other values, two kinds of mistakes are possible:
///
/// | value | is taken for |
/// |---|---|
/// | a UUID of another version | an ID, if the ID with its bytes has a time from 2000 to 2099: of random UUIDs (version 4), 1 in 11 is taken for an EUID, 1 in 5800 for an Event ID, and none for a RON UID |
/// | an ID with another time | a UUID, if it has the version and the variant of one: 1 in 8 EUIDs and Event IDs, no RON UID, and no ID of an EUID backfill |
///
/// The nil UUID and the max UUID are UUIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UuidOr<I> {
    /// A UUID of RFC 9562, or bytes that are neither.
    Uuid(Uuid),
    /// An ID.
    Id(I),
}

impl<I: SortableId<Bytes = [u8; 16]>> UuidOr<I> {
    /// Returns when the value was made, in microseconds since 1970, if it is a UUID of version 7 or an ID with a time.
    #[must_use]
    pub fn unix_micros(&self) -> Option<u64> {
        match self {
            Self::Uuid(uuid) => rfc9562::v7_unix_micros(uuid.as_bytes()),
            Self::Id(id) => id.unix_micros(),
        }
    }

    /// Returns when the value was made, if it is a UUID of version 7 or an ID with a time. Also `None` if `SystemTime` cannot
    /// represent the time.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn time(&self) -> Option<std::time::SystemTime> {
        std::time::UNIX_EPOCH.checked_add(core::time::Duration::from_micros(self.unix_micros()?))
    }

    /// Returns the bounds of a query by time: the range of the UUIDs of version 7 that were made at these times, and
    /// the range of the IDs. A query has to ask for both, because the same time is at two places of the column:
    /// `WHERE id BETWEEN $1 AND $2 OR id BETWEEN $3 AND $4`.
    ///
    /// ```
    /// # use sortid_core::{RangeError, SortableId, UuidOr};
    /// # use sortid_core::UnixMillis;
    /// use core::ops::RangeInclusive;
    /// use uuid::Uuid;
    ///
    /// /// The values since 2024.
    /// fn recent<I: SortableId<Bytes = [u8; 16]>>() -> Result<[RangeInclusive<Uuid>; 2], RangeError> {
    ///     UuidOr::<I>::ranges(UnixMillis(1_704_067_200_000)..)
    /// }
    /// ```
    ///
    /// A range without a start begins with 2000, and one without an end goes to the end of 2099. The tick (the millisecond
    /// or microsecond) of an excluded time is not part of the result. UUIDs of other versions are in a range only by chance.
    /// RON UIDs of 2028 and later stand among the UUIDs: there, ask each row for its [time](Self::unix_micros).
    ///
    /// # Errors
    ///
    /// If a time is not from 2000 to 2099. At other times, UUIDs of our time would be among the IDs: UUIDs
    /// of 2024 are where EUIDs of 1976 are.
    pub fn ranges<T: UnixTime + Copy>(
        times: impl RangeBounds<T>,
    ) -> Result<[RangeInclusive<Uuid>; 2], RangeError> {
        let checked = |bound: Bound<&T>| match bound {
            Bound::Included(time) => create::check_time(time.unix_micros(), &PLAUSIBLE).map(Bound::Included),
            Bound::Excluded(time) => create::check_time(time.unix_micros(), &PLAUSIBLE).map(Bound::Excluded),
            Bound::Unbounded => Ok(Bound::Unbounded),
        };
        let times = (checked(times.start_bound())?, checked(times.end_bound())?);
        let of_ids = (*PLAUSIBLE.start()).max(*I::TIMES.start())..=(*PLAUSIBLE.end()).min(*I::TIMES.end());
        Ok([range(times, &PLAUSIBLE, v7_at), range(times, &of_ids, ids_at::<I>)])
    }
}

/// Returns the UUIDs of version 7 of the millisecond that contains this time.
fn v7_at(unix_micros: u64) -> RangeInclusive<u128> {
    let first = u128::from(unix_micros / 1000) << 80 | 7 << 76 | 0b10 << 62;
    first..=first | 0xfff << 64 | ((1 << 62) - 1)
}

/// Returns the IDs of the tick that contains this time, which is one of the times that IDs have.
fn ids_at<I: SortableId>(unix_micros: u64) -> RangeInclusive<u128> {
    let time = crate::UnixMicros(unix_micros.into());
    let int =
        |id: Result<I, _>| id.ok().and_then(|id| id.integer()).expect("an ID of 128 bits has this time");
    int(I::min_at(time))..=int(I::max_at(time))
}

/// Returns the values of these times, for values that have all times of `all`. `at` returns those of one tick.
fn range(
    times: (Bound<u64>, Bound<u64>),
    all: &RangeInclusive<u64>,
    at: impl Fn(u64) -> RangeInclusive<u128>,
) -> RangeInclusive<Uuid> {
    let (first, last) = (*all.start(), *all.end());
    let start = match times.0 {
        Bound::Included(time) if time > last => None,
        Bound::Excluded(time) if time >= last => None,
        Bound::Included(time) if time > first => Some(*at(time).start()),
        Bound::Excluded(time) if time >= first => Some(at(time).end() + 1),
        _ => Some(*at(first).start()),
    };
    let end = match times.1 {
        Bound::Included(time) if time < first => None,
        Bound::Excluded(time) if time <= first => None,
        Bound::Included(time) if time < last => Some(*at(time).end()),
        Bound::Excluded(time) if time <= last => Some(at(time).start() - 1),
        _ => Some(*at(last).end()),
    };
    match (start, end) {
        (Some(start), Some(end)) => Uuid::from_u128(start)..=Uuid::from_u128(end),
        // An empty range.
        _ => Uuid::max()..=Uuid::nil(),
    }
}

/// Returns the ID with the bytes of the UUID, or the UUID if it is one.
impl<I: SortableId<Bytes = [u8; 16]>> From<Uuid> for UuidOr<I> {
    fn from(uuid: Uuid) -> Self {
        let bytes = uuid.as_bytes();
        let is_uuid = rfc9562::version(bytes).is_some() || uuid.is_nil() || uuid.is_max();
        let is_likely = |id: &I| id.unix_micros().is_some_and(|micros| PLAUSIBLE.contains(&micros));
        match I::try_from_bytes(bytes) {
            Ok(id) if !is_uuid || is_likely(&id) => Self::Id(id),
            _ => Self::Uuid(uuid),
        }
    }
}

/// Writes the type of a column that has UUIDs and IDs. The arguments are its name, that of the ID, and the lengths and the
/// pattern of its texts.
#[doc(hidden)]
#[macro_export]
macro_rules! __or_uuid {
    ($(#[$attribute:meta])* $name:ident $id:ident, schema: $lengths:expr, $pattern:expr) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable), bytemuck(crate = "bytemuck"))]
        #[cfg_attr(
            feature = "zerocopy08",
            derive(
                zerocopy::FromBytes,
                zerocopy::Immutable,
                zerocopy::IntoBytes,
                zerocopy::KnownLayout,
                zerocopy::Unaligned
            ),
            zerocopy(crate = "sortid_core::__private::dependencies::zerocopy")
        )]
        #[repr(transparent)]
        pub struct $name([u8; 16]);

        const _: () = {
            use $crate::{UuidOr, __private::{dependencies::uuid::Uuid, hyphenated, prelude::*}};

            impl $name {
                /// The least value, which is the nil UUID.
                pub const MIN: Self = Self([0; 16]);

                /// The greatest value, which is the max UUID.
                pub const MAX: Self = Self([0xff; 16]);

                /// The number of characters of the longest text, which is that of a UUID.
                pub const TEXT_LEN: usize = hyphenated::LEN;

                /// Returns the value with these bytes.
                #[inline]
                #[must_use]
                pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                    Self(bytes)
                }

                /// Returns the bytes, most significant first.
                #[inline]
                #[must_use]
                pub const fn to_bytes(self) -> [u8; 16] {
                    self.0
                }

                /// Returns the bytes, most significant first.
                #[inline]
                #[must_use]
                pub const fn as_bytes(&self) -> &[u8; 16] {
                    &self.0
                }

                #[doc = ::core::concat!("Returns the [`", ::core::stringify!($id), "`], or the UUID if it is not one.")]
                #[must_use]
                pub fn get(self) -> UuidOr<$id> {
                    Uuid::from_bytes(self.0).into()
                }

                #[doc = ::core::concat!("Returns the text of the [`", ::core::stringify!($id), "`], or that of the UUID, with hyphens.")]
                #[must_use]
                pub fn encode(&self) -> $crate::Text<{ Self::TEXT_LEN }> {
                    match self.get() {
                        UuidOr::Id(id) => {
                            let mut text = $crate::Text::EMPTY;
                            text.push_text(&id.encode());
                            text
                        }
                        UuidOr::Uuid(_) => hyphenated::write(&self.0),
                    }
                }

                #[doc = ::core::concat!("Parses the text of a [`", ::core::stringify!($id), "`], or that of a UUID, with hyphens.")]
                ///
                /// # Errors
                ///
                #[doc = ::core::concat!("Those of [`", ::core::stringify!($id), "::parse`] if the text does not have 36 bytes.")]
                pub fn parse(text: &str) -> Result<Self, $crate::ParseError> {
                    Self::parse_ascii(text.as_bytes())
                }

                /// Parses a text that may not be UTF-8.
                ///
                /// # Errors
                ///
                /// Those of [`parse`](Self::parse).
                pub fn parse_ascii(text: &[u8]) -> Result<Self, $crate::ParseError> {
                    if text.len() == hyphenated::LEN {
                        hyphenated::read(text).map(Self)
                    } else {
                        <$id>::parse_ascii(text).map(Self::from)
                    }
                }

                /// Returns when the value was made, in microseconds since 1970, if it is a UUID of version 7 or an ID.
                #[must_use]
                pub fn unix_micros(&self) -> Option<u64> {
                    self.get().unix_micros()
                }

                /// Returns the least value of a time, of either kind. Between this and [`max_at`](Self::max_at) are also
                /// values of other times: for a query by time, use [`ranges`](Self::ranges).
                ///
                /// # Errors
                ///
                /// If the time is not from 2000 to 2099.
                pub fn min_at(time: impl $crate::UnixTime) -> Result<Self, $crate::RangeError> {
                    let time = $crate::UnixMicros(time.unix_micros());
                    let [uuids, ids] = Self::ranges(time..=time)?;
                    Ok(*uuids.start().min(ids.start()))
                }

                /// Returns the greatest value of a time, of either kind.
                ///
                /// # Errors
                ///
                /// If the time is not from 2000 to 2099.
                pub fn max_at(time: impl $crate::UnixTime) -> Result<Self, $crate::RangeError> {
                    let time = $crate::UnixMicros(time.unix_micros());
                    let [uuids, ids] = Self::ranges(time..=time)?;
                    Ok(*uuids.end().max(ids.end()))
                }

                /// Returns the bounds of a query by time: the range of the UUIDs of version 7 that were made at these
                /// times, and that of the IDs. A query has to ask for both:
                /// `WHERE id BETWEEN $1 AND $2 OR id BETWEEN $3 AND $4`.
                ///
                /// # Errors
                ///
                /// Those of [`UuidOr::ranges`].
                pub fn ranges<T: $crate::UnixTime + Copy>(
                    times: impl ::core::ops::RangeBounds<T>,
                ) -> Result<[::core::ops::RangeInclusive<Self>; 2], $crate::RangeError> {
                    let ranges = UuidOr::<$id>::ranges(times)?;
                    Ok(ranges.map(|range| range.start().into()..=range.end().into()))
                }
            }

            impl From<$id> for $name {
                fn from(id: $id) -> Self {
                    Self(id.to_bytes())
                }
            }

            impl From<&Uuid> for $name {
                fn from(uuid: &Uuid) -> Self {
                    Self(*uuid.as_bytes())
                }
            }
        };

        $crate::__sortable_id!(
            [cfg] $name, 16, from_bytes,
            name: <$id as $crate::SortableId>::NAME,
            title: ::core::concat!(::core::stringify!($id), " or UUID"),
            times: $crate::__private::PLAUSIBLE,
            unix_micros: |id| $name::unix_micros(id),
            fields: &[],
            |_id, _each| {},
        );

        $crate::__integrations!(
            [cfg] $name,
            prefix: "",
            column: uuid,
            uuid: from,
            integer: (),
            time: try_from,
            schema: $lengths, $pattern,
        );
    };
}
