//! Scripts for generators: acts of the clock, of the source of random bytes, and of the callers.

use arbitrary::Arbitrary;
use sortid::{AnyId, AnyOptions, Spec, UnixMillis};
use sortid_core::{
    Clock, Entropy, EntropyError, GenerateError, GenerateErrorKind, Generator, Rollback, Rules as _,
    testing::{ManualClock, SeededEntropy},
};
use std::{cell::Cell, time::Duration};

/// 2023-11-14.
const START: u64 = 1_700_000_000_000_000;

#[derive(Arbitrary, Clone, Copy, Debug)]
pub(crate) enum Act {
    /// Sets the clock to any time, in microseconds.
    Set(u64),
    Forward(u32),
    Back(u32),
    /// Moves the clock forward by whole milliseconds.
    Tick(u8),
    BreakDown,
    /// Whether the clock waits.
    Patient(bool),
    Entropy(bool),
    Try,
    Generate,
    Fill(u16),
    /// Resumes after an ID that another generator makes when its clock reads this time.
    Resume(u64),
    /// Observes an ID of another generator: how many milliseconds it is ahead of the clock, and its other bits.
    Observe(i32, u16),
}

/// A generator that continues can be centuries ahead of the clock, and waits a second at a time.
const MOST_WAITS: u32 = 100;

#[derive(Arbitrary, Clone, Debug)]
pub(crate) struct Script {
    /// Of the random bytes.
    seed: u64,
    acts: Vec<Act>,
}

/// The clock and the source of random bytes that a script controls.
pub(crate) struct World {
    now: Cell<Option<u64>>,
    /// How many times the clock still waits, and reaches the time that it waits for.
    waits: Cell<u32>,
    bytes: SeededEntropy,
    has_entropy: Cell<bool>,
}

impl Clock for World {
    fn unix_micros(&self) -> Option<u64> {
        self.now.get()
    }

    fn wait(&self, until: u64) -> bool {
        let Some(left) = self.waits.get().checked_sub(1) else { return false };
        self.waits.set(left);
        self.now.set(Some(until));
        true
    }
}

impl Entropy for World {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if self.has_entropy.get() { self.bytes.fill(bytes) } else { Err(EntropyError::from("switched off")) }
    }
}

/// An ID of another generator, so many milliseconds ahead of the clock.
///
/// The bits of `with` are in the middle, where RON UIDs have the end of the time and the scheme, and at the end.
fn observed(spec: Spec, now: u64, by: i32, with: u16) -> Option<AnyId> {
    let millis = (now / 1000).saturating_add_signed(by.into());
    let mut bytes = AnyId::min_at(spec, UnixMillis(millis.into())).ok()?.as_bytes().to_vec();
    let ([high, low], middle, end) = (with.to_be_bytes(), bytes.len() / 2, bytes.len());
    let bits = [
        (middle - 2, high & 0x0F),
        (middle - 1, low),
        (middle, high & 0x30),
        (end - 2, high),
        (end - 1, low),
    ];
    bits.into_iter().for_each(|(at, bits)| bytes[at] |= bits);
    AnyId::try_from_bytes(spec, &bytes).ok()
}

/// Runs the script, and passes each ID to `check`, with the ID before it: `None` after the generator was reset, and after an
/// error, which may have used up a position.
pub(crate) fn run(rules: AnyOptions, script: &Script, check: impl Fn(AnyId, Option<AnyId>)) {
    let start = START.max(rules.tick_start(*rules.ticks().start()));
    let world = World {
        now: Cell::new(Some(start)),
        waits: Cell::new(MOST_WAITS),
        bytes: SeededEntropy::new(script.seed),
        has_entropy: Cell::new(true),
    };
    let generator = Generator::from_parts(rules, &world, &world);
    let placeholder = Generator::from_parts(rules, &world, &world).generate().unwrap();
    let (mut last, mut above) = (None, None);
    let (mut resets, mut is_gap) = (0, false);
    for &act in script.acts.iter().take(64) {
        let now = world.now.get();
        let moved = |by: i64| now.map(|now| now.saturating_add_signed(by)).unwrap_or(start);
        let mut made = vec![];
        match act {
            Act::Set(to) => world.now.set(Some(to)),
            Act::Forward(by) => world.now.set(Some(moved(by.into()))),
            Act::Back(by) => world.now.set(Some(moved(-i64::from(by)))),
            Act::Tick(by) => world.now.set(Some(moved(i64::from(by) * 1000))),
            Act::BreakDown => world.now.set(None),
            Act::Patient(is) => world.waits.set(if is { MOST_WAITS } else { 0 }),
            Act::Entropy(is) => world.has_entropy.set(is),
            Act::Try => match generator.try_generate() {
                Ok(id) => made.push(id),
                Err(error) => is_gap = blameless(&error, rules, resets, &world),
            },
            Act::Generate => match generator.generate() {
                Ok(id) => made.push(id),
                Err(error) => is_gap = blameless(&error, rules, resets, &world),
            },
            Act::Fill(count) => {
                let mut many = vec![placeholder; usize::from(count) % 300];
                match generator.fill(&mut many) {
                    Ok(()) => made = many,
                    Err(error) => is_gap = blameless(&error, rules, resets, &world),
                }
            }
            Act::Resume(micros) => {
                let earlier = ManualClock::new(Duration::from_micros(micros));
                let earlier = Generator::from_parts(rules, earlier, &world);
                if let Ok(id) = earlier.try_generate()
                    && generator.resume_after(id).is_ok()
                {
                    above = above.max(Some(id));
                    // The next ID continues from this one, which may be of the same tick as the last ID.
                    is_gap = true;
                }
            }
            Act::Observe(by, with) => {
                if let Some(id) = now.and_then(|now| observed(rules.spec(), now, by, with))
                    && generator.observe(id).is_ok()
                {
                    above = above.max(Some(id));
                    is_gap = true;
                }
            }
        }
        if generator.resets() != resets {
            assert!(rules.on_rollback() == Rollback::Reset && rules.can_reset(resets));
            resets = generator.resets();
            // If one call returned many IDs, it is unknown which of them came before the generator was reset.
            (last, above) = (None, None);
            if made.len() > 1 {
                made = made.split_off(made.len() - 1);
            }
        }
        for id in made {
            assert!(last.is_none_or(|last| last < id), "{id:?} after {last:?}");
            assert!(above.is_none_or(|observed| observed < id), "{id:?}, and {above:?} was observed");
            check(id, last.filter(|_| !std::mem::take(&mut is_gap)));
            last = Some(id);
        }
    }
}

/// The error has a reason.
fn blameless(error: &GenerateError, rules: AnyOptions, resets: u16, world: &World) -> bool {
    match error.kind() {
        GenerateErrorKind::Entropy => assert!(!world.has_entropy.get()),
        GenerateErrorKind::Exhausted => {
            let is_end = world.now.get() == Some(u64::MAX);
            assert!(is_end || error.retry_after().is_none_or(|left| !left.is_zero()));
        }
        GenerateErrorKind::ClockRollback => match rules.on_rollback() {
            Rollback::Reset => assert!(!rules.can_reset(resets)),
            rollback => assert_eq!(rollback, Rollback::Fail),
        },
        // The clock may be at the last tick, all of whose IDs are used.
        GenerateErrorKind::ClockOutOfRange => {}
        other => panic!("{other:?}"),
    }
    true
}
