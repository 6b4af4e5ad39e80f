//! The state of a generator, and the cell that stores it.

use crate::{GenerateError, Position, error::create, process::process};

/// In place of the number of a process: nobody has used the state.
pub(crate) const NO_PROCESS: u64 = 0;

/// The state of a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The last position; `None` before the first ID.
    pub(crate) last: Option<Position>,
    /// How often the generator was reset. After 65 535 the number continues from 0.
    pub(crate) resets: u16,
}

impl State {
    const NEW: Self = Self { last: None, resets: 0 };

    /// Returns this state with another last position.
    #[inline]
    pub(crate) const fn with_last(self, position: Position) -> Self {
        Self { last: Some(position), ..self }
    }
}

#[cfg(not(target_has_atomic = "ptr"))]
pub(crate) use local::StateCell;
/// The cell in which a generator stores its [`State`]. The last position and the number of resets change together, so no
/// thread sees one change without the other.
#[cfg(target_has_atomic = "ptr")]
pub(crate) use shared::StateCell;

impl StateCell {
    /// Makes this process the only one that uses the state.
    ///
    /// # Errors
    ///
    /// `OtherProcess` if this process is a fork of the one that uses the state.
    #[inline]
    pub(crate) fn claim(&self) -> Result<(), GenerateError> {
        match self.process() {
            NO_PROCESS => self.set_process(process()),
            user if user == process() => {}
            _ => return Err(create::other_process()),
        }
        Ok(())
    }

    /// Makes `position` the last position, unless the last position is greater.
    pub(crate) fn raise(&self, position: Position) {
        self.raise_both(position, 0);
    }

    /// Raises the last position, and the number of resets. Neither goes back.
    pub(crate) fn raise_both(&self, position: Position, resets: u16) {
        loop {
            let state = self.load();
            let next = State {
                last: Some(state.last.map_or(position, |last| last.max(position))),
                resets: state.resets.max(resets),
            };
            if next == state || self.replace(state, next) {
                return;
            }
        }
    }
}

#[cfg(target_has_atomic = "ptr")]
mod shared {
    use super::{NO_PROCESS, State};
    use crate::{
        Position,
        word::{AtomicProcess, AtomicU128},
    };
    use portable_atomic::Ordering::{Acquire, Relaxed, Release};

    // The word has 128 bits. Most specifications need at most 64, but SCRU160 with an extended counter needs 48 + 32
    // bits, and EUID would need a keyed function for its random start. In 128 bits, each position fits unchanged. Stable
    // Rust has no atomic of 128 bits, so `portable-atomic` is a dependency, the only one when the default features are
    // off.
    //
    // The number of resets is in the same word. In another word, a thread could read it a moment before the order
    // breaks.
    /// One 128-bit word, which changes by compare-and-exchange. Lock-free on x86-64, 64-bit ARM and s390x. Other
    /// processors, such as those of 32 bits, take a short lock. With the feature `std`, the child of a fork takes over a
    /// lock that a thread of its parent held.
    #[derive(Debug)]
    pub(crate) struct StateCell {
        word: AtomicU128,
        process: AtomicProcess,
    }

    // The order of the IDs is the order of changes to this one word, which is the same for all threads. The word publishes
    // nothing else, so it needs no other memory order.
    impl StateCell {
        /// Creates a cell with the state before the first ID.
        pub(crate) const fn new() -> Self {
            Self { word: AtomicU128::new(Self::NONE), process: AtomicProcess::new(NO_PROCESS) }
        }

        /// The word before the first ID. No state uses it: it would be the greatest count of the last tick.
        const NONE: u128 = u128::MAX;

        /// Packs tick, resets and count, from the top.
        #[inline]
        fn pack(state: State) -> u128 {
            let Some(Position { tick, count }) = state.last else { return Self::NONE };
            assert!(count >> Position::COUNT_BITS == 0, "a count has 48 bits");
            u128::from(tick) << 64 | u128::from(u64::from(state.resets) << Position::COUNT_BITS | count)
        }

        #[inline]
        fn unpack(word: u128) -> State {
            if word == Self::NONE {
                return State::NEW;
            }
            let (tick, low) = ((word >> 64) as u64, word as u64);
            let count = low & ((1 << Position::COUNT_BITS) - 1);
            State { last: Some(Position { tick, count }), resets: (low >> Position::COUNT_BITS) as u16 }
        }

        /// Returns the current state.
        #[inline]
        pub(crate) fn load(&self) -> State {
            Self::unpack(self.word.load(Relaxed))
        }

        /// Replaces `current` with `next`. Returns `false` and changes nothing if the state is not `current` any more; may
        /// fail spuriously.
        #[inline]
        pub(crate) fn replace(&self, current: State, next: State) -> bool {
            self.word.compare_exchange_weak(Self::pack(current), Self::pack(next), Relaxed, Relaxed).is_ok()
        }

        /// Returns the number of the process that used the state before; 0 before the first use.
        // A thread that reads the number of its process must not exchange a word from before the fork.
        #[inline]
        pub(crate) fn process(&self) -> u64 {
            self.process.load(Acquire)
        }

        /// Changes the number of the process. A thread that reads the number sees all earlier changes of the state.
        pub(crate) fn set_process(&self, process: u64) {
            self.process.store(process, Release);
        }
    }
}

/// For processors that cannot exchange a word. The cell is not `Sync`, so the compiler refuses to share a generator.
#[cfg(any(not(target_has_atomic = "ptr"), all(test, not(loom))))]
mod local {
    use super::{NO_PROCESS, State};
    use core::cell::Cell;

    #[derive(Debug)]
    pub(crate) struct StateCell {
        state: Cell<State>,
        process: Cell<u64>,
    }

    impl StateCell {
        pub(crate) const fn new() -> Self {
            Self { state: Cell::new(State::NEW), process: Cell::new(NO_PROCESS) }
        }

        pub(crate) fn load(&self) -> State {
            self.state.get()
        }

        pub(crate) fn replace(&self, current: State, next: State) -> bool {
            // A clock or a source of random bytes may have used the generator meanwhile.
            let is_current = self.state.get() == current;
            if is_current {
                self.state.set(next);
            }
            is_current
        }

        pub(crate) fn process(&self) -> u64 {
            self.process.get()
        }

        pub(crate) fn set_process(&self, process: u64) {
            self.process.set(process);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{NO_PROCESS, State, local, shared};
    use crate::Position;

    #[test]
    fn both_cells_store_each_state_and_refuse_an_old_one() {
        for tick in [0, 1, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            for count in [0, 1, (1 << 48) - 2, Position::LAST_COUNT] {
                for resets in [0, 1, u16::MAX - 1, u16::MAX] {
                    let next = State { last: Some(Position { tick, count }), resets };
                    if (tick, count, resets) == (u64::MAX, Position::LAST_COUNT, u16::MAX) {
                        continue;
                    }
                    let (shared, local) = (shared::StateCell::new(), local::StateCell::new());
                    assert_eq!((shared.load(), shared.process()), (State::NEW, NO_PROCESS));
                    assert_eq!((local.load(), local.process()), (State::NEW, NO_PROCESS));
                    // An exchange may fail spuriously.
                    while !shared.replace(State::NEW, next) {}
                    assert!(local.replace(State::NEW, next));
                    assert!(!shared.replace(State::NEW, next) && !local.replace(State::NEW, next));
                    assert_eq!([shared.load(), local.load()], [next; 2]);
                    shared.set_process(7);
                    local.set_process(7);
                    assert_eq!([shared.process(), local.process()], [7; 2]);
                }
            }
        }
    }

    #[test]
    fn a_process_claims_a_state_for_itself() {
        let state = super::StateCell::new();
        assert_eq!([state.claim(), state.claim()], [Ok(()), Ok(())]);
        state.set_process(u64::MAX);
        assert_eq!(state.claim().unwrap_err().kind(), crate::GenerateErrorKind::OtherProcess);
    }

    #[test]
    #[should_panic = "a count has 48 bits"]
    fn a_count_of_more_than_48_bits_panics_instead_of_being_cut() {
        super::StateCell::new().raise(Position { tick: 1, count: 1 << Position::COUNT_BITS });
    }
}
