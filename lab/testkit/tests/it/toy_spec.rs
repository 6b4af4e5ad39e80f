//! A sixth specification in one file: the parts that CONTRIBUTING.md lists, up to the common scenarios. A crate has a file
//! for each part, and documentation.

#![allow(unexpected_cfgs, reason = "the macros ask for the features of a spec crate")]

use proptest::prelude::*;
use sortid_core::{
    __private::{error, millis},
    BackfillRules, Entropy, EntropyError, Field, HEX, ParseError, Position, RangeError, Role, RollbackPolicy,
    Rules, Text, UnixTime,
};
use std::{
    ops::RangeInclusive,
    time::{Duration, UNIX_EPOCH},
};

// id.rs

/// The fields in order.
const LAYOUT: [Field; 3] = [
    Field::new("timestamp_ms", 44, Role::Time, "when the ID was made, in milliseconds since 1970", ""),
    Field::new("counter", 12, Role::Count, "orders the IDs of one millisecond", ""),
    Field::new("random", 8, Role::Random, "random in each ID", ""),
];
const _: () = assert!(Field::bits_of(&LAYOUT) == u64::BITS as usize);

/// Unix time in milliseconds, a counter that starts at a random value below 2^11, and 8 random bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Toy([u8; 8]);

impl Toy {
    const MIN: Self = Self([0; 8]);
    const MAX: Self = Self([0xff; 8]);
    const MAX_TIMESTAMP: u64 = (1 << LAYOUT[0].bits) - 1;
    const MAX_COUNTER: u64 = (1 << LAYOUT[1].bits) - 1;

    const fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    const fn to_bytes(self) -> [u8; 8] {
        self.0
    }

    const fn as_bytes(&self) -> &[u8; 8] {
        &self.0
    }

    const fn pack(timestamp: u64, counter: u64, random: u8) -> Self {
        let above = timestamp << LAYOUT[1].bits | counter;
        Self((above << LAYOUT[2].bits | random as u64).to_be_bytes())
    }

    const fn timestamp(&self) -> u64 {
        u64::from_be_bytes(self.0) >> (LAYOUT[1].bits + LAYOUT[2].bits)
    }

    const fn counter(&self) -> u64 {
        u64::from_be_bytes(self.0) >> LAYOUT[2].bits & Self::MAX_COUNTER
    }

    fn min_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::pack(Self::timestamp_at(time)?, 0, 0))
    }

    fn max_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::pack(Self::timestamp_at(time)?, Self::MAX_COUNTER, u8::MAX))
    }

    fn timestamp_at(time: impl UnixTime) -> Result<u64, RangeError> {
        error::check_range(time.unix_micros().div_euclid(1000), "Toy timestamp", Self::MAX_TIMESTAMP)
    }
}

// text.rs

impl Toy {
    const TEXT_LEN: usize = 16;

    const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        let mut text = Text::EMPTY;
        text.push_digits(&HEX, u64::from_be_bytes(self.0), Self::TEXT_LEN);
        text
    }

    const fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(text.as_bytes())
    }

    const fn parse_ascii(text: &[u8]) -> Result<Self, ParseError> {
        let Some((digits, [])) = text.split_first_chunk::<{ Self::TEXT_LEN }>() else {
            return Err(error::text_length("16 characters", text));
        };
        match HEX.bytes(digits) {
            Some(bytes) => Ok(Self::from_bytes(bytes)),
            None => Err(HEX.bad_digit(text)),
        }
    }
}

// id.rs, at its end

sortid_core::__private::sortable_id!(
    [cfg] Toy, 8, from_bytes,
    name: "toy",
    title: "Toy",
    times: millis(0, Self::MAX_TIMESTAMP),
    unix_micros: |id| Some(id.timestamp() * 1000),
    fields: &LAYOUT,
    |id, each| {
        each(LAYOUT[0], id.timestamp().into());
        each(LAYOUT[1], id.counter().into());
        each(LAYOUT[2], u64::from(id.0[7]).into());
    },
);

// generator.rs

sortid_core::__private::generators! {
    options: Options,
    id: Toy,
    rollback: fails,
    /// Generates IDs.
    Generator,
    /// Makes IDs for given times.
    Backfill,
}

sortid_core::__private::generator_defaults! {
    /// Generates an ID with the process-wide generator [`shared`].
    new: Toy,
    wrong_clock: "before 1970"
}

/// The options of a generator: those that all specifications have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    rollback: RollbackPolicy,
}

impl Options {
    const fn new() -> Self {
        Self { rollback: RollbackPolicy::new() }
    }
}

impl Rules for Options {
    type Id = Toy;
    type Random = [u8; 1];

    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros / 1000)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        tick.saturating_mul(1000)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        0..=Toy::MAX_TIMESTAMP
    }

    fn first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(u64::from(u16::from_be_bytes(entropy.draw()?)) & (Toy::MAX_COUNTER >> 1))
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok((last.count < Toy::MAX_COUNTER).then(|| Position { count: last.count + 1, ..last }))
    }

    fn id(&self, position: Position, _: u16, [random]: [u8; 1]) -> Toy {
        Toy::pack(position.tick, position.count, random)
    }

    fn position(&self, id: Toy) -> Option<Position> {
        Some(Position { tick: id.timestamp(), count: id.counter() })
    }
}

impl BackfillRules for Options {
    fn backfill_capacity(&self) -> u64 {
        Toy::MAX_COUNTER / 2 + 2
    }
}

// integrations.rs

sortid_core::__private::integrations!(
    [cfg]
    Toy,
    prefix: "",
    column: bytes,
    uuid: none,
    integer: (),
    time: from,
    schema: 16..=16, "^[0-9A-Fa-f]{16}$",
);

// tests/

#[test]
fn the_generators_pass_the_common_scenarios() {
    sortid_testkit::scenarios(Options::new(), Duration::from_secs(1_717_653_966), 2049);
}

#[test]
fn the_backfill_passes_the_common_scenarios() {
    sortid_testkit::backfills(Options::new(), Duration::from_secs(1_717_653_966), 2049);
}

#[test]
fn threads_generate_a_hundred_thousand_ids_in_order() {
    static IDS: Generator = Options::new().build_with(sortid_core::SystemClock, sortid_core::ThreadEntropy);
    sortid_testkit::threads!(IDS, 2, 100_000);
}

proptest! {
    #[test]
    fn texts_bytes_times_and_ids_have_one_order(a: [u8; 8], b: [u8; 8]) {
        let [x, y] = [a, b].map(Toy::from_bytes);
        prop_assert_eq!(Toy::parse(&x.encode()), Ok(x));
        prop_assert_eq!((x.cmp(&y), x.encode().cmp(&y.encode())), (a.cmp(&b), a.cmp(&b)));
        let time = Duration::from_millis(x.timestamp());
        prop_assert!(Toy::min_at(UNIX_EPOCH + time).unwrap() <= x && x <= Toy::max_at(UNIX_EPOCH + time).unwrap());
    }
}
