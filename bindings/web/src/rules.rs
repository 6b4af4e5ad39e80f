//! The options of all specifications as one type, so that the module has the code of generators once instead of six times.

use sortid::{
    AnyId, Entropy, EntropyError, OsEntropy, euid, evently_id, ron_uid, scru160,
    ulid_flake::{self, scalable},
};
use sortid_core::{BackfillRules, HybridRules, Position, Rules};
use std::{cell::RefCell, ops::RangeInclusive, time::Duration};

/// The options of a generator.
#[derive(Clone, Copy)]
pub(crate) enum Options {
    Scru160(scru160::Options),
    Euid(euid::Options),
    UlidFlake(ulid_flake::Options),
    Scalable(scalable::Options),
    RonUid(ron_uid::Options),
    EventId(evently_id::Options),
}

/// Evaluates `$body` with the options of any specification.
macro_rules! with_options {
    ($any:expr, $options:ident => $body:expr) => {
        match $any {
            Options::Scru160($options) => $body,
            Options::Euid($options) => $body,
            Options::UlidFlake($options) => $body,
            Options::Scalable($options) => $body,
            Options::RonUid($options) => $body,
            Options::EventId($options) => $body,
        }
    };
}

impl Options {
    /// The rollback allowance of the specification.
    pub(crate) const fn rollback_allowance(&self) -> Duration {
        const fn of<R: Rules>(_: &R) -> Duration {
            R::ROLLBACK_ALLOWANCE
        }
        with_options!(self, options => of(options))
    }

    /// The random bytes of its IDs.
    pub(crate) const fn source(&self) -> Source {
        Source { has_random_bits: !matches!(self, Self::RonUid(_) | Self::EventId(_)) }
    }
}

impl Rules for Options {
    type Id = AnyId;

    /// As many as the specification with the most random bits draws. Others use some of them.
    type Random = [u8; 12];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        with_options!(self, options => options.tick(unix_micros))
    }

    fn tick_start(&self, tick: u64) -> u64 {
        with_options!(self, options => options.tick_start(tick))
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        with_options!(self, options => options.ticks())
    }

    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        with_options!(self, options => options.first_count(tick, entropy))
    }

    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        entropy: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        with_options!(self, options => options.first_position(last, tick, entropy))
    }

    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        with_options!(self, options => options.next_position(last, entropy))
    }

    fn starts_over(&self, rollbacks: u16) -> bool {
        with_options!(self, options => options.starts_over(rollbacks))
    }

    fn id(&self, position: Position, rollbacks: u16, random: [u8; 12]) -> AnyId {
        let [a, b, c, d, ..] = random;
        match self {
            Self::Scru160(options) => options.id(position, rollbacks, random).into(),
            Self::Euid(options) => options.id(position, rollbacks, [a, b, c, d]).into(),
            Self::UlidFlake(options) => options.id(position, rollbacks, []).into(),
            Self::Scalable(options) => options.id(position, rollbacks, []).into(),
            Self::RonUid(options) => options.id(position, rollbacks, []).into(),
            Self::EventId(options) => options.id(position, rollbacks, []).into(),
        }
    }

    fn position(&self, id: AnyId) -> Option<Position> {
        with_options!(self, options => options.position(id.try_into().ok()?))
    }

    fn rollbacks(&self, id: AnyId) -> u16 {
        with_options!(self, options => id.try_into().map_or(0, |id| options.rollbacks(id)))
    }
}

impl BackfillRules for Options {
    fn backfill_first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        with_options!(self, options => options.backfill_first_count(tick, entropy))
    }

    fn backfill_next_count(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<u64>, EntropyError> {
        with_options!(self, options => options.backfill_next_count(last, entropy))
    }

    fn backfill_capacity(&self) -> u64 {
        with_options!(self, options => options.backfill_capacity())
    }

    fn backfill_borrow(&self) -> Duration {
        with_options!(self, options => options.backfill_borrow())
    }
}

impl HybridRules for Options {
    fn future_bound(&self) -> Duration {
        match self {
            Self::RonUid(options) => options.future_bound(),
            _ => Duration::ZERO,
        }
    }
}

/// The random bytes of the host. IDs without random bits get zeros, because they use none.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    has_random_bits: bool,
}

/// Random bytes of the host that no ID has used: a call of the host takes longer than an ID.
struct Pool {
    bytes: [u8; 2048],
    used: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; 2048], used: 2048 }) };
}

impl Entropy for Source {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if !self.has_random_bits {
            return Ok(());
        }
        POOL.with_borrow_mut(|pool| {
            if bytes.len() > pool.bytes.len() - pool.used {
                OsEntropy.fill(&mut pool.bytes)?;
                pool.used = 0;
            }
            let taken = &mut pool.bytes[pool.used..pool.used + bytes.len()];
            bytes.copy_from_slice(taken);
            // Nobody reads them again.
            taken.fill(0);
            pool.used += bytes.len();
            Ok(())
        })
    }
}
