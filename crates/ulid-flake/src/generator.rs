use crate::{Epoch, UlidFlake};
use core::ops::RangeInclusive;
use sortid_core::{
    __private::{error, option},
    BackfillRules, ConfigError, Configure, Entropy, EntropyError, OptionInfo, Position, RollbackPolicy,
    Rules,
};

sortid_core::__private::generators! {
    options: Options,
    id: UlidFlake,
    rollback: fails,
    /// Generates stand-alone Ulid-Flakes. Threads can share it, without locks. Each ID is greater than all before it,
    /// whichever thread generated them.
    ///
    /// A *tick* is the smallest step of the specification's clock: a millisecond. The first ID of a millisecond has random
    /// bits, and each further ID is greater by a random step.
    ///
    /// # Situations
    ///
    /// | situation | what happens |
    /// |---|---|
    /// | all IDs of the millisecond are used, on average 4096.7: the next step exceeds the randomness; with more [entropy bytes](Options::entropy_bytes), a millisecond has fewer IDs | waits until the clock reaches the next millisecond: up to 10 s if the clock was set back, and longer if it is set back again; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if the clock stands still for a second |
    /// | the clock is behind the last ID by at most the [rollback allowance](Options::rollback_allowance), 10 s by default | continues from the last ID, in its millisecond |
    /// | the clock is behind by more | what [`Options::rollback`] says: by default error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback), because an ID of an earlier time could be a duplicate |
    /// | the time is unknown, before the [epoch](crate::Epoch) (2024), or more than 2^43 − 1 ms after it (September 2302) | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the source of random bytes fails | error [`Entropy`](crate::GenerateErrorKind::Entropy) |
    /// | the process is a fork of the one that used the generator before | continues from a later millisecond, with new random bits |
    ///
    /// An error does not break the order: the generator continues from its last ID when the cause is gone.
    ///
    /// ```
    /// use ulid_flake::{Generator, Options};
    ///
    /// static IDS: Generator = Generator::new();
    ///
    /// let before = IDS.generate()?;
    /// let other = std::thread::spawn(|| IDS.generate()).join().unwrap()?;
    /// assert!(before < other);
    ///
    /// let generator = Options::new().entropy_bytes(2)?.build();
    /// generator.resume_after(other)?;
    /// assert!(generator.generate()? > other);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Generator,
    /// Makes stand-alone Ulid-Flakes for given times, such as those of existing rows. Each ID has the millisecond of its
    /// time. IDs of equal times are in the order in which they were made.
    ///
    /// A millisecond has few IDs. So that it holds many of them, its first ID has a random value in the lowest quarter, and
    /// random steps become smaller until they are 1. [`entropy_bytes`](Options::entropy_bytes) does not matter.
    ///
    /// All IDs of a backfill are distinct. A backfill does not know the IDs of another backfill, or of a generator that
    /// works at the same times: its IDs can repeat theirs.
    ///
    /// # Situations
    ///
    /// | situation | [`generate`](Self::generate), [`generate_all`](Self::generate_all) |
    /// |---|---|
    /// | the times are in any order | remembers the last ID of each millisecond, in 16 to 40 bytes, and up to 60 while the table grows |
    /// | the times ascend, with [`ascending`](Self::ascending) | remembers only the last ID; error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback) if a time is of an earlier millisecond than the one before |
    /// | all IDs of the millisecond are used: at least 73 000 | takes the next millisecond that is not full, if it is at most [`spill`](Self::spill) later: 0 by default; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if there is none |
    /// | the time is before the [epoch](crate::Epoch) (2024), or more than 2^43 − 1 ms after it (September 2302) | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the source of random bytes fails | error [`Entropy`](crate::GenerateErrorKind::Entropy) |
    ///
    /// An error leaves the backfill as it was.
    ///
    /// ```
    /// use std::time::Duration;
    /// use ulid_flake::{Backfill, UnixMillis};
    ///
    /// let times = [1_717_653_966_666, 1_704_067_200_000, 1_717_653_966_666].map(UnixMillis);
    /// let ids = Backfill::default().generate_all(times)?;
    /// assert!(ids[1] < ids[0] && ids[0] < ids[2]);
    /// assert_eq!((ids[0].unix_millis(), ids[2].unix_millis()), (1_717_653_966_666, 1_717_653_966_666));
    ///
    /// // More rows of one millisecond than it has IDs: they take following milliseconds.
    /// let mut ids = Backfill::default().spill(Duration::from_millis(20));
    /// let ids = ids.generate_all(vec![UnixMillis(1_717_653_966_666); 200_000])?;
    /// assert!(ids[0].unix_millis() == 1_717_653_966_666 && ids[ids.len() - 1].unix_millis() > 1_717_653_966_666);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Backfill,
}

sortid_core::__private::generator_defaults! {
    /// Generates a stand-alone ID with the process-wide generator [`shared`].
    ///
    /// When all IDs of a millisecond are used, it waits for the next one. A millisecond has few IDs. After the clock was set
    /// back by at most 10 s, they have to last until the clock catches up, so the wait takes up to 10 s.
    /// [`try_generate`](Generator::try_generate) does not wait: its error has the time of the next millisecond.
    new: UlidFlake,
    wrong_clock: "before 2024, after September 2302, behind the last ID by more than 10 s, or stands still"
}

/// The options of a generator of stand-alone IDs: the epoch, and the size of random steps.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use ulid_flake::{Epoch, Generator, Options, UlidFlake, testing::{ManualClock, SeededEntropy}};
///
/// let epoch = Epoch::from_unix_millis(1_577_836_800_000)?; // 2020
/// let options = Options::new().epoch(epoch).entropy_bytes(2)?;
/// let now = Duration::from_secs(1_600_000_000);
/// let id = options.build_with(ManualClock::new(now), SeededEntropy::new(1)).generate()?;
/// assert_eq!(id.unix_millis_with(epoch), 1_600_000_000_000);
/// assert!(UlidFlake::min_at_with(epoch, UNIX_EPOCH + now)? <= id);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) epoch: Epoch,
    pub(crate) entropy_bytes: usize,
    pub(crate) rollback: RollbackPolicy,
}

impl Options {
    /// Creates the specification's defaults: the epoch 2024, and steps of one random byte.
    #[must_use]
    pub const fn new() -> Self {
        Self { epoch: Epoch::DEFAULT, entropy_bytes: 1, rollback: RollbackPolicy::new() }
    }

    /// Sets the epoch. IDs of different epochs do not sort together.
    #[must_use]
    pub const fn epoch(mut self, epoch: Epoch) -> Self {
        self.epoch = epoch;
        self
    }

    /// Sets how many random bytes, 1 to 3, give the step to the next ID of the same millisecond. With more bytes, IDs are
    /// harder to guess, and a millisecond holds fewer of them: see the table in the
    /// [crate's documentation](crate#generators).
    ///
    /// # Errors
    ///
    /// If `bytes` is not 1, 2 or 3.
    pub const fn entropy_bytes(self, bytes: usize) -> Result<Self, ConfigError> {
        self.entropy_bytes_up_to(3, bytes)
    }

    pub(crate) const fn entropy_bytes_up_to(
        mut self,
        greatest: u64,
        bytes: usize,
    ) -> Result<Self, ConfigError> {
        match error::check_option("entropy bytes", bytes as u64, 1, greatest) {
            Ok(()) => {
                self.entropy_bytes = bytes;
                Ok(self)
            }
            Err(error) => Err(error),
        }
    }

    /// Draws the first count of a tick: `bits` random bits, at most 24.
    #[inline]
    pub(crate) fn draw_first(bits: u32, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        let [a, b, c] = entropy.draw()?;
        Ok(u64::from(u32::from_be_bytes([0, a, b, c]) & ((1 << bits) - 1)))
    }

    /// Draws the first count of a tick in a backfill: in the lowest quarter of `bits`, at most 26.
    #[inline]
    pub(crate) fn draw_low(bits: u32, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        Self::draw_first(bits - 2, entropy)
    }

    /// Draws the count after `last` in a backfill; `None` if it was the last one of `bits`.
    ///
    /// The greatest step is one more for each 2^14 counts that are left, and a step that is too great is never drawn. So a
    /// tick has room for many IDs, and is full only after its last count.
    #[inline]
    pub(crate) fn draw_near(
        bits: u32,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<u64>, EntropyError> {
        let left = ((1_u64 << bits) - 1).saturating_sub(last.count);
        if left == 0 {
            return Ok(None);
        }
        let [random] = entropy.draw()?;
        let step = 1 + ((u64::from(random) * (1 + (left >> 14))) >> 8);
        Ok(Some(last.count + step))
    }

    /// Draws the position after `last`. Returns `None` if its count would take more than `bits`.
    #[inline]
    pub(crate) fn draw_next(
        &self,
        bits: u32,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        // A step of 0 is drawn again. The loop ends even if the source returns only zeros.
        for _ in 0..64 {
            // A known number of bytes takes half the time.
            let increment = match self.entropy_bytes {
                1 => entropy.draw::<1>()?[0].into(),
                2 => u16::from_be_bytes(entropy.draw()?).into(),
                _ => Self::draw_first(24, entropy)? as u32,
            };
            if increment != 0 {
                let count = last.count + u64::from(increment);
                return Ok((count >> bits == 0).then_some(Position { count, ..last }));
            }
        }
        Err(EntropyError::from("64 draws in a row returned only zeros"))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

/// Bits of the field `randomness`.
const BITS: u32 = UlidFlake::MAX_RANDOMNESS.trailing_ones();

/// The options of both versions.
pub(crate) const OPTIONS: &[OptionInfo] = &[
    OptionInfo::number(
        "node",
        0,
        31,
        "a node ID, which makes IDs of the scalable version: IDs of different nodes always differ",
        "Scalability",
    ),
    OptionInfo::text(
        "epoch",
        "Unix milliseconds",
        "the time from which timestamps count, in milliseconds since 1970",
        "",
    ),
    OptionInfo::number(
        "entropy_bytes",
        1,
        3,
        "how many random bytes, with a node at most 2, give the step to the next ID of the same millisecond",
        "Monotonicity",
    ),
    OptionInfo::ROLLBACK,
    OptionInfo::ROLLBACK_ALLOWANCE,
];

impl Configure for Options {
    const OPTIONS: &'static [OptionInfo] = OPTIONS;

    fn set(self, name: &str, value: &str) -> Result<Self, ConfigError> {
        match name {
            "node" => Err(error::unsupported_option("node", "only the scalable version has it")),
            "epoch" => Ok(self.epoch(Epoch::from_unix_millis(option::number("epoch", value)?)?)),
            "entropy_bytes" => self.entropy_bytes(option::number("entropy bytes", value)?),
            _ => Ok(Self {
                rollback: option::set_rollback(self.rollback, Self::OPTIONS, name, value)?,
                ..self
            }),
        }
    }
}

impl Rules for Options {
    type Id = UlidFlake;
    type Random = [u8; 0];

    #[inline]
    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    #[inline]
    fn random_bits(&self) -> u32 {
        BITS
    }

    #[inline]
    fn tick(&self, unix_micros: u64) -> Option<u64> {
        (unix_micros / 1000).checked_sub(self.epoch.unix_millis())
    }

    #[inline]
    fn tick_start(&self, tick: u64) -> u64 {
        self.epoch.unix_millis().saturating_add(tick).saturating_mul(1000)
    }

    #[inline]
    fn ticks(&self) -> RangeInclusive<u64> {
        0..=UlidFlake::MAX_TIMESTAMP
    }

    #[inline]
    fn first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        Self::draw_first(BITS, entropy)
    }

    #[inline]
    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        self.draw_next(BITS, last, entropy)
    }

    #[inline]
    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> UlidFlake {
        UlidFlake::pack(position.tick, position.count as u32)
    }
    #[inline]
    fn position(&self, id: UlidFlake) -> Option<Position> {
        Some(Position { tick: id.timestamp(), count: id.randomness().into() })
    }
}

impl BackfillRules for Options {
    #[inline]
    fn backfill_first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        Self::draw_low(BITS, entropy)
    }

    #[inline]
    fn backfill_next_count(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<u64>, EntropyError> {
        Self::draw_near(BITS, last, entropy)
    }

    #[inline]
    fn backfill_capacity(&self) -> u64 {
        73_000
    }
}
