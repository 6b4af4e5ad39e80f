//! What the library says about the IDs of a specification.

use sortid::UnixMicros;
use sortid::{
    SortableId,
    euid::{Euid, Extension},
    evently_id::EventId,
    ron_uid::{Base64x64, RonUid, Scheme},
    scru160::Scru160,
    ulid_flake::UlidFlake,
};
use sortid_columns::Column;
use std::{fs, path::Path};

/// The number of random IDs of each specification.
pub(crate) const RANDOM: usize = 20_000;

/// Runs a check of each specification, whose type is `$id`.
macro_rules! every_specification {
    ($id:ident => $check:expr) => {
        for &spec in sortid::Spec::ALL {
            sortid::__with_type!(spec, $id => $check);
        }
    };
}
pub(crate) use every_specification;

/// A value of a field.
pub(crate) enum Cell {
    Int(Option<i64>),
    Unsigned(u64),
    Text(String),
    Bytes(Vec<u8>),
}

pub(crate) trait Tested: Column {
    /// Any ID, except those whose time no timestamp has.
    fn random(random: &mut fastrand::Rng) -> Self;

    /// The field, as the library reads it.
    fn field(&self, name: &str) -> Cell;
}

/// Random IDs, the first and the last ID, the IDs around the first and last times, and the vectors.
pub(crate) fn ids<I: Tested>() -> Vec<I> {
    let mut random = fastrand::Rng::with_seed(42);
    let mut ids: Vec<I> = (0..RANDOM).map(|_| I::random(&mut random)).collect();
    let last = i128::from(*I::TIMES.end()).min(i64::MAX.into());
    for micros in [i128::from(*I::TIMES.start()), last, last - 1000, 1_717_653_966_666_000] {
        ids.push(I::min_at(UnixMicros(micros)).unwrap());
        ids.push(I::max_at(UnixMicros(micros)).unwrap());
    }
    ids.push(I::MIN);
    if I::PREFIX != "event_id" {
        ids.push(I::MAX);
    }
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(I::NAME).with_extension("json");
    let vectors = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let vectors = vectors.split('"').filter_map(|text| I::parse(text).ok());
    // No timestamp has the times of a few Event IDs.
    let has_timestamp = |id: &I| id.unix_micros().is_none_or(|micros| i64::try_from(micros).is_ok());
    let vectors: Vec<I> = vectors.filter(has_timestamp).collect();
    assert!(vectors.len() >= 10, "{} has vectors", file.display());
    ids.extend(vectors);
    ids
}

fn int(value: impl Into<i64>) -> Cell {
    Cell::Int(Some(value.into()))
}

impl Tested for Scru160 {
    fn random(random: &mut fastrand::Rng) -> Self {
        let mut bytes = [0; 20];
        random.fill(&mut bytes);
        Self::from_bytes(bytes)
    }

    fn field(&self, name: &str) -> Cell {
        match name {
            "timestamp_ms" => int(self.unix_millis() as i64),
            "counter" => int(self.counter()),
            "random16" => int(self.random16()),
            "random80" => Cell::Bytes(self.random80().to_vec()),
            other => panic!("no field {other}"),
        }
    }
}

impl Tested for Euid {
    fn random(random: &mut fastrand::Rng) -> Self {
        Self::from_u128(random.u128(..))
    }

    fn field(&self, name: &str) -> Cell {
        match name {
            "timestamp_ms" => int(self.unix_millis() as i64),
            "random_upper" => int(self.random_upper()),
            "extension" => Cell::Int(self.extension().map(Extension::value).map(i64::from)),
            "extension_bits" => int(self.extension().map_or(0, Extension::bits)),
            "random_high" => int(self.random_high()),
            "random_low" => int(self.random_low()),
            "check" => int(self.check()),
            other => panic!("no field {other}"),
        }
    }
}

impl Tested for UlidFlake {
    fn random(random: &mut fastrand::Rng) -> Self {
        Self::try_from_int(random.i64(0..)).unwrap()
    }

    fn field(&self, name: &str) -> Cell {
        match name {
            "timestamp_ms" => int(self.timestamp() as i64),
            "randomness" => int(self.randomness()),
            "scalable_randomness" => int(self.scalable().randomness()),
            "scalability" => int(self.scalable().scalability()),
            other => panic!("no field {other}"),
        }
    }
}

impl Tested for RonUid {
    /// Half of the UIDs have a time; few random values are dates.
    fn random(random: &mut fastrand::Rng) -> Self {
        let value = if random.bool() {
            Base64x64::from_unix_millis(random.u64(1_262_304_000_000..=11_865_398_399_999)).unwrap()
        } else {
            // Short values have short texts.
            Base64x64::try_from_int(
                random.u64(..1 << 60) >> (6 * random.u32(..10)) << (6 * random.u32(..10)) & ((1 << 60) - 1),
            )
            .unwrap()
        };
        let origin = Base64x64::try_from_int(random.u64(..1 << 60) >> (6 * random.u32(..10))).unwrap();
        Self::from_fields(value, origin, Scheme::ALL[random.usize(..4)])
    }

    fn field(&self, name: &str) -> Cell {
        match name {
            "value" => Cell::Text(self.value().to_string()),
            "origin" => Cell::Text(self.origin().to_string()),
            "value_int" => int(self.value().to_int() as i64),
            "origin_int" => int(self.origin().to_int() as i64),
            "scheme" => Cell::Text(self.scheme().name().to_owned()),
            other => panic!("no field {other}"),
        }
    }
}

impl Tested for EventId {
    fn random(random: &mut fastrand::Rng) -> Self {
        Self::from_u128(random.u128(..1 << 127))
    }

    fn field(&self, name: &str) -> Cell {
        match name {
            "timestamp_us" => Cell::Unsigned(self.unix_micros()),
            "checksum" => Cell::Text(format!("{:08x}", self.checksum())),
            "ledger_id" => Cell::Text(self.ledger_id().to_string()),
            "version" => int(self.ledger_id().version()),
            other => panic!("no field {other}"),
        }
    }
}

/// The time in ticks that the library returns.
pub(crate) fn time<I: SortableId + Column>(id: &I) -> Option<i64> {
    id.unix_micros().map(|micros| i64::try_from(micros).unwrap() / I::MICROS)
}
