use crate::{EventId, LedgerId};
use core::{ops::RangeInclusive, time::Duration};
use sortid_core::{BackfillRules, Entropy, EntropyError, Position, Rules};

sortid_core::__private::generators! {
    rules: Options,
    id: EventId,
    set_back: "If the clock is behind the last ID by at most the [rollback allowance](Self::rollback_allowance), the generator \
        continues from the last ID. The allowance is unlimited by default. If the clock is behind by more, the generator \
        returns an error. The generator never *starts over* at an earlier time.",
    /// Generates the places of events in a ledger for one owner: IDs with the checksum 0. Each ID is greater than the one
    /// before. [`with_checksum`](EventId::with_checksum) completes an ID; the crate `evently-ledger` does that.
    ///
    /// A *tick* is the smallest step of the specification's clock: a microsecond, with one ID (specification, "Monotonic").
    /// The generator draws no random bytes. Threads cannot share a `Generator`; use a [`SharedGenerator`] for them.
    ///
    /// # Situations
    ///
    /// | situation | [`try_generate`](Self::try_generate), [`generate`](Self::generate), [`fill`](Self::fill), [`generate_async`](Self::generate_async), [`fill_async`](Self::fill_async) |
    /// |---|---|
    /// | the clock stands still, or is behind the last ID by any amount | continues with the microsecond after the last ID; a rollback allowance limits how far it goes ahead of the clock: at the limit, `try_generate` returns the error [`Exhausted`](crate::GenerateErrorKind::Exhausted), and the others wait |
    /// | the time is unknown or before 1970 | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the last ID has the last microsecond of the timestamp, in the year 586524 | error [`Exhausted`](crate::GenerateErrorKind::Exhausted) |
    /// | the process is a fork of the one that used the generator before | error [`OtherProcess`](crate::GenerateErrorKind::OtherProcess): its places would be those of its parent |
    ///
    /// An error does not break the order: the generator continues from its last ID when the cause is gone.
    ///
    /// The [rollback allowance](Self::rollback_allowance) is unlimited by default, so one wrong reading of the clock
    /// keeps the generator ahead of it until the clock catches up. [`ahead`](Self::ahead) returns how far. If you set
    /// an allowance and the clock is behind by more, `try_generate` and `generate` return the error
    /// [`ClockRollback`](crate::GenerateErrorKind::ClockRollback): the events of a ledger are in order, so no place can
    /// be before the last one.
    ///
    /// After a restart, [`resume_after`](Self::resume_after) the last event of the ledger.
    ///
    /// ```
    /// use evently_id::{Generator, LedgerId, Options};
    ///
    /// let places = Generator::with_options(Options::new(LedgerId::parse("c0331dd8")?));
    /// let (first, second) = (places.generate()?, places.generate()?);
    /// assert!(first.timestamp() < second.timestamp());
    /// assert_eq!((first.checksum(), first.ledger_id()), (0, second.ledger_id()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Generator,
    /// Generates the places of events for many threads, without locks. Each ID is greater than all before it, whichever
    /// thread generated them.
    ///
    /// It behaves like [`Generator`]: see the [table](Generator#situations) there.
    ///
    /// ```
    /// use evently_id::{Options, SharedGenerator, event_id};
    ///
    /// const OPTIONS: Options = Options::new(event_id!("0005cd755a43d79238c05790c0331dd8").ledger_id());
    /// static PLACES: SharedGenerator = SharedGenerator::with_options(OPTIONS);
    ///
    /// let before = PLACES.generate()?;
    /// let other = std::thread::spawn(|| PLACES.generate()).join().unwrap()?;
    /// assert!(before < other);
    /// # Ok::<(), evently_id::GenerateError>(())
    /// ```
    SharedGenerator,
    /// Makes the places of events with given times: IDs with the checksum 0. IDs of equal times are in the order in which
    /// they were made.
    ///
    /// A microsecond has one ID, and times mostly have milliseconds. So by default, the IDs of a time *borrow* the next
    /// 999 microseconds: up to 1000 IDs of one millisecond keep this millisecond. To forbid other microseconds, or to
    /// allow later ones, call [`borrow`](Self::borrow).
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
    /// | the times ascend, with [`ascending`](Self::ascending) | remembers only the last ID; error [`Descending`](crate::BackfillErrorKind::Descending) if a time is of an earlier microsecond than the one before |
    /// | the microsecond has its ID | takes the next microsecond that is not full, if it is at most [`borrow`](Self::borrow) later: 999 µs by default; error [`Full`](crate::BackfillErrorKind::Full) if there is none |
    /// | the time is before 1970 or after the last microsecond of the timestamp, in the year 586524 | error [`OutOfRange`](crate::BackfillErrorKind::OutOfRange) |
    ///
    /// An error leaves the backfill as it was.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evently_id::{Backfill, LedgerId, Options};
    ///
    /// let mut places = Backfill::with_options(Options::new(LedgerId::parse("c0331dd8")?)).ascending();
    /// let times = [1_633_278_792_816, 1_633_278_792_816, 1_633_278_792_817].map(Duration::from_millis);
    /// let micros = places.generate_all(times)?.iter().map(|id| id.timestamp()).collect::<Vec<_>>();
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
}

impl Options {
    /// Creates the options of places in this ledger.
    #[must_use]
    pub const fn new(ledger_id: LedgerId) -> Self {
        Self { ledger_id }
    }
}

impl Rules for Options {
    type Id = EventId;
    type Random = [u8; 0];

    /// Unlimited: the clock of a ledger never goes back.
    const ROLLBACK_ALLOWANCE: Duration = Duration::MAX;

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
        0..=EventId::MAX_TIMESTAMP
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
        Some(Position { tick: id.timestamp(), count: 0 })
    }
}

impl BackfillRules for Options {
    /// Times mostly have milliseconds, so their IDs need following microseconds.
    #[inline]
    fn backfill_borrow(&self) -> Duration {
        Duration::from_micros(999)
    }
}
