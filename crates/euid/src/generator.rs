use crate::{
    Euid, Extension,
    id::{length, upper},
};
use core::ops::RangeInclusive;
use sortid_core::{
    __private::{error, option},
    BackfillRules, Clock, ConfigError, Configure, Entropy, EntropyError, GenerateError, NodeOptions,
    OptionInfo, Position, Rollback, RollbackPolicy, Rules, SortableId as _,
};

sortid_core::__private::generators! {
    options: Options,
    id: Euid,
    rollback: resets,
    /// Generates EUIDs. Threads can share it, without locks. Each ID is greater than all before it, whichever thread generated
    /// them, unless the clock was set back by more than 10 s.
    ///
    /// A *tick* is the smallest step of the specification's clock: a millisecond. In each millisecond random high starts at
    /// a random value, and goes up by one with each further ID.
    ///
    /// # Situations
    ///
    /// | situation | what happens |
    /// |---|---|
    /// | all IDs of the millisecond are used: random high has its greatest value, 2^32 − 1 | waits until the clock reaches the next millisecond: up to 10 s if the clock was set back, and longer if it is set back again; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if the clock stands still for a second |
    /// | the clock is behind the last ID by at most the [rollback allowance](Options::rollback_allowance), 10 s by default | continues from the last ID, in its millisecond |
    /// | the clock is behind by more | what [`Options::rollback`] says: by default the generator *resets*. It continues at the new, earlier time, and counts it in [`resets`](Self::resets) |
    /// | the time is unknown, before 1970, or after 2^45 − 1 ms, in December 3084 | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the source of random bytes fails | error [`Entropy`](crate::GenerateErrorKind::Entropy) |
    /// | the process is a fork of the one that used the generator before | continues from a later millisecond, with new random bits |
    ///
    /// An error does not break the order: the generator continues from its last ID when the cause is gone.
    ///
    /// ```
    /// use euid::{Extension, Generator, Options};
    ///
    /// static IDS: Generator = Generator::new();
    ///
    /// let before = IDS.generate()?;
    /// let other = std::thread::spawn(|| IDS.generate()).join().unwrap()?;
    /// assert!(before < other);
    ///
    /// let generator = Options::new().extension(Extension::new(5)?).build();
    /// assert_eq!(generator.generate()?.extension(), Some(Extension::new(5)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Generator,
    /// Makes EUIDs for given times, such as those of existing rows. Each ID has the millisecond of its time. IDs of equal
    /// times are in the order in which they were made.
    ///
    /// All IDs of a backfill are distinct. A backfill does not know the IDs of another backfill, or of a generator that
    /// works at the same times. The IDs of the two have no common order. Only their random bits make them distinct.
    ///
    /// # Situations
    ///
    /// | situation | [`generate`](Self::generate), [`generate_all`](Self::generate_all) |
    /// |---|---|
    /// | the times are in any order | remembers the last ID of each millisecond, in 16 to 40 bytes, and up to 60 while the table grows |
    /// | the times ascend, with [`ascending`](Self::ascending) | remembers only the last ID; error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback) if a time is of an earlier millisecond than the one before |
    /// | all IDs of the millisecond are used: at least 2^31, because random high starts below 2^31 | takes the next millisecond that is not full, if it is at most [`spill`](Self::spill) later: 0 by default; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if there is none |
    /// | the time is before 1970, or after 2^45 − 1 ms, in December 3084 | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the source of random bytes fails | error [`Entropy`](crate::GenerateErrorKind::Entropy) |
    ///
    /// An error leaves the backfill as it was.
    ///
    /// ```
    /// use euid::{Backfill, UnixMillis};
    ///
    /// let times = [1_631_540_490_683, 1_577_836_800_000, 1_631_540_490_683].map(UnixMillis);
    /// let ids = Backfill::default().generate_all(times)?;
    /// assert!(ids[1] < ids[0] && ids[0] < ids[2]);
    /// assert_eq!((ids[0].unix_millis(), ids[2].unix_millis()), (1_631_540_490_683, 1_631_540_490_683));
    /// # Ok::<(), euid::BackfillError>(())
    /// ```
    Backfill,
}

sortid_core::__private::generator_defaults! {
    /// Generates an ID without an extension, with the process-wide generator [`shared`].
    ///
    /// When all IDs of a millisecond are used, it waits for the next one. After the clock was set back by at most 10 s, the
    /// IDs of the last millisecond have to last until the clock catches up, so the wait takes up to 10 s.
    new: Euid,
    wrong_clock: "before 1970, after the year 3084 or stands still",
    random_bits: "79"
}

impl Euid {
    /// Generates the ID that follows this one, with the same extension. In the same millisecond, random high goes up by one;
    /// in a later one, all bits but the extension are new.
    ///
    /// ```
    /// let first = euid::new();
    /// assert!(first.next_after()? > first);
    /// # Ok::<(), euid::GenerateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`try_generate`](Generator::try_generate) of a generator whose last ID is this one, with
    /// [`Rollback::Fail`].
    #[cfg(feature = "std")]
    pub fn next_after(self) -> Result<Self, GenerateError> {
        self.next_after_with(sortid_core::SystemClock, sortid_core::ThreadEntropy)
    }

    /// `next_after` with a clock and random bytes of the caller. A user gets the same from `resume_after` of a generator.
    #[doc(hidden)]
    pub fn next_after_with(self, clock: impl Clock, entropy: impl Entropy) -> Result<Self, GenerateError> {
        let options = Options { extension: self.extension(), ..Options::new() };
        options.rollback(Rollback::Fail).build_with(clock, entropy).0.starting_after(self)?.try_generate()
    }
}

/// The options of a generator: the extension of its IDs.
///
/// All IDs of a generator have the same extension. The extension and the random bits above it rank above random high, so
/// IDs of one millisecond are in order only if they share both.
///
/// ```
/// use euid::{Extension, Generator, Options};
///
/// // Shard 5 of 256.
/// let options = Options::new().extension(Extension::with_bits(5, 8)?);
/// assert_eq!(options.build().generate()?.extension().map(Extension::value), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    extension: Option<Extension>,
    rollback: RollbackPolicy,
}

impl Options {
    /// Creates the defaults: no extension.
    #[must_use]
    pub const fn new() -> Self {
        Self { extension: None, rollback: RollbackPolicy::new() }
    }

    /// Sets the extension, which each ID then has.
    #[must_use]
    pub const fn extension(mut self, extension: Extension) -> Self {
        self.extension = Some(extension);
        self
    }
}

impl Configure for Options {
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo::text(
            "extension",
            "VALUE[:BITS]",
            "a value to keep in each ID, up to 32767, and how many bits it takes",
            "The Extension",
        ),
        OptionInfo::ROLLBACK,
        OptionInfo::ROLLBACK_ALLOWANCE,
    ];

    fn set(self, name: &str, value: &str) -> Result<Self, ConfigError> {
        match name {
            "extension" => {
                let (value, bits) = option::with_bits("extension", value)?;
                let extension = match bits {
                    Some(bits) => Extension::with_bits(value, bits)?,
                    None => Extension::new(value)?,
                };
                Ok(self.extension(extension))
            }
            _ => Ok(Self {
                rollback: option::set_rollback(self.rollback, Self::OPTIONS, name, value)?,
                ..self
            }),
        }
    }
}

/// The bits of random high, which is the low end of a count. Above it, the count has the 15-bit field, which stays the same
/// for the whole millisecond: no step of random high changes it.
const HIGH_BITS: u32 = u32::BITS;

impl Rules for Options {
    type Id = Euid;
    type Random = [u8; 4];

    #[inline]
    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    #[inline]
    fn random_bits(&self) -> u32 {
        u32::from(Extension::MAX_BITS - length(self.extension)) + 2 * HIGH_BITS
    }

    #[inline]
    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros / 1000)
    }

    #[inline]
    fn are_ticks_unix_millis(&self) -> bool {
        true
    }

    #[inline]
    fn tick_start(&self, tick: u64) -> u64 {
        tick.saturating_mul(1000)
    }

    #[inline]
    fn ticks(&self) -> RangeInclusive<u64> {
        0..=Euid::MAX_TIMESTAMP
    }

    #[inline]
    fn first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        let [u0, u1, high @ ..] = entropy.draw::<6>()?;
        let random_upper = (u16::from_be_bytes([u0, u1]) & Extension::MAX_VALUE) >> length(self.extension);
        Ok(u64::from(upper(random_upper, self.extension)) << HIGH_BITS | u64::from(u32::from_be_bytes(high)))
    }

    #[inline]
    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        let used_up = last.count as u32 == u32::MAX;
        Ok((!used_up).then(|| Position { count: last.count + 1, ..last }))
    }

    #[inline]
    fn id(&self, position: Position, _: u16, random_low: [u8; 4]) -> Euid {
        let (upper, random_high) = ((position.count >> HIGH_BITS) as u16, position.count as u32);
        let random_low = u32::from_be_bytes(random_low);
        Euid::pack(position.tick, upper, length(self.extension), random_high, random_low)
    }
    /// If the ID has another extension, IDs with the extension of these options may be less. Then the millisecond of
    /// the ID counts as used up.
    #[inline]
    fn position(&self, id: Euid) -> Option<Position> {
        let is_ours = id.extension() == self.extension;
        let random_high = if is_ours { id.random_high() } else { u32::MAX };
        Some(Position {
            tick: id.unix_millis(),
            count: u64::from(id.upper()) << HIGH_BITS | u64::from(random_high),
        })
    }
}

impl BackfillRules for Options {
    /// Random high starts in its lower half: from anywhere, a few milliseconds in a million would have room for less than
    /// 20 000 IDs.
    #[inline]
    fn backfill_first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(self.first_count(tick, entropy)? & !(1 << (HIGH_BITS - 1)))
    }

    #[inline]
    fn backfill_capacity(&self) -> u64 {
        1 << (HIGH_BITS - 1)
    }
}

/// The node ID is the extension. It takes as many bits as the greatest node ID needs, at least one.
impl NodeOptions for Options {
    type Id = Euid;
    type Rules = Self;

    fn spec(&self) -> &'static str {
        Euid::NAME
    }

    fn with_node_id(self, node_id: u32, size: u32) -> Result<Self, ConfigError> {
        let bits = error::check_node_id(node_id, size, Extension::MAX_BITS.into())?.max(1);
        Ok(self.extension(Extension::with_bits(node_id as u16, bits as u8)?))
    }
}
