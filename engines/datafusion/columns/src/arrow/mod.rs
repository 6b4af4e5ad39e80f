//! Functions of Arrow arrays.
//!
//! An array of IDs is a `FixedSizeBinary` of the right size, a `Binary`, a `LargeBinary`, a `BinaryView`, the `Int64` of
//! a Ulid-Flake, or a `Utf8`, `LargeUtf8` or `Utf8View` with [texts](crate#texts-of-uuids). An array of times is a timestamp or a date; a time
//! without a zone is in UTC. Any of these can be the values of a dictionary, and an array without a type, `Null`, has
//! only NULLs. All results are flat arrays. A NULL has the result NULL, and the value under it can be anything.
//!
//! | function | result |
//! |---|---|
//! | [`times`] | timestamps in milliseconds, of Event IDs in microseconds |
//! | [`texts`] | `Utf8` |
//! | [`field`] | `Int64`, `UInt64`, `Utf8` or `FixedSizeBinary` |
//! | [`fields`] | a structure of all fields |
//! | [`parse`], [`try_parse`] | `FixedSizeBinary`, of Ulid-Flakes `Int64` |
//! | [`is_valid`] | `Boolean` |
//! | [`min_at`], [`max_at`], [`backfill`], [`generate`] | the type of `parse` |
//!
//! [`Typed`] has `texts`, `parse`, `try_parse` and `is_valid` for texts with a prefix.
//!
//! ```
//! use arrow_array::{Array, ArrayRef, StringArray, cast::AsArray, types::TimestampMillisecondType};
//! use sortid::euid::Euid;
//! use sortid_columns::arrow;
//! use std::sync::Arc;
//!
//! let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("1HZP2F3TARAH1VEXW8BDJPEKP44"), None]));
//! let ids = arrow::parse::<Euid>(&texts)?;
//! let times = arrow::times::<Euid>(&ids, "UTC")?;
//! assert_eq!(times.as_primitive::<TimestampMillisecondType>().value(0), 1_717_653_966_666);
//! assert!(times.is_null(1));
//!
//! let wrong: ArrayRef = Arc::new(StringArray::from(vec!["1HZP2F3TARAH1VEXW8BDJPEKP44", "1HZP2F3"]));
//! let error = arrow::parse::<Euid>(&wrong).unwrap_err();
//! assert_eq!(error.row(), Some(1));
//! assert_eq!(
//!     error.to_string(),
//!     "row 1: \"1HZP2F3\" is not the text of an EUID: expected 27 characters, found 7"
//! );
//! # Ok::<(), arrow::Error>(())
//! ```
//!
//! A kernel marks the rows without a result. Only if a row is marked does a second pass ask the library what is wrong.

mod dictionary;
mod error;
mod gather;
mod ids;
mod make;
mod moments;
mod native;
mod read;
mod typed;
mod types;

pub use dictionary::over_dictionary;
pub use error::{Error, ErrorKind, Found, Result, one};
pub use gather::mask;
pub use make::{backfill, generate};
pub use native::{ArrowId, Native};
pub use read::{field, fields, is_valid, max_at, min_at, parse, texts, times, try_parse};
pub use typed::Typed;
pub use types::{check_id, check_moment, check_text, field_type, fields_type, is_id, timestamp};
