use crate::{Field, wide::print_each};
use sortid::{ParseError, SortableId};
use std::fmt::Debug;

/// An ID of which columns are made.
///
/// ```
/// use sortid::{SortableId, euid::Euid};
/// use sortid_columns::Column;
///
/// fn describe<I: Column>() -> String {
///     let fields: Vec<_> = I::READS.iter().map(|field| field.name).collect();
///     format!("{}: {}", I::PREFIX, fields.join(", "))
/// }
///
/// assert_eq!(
///     describe::<Euid>(),
///     "euid: timestamp_ms, random_upper, extension, extension_bits, check, random_high, random_low"
/// );
/// ```
pub trait Column: SortableId {
    /// The value of an ID in a column: its bytes, or the integer of a Ulid-Flake.
    type Value: Copy + Default + Debug + Eq + Send + Sync + 'static;

    /// The beginning of the names of SQL functions for this ID, such as `event_id` in `event_id_time`.
    const PREFIX: &'static str;

    /// The number of microseconds in a tick of the ID's time: 1000, or 1 for Event IDs.
    const MICROS: i64;

    /// Whether every ID has a time, and IDs of later times are greater. RON UIDs can be names, which have no time.
    const IN_TIME_ORDER: bool;

    /// The fields of the ID.
    const READS: &'static [Field<Self>];

    /// Returns the ID of a value.
    ///
    /// # Errors
    ///
    /// `Overflow` if the value is not an ID: a negative Ulid-Flake, or a RON UID with bits that have to be 0.
    fn from_value(value: &Self::Value) -> Result<Self, ParseError>;

    /// Returns the value of the ID.
    fn to_value(self) -> Self::Value;

    /// Returns the value of the bytes of an ID. `None` if their number is wrong. It does not check anything else.
    fn value_of_bytes(bytes: &[u8]) -> Option<Self::Value>;

    /// Returns the time of a value in ticks since 1970. A negative number means that the value has no time: see
    /// [`times`](crate::times()).
    fn time_of(value: &Self::Value) -> i64;

    /// What [`texts`](crate::texts()) does.
    #[doc(hidden)]
    fn print_all(ids: &[Self::Value], texts: &mut [u8]) -> bool {
        print_each::<Self>(ids, texts)
    }

    /// Parses the texts of some rows, and marks those that it accepts. It may refuse the text of an ID. It writes their
    /// values, if there is a place for them.
    #[doc(hidden)]
    fn parse_wide<'a>(
        _text: &impl Fn(usize) -> &'a [u8],
        _ids: Option<&mut [Self::Value]>,
        _valid: &mut [bool],
    ) {
    }
}
