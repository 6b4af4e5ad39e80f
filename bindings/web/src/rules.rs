//! The rules of all specifications as one type, so that the module has the code of generators once instead of six times.

use crate::specs::{AnyOptions, with_options};
use sortid::{AnyId, Entropy, EntropyError, OsEntropy, Rollback};
use sortid_core::{BackfillRules, HybridRules, Position, RollbackPolicy, Rules};
use std::{cell::RefCell, ops::RangeInclusive, time::Duration};

/// The options of a generator, and what the user chose for a clock that goes back.
#[derive(Clone, Copy)]
pub(crate) struct AnyRules {
    options: AnyOptions,
    pub(crate) rollback: RollbackPolicy,
}

impl AnyRules {
    pub(crate) fn new(options: AnyOptions) -> Self {
        Self { options, rollback: with_options!(options, options => options.rollback_policy()) }
    }

    /// The random bytes of its IDs.
    pub(crate) fn source(&self) -> Source {
        Source { has_random_bits: self.random_bits() > 0 }
    }
}

impl Rules for AnyRules {
    type Id = AnyId;

    /// As many bytes as the specification with the most random bits draws. Other specifications use some of them.
    type Random = [u8; 12];

    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    fn default_rollback(&self) -> Rollback {
        with_options!(&self.options, options => options.default_rollback())
    }

    fn random_bits(&self) -> u32 {
        with_options!(&self.options, options => options.random_bits())
    }

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        with_options!(&self.options, options => options.tick(unix_micros))
    }

    fn tick_start(&self, tick: u64) -> u64 {
        with_options!(&self.options, options => options.tick_start(tick))
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        with_options!(&self.options, options => options.ticks())
    }

    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        with_options!(&self.options, options => options.first_count(tick, entropy))
    }

    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        entropy: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        with_options!(&self.options, options => options.first_position(last, tick, entropy))
    }

    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        with_options!(&self.options, options => options.next_position(last, entropy))
    }

    fn can_reset(&self, resets: u16) -> bool {
        with_options!(&self.options, options => options.can_reset(resets))
    }

    fn id(&self, position: Position, resets: u16, random: [u8; 12]) -> AnyId {
        with_options!(&self.options, options => options.id(position, resets, first(random)).into())
    }

    fn position(&self, id: AnyId) -> Option<Position> {
        with_options!(&self.options, options => options.position(id.try_into().ok()?))
    }

    fn resets(&self, id: AnyId) -> u16 {
        with_options!(&self.options, options => id.try_into().map_or(0, |id| options.resets(id)))
    }
}

impl BackfillRules for AnyRules {
    fn backfill_first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        with_options!(&self.options, options => options.backfill_first_count(tick, entropy))
    }

    fn backfill_next_count(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<u64>, EntropyError> {
        with_options!(&self.options, options => options.backfill_next_count(last, entropy))
    }

    fn backfill_capacity(&self) -> u64 {
        with_options!(&self.options, options => options.backfill_capacity())
    }

    fn backfill_spill(&self) -> Duration {
        with_options!(&self.options, options => options.backfill_spill())
    }
}

/// The bytes that a specification draws, from the bytes that the specification with the most random bits draws.
fn first<const N: usize>(random: [u8; 12]) -> [u8; N] {
    const { assert!(N <= 12, "`AnyRules::Random` has fewer bytes than a specification draws") }
    let mut first = [0; N];
    first.copy_from_slice(&random[..N]);
    first
}

impl HybridRules for AnyRules {
    fn future_bound(&self) -> Duration {
        match &self.options {
            AnyOptions::RonUid(options) => options.future_bound(),
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
