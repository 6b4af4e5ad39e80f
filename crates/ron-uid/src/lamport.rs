use crate::{Base64x64, RonUid, Scheme};
use sortid_core::{__private::error, GenerateError, LocalCell, OptionError, Position, StateCell};

/// A logical clock, which does not read the time: each UID is the last one plus one, at the last of a number of digits.
/// `S` stores the last value; [`LamportClock`] and [`SharedLamportClock`] are the two kinds.
#[derive(Debug)]
pub struct Lamport<S> {
    origin: Base64x64,
    /// The distance of two values.
    step: u64,
    state: S,
}

/// A logical clock for one owner.
///
/// ```
/// use ron_uid::{LamportClock, ron_uid};
///
/// let clock = LamportClock::new(ron_uid!("X").value(), 5)?;
/// assert_eq!(clock.generate()?.encode(), "00001-X");
/// assert_eq!(clock.generate()?.encode(), "00002-X");
///
/// clock.observe(ron_uid!("000AbC-Y"))?;
/// assert_eq!(clock.generate()?.encode(), "000Ac-X");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type LamportClock = Lamport<LocalCell>;

/// A logical clock for many threads, in one order, lock-free.
#[cfg(target_has_atomic = "ptr")]
pub type SharedLamportClock = Lamport<sortid_core::SharedCell>;

impl<S: StateCell> Lamport<S> {
    /// A clock for events at this origin that counts at the last of `length` digits, 1 to 10. With the same
    /// length, all clocks that see each other's UIDs have short ones.
    ///
    /// # Errors
    ///
    /// When `length` is 0 or above 10.
    pub const fn new(origin: Base64x64, length: usize) -> Result<Self, OptionError> {
        match error::check_option("length", length as u64, 1, Base64x64::TEXT_LEN as u64) {
            Ok(()) => {
                let step = 1 << (6 * (Base64x64::TEXT_LEN - length));
                Ok(Self { origin, step, state: S::NEW })
            }
            Err(error) => Err(error),
        }
    }

    /// The next UID. It is below `~`.
    ///
    /// # Errors
    ///
    /// `Exhausted` when none is left.
    pub fn generate(&self) -> Result<RonUid, GenerateError> {
        loop {
            let state = self.state.load();
            let Some(next) = self.after(state.last.map_or(0, |last| last.tick)) else {
                return Err(error::exhausted(u64::MAX));
            };
            if self.state.replace(state, state.with_last(Self::position(next))) {
                return Ok(self.uid(next));
            }
        }
    }

    /// Fills `uids` with the next UIDs, as [`generate`](Self::generate) would one by one.
    ///
    /// # Errors
    ///
    /// `Exhausted` when fewer are left. What `uids` holds then is unspecified.
    pub fn fill(&self, uids: &mut [RonUid]) -> Result<(), GenerateError> {
        for uid in uids {
            *uid = self.generate()?;
        }
        Ok(())
    }

    /// Takes note of a UID that was made elsewhere: all later UIDs are greater.
    ///
    /// Without a clock there is no telling how far ahead a UID is: one peer can use up the values of all.
    /// Where peers may fail so, use a [`Generator`](crate::Generator).
    ///
    /// # Errors
    ///
    /// `NoTime` for names and hashes, and for a value from `~` on or so close below it that no UID would be
    /// left. The clock is as it was before the call.
    pub fn observe(&self, uid: RonUid) -> Result<(), GenerateError> {
        let value = uid.value().to_int();
        if !matches!(uid.scheme(), Scheme::Event | Scheme::Derived) || self.after(value).is_none() {
            return Err(error::no_time());
        }
        self.state.raise(Self::position(value));
        Ok(())
    }

    fn after(&self, value: u64) -> Option<u64> {
        let next = value - value % self.step + self.step;
        (next < Base64x64::NEVER.to_int()).then_some(next)
    }

    /// Each value is a tick of its own.
    fn position(value: u64) -> Position {
        Position { tick: value, count: 0 }
    }

    fn uid(&self, value: u64) -> RonUid {
        RonUid::from_fields(Base64x64::from_low_bits(value), self.origin, Scheme::Event)
    }
}
