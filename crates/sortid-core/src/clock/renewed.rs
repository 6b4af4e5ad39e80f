//! A clock that a thread renews.

use super::Clock;
use crate::{SystemClock, process::process};
use portable_atomic::{AtomicU64, Ordering::Relaxed};
use std::{io, sync::Arc, thread, time::Duration};

/// How long the thread sleeps between two readings.
const PERIOD: Duration = Duration::from_millis(1);

/// What the words of a clock without a valid time have.
const NO_TIME: u64 = u64::MAX;

/// The system's clock, which a thread reads about once a millisecond. It takes a generator a fraction of the time that
/// [`SystemClock`] takes.
///
/// Create one clock for the process, and pass it to all generators that generate many IDs one at a time. Clones share the
/// thread, which ends after the last clone is dropped.
///
/// ```
/// # use sortid_core::{Clock, RenewedClock};
/// let clock = RenewedClock::new()?;
/// assert!(clock.unix_millis() > Some(1_700_000_000_000));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # How late it is
///
/// It is about a millisecond late, and later while the thread does not get a processor: as long as the system runs
/// other threads instead, and on a machine or in a container without spare processors tens of milliseconds. Each ID has
/// the time that the clock reads. The IDs of a generator are unique and in order however late the clock is.
///
/// | situation | the clock |
/// |---|---|
/// | the system's clock is set | follows within a millisecond |
/// | the process was stopped, and goes on | reads the time of the stop until the thread runs |
/// | the process is a fork, and the thread runs only in its parent | reads the system's clock for each ID |
/// | a generator waits for the next tick | waits as the system's clock does, and is right afterwards |
///
/// Do not use it if IDs have to have the times of other events of the same process to the millisecond, on a battery, or
/// for a few IDs a second: the thread wakes a thousand times a second.
#[derive(Clone, Debug)]
pub struct RenewedClock(Arc<Now>);

/// What the clock read last. Each word is right without the other.
#[derive(Debug)]
struct Now {
    millis: AtomicU64,
    micros: AtomicU64,
    process: u64,
}

impl RenewedClock {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// If the system does not start a thread.
    pub fn new() -> io::Result<Self> {
        let now = Arc::new(Now {
            millis: AtomicU64::new(NO_TIME),
            micros: AtomicU64::new(NO_TIME),
            process: process(),
        });
        now.renew();
        let renewed = Arc::downgrade(&now);
        thread::Builder::new().name("sortid-clock".into()).spawn(move || {
            while let Some(now) = renewed.upgrade() {
                now.renew();
                drop(now);
                thread::sleep(PERIOD);
            }
        })?;
        Ok(Self(now))
    }

    #[inline]
    fn read(&self, word: &AtomicU64, system: impl FnOnce() -> Option<u64>) -> Option<u64> {
        if self.0.process != process() {
            return system();
        }
        Some(word.load(Relaxed)).filter(|&time| time != NO_TIME)
    }
}

impl Now {
    fn renew(&self) {
        let micros = SystemClock.unix_micros();
        self.micros.store(micros.unwrap_or(NO_TIME), Relaxed);
        self.millis.store(micros.map_or(NO_TIME, |micros| micros / 1000), Relaxed);
    }
}

impl Clock for RenewedClock {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        self.read(&self.0.micros, || SystemClock.unix_micros())
    }

    #[inline]
    fn unix_millis(&self) -> Option<u64> {
        self.read(&self.0.millis, || SystemClock.unix_millis())
    }

    fn wait(&self, until: u64) -> bool {
        let has_waited = SystemClock.wait(until);
        self.0.renew();
        has_waited
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UnixTime as _;
    use std::time::{Instant, SystemTime};

    /// Waits at most ten seconds.
    fn until(is_so: impl Fn() -> bool) -> bool {
        let started = Instant::now();
        while !is_so() && started.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(1));
        }
        is_so()
    }

    #[test]
    fn it_follows_the_system_clock() {
        let clock = RenewedClock::new().unwrap();
        let later = SystemTime::now().unix_micros() as u64 + 20_000;
        assert!(clock.unix_micros() < Some(later));
        assert!(until(|| clock.unix_micros() >= Some(later)));
        assert!(until(|| clock.unix_millis() > Some(later / 1000)));
        assert!(i128::from(clock.unix_micros().unwrap()) <= SystemTime::now().unix_micros());
    }

    #[test]
    fn after_a_wait_it_is_right() {
        let clock = RenewedClock::new().unwrap();
        let later = clock.unix_micros().unwrap() + 5_000;
        assert!(clock.wait(later));
        assert!(clock.unix_micros() >= Some(later));
    }

    #[test]
    fn its_thread_ends_with_the_last_clone() {
        let clock = RenewedClock::new().unwrap();
        let now = Arc::downgrade(&clock.0);
        let clone = clock.clone();
        drop(clock);
        assert!(clone.unix_millis().is_some());
        assert_eq!(now.strong_count().min(1), 1);
        drop(clone);
        // The thread has a weak reference.
        assert!(until(|| now.strong_count() == 0 && now.weak_count() == 0));
    }

    #[test]
    fn in_another_process_it_reads_the_system_clock() {
        let words = |time| AtomicU64::new(time);
        let clock =
            RenewedClock(Arc::new(Now { millis: words(5), micros: words(5000), process: process() + 1 }));
        assert!(clock.unix_micros() > Some(1_700_000_000_000_000));
        assert!(clock.unix_millis() > Some(1_700_000_000_000));
        let clock =
            RenewedClock(Arc::new(Now { millis: words(NO_TIME), micros: words(7), process: process() }));
        assert_eq!((clock.unix_millis(), clock.unix_micros()), (None, Some(7)));
    }
}
