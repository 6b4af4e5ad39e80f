use crate::Scru160;
use core::{ops::RangeInclusive, time::Duration};
use sortid_core::{
    __private::{error, option},
    BackfillRules, ConfigError, Configure, Entropy, EntropyError, NodeOptions, OptionInfo, OptionKind,
    Position, RollbackPolicy, Rules, SortableId as _,
};

sortid_core::__private::generators! {
    options: Options,
    id: Scru160,
    rollback: resets,
    /// Generates SCRU160 IDs. Threads can share it, without locks. Each ID is greater than all before it, whichever thread
    /// generated them, unless the clock was set back by more than 10 s.
    ///
    /// A *tick* is the smallest step of the specification's clock: a millisecond, or a microsecond
    /// [with a microsecond counter](Options::with_micros_counter). The counter orders the IDs of a tick.
    ///
    /// # Situations
    ///
    /// | situation | what happens |
    /// |---|---|
    /// | all IDs of the tick are used: at least 32 769 in a millisecond by default, see [`Options`] | waits until the clock reaches the next tick: up to 10 s if the clock was set back, and longer if it is set back again; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if the clock stands still for a second |
    /// | the clock is behind the last ID by at most the [rollback allowance](Options::rollback_allowance), 10 s by default | continues from the last ID, in its tick |
    /// | the clock is behind by more | what [`Options::rollback`] says: by default the generator *resets*. It continues at the new, earlier time, and counts it in [`resets`](Self::resets) |
    /// | the time is unknown, or outside 1970-01-01T00:00:00.001Z to 10889-08-02T05:31:50.654Z | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the source of random bytes fails | error [`Entropy`](crate::GenerateErrorKind::Entropy) |
    /// | the process is a fork of the one that used the generator before | continues from a later tick, with new random bits |
    ///
    /// An error does not break the order: the generator continues from its last ID when the cause is gone.
    ///
    /// ```
    /// use scru160::{Generator, Options};
    ///
    /// static IDS: Generator = Generator::new();
    ///
    /// let before = IDS.generate()?;
    /// let other = std::thread::spawn(|| IDS.generate()).join().unwrap()?;
    /// assert!(before < other);
    ///
    /// // Node 3 of 32, in the upper bits of random16.
    /// let generator = Options::new().node(3, 5)?.build();
    /// assert_eq!(generator.generate()?.random16() >> 11, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Generator,
    /// Makes SCRU160 IDs for given times, such as those of existing rows. Each ID has the millisecond of its time. IDs of
    /// equal times are in the order in which they were made.
    ///
    /// All IDs of a backfill are distinct. A backfill does not know the IDs of another backfill, or of a generator that
    /// works at the same times. The IDs of the two have no common order. Only their random bits make them distinct.
    ///
    /// # Situations
    ///
    /// | situation | [`generate`](Self::generate), [`generate_all`](Self::generate_all) |
    /// |---|---|
    /// | the times are in any order | remembers the last ID of each tick, in 16 to 40 bytes, and up to 60 while the table grows |
    /// | the times ascend, with [`ascending`](Self::ascending) | remembers only the last ID; error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback) if a time is of an earlier tick than the one before |
    /// | all IDs of the tick are used: at least 32 769 in a millisecond by default, see [`Options`] | takes the next tick that is not full, if it is at most [`spill`](Self::spill) later: 0 by default, 999 µs [with a microsecond counter](Options::with_micros_counter), so that times in whole milliseconds keep them; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if there is none |
    /// | the time is outside 1970-01-01T00:00:00.001Z to 10889-08-02T05:31:50.654Z | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the source of random bytes fails | error [`Entropy`](crate::GenerateErrorKind::Entropy) |
    ///
    /// An error leaves the backfill as it was.
    ///
    /// ```
    /// use scru160::{Backfill, UnixMillis};
    ///
    /// let times = [1_631_540_490_683, 1_577_836_800_000, 1_631_540_490_683].map(UnixMillis);
    /// let ids = Backfill::default().generate_all(times)?;
    /// assert!(ids[1] < ids[0] && ids[0] < ids[2]);
    /// assert_eq!((ids[0].unix_millis(), ids[2].unix_millis()), (1_631_540_490_683, 1_631_540_490_683));
    /// # Ok::<(), scru160::BackfillError>(())
    /// ```
    Backfill,
}

sortid_core::__private::generator_defaults! {
    /// Generates an ID with the process-wide generator [`shared`].
    ///
    /// When all IDs of a millisecond are used, it waits for the next one. After the clock was set back by at most 10 s, the
    /// IDs of the last millisecond have to last until the clock catches up, so the wait takes up to 10 s.
    new: Scru160,
    wrong_clock: "before 1970, after the year 10889 or stands still",
    random_bits: "96"
}

/// How a generator uses the fields `counter` and `random16` (specification, "counter" and "random16").
///
/// The counter orders the IDs of a *tick*, the smallest step of the clock: a millisecond, or a microsecond with
/// [`with_micros_counter`](Self::with_micros_counter).
///
/// | options | tick | guaranteed number of IDs in a tick |
/// |---|---|---|
/// | defaults | millisecond | 32 769 |
/// | `counter_start_bits(s)` | millisecond | 2^16 − 2^s + 1 |
/// | `counter_start_bits(s)` and `counter_extension_bits(c)` | millisecond | 2^(16+c) − 2^c × (2^s − 1) |
/// | `with_micros_counter()` | microsecond | 33 |
///
/// ```
/// use scru160::{Generator, Options};
///
/// // The counter starts below 2^8, 4 more bits extend it, and 5 bits are node 3.
/// let options = Options::new().counter_start_bits(8)?.counter_extension_bits(4)?.node(3, 5)?;
/// let id = options.build().generate()?;
/// assert!(id.counter() < 1 << 8);
/// assert_eq!((id.random16() >> 12, id.random16() >> 7 & 0b1_1111), (0, 3));
/// assert_eq!(
///     options.node(3, 13).unwrap_err().to_string(),
///     "node bits: expected 0 to 12, found 13"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    micros_counter: bool,
    start_bits: u32,
    extension_bits: u32,
    node_bits: u32,
    node: u16,
    rollback: RollbackPolicy,
}

impl Options {
    /// Creates the specification's defaults: the counter starts at a random 15-bit value each millisecond, and `random16`
    /// is random.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            micros_counter: false,
            start_bits: 15,
            extension_bits: 0,
            node_bits: 0,
            node: 0,
            rollback: RollbackPolicy::new(),
        }
    }

    /// Creates options with a microsecond counter: its upper 10 bits are the microsecond (0 to 999), its lower 6 bits start
    /// at a random 5-bit value each microsecond (specification, "Alternative counter usage").
    ///
    /// ```
    /// use core::time::Duration;
    /// use scru160::{Generator, Options, testing::{ManualClock, SeededEntropy}};
    ///
    /// let clock = ManualClock::new(Duration::from_micros(1_631_540_490_683_042));
    /// let ids = Options::with_micros_counter().build_with(&clock, SeededEntropy::new(1));
    /// let id = ids.generate()?;
    /// assert_eq!((id.unix_millis(), id.counter() >> 6), (1_631_540_490_683, 42));
    /// # Ok::<(), scru160::GenerateError>(())
    /// ```
    #[must_use]
    pub const fn with_micros_counter() -> Self {
        Self { micros_counter: true, start_bits: 5, ..Self::new() }
    }

    /// Sets how many bits of the counter start at random: 0 to 15, or 0 to 5 with a microsecond counter. With fewer bits,
    /// a tick has more IDs, and IDs are easier to guess.
    ///
    /// # Errors
    ///
    /// If `bits` is outside this range.
    pub const fn counter_start_bits(mut self, bits: u32) -> Result<Self, ConfigError> {
        let greatest = if self.micros_counter { 5 } else { 15 };
        match error::check_option("counter start bits", bits as u64, 0, greatest) {
            Ok(()) => {
                self.start_bits = bits;
                Ok(self)
            }
            Err(error) => Err(error),
        }
    }

    /// Sets how many bits at the top of `random16` extend the counter at its low end: 0 to 16, less the bits of the
    /// [`node`](Self::node). These bits start at 0.
    ///
    /// # Errors
    ///
    /// If `bits` is outside this range.
    pub const fn counter_extension_bits(mut self, bits: u32) -> Result<Self, ConfigError> {
        match error::check_option("counter extension bits", bits as u64, 0, 16 - self.node_bits as u64) {
            Ok(()) => {
                self.extension_bits = bits;
                Ok(self)
            }
            Err(error) => Err(error),
        }
    }

    /// Sets a node identifier of 0 to 16 bits, less the bits of the counter's extension. The node is in `random16`, below
    /// this extension. IDs of different nodes always differ.
    ///
    /// # Errors
    ///
    /// If `bits` is outside this range, or `node` needs more than `bits`.
    pub const fn node(mut self, node: u16, bits: u32) -> Result<Self, ConfigError> {
        if let Err(error) = error::check_option("node bits", bits as u64, 0, 16 - self.extension_bits as u64)
        {
            return Err(error);
        }
        if let Err(error) = error::check_option("node", node as u64, 0, (1 << bits) - 1) {
            return Err(error);
        }
        self.node_bits = bits;
        self.node = node;
        Ok(self)
    }

    /// Returns the number of bits of a count: the bits of the counter that count, and the bits of its extension.
    const fn width(&self) -> u32 {
        self.extension_bits + if self.micros_counter { 6 } else { 16 }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Configure for Options {
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo::new(
            "micros",
            OptionKind::Flag,
            "whether the counter keeps the microsecond",
            "Alternative counter usage",
        ),
        OptionInfo::number(
            "counter_start_bits",
            0,
            15,
            "how many bits of the counter start at random, with microseconds at most 5",
            "Default counter usage",
        ),
        OptionInfo::text(
            "node",
            "ID:BITS",
            "the node ID in `random16`, and how many bits it takes",
            "Binary Layout and Byte Order",
        ),
        OptionInfo::number(
            "counter_extension_bits",
            0,
            16,
            "how many bits of `random16` make the counter longer",
            "Alternative counter usage",
        ),
        OptionInfo::ROLLBACK,
        OptionInfo::ROLLBACK_ALLOWANCE,
    ];

    fn set(self, name: &str, value: &str) -> Result<Self, ConfigError> {
        match name {
            "micros" => Ok(match option::flag("micros", value)? {
                true => Self { micros_counter: true, start_bits: self.start_bits.min(5), ..self },
                false if self.micros_counter => Self { micros_counter: false, start_bits: 15, ..self },
                false => self,
            }),
            "counter_start_bits" => self.counter_start_bits(option::number("counter start bits", value)?),
            "counter_extension_bits" => {
                self.counter_extension_bits(option::number("counter extension bits", value)?)
            }
            "node" => {
                let (node, bits) = option::with_bits("node", value)?;
                let expected = "a node ID and its bits, such as 3:5";
                self.node(node, bits.ok_or_else(|| error::option_form("node", expected, value))?)
            }
            _ => Ok(Self {
                rollback: option::set_rollback(self.rollback, Self::OPTIONS, name, value)?,
                ..self
            }),
        }
    }
}

impl Rules for Options {
    type Id = Scru160;
    type Random = [u8; 12];

    #[inline]
    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    #[inline]
    fn random_bits(&self) -> u32 {
        self.start_bits + 96 - self.extension_bits - self.node_bits
    }

    #[inline]
    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(if self.micros_counter { unix_micros } else { unix_micros / 1000 })
    }

    #[inline]
    fn tick_start(&self, tick: u64) -> u64 {
        if self.micros_counter { tick } else { tick.saturating_mul(1000) }
    }

    /// Excludes the timestamps 0 and 2^48 − 1, which are reserved (specification, "Reserved IDs").
    #[inline]
    fn ticks(&self) -> RangeInclusive<u64> {
        if self.micros_counter {
            1000..=Scru160::MAX_TIMESTAMP * 1000 - 1
        } else {
            1..=Scru160::MAX_TIMESTAMP - 1
        }
    }

    #[inline]
    fn first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        let start = u16::from_be_bytes(entropy.draw()?) & ((1 << self.start_bits) - 1);
        Ok(u64::from(start) << self.extension_bits)
    }

    #[inline]
    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        let count = last.count + 1;
        Ok((count >> self.width() == 0).then_some(Position { count, ..last }))
    }

    #[inline]
    fn id(&self, position: Position, _: u16, [random64 @ .., a, b, c, d]: [u8; 12]) -> Scru160 {
        // 16 bits for random16 and 80 for random80, in the order of the ID. They are integers, which stay in registers.
        let (random64, random32) = (u64::from_be_bytes(random64), u32::from_be_bytes([a, b, c, d]));
        let counted = (position.count >> self.extension_bits) as u16;
        let (timestamp, counter) = if self.micros_counter {
            (position.tick / 1000, ((position.tick % 1000) as u16) << 6 | counted)
        } else {
            (position.tick, counted)
        };
        let high = u128::from(timestamp << 16 | u64::from(counter)) << 64;
        let low = if self.extension_bits + self.node_bits == 0 {
            random64 // no option uses a part of random16
        } else {
            // random16 has, from the top: extension, node, random bits.
            let random_bits = 16 - self.extension_bits - self.node_bits;
            let random = random64 >> 48 & ((1 << random_bits) - 1);
            let extension = position.count & ((1 << self.extension_bits) - 1);
            let random16 =
                extension << (16 - self.extension_bits) | u64::from(self.node) << random_bits | random;
            (random16 << 48) | random64 & ((1 << 48) - 1)
        };
        Scru160::join(high | u128::from(low), random32)
    }
    /// The position is the counter, and then the extension. It is right even if another generator used the bits of
    /// the extension for something else.
    #[inline]
    fn position(&self, id: Scru160) -> Option<Position> {
        let (timestamp, counter) = (id.unix_millis(), u64::from(id.counter()));
        // A counter that no generator with this option makes, 1000 microseconds or more, is in the next millisecond.
        let (tick, counted) = if self.micros_counter {
            (timestamp * 1000 + (counter >> 6), counter & 0b11_1111)
        } else {
            (timestamp, counter)
        };
        let extension = u64::from(id.random16()) >> (16 - self.extension_bits);
        Some(Position { tick, count: counted << self.extension_bits | extension })
    }
}

impl BackfillRules for Options {
    /// A counter that starts at its greatest value leaves this number of IDs.
    #[inline]
    fn backfill_capacity(&self) -> u64 {
        (1 << self.width()) - (((1 << self.start_bits) - 1) << self.extension_bits)
    }

    /// Columns mostly hold milliseconds. With a microsecond counter, the IDs of one millisecond need the microseconds
    /// after it.
    #[inline]
    fn backfill_spill(&self) -> Duration {
        Duration::from_micros(if self.micros_counter { 999 } else { 0 })
    }
}

/// The node ID is the [`node`](Options::node). It takes as many bits as the greatest node ID needs.
impl NodeOptions for Options {
    type Id = Scru160;
    type Rules = Self;

    fn spec(&self) -> &'static str {
        Scru160::NAME
    }

    fn with_node_id(self, node_id: u32, size: u32) -> Result<Self, ConfigError> {
        let bits = error::check_node_id(node_id, size, 16 - self.extension_bits)?;
        self.node(node_id as u16, bits)
    }
}
