use crate::{Base64x64, RonUid, Scheme};
use sortid_core::{__private::error, GenerateError, LocalCell, OptionError, Position, StateCell};

/// What [`LamportClock`] and [`SharedLamportClock`] wrap. `S` stores the last value.
#[derive(Debug)]
struct Lamport<S> {
    origin: Base64x64,
    /// The difference of two consecutive values.
    step: u64,
    state: S,
}

/// Defines a clock. Each is a type of its own, as generators are: `generators.rs` of `sortid-core` has the reason.
macro_rules! lamport_clock {
    ($(#[$attribute:meta])* $name:ident, $cell:ty) => {
        $(#[$attribute])*
        #[derive(Debug)]
        pub struct $name(Lamport<$cell>);

        impl $name {
            /// Creates a clock for events at this origin, whose values have `length` digits, 1 to 10. The clock counts
            /// at the last digit. UIDs stay short if all clocks that observe each other's UIDs have the same length.
            ///
            /// # Errors
            ///
            /// If `length` is 0 or above 10.
            pub const fn new(origin: Base64x64, length: usize) -> Result<Self, OptionError> {
                match Lamport::new(origin, length) {
                    Ok(clock) => Ok(Self(clock)),
                    Err(error) => Err(error),
                }
            }

            /// Generates the next UID. Its value is below `~`.
            ///
            /// # Errors
            ///
            /// [`Exhausted`](crate::GenerateErrorKind::Exhausted) if no value is left;
            /// [`OtherProcess`](crate::GenerateErrorKind::OtherProcess) in a fork of the process that uses the clock.
            #[inline]
            pub fn generate(&self) -> Result<RonUid, GenerateError> {
                self.0.generate()
            }

            /// Fills `uids` with the next UIDs, as calls of [`generate`](Self::generate) do.
            ///
            /// # Errors
            ///
            /// Those of [`generate`](Self::generate). The content of `uids` is unspecified after an error.
            #[inline]
            pub fn fill(&self, uids: &mut [RonUid]) -> Result<(), GenerateError> {
                self.0.fill(uids)
            }

            /// Observes a UID of another clock: all later UIDs are greater. When a program restarts, its clock observes
            /// its own last UID.
            ///
            /// A logical clock cannot detect a UID that is far ahead, so one faulty peer can use up the values of all.
            /// If you do not trust all peers, use a [`Generator`](crate::Generator), which has a
            /// [future bound](crate::Options::future_bound).
            ///
            /// # Errors
            ///
            /// [`NoTime`](crate::GenerateErrorKind::NoTime) for names, for hashes, and for values from `~` on or so
            /// close below it that no value would be left. [`OtherProcess`](crate::GenerateErrorKind::OtherProcess)
            /// in a fork of the process that uses the clock. An error leaves the clock unchanged.
            #[inline]
            pub fn observe(&self, uid: RonUid) -> Result<(), GenerateError> {
                self.0.observe(uid)
            }
        }
    };
}

lamport_clock! {
    /// A logical clock, which does not read the time: the value of each UID is the last value plus one, at a digit that
    /// you choose.
    ///
    /// It is for one owner. It cannot be shared between threads; [`SharedLamportClock`] can.
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
    LamportClock, LocalCell
}

#[cfg(target_has_atomic = "ptr")]
lamport_clock! {
    /// A [`LamportClock`] for many threads, without locks: all their UIDs are in one order.
    SharedLamportClock, sortid_core::SharedCell
}

impl<S: StateCell> Lamport<S> {
    const fn new(origin: Base64x64, length: usize) -> Result<Self, OptionError> {
        match error::check_option("length", length as u64, 1, Base64x64::TEXT_LEN as u64) {
            Ok(()) => {
                let step = 1 << (6 * (Base64x64::TEXT_LEN - length));
                Ok(Self { origin, step, state: S::NEW })
            }
            Err(error) => Err(error),
        }
    }

    fn generate(&self) -> Result<RonUid, GenerateError> {
        self.state.claim()?;
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

    fn fill(&self, uids: &mut [RonUid]) -> Result<(), GenerateError> {
        for uid in uids {
            *uid = self.generate()?;
        }
        Ok(())
    }

    fn observe(&self, uid: RonUid) -> Result<(), GenerateError> {
        self.state.claim()?;
        let value = uid.value().to_int();
        if !matches!(uid.scheme(), Scheme::Event | Scheme::Derived) || self.after(value).is_none() {
            return Err(error::no_time());
        }
        self.state.raise(Self::position(value));
        Ok(())
    }

    /// The next value after `value` at this clock's digit. `None` from `~` on.
    fn after(&self, value: u64) -> Option<u64> {
        let next = value - value % self.step + self.step;
        (next < Base64x64::NEVER.to_int()).then_some(next)
    }

    /// The state's position of a value: each value is a tick.
    fn position(value: u64) -> Position {
        Position { tick: value, count: 0 }
    }

    fn uid(&self, value: u64) -> RonUid {
        RonUid::from_fields(Base64x64::from_low_bits(value), self.origin, Scheme::Event)
    }
}
