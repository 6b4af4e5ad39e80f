//! Kernels for columns of time-sortable identifiers, over plain slices.
//!
//! A query engine holds the IDs of a column side by side. The functions of this crate read such a slice, and write a
//! slice of results. They do not depend on an engine, so they work on Arrow arrays, numpy arrays, and the pages of a
//! file. With the feature `arrow`, the module `arrow` has functions that read and return Arrow arrays.
//!
//! | specification | type | value of a column | time |
//! |---|---|---|---|
//! | SCRU160 | [`Scru160`](sortid::scru160::Scru160) | `[u8; 20]` | milliseconds |
//! | EUID | [`Euid`](sortid::euid::Euid) | `[u8; 16]` | milliseconds |
//! | Ulid-Flake | [`UlidFlake`](sortid::ulid_flake::UlidFlake) | `i64` | milliseconds |
//! | RON UID | [`RonUid`](sortid::ron_uid::RonUid) | `[u8; 16]` | milliseconds |
//! | Event ID | [`EventId`](sortid::evently_id::EventId) | `[u8; 16]` | microseconds |
//!
//! ```
//! use sortid::scru160::Scru160;
//!
//! let texts = ["05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6", "05TTUP1HNCPNCOI15PL5EM490SQS6F1B"];
//! let ids: Vec<[u8; 20]> = texts.map(|text| sortid_columns::parse::<Scru160>(text.as_bytes()).unwrap()).to_vec();
//!
//! let mut times = [0; 2];
//! assert!(sortid_columns::times::<Scru160>(&ids, &mut times));
//! assert_eq!(times, [1_631_540_490_683; 2]);
//!
//! let mut found = [0; 64];
//! assert!(sortid_columns::texts::<Scru160>(&ids, &mut found));
//! assert_eq!(found, *texts.concat().as_bytes());
//! ```
//!
//! # Texts of UUIDs
//!
//! A database whose column has the type of UUIDs shows its values as texts of 36 characters. For IDs of 128 bits, the
//! kernels read them as well: `0c7f613c-7a56-1510-eddd-e216d959d3b1` is an EUID. Such a text has no check.
//!
//! # Values without a result
//!
//! The kernels do not stop at a value that has no result, because a column may hold anything under a NULL. They mark
//! its row, go on, and return whether all rows have a result. So the loops need neither branches nor a `Result` for
//! each row. If some rows have no result, call [`Column::from_value`] for the marked rows that are not NULL: the value
//! is not an ID, or the ID has no time.
//!
//! # Processors
//!
//! On x86-64 processors with AVX2, [`texts`](texts()), [`parse_texts`] and [`are_valid`] work on many digits at once, in
//! vector registers. On other processors, and for RON UIDs, they call the functions of the specification for each ID.
//! The results are the same.
#![deny(unsafe_code)]

#[cfg(feature = "arrow")]
pub mod arrow;
mod column;
mod field;
mod ids;
mod uuid;
mod wide;

pub use column::Column;
pub use field::{Field, Read};

use sortid::{ParseError, RangeError, UnixMicros};
use wide::BLOCK;

/// Writes the time of each ID: Unix milliseconds, or Unix microseconds if [`Column::MICROS`] is 1.
///
/// Returns whether every value has a time. The time of a value that has none is negative: it is not an ID, the ID has no
/// time, such as a RON name, or the time does not fit.
///
/// ```
/// use sortid::ulid_flake::UlidFlake;
///
/// let mut times = [0; 2];
/// assert!(!sortid_columns::times::<UlidFlake>(&[14_246_757_444_195_114, -1], &mut times));
/// assert_eq!(times[0], 1_717_653_966_666);
/// assert!(times[1] < 0);
/// ```
///
/// # Panics
///
/// If the slices have different lengths.
pub fn times<I: Column>(ids: &[I::Value], times: &mut [i64]) -> bool {
    assert_eq!(ids.len(), times.len(), "a time for each ID");
    // The sign of the union shows whether a time is negative. Without a branch, the loop takes as long as a copy.
    let mut union = 0;
    for (id, time) in ids.iter().zip(times) {
        *time = I::time_of(id);
        union |= *time;
    }
    union >= 0
}

/// Writes the text of each ID into [`TEXT_LEN`](sortid::SortableId::TEXT_LEN) bytes of `texts`, one after the other. Zeros follow a
/// shorter text of a RON UID. The texts of the other specifications have one length.
///
/// Returns whether every value is an ID. The bytes of a value that is not one are 0.
///
/// ```
/// use sortid::{SortableId, ron_uid::{RonUid, ron_uid}};
///
/// let ids = [ron_uid!("1CQKneD1-X~").to_bytes(), [0xff; 16]];
/// let mut texts = [1; 2 * RonUid::TEXT_LEN];
/// assert!(!sortid_columns::texts::<RonUid>(&ids, &mut texts));
/// assert_eq!(&texts[..21], b"1CQKneD1-X~\0\0\0\0\0\0\0\0\0\0");
/// assert_eq!(texts[21..], [0; 21]);
/// ```
///
/// # Panics
///
/// Unless `texts` has [`TEXT_LEN`](sortid::SortableId::TEXT_LEN) bytes for each ID.
pub fn texts<I: Column>(ids: &[I::Value], texts: &mut [u8]) -> bool {
    assert_eq!(ids.len() * I::TEXT_LEN, texts.len(), "{} bytes for each ID", I::TEXT_LEN);
    I::print_all(ids, texts)
}

/// Parses many texts that may not be UTF-8: `text` returns the text of a row, and may be called again for it. Writes the
/// values of the IDs, and which texts are IDs.
///
/// Returns whether all texts are IDs. The value of a text that is not an ID is 0, and [`parse`] returns its error.
///
/// ```
/// use sortid::ulid_flake::UlidFlake;
///
/// let texts = ["00CMXB6TAK4SA", "00CMXB6TAK4S"];
/// let (mut ids, mut valid) = ([0; 2], [false; 2]);
/// assert!(!sortid_columns::parse_texts::<UlidFlake>(|row| texts[row].as_bytes(), &mut ids, &mut valid));
/// assert_eq!((ids, valid), ([14_246_757_444_195_114, 0], [true, false]));
/// ```
///
/// # Panics
///
/// If the slices have different lengths.
pub fn parse_texts<'a, I: Column>(
    text: impl Fn(usize) -> &'a [u8],
    ids: &mut [I::Value],
    valid: &mut [bool],
) -> bool {
    assert_eq!(ids.len(), valid.len(), "a bool for each ID");
    parse_all::<I>(text, Some(ids), valid)
}

/// Writes which texts are IDs, and their values, if there is a place for them. Returns whether all are IDs.
fn parse_all<'a, I: Column>(
    text: impl Fn(usize) -> &'a [u8],
    mut ids: Option<&mut [I::Value]>,
    valid: &mut [bool],
) -> bool {
    valid.fill(false);
    I::parse_wide(&text, ids.as_deref_mut(), valid);
    let mut all = true;
    for (block, valid) in valid.chunks_mut(BLOCK).enumerate() {
        if *valid == [true; BLOCK] {
            continue;
        }
        for (row, valid) in (block * BLOCK..).zip(valid) {
            if *valid {
                continue;
            }
            let text = text(row);
            // A NULL has an empty text. Its error would take more time than the text of an ID.
            let id = if text.is_empty() { None } else { parse::<I>(text).ok() };
            match id {
                Some(id) => {
                    *valid = true;
                    if let Some(ids) = &mut ids {
                        ids[row] = id;
                    }
                }
                None => {
                    all = false;
                    if let Some(ids) = &mut ids {
                        ids[row] = I::Value::default();
                    }
                }
            }
        }
    }
    all
}

/// Writes whether [`parse`] accepts each of many texts: `text` returns the text of a row. Returns whether it accepts all.
///
/// ```
/// use sortid::euid::Euid;
///
/// // The check of the second text is wrong.
/// let texts = "C8EE934SR007G5Q94QKKXFRFV8BC8X2HA87098A0W837DX13FEAWVV".as_bytes();
/// let mut valid = [false; 2];
/// assert!(!sortid_columns::are_valid::<Euid>(|row| &texts[27 * row..][..27], &mut valid));
/// assert_eq!(valid, [true, false]);
/// ```
pub fn are_valid<'a, I: Column>(text: impl Fn(usize) -> &'a [u8], valid: &mut [bool]) -> bool {
    parse_all::<I>(text, None, valid)
}

/// Parses a text that may not be UTF-8: that of an ID, or for IDs of 128 bits also that of a UUID.
///
/// ```
/// use sortid::{euid::Euid, ulid_flake::UlidFlake};
///
/// assert_eq!(sortid_columns::parse::<UlidFlake>(b"00CMXB6TAK4SA"), Ok(14_246_757_444_195_114));
/// assert_eq!(
///     sortid_columns::parse::<Euid>(b"0c7f613c-7a56-1510-eddd-e216d959d3b1"),
///     sortid_columns::parse::<Euid>(b"1HZP2F3TARAH1VEXW8BDJPEKP44")
/// );
/// let error = sortid_columns::parse::<UlidFlake>(b"00CMXB6TAK4S").unwrap_err();
/// assert_eq!(error.to_string(), "expected 13 characters, found 12");
/// ```
///
/// # Errors
///
/// Those of [`sortid::SortableId::parse_ascii`]; `Character` for a UUID with another character than a hex digit.
#[inline]
pub fn parse<I: Column>(text: &[u8]) -> Result<I::Value, ParseError> {
    match uuid::of(text) {
        Some(uuid) if I::BYTES == 16 => uuid::parse(uuid).and_then(|bytes| I::try_from_bytes(&bytes)),
        _ => I::parse_ascii(text),
    }
    .map(I::to_value)
}

/// Returns whether [`parse`] accepts the text.
///
/// ```
/// use sortid::euid::Euid;
///
/// assert!(sortid_columns::is_valid::<Euid>(b"C8EE934SR007G5Q94QKKXFRFV8B"));
/// assert!(!sortid_columns::is_valid::<Euid>(b"C8X2HA87098A0W837DX13FEAWVV")); // the check is wrong
/// ```
#[inline]
#[must_use]
pub fn is_valid<I: Column>(text: &[u8]) -> bool {
    parse::<I>(text).is_ok()
}

/// Returns the least ID of the tick (the millisecond, or for Event IDs the microsecond) that contains the time, in
/// microseconds since 1970.
///
/// ```
/// use sortid::ulid_flake::UlidFlake;
///
/// let least = sortid_columns::min_at::<UlidFlake>(1_704_067_200_001_999)?;
/// assert_eq!(least, 1 << 20); // the millisecond 1
/// assert!(sortid_columns::min_at::<UlidFlake>(1_704_067_199_999_999).is_err()); // before 2024
/// # Ok::<(), sortid::RangeError>(())
/// ```
///
/// # Errors
///
/// If the time is outside [`sortid::SortableId::TIMES`].
pub fn min_at<I: Column>(unix_micros: i128) -> Result<I::Value, RangeError> {
    I::min_at(UnixMicros(unix_micros)).map(I::to_value)
}

/// Returns the greatest ID of the tick that contains the time, in microseconds since 1970.
///
/// ```
/// use sortid::ulid_flake::UlidFlake;
///
/// let greatest = sortid_columns::max_at::<UlidFlake>(1_704_067_200_000_000)?;
/// assert_eq!(greatest, (1 << 20) - 1);
/// # Ok::<(), sortid::RangeError>(())
/// ```
///
/// # Errors
///
/// Those of [`min_at`].
pub fn max_at<I: Column>(unix_micros: i128) -> Result<I::Value, RangeError> {
    I::max_at(UnixMicros(unix_micros)).map(I::to_value)
}
