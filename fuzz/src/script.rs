//! Scripts for generators: acts of the clock, of the source of random bytes, and of the callers.

use arbitrary::Arbitrary;
use sortid_core::{
    Clock, Entropy, EntropyError, GenerateError, GenerateErrorKind, Generator, HybridRules, Rollback, Rules,
    testing::{ManualClock, SeededEntropy},
};
use std::{cell::Cell, fmt::Debug, time::Duration};

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
    /// Of the random bytes. The rest after a division by 4 chooses what follows a rollback.
    seed: u64,
    allowance: Option<u32>,
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

/// A generated ID, and the ID before it: `None` after the generator was reset, and after an error, which may have used up a
/// position.
pub(crate) struct Made<I> {
    pub(crate) id: I,
    pub(crate) after: Option<I>,
}

/// Rules that a script can change, and whose generators may observe an ID of another generator.
pub(crate) trait Scripted: Rules + Copy {
    fn with(self, rollback: Option<Rollback>, allowance: Option<Duration>) -> Self;

    /// Lets the generator observe an ID, and returns it if it was accepted: all later IDs are greater.
    fn observe(
        generator: &Generator<Self, &World, &World>,
        now: Option<u64>,
        by: i32,
        with: u16,
    ) -> Option<Self::Id> {
        let _ = (generator, now, by, with);
        None
    }
}

/// [`Scripted::observe`] of hybrid clocks.
pub(crate) fn observed<R: HybridRules>(generator: &Generator<R, &World, &World>, id: R::Id) -> Option<R::Id> {
    generator.observe(id).is_ok().then_some(id)
}

/// Runs the script, and passes each ID to `check`.
pub(crate) fn run<R>(rules: R, start: u64, script: &Script, check: impl Fn(&Made<R::Id>))
where
    R: Scripted<Id: Ord + Debug>,
{
    let rollback = Rollback::ALL.get(script.seed as usize % 4).copied();
    let rules = rules.with(rollback, script.allowance.map(|micros| Duration::from_micros(micros.into())));
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
                Err(error) => is_gap = blameless(&error, rules, &world),
            },
            Act::Generate => match generator.generate() {
                Ok(id) => made.push(id),
                Err(error) => is_gap = blameless(&error, rules, &world),
            },
            Act::Fill(count) => {
                let mut many = vec![placeholder; usize::from(count) % 300];
                match generator.fill(&mut many) {
                    Ok(()) => made = many,
                    Err(error) => is_gap = blameless(&error, rules, &world),
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
                let observed = R::observe(&generator, now, by, with);
                above = above.max(observed);
            }
        }
        if generator.resets() != resets {
            assert!(rules.on_rollback() == Rollback::Reset && rules.random_bits() > 0);
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
            check(&Made { id, after: last.filter(|_| !std::mem::take(&mut is_gap)) });
            last = Some(id);
        }
    }
}

/// The error has a reason.
fn blameless<R: Rules>(error: &GenerateError, rules: R, world: &World) -> bool {
    match error.kind() {
        GenerateErrorKind::Entropy => assert!(!world.has_entropy.get()),
        GenerateErrorKind::Exhausted => {
            let is_end = world.now.get() == Some(u64::MAX);
            assert!(is_end || error.retry_after().is_none_or(|left| !left.is_zero()));
        }
        GenerateErrorKind::ClockRollback => match rules.on_rollback() {
            Rollback::Reset => assert_eq!(rules.random_bits(), 0),
            rollback => assert_eq!(rollback, Rollback::Fail),
        },
        // The clock may be at the last tick, all of whose IDs are used.
        GenerateErrorKind::ClockOutOfRange => {}
        other => panic!("{other:?}"),
    }
    true
}
