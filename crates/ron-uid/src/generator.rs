use crate::{Base64x64, RonUid, Scheme, calendar};
use core::{ops::RangeInclusive, time::Duration};
use sortid_core::{
    __private::{error, option},
    BackfillRules, Clock, ConfigError, Configure, Entropy, EntropyError, GenerateError, Hybrid, HybridRules,
    NodeOptions, OptionInfo, OptionKind, Position, Rollback, RollbackPolicy, Rules, SortableId as _,
};

sortid_core::__private::generators! {
    options: Options,
    id: RonUid,
    rollback: "The default is [`Continue`](crate::Rollback::Continue): a hybrid logical clock never goes back. If you set an \
        allowance, the default is [`Fail`](crate::Rollback::Fail). UIDs have no random bits. So \
        [`Reset`](crate::Rollback::Reset) is as `Fail`, unless there are [sessions](Self::session_digits).",
    /// A hybrid logical clock, which generates event UIDs. Threads can share it, without locks. Each UID has the calendar
    /// time, and is greater than all UIDs that the generator generated or [observed](Self::observe), in any thread.
    ///
    /// A *tick* is the smallest step of the specification's clock: a millisecond, with 4096 UIDs. The generator draws no
    /// random bytes.
    ///
    /// # Situations
    ///
    /// | situation | what happens |
    /// |---|---|
    /// | all UIDs of the millisecond are used | continues with the next millisecond, ahead of the clock. [`Options::rollback`] can limit how far: at the limit, it waits |
    /// | the clock stands still, or is behind the last UID by any amount | continues from the last UID. With a limit, it returns the error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback), or starts the next [session](Options::session_digits) |
    /// | the time is unknown, before 2010 or after 2345, or all UIDs until 2345 are used | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the process is a fork of the one that used the generator before | error [`OtherProcess`](crate::GenerateErrorKind::OtherProcess): its UIDs would be those of its parent |
    ///
    /// An error does not break the order: the generator continues from its last UID when the cause is gone.
    ///
    /// One wrong reading of the clock keeps the generator ahead of it until the clock catches up. [`ahead`](Self::ahead)
    /// returns how far.
    ///
    /// After a restart, [`resume_after`](Self::resume_after) the last UID: its time may be ahead of the clock.
    ///
    /// ```
    /// use ron_uid::{Generator, Options, RonUid, Scheme, ron_uid};
    ///
    /// static OURS: Generator = Options::new(ron_uid!("Xgritzk0_D").value()).build();
    /// let theirs = Options::new(ron_uid!("Xmarcus0_D").value()).build();
    ///
    /// let question = theirs.generate()?;
    /// OURS.observe(question)?;
    /// let answer = OURS.generate()?;
    /// assert!(answer > question);
    /// assert_eq!((answer.origin(), answer.scheme()), (ron_uid!("Xgritzk0_D").value(), Scheme::Event));
    ///
    /// // A UID that is far ahead of the clock is an error, and changes nothing.
    /// assert!(OURS.observe(RonUid::NEVER).is_err());
    /// # Ok::<(), ron_uid::GenerateError>(())
    /// ```
    Generator,
    /// Makes event UIDs for given times, such as those of existing rows. Each UID has the millisecond of its time. UIDs of
    /// equal times are in the order in which they were made.
    ///
    /// A UID is never shorter than its millisecond needs: [`min_length`](Options::min_length) is for generators.
    ///
    /// All UIDs of a backfill are distinct. A backfill does not know the UIDs of another backfill, or of a generator
    /// that works at the same times: with the same origin, its UIDs repeat theirs.
    ///
    /// # Situations
    ///
    /// | situation | [`generate`](Self::generate), [`generate_all`](Self::generate_all) |
    /// |---|---|
    /// | the times are in any order | remembers the last UID of each millisecond, in 16 to 40 bytes, and up to 60 while the table grows |
    /// | the times ascend, with [`ascending`](Self::ascending) | remembers only the last UID; error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback) if a time is of an earlier millisecond than the one before |
    /// | all 4096 UIDs of the millisecond are used | takes the next millisecond that is not full, if it is at most [`spill`](Self::spill) later: 0 by default; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if there is none |
    /// | the time is before 2010 or after 2345 | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    ///
    /// An error leaves the backfill as it was.
    ///
    /// ```
    /// use ron_uid::{Backfill, Options, UnixMillis, ron_uid};
    ///
    /// let mut uids = Options::new(ron_uid!("Xgritzk").value()).backfill();
    /// let times = [1_464_382_213_001, 1_464_382_200_000, 1_464_382_213_001].map(UnixMillis);
    /// let texts = uids.generate_all(times)?.into_iter().map(String::from).collect::<Vec<_>>();
    /// assert_eq!(texts, ["1CQKnD01-Xgritzk", "1CQKn-Xgritzk", "1CQKnD0101-Xgritzk"]);
    /// # Ok::<(), ron_uid::BackfillError>(())
    /// ```
    Backfill,
}

impl<C: Clock, E: Entropy> Generator<C, E> {
    /// Observes a UID of another generator: all later UIDs are greater. A UID that is not greater than the last one changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`NoTime`](crate::GenerateErrorKind::NoTime) for names, hashes, and values from `~` on;
    /// [`Ahead`](crate::GenerateErrorKind::Ahead) if the UID is further ahead of the clock than the
    /// [future bound](Options::future_bound) or the rollback allowance;
    /// [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) if the time is unknown, before 2010 or after 2345. An
    /// error leaves the generator unchanged.
    pub fn observe(&self, uid: RonUid) -> Result<(), GenerateError> {
        self.0.observe(uid)
    }
}

/// The options of a generator: the origin of its UIDs, their length, and how far ahead an observed UID may be.
///
/// There are no defaults, and the crate has no `new()`, because an event is unique by its origin: generators that work
/// at the same time must have different origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    origin: Base64x64,
    session_digits: u8,
    min_length: u8,
    future_bound: Duration,
    rollback: RollbackPolicy,
}

impl Options {
    /// Creates the options of events at this origin, with a precision of a millisecond and a future bound of one minute.
    #[must_use]
    pub const fn new(origin: Base64x64) -> Self {
        Self {
            origin,
            session_digits: 0,
            min_length: 10,
            future_bound: Duration::from_secs(60),
            rollback: RollbackPolicy::new(),
        }
    }

    /// Lets the generator [reset](crate::Rollback::Reset) when the clock is behind the last UID by more than the
    /// [rollback allowance](Self::rollback_allowance): it continues at the clock's time, with the next origin. The last
    /// `digits` digits of the origin, 1 or 2, are its *session*. Each reset adds one to the session, so no UID repeats.
    ///
    /// After the last session, the generator returns the error
    /// [`ClockRollback`](crate::GenerateErrorKind::ClockRollback).
    ///
    /// Use it to bring a generator back that took one wrong time from its clock. The origins of generators that work at the
    /// same time must differ before the session. After a restart, [`resume_after`](Generator::resume_after) the UID with the
    /// greatest origin, and among these the greatest one.
    ///
    /// ```
    /// use core::time::Duration;
    /// use ron_uid::{Generator, NoEntropy, Options, ron_uid, testing::ManualClock};
    ///
    /// let [now, hour] = [1_464_382_200, 3600].map(Duration::from_secs);
    /// let clock = ManualClock::new(now + 24 * hour); // a wrong time
    /// let options = Options::new(ron_uid!("Xgritzk").value()).session_digits(2)?;
    /// let ids = options.rollback_allowance(hour).build_with(&clock, NoEntropy);
    /// assert_eq!(ids.generate()?.encode(), "1CRKn-Xgritzk");
    /// clock.set(now);
    /// assert_eq!(ids.ahead()?, 24 * hour);
    /// assert_eq!(ids.generate()?.encode(), "1CQKn-Xgritzk001");
    /// assert_eq!(ids.resets(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `digits` is not 1 or 2.
    pub const fn session_digits(mut self, digits: usize) -> Result<Self, ConfigError> {
        match error::check_option("session digits", digits as u64, 1, 2) {
            Ok(()) => {
                self.session_digits = digits as u8;
                Ok(self.rollback(Rollback::Reset))
            }
            Err(error) => Err(error),
        }
    }

    // The session is the session of the origin plus the number of resets, which is in the word of the state. So a
    // `static` generator comes back without a lock.
    /// Returns the last session of this origin.
    #[inline]
    const fn last_session(&self) -> u64 {
        (1 << (6 * self.session_digits)) - 1
    }

    /// Sets the least number of digits of a time, 5 to 10; the default is 10. The generator drops as many further digits
    /// as it can while the UID is greater than the last one. With 5, the first UID of a minute has 5 digits, the first of
    /// another second of that minute has 6, and so on. With 8 to 10, no time loses its millisecond. Texts never have
    /// trailing zeros.
    ///
    /// The first UID of a generator has its millisecond, since an earlier generator may have generated UIDs of the same
    /// minute. After `resume_after` or `observe`, it can lack it.
    ///
    /// ```
    /// use core::time::Duration;
    /// use ron_uid::{Generator, NoEntropy, Options, ron_uid, testing::ManualClock};
    ///
    /// let clock = ManualClock::new(Duration::from_millis(1_464_382_213_001)); // 20:50:13.001
    /// let options = Options::new(ron_uid!("X").value()).min_length(5)?;
    /// let ids = options.build_with(&clock, NoEntropy);
    /// assert_eq!(ids.generate()?.encode(), "1CQKnD01-X");
    /// clock.advance(Duration::from_secs(60));
    /// assert_eq!(ids.generate()?.encode(), "1CQKo-X");
    /// assert_eq!(ids.generate()?.encode(), "1CQKoD-X");
    /// assert_eq!(ids.generate()?.encode(), "1CQKoD01-X");
    /// assert_eq!(ids.generate()?.encode(), "1CQKoD0101-X");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `digits` is below 5 or above 10.
    pub const fn min_length(mut self, digits: usize) -> Result<Self, ConfigError> {
        match error::check_option("minimum length", digits as u64, 5, 10) {
            Ok(()) => {
                self.min_length = digits as u8;
                Ok(self)
            }
            Err(error) => Err(error),
        }
    }

    /// Sets how far ahead of the clock an [observed](Generator::observe) UID may be: by default, one minute.
    ///
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    /// use ron_uid::{Generator, NoEntropy, Options, RonUid, ron_uid, testing::ManualClock};
    ///
    /// let now = Duration::from_secs(1_464_382_200); // 20:50:00
    /// let options = Options::new(ron_uid!("X").value()).future_bound(Duration::from_secs(5));
    /// let ids = options.build_with(ManualClock::new(now), NoEntropy);
    /// assert!(ids.observe(RonUid::min_at(UNIX_EPOCH + now + Duration::from_secs(5))?).is_ok());
    /// let error = ids.observe(RonUid::min_at(UNIX_EPOCH + now + Duration::from_secs(6))?).unwrap_err();
    /// assert!(error.to_string().starts_with("the ID is 6.000000 s ahead of the clock, expected at most 5.000000 s"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn future_bound(mut self, bound: Duration) -> Self {
        self.future_bound = bound;
        self
    }

    /// The first tick that has the same first `digits` digits as `tick`.
    #[inline]
    const fn shortened(tick: u64, digits: u8) -> u64 {
        const MINUTE: u64 = 60_000;
        match digits {
            5 => tick - tick % MINUTE,
            6 => tick - tick % 1000,
            // A digit of milliseconds is 64 of them.
            7 => tick - tick % 1000 % 64,
            _ => tick,
        }
    }
}

impl Configure for Options {
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo::text(
            "origin",
            "up to 10 digits of Base64x64",
            "the place where the UIDs are made",
            "Origin part format",
        )
        .required(),
        OptionInfo::number(
            "session_digits",
            1,
            2,
            "how many digits of the origin count resets after the clock was set back",
            "",
        ),
        OptionInfo::number(
            "min_length",
            5,
            10,
            "the least number of digits that a time keeps",
            "Time part format",
        ),
        OptionInfo::new(
            "future_bound",
            OptionKind::Duration,
            "how far ahead of the clock an observed UID may be",
            "",
        ),
        OptionInfo::ROLLBACK,
        OptionInfo::ROLLBACK_ALLOWANCE,
    ];

    fn set(self, name: &str, value: &str) -> Result<Self, ConfigError> {
        match name {
            "origin" => match Base64x64::parse(value) {
                Ok(origin) => Ok(Self { origin, ..self }),
                Err(error) => Err(error::option_parse("origin", error)),
            },
            "session_digits" => self.session_digits(option::number("session digits", value)?),
            "min_length" => self.min_length(option::number("minimum length", value)?),
            "future_bound" => Ok(self.future_bound(option::duration("future bound", value)?)),
            _ => Ok(Self {
                rollback: option::set_rollback(self.rollback, Self::OPTIONS, name, value)?,
                ..self
            }),
        }
    }
}

impl Rules for Options {
    type Id = RonUid;
    type Random = [u8; 0];

    #[inline]
    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    /// A hybrid logical clock never goes back.
    #[inline]
    fn default_rollback(&self) -> Rollback {
        Rollback::Continue
    }

    #[inline]
    fn tick(&self, unix_micros: u64) -> Option<u64> {
        (unix_micros / 1000).checked_sub(calendar::BASE)
    }

    #[inline]
    fn tick_start(&self, tick: u64) -> u64 {
        tick.saturating_add(calendar::BASE).saturating_mul(1000)
    }

    #[inline]
    fn ticks(&self) -> RangeInclusive<u64> {
        0..=calendar::LAST_MILLI
    }

    #[inline]
    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    #[inline]
    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        _: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        for digits in self.min_length..8 {
            let position = Position { tick: Self::shortened(tick, digits), count: 0 };
            if last.is_some_and(|last| position > last) {
                return Ok(position);
            }
        }
        Ok(Position { tick, count: 0 })
    }

    #[inline]
    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok(Some(match last.count {
            calendar::MAX_SEQUENCE.. => Position { tick: last.tick + 1, count: 0 },
            count => Position { count: count + 1, ..last },
        }))
    }

    #[inline]
    fn can_reset(&self, resets: u16) -> bool {
        u64::from(resets) < self.last_session() - (self.origin.to_int() & self.last_session())
    }

    #[inline]
    fn id(&self, position: Position, resets: u16, _: [u8; 0]) -> RonUid {
        let origin = Base64x64::from_low_bits(self.origin.to_int() + u64::from(resets));
        RonUid::from_fields(calendar::value_at(position.tick, position.count), origin, Scheme::Event)
    }

    /// The last time that is not above the UID's value: a value that is not a time, such as 31 June, counts as the last
    /// time before it. `None` for names, hashes, and values from `~` on.
    #[inline]
    fn position(&self, uid: RonUid) -> Option<Position> {
        if !matches!(uid.scheme(), Scheme::Event | Scheme::Derived) {
            return None;
        }
        calendar::floor(uid.value()).map(|floor| Position { tick: floor.milli, count: floor.sequence })
    }

    /// How far the session of the UID is above the first one, if the UID has one of this generator's origins.
    #[inline]
    fn resets(&self, uid: RonUid) -> u16 {
        let (first, origin) = (self.origin.to_int(), uid.origin().to_int());
        let is_ours = first | self.last_session() == origin | self.last_session();
        if is_ours { origin.saturating_sub(first) as u16 } else { 0 }
    }
}

impl BackfillRules for Options {
    #[inline]
    fn backfill_capacity(&self) -> u64 {
        calendar::MAX_SEQUENCE + 1
    }
}

impl HybridRules for Options {
    fn future_bound(&self) -> Duration {
        self.future_bound
    }
}

impl Hybrid for Options {}

/// The node ID is in the last digits of the origin, as many as the greatest node ID needs. These digits have to be `0` in
/// the origin of the options. With [`session_digits`](Options::session_digits), the node ID is the session.
impl NodeOptions for Options {
    type Id = RonUid;
    type Rules = Self;

    fn spec(&self) -> &'static str {
        RonUid::NAME
    }

    fn with_node_id(self, node_id: u32, size: u32) -> Result<Self, ConfigError> {
        const DIGIT: u32 = 6;
        let field = match self.session_digits {
            0 => 3 * DIGIT,
            digits => u32::from(digits) * DIGIT,
        };
        let bits = error::check_node_id(node_id, size, field)?.next_multiple_of(DIGIT);
        let taken = self.origin.to_int() & ((1 << bits) - 1);
        error::check_option("digits of the origin that the node ID takes", taken, 0, 0)?;
        let origin = Base64x64::from_low_bits(self.origin.to_int() | u64::from(node_id));
        Ok(Self { origin, session_digits: 0, ..self })
    }
}
