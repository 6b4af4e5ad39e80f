//! IDs of any kind: how they are made, and how a check compares them.

use crate::lock;
use fastrand::Rng;
use sortid::{AnyId, AnyOptions, Spec};
use sortid_core::Generate;
use sortid_fleet::{GenerateError, GenerateErrorKind, Node, UnixMillis};
use sortid_servers::shell::Result;
use std::{
    fmt,
    str::FromStr,
    sync::{Arc, Mutex},
    time::UNIX_EPOCH,
};

/// The size of a fleet: a Ulid-Flake has room for no more node IDs.
pub(crate) const SIZE: u32 = 32;

/// The bits of a node ID below [`SIZE`].
const BITS: u32 = SIZE.ilog2();

/// The most IDs of a batch.
pub(crate) const BATCH: usize = 128;

/// The origin of RON UIDs, without the node ID: text and number.
const ORIGIN: (&str, u64) = ("000000fx00", 0xABC << 12);

/// The options of a specification, whose IDs have room for a node ID below the origin or the ledger.
pub(crate) fn options(spec: Spec) -> Result<AnyOptions> {
    let required: &[_] = match spec {
        Spec::EventlyId => &[("ledger_id", "00000000")],
        Spec::RonUid => &[("origin", ORIGIN.0)],
        _ => &[],
    };
    Ok(AnyOptions::new(spec, required)?)
}

/// How many IDs to make in one call: every fourth time a single one.
pub(crate) fn count(random: &mut Rng) -> usize {
    if random.u8(0..4) == 0 { 1 } else { random.usize(1..=BATCH) }
}

/// Makes IDs, at most [`BATCH`], and calls `each` with the bytes of each.
pub(crate) fn make(
    generator: &dyn Generate<Id = AnyId>,
    count: usize,
    each: impl FnMut(&[u8]),
) -> Result<(), GenerateError> {
    let mut ids = [AnyId::min(Spec::UlidFlake); BATCH];
    let ids = &mut ids[..count];
    // `generate` makes a single ID, so that both ways are tried.
    if let [id] = ids {
        *id = generator.generate()?;
    } else {
        generator.fill(ids)?;
    }
    ids.iter().map(AnyId::as_bytes).for_each(each);
    Ok(())
}

/// What the processes of a fleet make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Spec(Spec),
    /// IDs of the user's own, of which [`Node::permits`] is asked.
    Snowflake,
}

impl FromStr for Kind {
    type Err = <Spec as FromStr>::Err;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == "snowflake" { Ok(Self::Snowflake) } else { name.parse().map(Self::Spec) }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(spec) => spec.fmt(f),
            Self::Snowflake => f.write_str("snowflake"),
        }
    }
}

impl Kind {
    /// The length of an ID.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Spec(spec) => spec.bytes(),
            Self::Snowflake => size_of::<u64>(),
        }
    }

    /// The node ID in the fields of an ID; `None` if it is not an ID of such a node.
    pub(crate) fn node_id(self, bytes: &[u8]) -> Option<u32> {
        let Self::Spec(spec) = self else {
            return Some(u64::from_be_bytes(bytes.try_into().ok()?) as u32 >> 12 & 0x3FF);
        };
        match AnyId::try_from_bytes(spec, bytes).ok()? {
            AnyId::UlidFlake(id) => Some(id.scalable().scalability().into()),
            AnyId::Scru160(id) => Some((id.random16() >> (u16::BITS - BITS)).into()),
            AnyId::Euid(id) => Some(id.extension()?.value().into()),
            AnyId::RonUid(id) => u32::try_from(id.origin().to_int().checked_sub(ORIGIN.1)?).ok(),
            _ => None,
        }
    }
}

/// A generator of 64-bit Snowflakes of Twitter's layout: 41 bits of milliseconds, 10 of the node ID, 12 of a sequence.
pub(crate) struct Snowflakes {
    /// `None` once it is released.
    node: Arc<Mutex<Option<Node>>>,
    /// The milliseconds and the sequence of the last one.
    last: Mutex<(u64, u64)>,
}

impl Snowflakes {
    pub(crate) fn new(node: Arc<Mutex<Option<Node>>>) -> Self {
        Self { node, last: Mutex::default() }
    }

    /// Makes so many, and calls `each` with the bytes of each. They read the clock once, because that takes long where it
    /// is set.
    pub(crate) fn make(&self, count: usize, mut each: impl FnMut(&[u8])) -> Result<(), GenerateErrorKind> {
        let mut last = lock(&self.last);
        let now = UNIX_EPOCH.elapsed().map_or(0, |since| since.as_millis() as u64);
        for _ in 0..count {
            let (millis, sequence) = match *last {
                (millis, _) if now > millis => (now, 0),
                // Of a full millisecond, or after the clock was set back: the next one after the last.
                (millis, 4095) => (millis + 1, 0),
                (millis, sequence) => (millis, sequence + 1),
            };
            let node = lock(&self.node);
            let node = node.as_ref().ok_or(GenerateErrorKind::ReservationEnded)?;
            node.permits(UnixMillis(millis.into())).map_err(|error| error.kind())?;
            *last = (millis, sequence);
            let id = (millis - 1_288_834_974_657) << 22 | u64::from(node.id()) << 12 | sequence;
            each(&id.to_be_bytes());
        }
        Ok(())
    }
}

/// What makes an ID unique: the space in which it is unique, and its bytes, with zeros behind.
pub(crate) type Key = [u8; 21];

pub(crate) fn key(space: u8, bytes: &[u8]) -> Key {
    let mut key = [0; 21];
    key[0] = space;
    key[1..=bytes.len()].copy_from_slice(bytes);
    key
}

/// Sorts the keys. Returns how many occur again, and the first of these.
pub(crate) fn repeated(keys: &mut [Key]) -> (u64, Option<Key>) {
    keys.sort_unstable();
    let mut again = keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let first = again.next();
    (u64::from(first.is_some()) + again.count() as u64, first)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sortid_fleet::{Fleet, init, testing::MemoryStore};

    #[test]
    fn the_origin_is_the_same_as_text_and_as_number() {
        let origin: sortid::ron_uid::Base64x64 = ORIGIN.0.parse().unwrap();
        assert_eq!(origin.to_int(), ORIGIN.1);
    }

    #[test]
    fn snowflakes_ascend_and_end_with_their_node() {
        let store = MemoryStore::new();
        init(&store, "default", SIZE).unwrap();
        let node = Fleet::new(store).join().unwrap();
        let node_id = node.id();
        let node = Arc::new(Mutex::new(Some(node)));
        let snowflakes = Snowflakes::new(Arc::clone(&node));
        let mut made = vec![];
        // More than a millisecond has.
        snowflakes.make(5000, |id| made.push(id.to_vec())).unwrap();
        assert!(made.is_sorted_by(|a, b| a < b));
        assert!(made.iter().all(|id| Kind::Snowflake.node_id(id) == Some(node_id)));
        lock(&node).take();
        assert_eq!(snowflakes.make(1, |_| {}), Err(GenerateErrorKind::ReservationEnded));
    }
}
