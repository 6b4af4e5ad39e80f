use crate::{EventId, LedgerId};
use core::{ops::RangeInclusive, time::Duration};
use sortid_core::{DefaultClock, DefaultEntropy, Entropy, EntropyError, Position, Rules};

/// Makes the places of events in a ledger, for one owner: IDs with a timestamp and the checksum 0, which
/// [`with_checksum`](EventId::with_checksum) completes. The crate `evently-ledger` does that.
///
/// No two places have the same timestamp (specification, "Monotonic"): while the clock stands, and when it goes back by
/// however much, the next is a microsecond after the last. So no call waits or starts over, unless you set a
/// [`rollback_allowance`](sortid_core::Generator::rollback_allowance).
///
/// Its methods, and what they do when the clock goes back: [`sortid_core::Generator`].
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
pub type Generator<C = DefaultClock, E = DefaultEntropy> =
    sortid_core::Generator<Options, sortid_core::LocalCell, C, E>;

/// [`Generator`] for many threads, in one order, lock-free.
///
/// Its methods, and what they do when the clock goes back: [`sortid_core::Generator`].
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
#[cfg(target_has_atomic = "ptr")]
pub type SharedGenerator<C = DefaultClock, E = DefaultEntropy> =
    sortid_core::Generator<Options, sortid_core::SharedCell, C, E>;

/// The ledger that a generator's places are in.
///
/// There is no default, and there is no `new()` for IDs: an event is in a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    ledger_id: LedgerId,
}

impl Options {
    /// Places in this ledger.
    #[must_use]
    pub const fn new(ledger_id: LedgerId) -> Self {
        Self { ledger_id }
    }
}

impl Rules for Options {
    type Id = EventId;
    type Random = [u8; 0];

    /// Without limit: the ledger's clock never goes back.
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
        Ok(last.tick.checked_add(1).map(|tick| Position { tick, ..last }))
    }

    #[inline]
    fn id(&self, point: Position, _: [u8; 0]) -> EventId {
        EventId::from_fields(point.tick, 0, self.ledger_id)
    }
}
