use crate::{EventId, LedgerId};
use core::{ops::RangeInclusive, time::Duration};
use sortid_core::{
    __private::{error, option},
    BackfillRules, ConfigError, Configure, Entropy, EntropyError, OptionInfo, Position, Rollback,
    RollbackPolicy, Rules,
};

sortid_core::__private::generators! {
    options: Options,
    id: EventId,
    rollback: "The default is [`Continue`](crate::Rollback::Continue). If you set an allowance, the default is \
        [`Fail`](crate::Rollback::Fail). IDs have no random bits, so [`Reset`](crate::Rollback::Reset) does what `Fail` does.",
    /// Generates the places of events in a ledger: IDs with the checksum 0. Threads can share it, without locks. Each ID is
    /// greater than all before it, whichever thread generated them. [`with_checksum`](EventId::with_checksum) completes an
    /// ID; the crate `evently-ledger` does that.
    ///
    /// A *tick* is the smallest step of the specification's clock: a microsecond, with one ID (specification, "Monotonic").
    /// The generator draws no random bytes.
    ///
    /// # Situations
    ///
    /// | situation | what happens |
    /// |---|---|
    /// | the clock stands still, or is behind the last ID by any amount | continues with the microsecond after the last ID. [`Options::rollback`] can limit how far it goes ahead of the clock: at the limit, it waits, and further behind, it returns the error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback) |
    /// | the time is unknown or before 1970 | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the last ID has the last microsecond of the timestamp, in the year 586524 | error [`Exhausted`](crate::GenerateErrorKind::Exhausted) |
    /// | the process is a fork of the one that used the generator before | error [`OtherProcess`](crate::GenerateErrorKind::OtherProcess): its places would be those of its parent |
    ///
    /// An error does not break the order: the generator continues from its last ID when the cause is gone.
    ///
    /// One wrong reading of the clock keeps the generator ahead of it until the clock catches up. [`ahead`](Self::ahead)
    /// returns how far.
    ///
    /// After a restart, [`resume_after`](Self::resume_after) the last event of the ledger.
    ///
    /// ```
    /// use evently_id::{Generator, Options, event_id};
    ///
    /// const OPTIONS: Options = Options::new(event_id!("0005cd755a43d79238c05790c0331dd8").ledger_id());
    /// static PLACES: Generator = OPTIONS.build();
    ///
    /// let before = PLACES.generate()?;
    /// let other = std::thread::spawn(|| PLACES.generate()).join().unwrap()?;
    /// assert!(before.unix_micros() < other.unix_micros());
    /// assert_eq!((before.checksum(), before.ledger_id()), (0, other.ledger_id()));
    /// # Ok::<(), evently_id::GenerateError>(())
    /// ```
    Generator,
    /// Makes the places of events with given times: IDs with the checksum 0. IDs of equal times are in the order in which
    /// they were made.
    ///
    /// A microsecond has one ID, and times mostly have milliseconds. So by default, the IDs of a time *spill* into the next
    /// 999 microseconds: up to 1000 IDs of one millisecond keep this millisecond. To forbid other microseconds, or to
    /// allow later ones, call [`spill`](Self::spill).
    ///
    /// All IDs of a backfill are distinct. A backfill does not know the IDs of another backfill, or of a generator that
    /// works at the same times: for the same ledger, its IDs repeat theirs. The events of a ledger are in order, so its
    /// times [ascend](Self::ascending).
    ///
    /// # Situations
    ///
    /// | situation | [`generate`](Self::generate), [`generate_all`](Self::generate_all) |
    /// |---|---|
    /// | the times are in any order | remembers the last ID of each microsecond, in 16 to 40 bytes, and up to 60 while the table grows |
    /// | the times ascend, with [`ascending`](Self::ascending) | remembers only the last ID; error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback) if a time is of an earlier microsecond than the one before |
    /// | the microsecond has its ID | takes the next microsecond that is not full, if it is at most [`spill`](Self::spill) later: 999 µs by default; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if there is none |
    /// | the time is before 1970 or after the last microsecond of the timestamp, in the year 586524 | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    ///
    /// An error leaves the backfill as it was.
    ///
    /// ```
    /// use evently_id::{Backfill, LedgerId, Options, UnixMillis};
    ///
    /// let mut places = Options::new(LedgerId::parse("c0331dd8")?).backfill().ascending();
    /// let times = [1_633_278_792_816, 1_633_278_792_816, 1_633_278_792_817].map(UnixMillis);
    /// let micros = places.generate_all(times)?.iter().map(|id| id.unix_micros()).collect::<Vec<_>>();
    /// assert_eq!(micros, [1_633_278_792_816_000, 1_633_278_792_816_001, 1_633_278_792_817_000]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Backfill,
}

/// The options of a generator: the ledger of its events.
///
/// The options have no defaults, because an event belongs to a ledger. So the crate has no `new()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    ledger_id: LedgerId,
    rollback: RollbackPolicy,
}

impl Options {
    /// Creates the options of places in this ledger.
    #[must_use]
    pub const fn new(ledger_id: LedgerId) -> Self {
        Self { ledger_id, rollback: RollbackPolicy::new() }
    }
}

impl Configure for Options {
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo::text("ledger_id", "8 hex digits", "the ledger of the events", "Ledger ID").required(),
        OptionInfo::ROLLBACK,
        OptionInfo::ROLLBACK_ALLOWANCE,
    ];

    fn set(self, name: &str, value: &str) -> Result<Self, ConfigError> {
        match name {
            "ledger_id" => match LedgerId::parse(value) {
                Ok(ledger_id) => Ok(Self { ledger_id, ..self }),
                Err(error) => Err(error::option_parse("ledger ID", error)),
            },
            _ => Ok(Self {
                rollback: option::set_rollback(self.rollback, Self::OPTIONS, name, value)?,
                ..self
            }),
        }
    }
}

impl Rules for Options {
    type Id = EventId;
    type Random = [u8; 0];

    #[inline]
    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    /// The clock of a ledger never goes back.
    #[inline]
    fn default_rollback(&self) -> Rollback {
        Rollback::Continue
    }

    #[inline]
    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros)
    }

    #[inline]
    fn tick_start(&self, tick: u64) -> u64 {
        tick
    }

    #[inline]
    fn ticks(&self) -> RangeInclusive<u64> {
        0..=u64::MAX
    }

    #[inline]
    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    #[inline]
    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok(last.tick.checked_add(1).map(|tick| Position { tick, count: 0 }))
    }

    #[inline]
    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> EventId {
        EventId::from_fields(position.tick, 0, self.ledger_id)
    }
    #[inline]
    fn position(&self, id: EventId) -> Option<Position> {
        Some(Position { tick: id.unix_micros(), count: 0 })
    }
}

impl BackfillRules for Options {
    /// Times mostly have milliseconds, so their IDs need following microseconds.
    #[inline]
    fn backfill_spill(&self) -> Duration {
        Duration::from_micros(999)
    }
}
