use crate::{Base64x64, RonUid, Scheme};
use core::{ops::RangeInclusive, time::Duration};
use sortid_core::{
    __private::error, Clock, ConfigError, Entropy, EntropyError, GenerateError, Generator, HybridRules,
    NoEntropy, Position, Rollback, Rules,
};

/// A logical clock, which does not read the time: the value of each UID is the last value plus one, at a digit that
/// you choose. Threads can share it, without locks: all their UIDs are in one order.
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
#[derive(Debug)]
pub struct LamportClock(Generator<Lamport, NoTime, NoEntropy>);

impl LamportClock {
    /// Creates a clock for events at this origin, whose values have `length` digits, 1 to 10. The clock counts
    /// at the last digit. UIDs stay short if all clocks that observe each other's UIDs have the same length.
    ///
    /// # Errors
    ///
    /// If `length` is 0 or above 10.
    pub const fn new(origin: Base64x64, length: usize) -> Result<Self, ConfigError> {
        match error::check_option("length", length as u64, 1, Base64x64::TEXT_LEN as u64) {
            Ok(()) => {
                let step = 1 << (6 * (Base64x64::TEXT_LEN - length));
                Ok(Self(Generator::from_parts(Lamport { origin, step }, NoTime, NoEntropy)))
            }
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
        self.0.try_generate()
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

/// A clock that always reads 1970, so that the generator continues from its last UID.
#[derive(Debug)]
struct NoTime;

impl Clock for NoTime {
    fn unix_micros(&self) -> Option<u64> {
        Some(0)
    }
}

/// The rules of the clock: each value is a tick.
#[derive(Debug)]
struct Lamport {
    origin: Base64x64,
    /// The difference of two consecutive values.
    step: u64,
}

impl Lamport {
    /// The next value after `value` at this clock's digit. `None` from `~` on.
    fn after(&self, value: u64) -> Option<Position> {
        let next = value - value % self.step + self.step;
        (next < Base64x64::NEVER.to_int()).then_some(Position { tick: next, count: 0 })
    }
}

impl Rules for Lamport {
    type Id = RonUid;
    type Random = [u8; 0];

    fn default_rollback(&self) -> Rollback {
        Rollback::Continue
    }

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros)
    }

    /// Waiting does not make a tick begin.
    fn tick_start(&self, _: u64) -> u64 {
        u64::MAX
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        0..=Base64x64::NEVER.to_int()
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn first_position(
        &self,
        _: Option<Position>,
        tick: u64,
        _: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        Ok(Position { tick: tick + self.step, count: 0 })
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok(self.after(last.tick))
    }

    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> RonUid {
        RonUid::from_fields(Base64x64::from_low_bits(position.tick), self.origin, Scheme::Event)
    }

    fn position(&self, uid: RonUid) -> Option<Position> {
        let value = uid.value().to_int();
        let is_time = matches!(uid.scheme(), Scheme::Event | Scheme::Derived);
        (is_time && self.after(value).is_some()).then_some(Position { tick: value, count: 0 })
    }
}

impl HybridRules for Lamport {
    fn future_bound(&self) -> Duration {
        Duration::MAX
    }
}
