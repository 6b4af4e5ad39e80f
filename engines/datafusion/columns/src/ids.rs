//! The five specifications.

use crate::{
    Column, Field, Read,
    field::{integers, slots},
    wide::{self, Alphabet, Base32, print_each},
};
use sortid::{
    ParseError, SortableId as _,
    euid::{Euid, Extension},
    evently_id::{EventId, LedgerId},
    ron_uid::RonUid,
    scru160::Scru160,
    ulid_flake::{Epoch, UlidFlake, scalable::Scalable},
};

/// The time of a value that has none.
const NO_TIME: i64 = -1;

/// The kernels of an ID whose text is this number of words in [`Base32`].
macro_rules! in_words {
    ($words:literal) => {
        fn print_all(ids: &[Self::Value], texts: &mut [u8]) -> bool {
            wide::print::<Self, $words>(ids, texts)
        }

        fn parse_wide<'a>(
            text: &impl Fn(usize) -> &'a [u8],
            ids: Option<&mut [Self::Value]>,
            valid: &mut [bool],
        ) {
            wide::parse::<Self, $words>(text, ids, valid);
        }
    };
}

impl Column for Scru160 {
    type Value = [u8; 20];
    const PREFIX: &'static str = "scru160";
    const MICROS: i64 = 1000;
    const IN_TIME_ORDER: bool = true;
    const READS: &'static [Field<Self>] = &[
        Field::new(
            Self::FIELDS[0],
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.unix_millis()))),
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

    in_words!(4);
}

impl Base32<4> for Scru160 {
    const ALPHABET: Alphabet = Alphabet::BASE32HEX;

    #[inline(always)]
    fn to_words(value: &[u8; 20]) -> [u64; 4] {
        let at = |at: usize| int_at(value, at);
        [at(0) >> 24, at(5) >> 24, at(10) >> 24, at(12) & LOW_40]
    }

    #[inline(always)]
    fn from_words([first, second, third, last]: [u64; 4]) -> ([u8; 20], bool) {
        let mut value = [0; 20];
        value[..8].copy_from_slice(&(first << 24 | second >> 16).to_be_bytes());
        value[8..16].copy_from_slice(&(second << 48 | third << 8 | last >> 32).to_be_bytes());
        value[16..].copy_from_slice(&(last as u32).to_be_bytes());
        (value, true)
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
            Read::Integers(|ids, out| integers(ids, out, |id: Self| int(id.unix_millis()))),
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
            Read::Integers(|ids, out| {
                integers(ids, out, |id: Self| int(id.extension().map_or(0, Extension::bits)))
            }),
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

    in_words!(4);
}

impl Base32<4> for Euid {
    const ALPHABET: Alphabet = Alphabet::CROCKFORD;

    #[inline(always)]
    fn to_words(value: &[u8; 16]) -> [u64; 4] {
        let (high, low) = (int_at(value, 0), int_at(value, 8));
        // The check follows the last bits of the ID.
        let check = check(high, low);
        [high >> 24, (high << 16 | low >> 48) & LOW_40, low >> 8 & LOW_40, (low << 32 | check << 25) & LOW_40]
    }

    #[inline(always)]
    fn from_words([first, second, third, last]: [u64; 4]) -> ([u8; 16], bool) {
        let (high, low) = (first << 24 | second >> 16, second << 48 | third << 8 | last >> 32);
        let mut value = [0; 16];
        value[..8].copy_from_slice(&high.to_be_bytes());
        value[8..].copy_from_slice(&low.to_be_bytes());
        // A text without a check is refused, too.
        (value, last >> 25 & 0x7f == check(high, low))
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

    in_words!(2);
}

impl Base32<2> for UlidFlake {
    const ALPHABET: Alphabet = Alphabet::CROCKFORD;

    #[inline(always)]
    fn to_words(value: &i64) -> [u64; 2] {
        [*value as u64 >> 25, (*value as u64) << 15 & LOW_40]
    }

    #[inline(always)]
    fn from_words([first, last]: [u64; 2]) -> (i64, bool) {
        ((first << 25 | last >> 15) as i64, first >> 38 == 0)
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
                    *out = Self::from_bytes(*id).unix_micros();
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

    fn print_all(ids: &[Self::Value], texts: &mut [u8]) -> bool {
        wide::print_hex(ids.as_flattened(), texts) || print_each::<Self>(ids, texts)
    }

    fn parse_wide<'a>(
        text: &impl Fn(usize) -> &'a [u8],
        ids: Option<&mut [Self::Value]>,
        valid: &mut [bool],
    ) {
        wide::parse_hex::<16, { Self::TEXT_LEN }>(text, ids, valid);
    }
}

/// A field that an `i64` holds, or `None`.
fn int(field: impl TryInto<i64>) -> Option<i64> {
    field.try_into().ok()
}

/// The low 40 bits, which are eight digits of base 32.
const LOW_40: u64 = (1 << 40) - 1;

/// The integer of the eight bytes from `bytes[at]` on.
#[inline(always)]
fn int_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(*bytes[at..].first_chunk().expect("eight bytes are left"))
}

/// [`Euid::check`] of the halves of an ID. The compiler does not vectorize a division.
#[inline(always)]
fn check(high: u64, low: u64) -> u64 {
    const DIGIT: u64 = (1 << 28) - 1;
    // 2^28, 2^14 and 2^7 are 1 modulo 127, so the sum of digits has the same remainder.
    let sum = (low & DIGIT)
        + (low >> 28 & DIGIT)
        + ((high << 8 | low >> 56) & DIGIT)
        + (high >> 20 & DIGIT)
        + (high >> 48);
    let sum = (sum & 0x3fff) + (sum >> 14);
    let sum = (sum & 0x7f) + (sum >> 7 & 0x7f) + (sum >> 14);
    let sum = (sum & 0x7f) + (sum >> 7);
    if sum < 127 { sum } else { sum - 127 }
}
