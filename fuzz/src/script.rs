//! Scripts for generators: acts of the clock, of the source of random bytes, and of the callers.

use arbitrary::Arbitrary;
use sortid_core::{
    Clock, Entropy, EntropyError, GenerateErrorKind, Generator, HybridRules, LocalCell, Rules, SharedCell,
    StateCell,
    testing::{ManualClock, SeededEntropy},
};
use std::{cell::Cell, fmt::Debug};

#[derive(Arbitrary, Clone, Copy, Debug)]
pub(crate) enum Act {
    /// Sets the clock to any time, in microseconds.
    Set(u64),
    Forward(u32),
    Back(u32),
    /// Moves the clock forward by whole milliseconds.
    Tick(u8),
    BreakDown,
    /// Whether the clock waits, and reaches the time that it waits for.
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

#[derive(Arbitrary, Clone, Debug)]
pub(crate) struct Script {
    seed: u64,
    allowance: Option<u32>,
    acts: Vec<Act>,
}

/// The clock and the source of random bytes that a script controls.
pub(crate) struct World {
    now: Cell<Option<u64>>,
    is_patient: Cell<bool>,
    bytes: SeededEntropy,
    has_entropy: Cell<bool>,
}

impl Clock for World {
    fn unix_micros(&self) -> Option<u64> {
        self.now.get()
    }

    fn wait(&self, until: u64) -> bool {
        if self.is_patient.get() {
            self.now.set(Some(until));
        }
        self.is_patient.get()
    }
}

impl Entropy for World {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if self.has_entropy.get() { self.bytes.fill(bytes) } else { Err(EntropyError::new("switched off")) }
    }
}

/// A generated ID, and the ID before it: `None` after the generator started over, and after an error, which may have used up
/// a position.
pub(crate) struct Made<I> {
    pub(crate) id: I,
    pub(crate) after: Option<I>,
}

/// Rules whose generators may observe an ID of another generator.
pub(crate) trait Observe: Rules {
    /// Lets the generator observe an ID, and returns it if it was accepted: all later IDs are greater.
    fn observe<S: StateCell>(
        generator: &Generator<Self, S, &World, &World>,
        now: Option<u64>,
        by: i32,
        with: u16,
    ) -> Option<Self::Id>
    where
        Self: Sized,
    {
        let _ = (generator, now, by, with);
        None
    }
}

/// [`Observe::observe`] of hybrid clocks.
pub(crate) fn observed<R: HybridRules, S: StateCell>(
    generator: &Generator<R, S, &World, &World>,
    id: R::Id,
) -> Option<R::Id>
where
    R::Id: Debug,
{
    generator.observe(id).is_ok().then_some(id)
}

/// Runs the script on both kinds of state, and passes each ID to `check`. Both generate the same IDs.
pub(crate) fn run<R>(rules: R, start: u64, script: &Script, check: impl Fn(&Made<R::Id>))
where
    R: Rules<Id: Ord + Debug> + Copy + Observe,
{
    let local = run_on::<R, LocalCell>(rules, start, script, &check);
    let shared = run_on::<R, SharedCell>(rules, start, script, &check);
    // On processors where an exchange may fail spuriously, random bytes would be drawn again.
    #[cfg(target_arch = "x86_64")]
    assert_eq!(local, shared);
    let _ = (local, shared);
}

fn run_on<R, S>(rules: R, start: u64, script: &Script, check: &impl Fn(&Made<R::Id>)) -> Vec<R::Id>
where
    R: Rules<Id: Ord + Debug> + Copy + Observe,
    S: StateCell,
{
    let world = World {
        now: Cell::new(Some(start)),
        is_patient: Cell::new(true),
        bytes: SeededEntropy::new(script.seed),
        has_entropy: Cell::new(true),
    };
    let mut generator: Generator<R, S, _, _> = Generator::from_parts(rules, &world, &world);
    if let Some(allowance) = script.allowance {
        generator = generator.rollback_allowance(std::time::Duration::from_micros(allowance.into()));
    }
    let placeholder = Generator::<R, S, _, _>::from_parts(rules, &world, &world).generate().unwrap();
    let (mut all, mut last, mut above) = (vec![], None, None);
    let (mut rollbacks, mut is_gap) = (0, false);
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
            Act::Patient(is) => world.is_patient.set(is),
            Act::Entropy(is) => world.has_entropy.set(is),
            Act::Try => {
                match generator.try_generate() {
                    Ok(id) => made.push(id),
                    Err(error) => is_gap = blameless(error.kind(), &world, now),
                }
                assert_eq!(generator.rollbacks(), rollbacks, "`try_generate` never starts over");
            }
            Act::Generate => match generator.generate() {
                Ok(id) => made.push(id),
                Err(error) => {
                    let is_rollback = matches!(error.kind(), GenerateErrorKind::ClockRollback { .. });
                    assert!(!is_rollback || rules.random_bits() < 64);
                    is_gap = blameless(error.kind(), &world, now);
                }
            },
            Act::Fill(count) => {
                let mut many = vec![placeholder; usize::from(count) % 300];
                match generator.fill(&mut many) {
                    Ok(()) => made = many,
                    Err(error) => is_gap = blameless(error.kind(), &world, now),
                }
            }
            Act::Resume(micros) => {
                let earlier = ManualClock::new(std::time::Duration::from_micros(micros));
                let earlier: Generator<R, LocalCell, _, _> = Generator::from_parts(rules, earlier, &world);
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
        if generator.rollbacks() != rollbacks {
            assert!(rules.random_bits() >= 64);
            rollbacks = generator.rollbacks();
            // If one call returned many IDs, it is unknown which of them came before the generator started over.
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
            all.push(id);
        }
    }
    all
}

/// The error has a reason.
fn blameless(error: &GenerateErrorKind, world: &World, now: Option<u64>) -> bool {
    match *error {
        GenerateErrorKind::Entropy(_) => assert!(!world.has_entropy.get()),
        GenerateErrorKind::Exhausted { until, .. } => {
            assert!(until == u64::MAX || now.is_none_or(|now| until > now))
        }
        GenerateErrorKind::ClockRollback { by, allowance, .. } => assert!(by > allowance),
        GenerateErrorKind::ClockOutOfRange { first, last, .. } => assert!(first < last),
        ref other => panic!("{other:?}"),
    }
    true
}
