//! The five specifications.

use crate::{
    Column, Field, Read,
    field::{integers, slots},
};
use sortid::{
    ParseError, SortableId as _,
    euid::Euid,
    evently_id::{EventId, LedgerId},
    ron_uid::RonUid,
    scru160::Scru160,
    ulid_flake::{Epoch, UlidFlake, scalable::Scalable},
};

/// The time of a value that has none.
const NO_TIME: i64 = -1;

impl Column for Scru160 {
    type Value = [u8; 20];
    const PREFIX: &'static str = "scru160";
    const MICROS: i64 = 1000;
    const IN_TIME_ORDER: bool = true;
    const READS: &'static [Field<Self>] = &[
        Field::new(
            Self::FIELDS[0],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.timestamp()))),
        ),
        Field::new(
            Self::FIELDS[1],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.counter()))),
        ),
        Field::new(
            Self::FIELDS[2],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.random16()))),
        ),
        Field::new(
            Self::FIELDS[3],
            Read::Bytes(10, |ids, out| {
                slots(ids, out, 10, |id: Self| id.random80());
            }),
        ),
    ];

    fn from_value(value: &[u8; 20]) -> Result<Self, ParseError> {
        Ok(Self::from_bytes(*value))
    }

    fn to_value(self) -> [u8; 20] {
        self.to_bytes()
    }

    fn value_of_bytes(bytes: &[u8]) -> Option<[u8; 20]> {
        bytes.try_into().ok()
    }

    #[inline]
    fn time_of(value: &[u8; 20]) -> i64 {
        Self::from_bytes(*value).unix_millis() as i64
    }
}

impl Column for Euid {
    type Value = [u8; 16];
    const PREFIX: &'static str = "euid";
    const MICROS: i64 = 1000;
    const IN_TIME_ORDER: bool = true;
    const READS: &'static [Field<Self>] = &[
        Field::new(
            Self::FIELDS[0],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.timestamp()))),
        ),
        Field::new(
            Self::FIELDS[1],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.random_upper()))),
        ),
        Field::new(
            Self::FIELDS[2],
            Read::Integers(|ids, out| {
                integers(ids, out, |id: Self| id.extension().and_then(|extension| int(extension.value())))
            }),
        ),
        Field::new(
            Self::FIELDS[3],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.extension_bits()))),
        ),
        Field::new(
            Self::FIELDS[4],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.check()))),
        ),
        Field::new(
            Self::FIELDS[5],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.random_high()))),
        ),
        Field::new(
            Self::FIELDS[6],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.random_low()))),
        ),
    ];

    fn from_value(value: &[u8; 16]) -> Result<Self, ParseError> {
        Ok(Self::from_bytes(*value))
    }

    fn to_value(self) -> [u8; 16] {
        self.to_bytes()
    }

    fn value_of_bytes(bytes: &[u8]) -> Option<[u8; 16]> {
        bytes.try_into().ok()
    }

    #[inline]
    fn time_of(value: &[u8; 16]) -> i64 {
        Self::from_bytes(*value).unix_millis() as i64
    }
}

impl Column for UlidFlake {
    type Value = i64;
    const PREFIX: &'static str = "ulid_flake";
    const MICROS: i64 = 1000;
    const IN_TIME_ORDER: bool = true;
    const READS: &'static [Field<Self>] = &[
        Field::new(
            Self::FIELDS[2],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.timestamp()))),
        ),
        Field::new(
            Self::FIELDS[3],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.randomness()))),
        ),
        Field::named(
            "scalable_randomness",
            Scalable::FIELDS[3],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.scalable().randomness()))),
        ),
        Field::new(
            Scalable::FIELDS[4],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.scalable().scalability()))),
        ),
    ];

    fn from_value(value: &i64) -> Result<Self, ParseError> {
        Self::try_from_int(*value)
    }

    fn to_value(self) -> i64 {
        self.to_int()
    }

    fn value_of_bytes(bytes: &[u8]) -> Option<i64> {
        bytes.try_into().ok().map(i64::from_be_bytes)
    }

    #[inline]
    fn time_of(value: &i64) -> i64 {
        // The layout of the library, without its check. A value that is not an ID is negative, and so is its result.
        const RANDOMNESS: u32 = UlidFlake::MAX_RANDOMNESS.trailing_ones();
        const EPOCH: i64 = Epoch::DEFAULT.unix_millis() as i64;
        (EPOCH + (*value as u64 >> RANDOMNESS) as i64) | (value & i64::MIN)
    }
}

impl Column for RonUid {
    type Value = [u8; 16];
    const PREFIX: &'static str = "ron_uid";
    const MICROS: i64 = 1000;
    const IN_TIME_ORDER: bool = false;
    const READS: &'static [Field<Self>] = &[
        Field::new(
            Self::FIELDS[1],
            Read::Texts(10, |ids, out| slots(ids, out, 10, |id: Self| id.value().encode())),
        ),
        Field::new(
            Self::FIELDS[5],
            Read::Texts(10, |ids, out| slots(ids, out, 10, |id: Self| id.origin().encode())),
        ),
        Field::new(
            Self::FIELDS[2],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.value().to_int()))),
        ),
        Field::new(
            Self::FIELDS[6],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.origin().to_int()))),
        ),
        Field::new(
            Self::FIELDS[4],
            Read::Texts(7, |ids, out| slots(ids, out, 7, |id: Self| id.scheme().name())),
        ),
    ];

    fn from_value(value: &[u8; 16]) -> Result<Self, ParseError> {
        Self::try_from_bytes(*value)
    }

    fn to_value(self) -> [u8; 16] {
        self.to_bytes()
    }

    fn value_of_bytes(bytes: &[u8]) -> Option<[u8; 16]> {
        bytes.try_into().ok()
    }

    fn time_of(value: &[u8; 16]) -> i64 {
        let millis = Self::try_from_bytes(*value).ok().and_then(|id| id.unix_millis());
        millis.and_then(int).unwrap_or(NO_TIME)
    }
}

impl Column for EventId {
    type Value = [u8; 16];
    const PREFIX: &'static str = "event_id";
    const MICROS: i64 = 1;
    const IN_TIME_ORDER: bool = true;
    const READS: &'static [Field<Self>] = &[
        Field::new(
            Self::FIELDS[0],
            Read::Unsigned(|ids, out| {
                assert_eq!(ids.len(), out.len(), "an integer for each ID");
                for (id, out) in ids.iter().zip(out) {
                    *out = Self::from_bytes(*id).timestamp();
                }
            }),
        ),
        Field::new(
            Self::FIELDS[1],
            Read::Texts(8, |ids, out| {
                slots(ids, out, 8, |id: Self| LedgerId::from_int(id.checksum()).encode())
            }),
        ),
        Field::new(
            Self::FIELDS[2],
            Read::Texts(8, |ids, out| slots(ids, out, 8, |id: Self| id.ledger_id().encode())),
        ),
        Field::new(
            Self::FIELDS[3],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.ledger_id().version()))),
        ),
    ];

    fn from_value(value: &[u8; 16]) -> Result<Self, ParseError> {
        Ok(Self::from_bytes(*value))
    }

    fn to_value(self) -> [u8; 16] {
        self.to_bytes()
    }

    fn value_of_bytes(bytes: &[u8]) -> Option<[u8; 16]> {
        bytes.try_into().ok()
    }

    #[inline]
    fn time_of(value: &[u8; 16]) -> i64 {
        // Times above `i64::MAX` become negative.
        Self::from_bytes(*value).unix_micros() as i64
    }
}

/// A field that an `i64` holds, or `None`.
fn int(field: impl TryInto<i64>) -> Option<i64> {
    field.try_into().ok()
}
