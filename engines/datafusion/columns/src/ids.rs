//! The five specifications.

use crate::{
    Column, Field, Read,
    field::{integers, slots},
};
use sortid::{
    ParseError,
    euid::Euid,
    evently_id::{EventId, LedgerId},
    ron_uid::RonUid,
    scru160::Scru160,
    ulid_flake::{Epoch, UlidFlake},
};

/// The time of a value that has none.
const NO_TIME: i64 = -1;

impl Column for Scru160 {
    type Value = [u8; 20];
    const PREFIX: &'static str = "scru160";
    const MICROS: i64 = 1000;
    const IN_TIME_ORDER: bool = true;
    const FIELDS: &'static [Field<Self>] = &[
        Field {
            name: "timestamp",
            about: "milliseconds since 1970",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.timestamp()))),
        },
        Field {
            name: "counter",
            about: "the counter, 16 bits",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.counter()))),
        },
        Field {
            name: "random16",
            about: "16 bits, which are random by default",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.random16()))),
        },
        Field {
            name: "random80",
            about: "80 random bits, as 10 bytes",
            read: Read::Bytes(10, |ids, out| {
                slots(ids, out, 10, |id: Self| id.random80());
            }),
        },
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
    const FIELDS: &'static [Field<Self>] = &[
        Field {
            name: "timestamp",
            about: "milliseconds since 1970",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.timestamp()))),
        },
        Field {
            name: "random_upper",
            about: "the random bits above the extension",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.random_upper()))),
        },
        Field {
            name: "extension",
            about: "the value of the extension, or NULL without one",
            read: Read::Integers(|ids, out| {
                integers(ids, out, |id: Self| id.extension().and_then(|extension| int(extension.value())))
            }),
        },
        Field {
            name: "extension_bits",
            about: "the number of bits of the extension, 0 without one",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.extension_bits()))),
        },
        Field {
            name: "random_high",
            about: "32 bits: random in the first ID of a millisecond, then one more in each ID",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.random_high()))),
        },
        Field {
            name: "random_low",
            about: "32 bits, random in each ID",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.random_low()))),
        },
        Field {
            name: "check",
            about: "the check, which the text contains: 0 to 126",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.check()))),
        },
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
    const FIELDS: &'static [Field<Self>] = &[
        Field {
            name: "timestamp",
            about: "milliseconds since 2024",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.timestamp()))),
        },
        Field {
            name: "randomness",
            about: "20 random bits",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.randomness()))),
        },
        Field {
            name: "scalable_randomness",
            about: "15 random bits, in the scalable version",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.scalable().randomness()))),
        },
        Field {
            name: "scalability",
            about: "the number of the node, 0 to 31, in the scalable version",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.scalable().scalability()))),
        },
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
        // The layout of the library, without its check. The sign of a value that is not an ID is that of the result.
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
    const FIELDS: &'static [Field<Self>] = &[
        Field {
            name: "value",
            about: "the value as text",
            read: Read::Texts(10, |ids, out| slots(ids, out, 10, |id: Self| id.value().encode())),
        },
        Field {
            name: "origin",
            about: "the origin as text",
            read: Read::Texts(10, |ids, out| slots(ids, out, 10, |id: Self| id.origin().encode())),
        },
        Field {
            name: "value_int",
            about: "the value as an integer, 60 bits",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.value().to_int()))),
        },
        Field {
            name: "origin_int",
            about: "the origin as an integer, 60 bits",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.origin().to_int()))),
        },
        Field {
            name: "scheme",
            about: "event, derived, name or hash",
            read: Read::Texts(7, |ids, out| slots(ids, out, 7, |id: Self| id.scheme().name())),
        },
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
    const FIELDS: &'static [Field<Self>] = &[
        Field {
            name: "timestamp",
            about: "microseconds since 1970",
            read: Read::Unsigned(|ids, out| {
                assert_eq!(ids.len(), out.len(), "an integer for each ID");
                for (id, out) in ids.iter().zip(out) {
                    *out = Self::from_bytes(*id).timestamp();
                }
            }),
        },
        Field {
            name: "checksum",
            about: "the checksum as 8 digits of hex",
            read: Read::Texts(8, |ids, out| {
                slots(ids, out, 8, |id: Self| LedgerId::from_int(id.checksum()).encode())
            }),
        },
        Field {
            name: "ledger_id",
            about: "the ledger ID as 8 digits of hex",
            read: Read::Texts(8, |ids, out| slots(ids, out, 8, |id: Self| id.ledger_id().encode())),
        },
        Field {
            name: "version",
            about: "the version in the ledger ID, 0 to 3",
            read: Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.ledger_id().version()))),
        },
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
