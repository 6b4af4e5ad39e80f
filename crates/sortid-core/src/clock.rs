use core::time::Duration;
#[cfg(target_has_atomic = "ptr")]
use portable_atomic::{AtomicU64, Ordering::SeqCst};

/// A source of Unix time. Implement it on platforms without a [`SystemClock`](crate::SystemClock).
///
/// ```
/// use sortid_core::Clock;
///
/// struct Rtc;
///
/// impl Clock for Rtc {
///     fn unix_micros(&self) -> Option<u64> {
///         let seconds: u32 = 1_700_000_000; // read from the device
///         Some(u64::from(seconds) * 1_000_000)
///     }
/// }
/// assert_eq!(Rtc.unix_micros(), Some(1_700_000_000_000_000));
/// ```
pub trait Clock {
    /// Returns the microseconds since 1970-01-01T00:00:00Z, without leap seconds; `None` if the clock has no valid time,
    /// because it is before 1970 or was not set yet.
    fn unix_micros(&self) -> Option<u64>;

    /// Waits until the clock reads `until`, in microseconds since 1970, or later. Returns `false` if the clock did not
    /// get there.
    ///
    /// The wait must end even if the clock stands still. The default implementation reads the clock at most a million
    /// times.
    fn wait(&self, until: u64) -> bool {
        for _ in 0..1_000_000 {
            if self.unix_micros().is_some_and(|now| now >= until) {
                return true;
            }
            core::hint::spin_loop();
        }
        false
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    fn unix_micros(&self) -> Option<u64> {
        (**self).unix_micros()
    }

    fn wait(&self, until: u64) -> bool {
        (**self).wait(until)
    }
}

/// The operating system's real-time clock.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[cfg(feature = "std")]
impl Clock for SystemClock {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
        // `as_micros` computes with 128 bits, which costs as much as the rest.
        let micros = since_1970.as_secs().checked_mul(1_000_000)?;
        micros.checked_add(since_1970.subsec_micros().into())
    }

    /// Sleeps until the clock reads `until`. Returns `false` one second after a steady clock would have reached `until`,
    /// because the clock was set back in the meantime.
    fn wait(&self, until: u64) -> bool {
        let Some(now) = self.unix_micros() else { return false };
        let started = std::time::Instant::now();
        let longest = Duration::from_micros(until.saturating_sub(now)).saturating_add(Duration::from_secs(1));
        loop {
            let Some(now) = self.unix_micros() else { return false };
            if now >= until {
                return true;
            }
            if started.elapsed() > longest {
                return false;
            }
            // Short sleeps notice a clock that leaps forward.
            std::thread::sleep(Duration::from_micros((until - now).min(10_000)));
        }
    }
}

/// A clock that a test controls. It stands still until the test moves it.
///
/// ```
/// use core::time::Duration;
/// use sortid_core::{Clock, testing::ManualClock};
///
/// let clock = ManualClock::new(Duration::from_millis(1_700_000_000_000));
/// clock.advance(Duration::from_micros(1));
/// assert_eq!(clock.unix_micros(), Some(1_700_000_000_000_001));
/// clock.set(Duration::from_secs(1)); // back
/// clock.break_down();
/// clock.advance(Duration::from_secs(1));
/// assert_eq!(clock.unix_micros(), None);
/// ```
#[cfg(target_has_atomic = "ptr")]
#[derive(Debug)]
pub struct ManualClock(AtomicU64);

#[cfg(target_has_atomic = "ptr")]
impl ManualClock {
    const BROKEN: u64 = u64::MAX;

    /// Creates a clock that stands at `since_1970`, to the microsecond. From 2^64 − 1 microseconds on, the clock has no
    /// valid time.
    #[must_use]
    pub const fn new(since_1970: Duration) -> Self {
        Self(AtomicU64::new(Self::micros(since_1970)))
    }

    const fn micros(duration: Duration) -> u64 {
        let micros = duration.as_micros();
        if micros > Self::BROKEN as u128 { Self::BROKEN } else { micros as u64 }
    }

    /// Sets the clock, forward or back.
    pub fn set(&self, since_1970: Duration) {
        self.0.store(Self::micros(since_1970), SeqCst);
    }

    /// Moves the clock forward, if it has a valid time.
    pub fn advance(&self, by: Duration) {
        let later = |now| if now == Self::BROKEN { now } else { Self::micros(by).saturating_add(now) };
        let _ = self.0.fetch_update(SeqCst, SeqCst, |now| Some(later(now)));
    }

    /// Leaves the clock without a valid time until it is [`set`](Self::set).
    pub fn break_down(&self) {
        self.0.store(Self::BROKEN, SeqCst);
    }
}

#[cfg(target_has_atomic = "ptr")]
impl Clock for ManualClock {
    fn unix_micros(&self) -> Option<u64> {
        Some(self.0.load(SeqCst)).filter(|&micros| micros != Self::BROKEN)
    }
}

/// A point in time: the argument of `min_at`, `max_at` and `generate_at`.
///
/// [`std::time::SystemTime`] implements it, and [`Duration`] as the time since 1970. The features `jiff`, `chrono` and
/// `time` implement it for the timestamps of these libraries.
///
/// ```
/// use core::time::Duration;
/// use sortid_core::UnixTime;
///
/// assert_eq!(Duration::from_millis(5).unix_micros(), 5_000);
/// let before_1970 = std::time::UNIX_EPOCH - Duration::from_nanos(1);
/// assert_eq!(before_1970.unix_micros(), -1);
/// ```
pub trait UnixTime {
    /// Returns the microseconds since 1970-01-01T00:00:00Z, rounded down; negative before 1970.
    fn unix_micros(self) -> i128;
}

impl UnixTime for Duration {
    fn unix_micros(self) -> i128 {
        self.as_micros() as i128
    }
}

#[cfg(feature = "std")]
impl UnixTime for std::time::SystemTime {
    fn unix_micros(self) -> i128 {
        match self.duration_since(Self::UNIX_EPOCH) {
            Ok(since) => since.as_micros() as i128,
            Err(before) => -(before.duration().as_nanos().div_ceil(1000) as i128),
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use std::time::{SystemTime, UNIX_EPOCH};

    #[test]
    fn a_time_before_1970_is_rounded_down() {
        assert_eq!((UNIX_EPOCH - Duration::from_nanos(1)).unix_micros(), -1);
        assert_eq!((UNIX_EPOCH - Duration::from_nanos(1000)).unix_micros(), -1);
        assert_eq!((UNIX_EPOCH - Duration::from_nanos(1001)).unix_micros(), -2);
        assert_eq!((UNIX_EPOCH + Duration::from_nanos(1999)).unix_micros(), 1);
    }

    #[test]
    fn the_system_clock_agrees_with_the_standard_library() {
        let before = SystemTime::now().unix_micros();
        let now = i128::from(SystemClock.unix_micros().unwrap());
        let after = SystemTime::now().unix_micros();
        assert!((before..=after).contains(&now));
    }

    #[test]
    fn waiting_for_a_past_time_ends_at_once_and_waiting_for_a_frozen_clock_ends_too() {
        assert!(SystemClock.wait(0));
        let frozen = ManualClock::new(Duration::from_secs(1));
        assert!(frozen.wait(1_000_000));
        assert!(!frozen.wait(1_000_001));
    }
}
