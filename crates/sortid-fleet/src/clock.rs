//! The time of this process, and the time of the store.

use crate::{Millis, Snapshot, StoreError, parts::FleetClock, protocol::Now, record::Holder};
use sortid_core::Clock as _;
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// The milliseconds of a duration.
pub(crate) fn duration(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

/// The clocks of a process and of its store.
///
/// Between two answers, the store's time is the last one that it gave, and the time that passed since, by a clock that
/// nobody sets. A store may have no time: then the other processes of the space are the witness.
pub(crate) struct Clocks {
    clock: FleetClock,
    me: Holder,
    /// The last time of the store, when it was read, and how far this clock was ahead.
    last: Option<(Millis, Instant, i64)>,
    /// Without a time of the store: this clock, when it was last believed.
    believed: Option<(Millis, Instant)>,
    /// Each `until` of the other holders at a look, and when that was.
    look: Option<(Instant, BTreeMap<u32, Millis>)>,
    /// How long a process that is alive takes to raise its `until`.
    patience: Duration,
}

impl Clocks {
    pub(crate) fn new(clock: FleetClock, me: Holder, window: Duration) -> Self {
        let patience = window / 3 + Duration::from_secs(1);
        Self { clock, me, last: None, believed: None, look: None, patience }
    }

    /// The time of this process's clock; 0 if it has none.
    pub(crate) fn clock(&self) -> Millis {
        self.clock.unix_micros().unwrap_or(0) / 1000
    }

    /// Learns the store's time from an answer. `asked` is the time of this clock before the question: an answer that takes
    /// long says nothing about the clock.
    pub(crate) fn learn(&mut self, time: Option<Millis>, asked: Millis) {
        if let Some(time) = time {
            let nearest = time.clamp(asked, self.clock().max(asked));
            let skew = i64::try_from(i128::from(nearest) - i128::from(time)).unwrap_or(i64::MAX);
            self.last = Some((time, Instant::now(), skew));
        }
    }

    /// How far this clock is ahead of the store's.
    pub(crate) fn skew(&self) -> Option<i64> {
        self.last.map(|(_, _, skew)| skew)
    }

    /// Learns from the records of a space, and returns the times.
    pub(crate) fn read(&mut self, snapshot: &Snapshot, asked: Millis) -> Now {
        self.learn(snapshot.time, asked);
        if self.last.is_none() {
            self.ask_witnesses(snapshot);
        }
        self.peek()
    }

    /// The times, if the store was asked before.
    pub(crate) fn peek(&self) -> Now {
        let since = self.last.map(|(time, at, _)| (time, at)).or(self.believed);
        let store = since.map(|(time, at)| time.saturating_add(duration(at.elapsed())));
        Now { clock: self.clock(), store }
    }

    /// The times. If this clock seems to be ahead, it was set, or the computer slept, or the store's was wrong when it was
    /// read. So if the store has no time, this asks the other processes. If the clock has reached `end`, the end of the
    /// reservation, it asks the store again.
    pub(crate) fn now(
        &mut self,
        end: Millis,
        read: impl FnOnce() -> Result<Snapshot, StoreError>,
    ) -> Result<Now, StoreError> {
        let now = self.peek();
        if now.is_ahead() && (self.last.is_none() || now.clock >= end) {
            let asked = self.clock();
            return read().map(|snapshot| self.read(&snapshot, asked));
        }
        Ok(now)
    }

    /// Believes this clock, unless it is ahead of a process that is alive: one that raised its `until` since an earlier look.
    ///
    /// A process reserves ahead of its clock, so its `until` is at most a window ahead of the time. If no process is alive,
    /// this clock is the only one.
    fn ask_witnesses(&mut self, snapshot: &Snapshot) {
        let is_other = |holder: &Holder| holder.instance != self.me.instance;
        let now = self.clock();
        let held = snapshot.records.iter().filter(|(_, record)| record.holder.as_ref().is_some_and(is_other));
        let reserved: BTreeMap<_, _> = held.map(|(&node_id, record)| (node_id, record.until)).collect();
        let (at, before) = self.look.get_or_insert_with(|| (Instant::now(), reserved.clone()));
        let is_raised =
            |(node_id, until): &(&u32, &Millis)| before.get(node_id).is_some_and(|old| until > &old);
        let witness = reserved.iter().filter(is_raised).map(|(_, &until)| until).max();
        let latest = reserved.values().max().copied().filter(|_| at.elapsed() < self.patience);
        let time = match witness.or(latest) {
            Some(time) if (Now { clock: now, store: Some(time) }).is_ahead() => time,
            _ => {
                self.look = None;
                now
            }
        };
        self.believed = Some((time, Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::Clocks;
    use crate::{
        Millis, Record, Snapshot,
        parts::FleetClock,
        protocol::{ALLOWANCE, Now},
        record::Holder,
    };
    use std::time::{Duration, Instant};

    const HOUR: i64 = 3_600_000;

    fn holder(instance: &str) -> Holder {
        Holder::new("pod-0", instance)
    }

    fn clocks() -> Clocks {
        Clocks::new(FleetClock::System, holder("1"), Duration::from_secs(1))
    }

    fn clock() -> Millis {
        clocks().clock()
    }

    /// A time this far from the time of the clock.
    fn at(offset: i64) -> Millis {
        clock().saturating_add_signed(offset)
    }

    #[test]
    fn a_clock_is_ahead_by_more_than_the_allowance() {
        for (clock, store, is_ahead) in [
            (ALLOWANCE + 1, Some(0), true),
            (ALLOWANCE, Some(0), false),
            (0, Some(ALLOWANCE + 1), false),
            (Millis::MAX, None, false),
        ] {
            assert_eq!(Now { clock, store }.is_ahead(), is_ahead, "{clock} {store:?}");
        }
    }

    #[test]
    fn a_clock_that_is_ahead_is_a_reason_to_ask_the_store_again() {
        for (has_time, offset, end, is_asked) in [
            (true, 0, 0, false),
            (true, -HOUR, 0, true),
            (true, -HOUR, at(HOUR), false),
            (false, 0, 0, false),
            (false, -HOUR, at(HOUR), true),
        ] {
            let mut clocks = clocks();
            if has_time {
                clocks.learn(Some(at(offset)), clock());
            } else {
                clocks.believed = Some((at(offset), Instant::now()));
            }
            let mut was_asked = false;
            let answer = clocks.now(end, || {
                was_asked = true;
                Ok(Snapshot::default())
            });
            assert!(answer.is_ok());
            assert_eq!(was_asked, is_asked, "{has_time} {offset} {end}");
        }
    }

    #[test]
    fn a_clock_is_believed_unless_it_is_ahead_of_a_process_that_is_alive() {
        let (enough, over) = (Duration::from_secs(3600), Duration::ZERO);
        for (before, after, patience, believed) in [
            // Both may be alive, and have not had the time to raise their `until`.
            ([-HOUR, -2 * HOUR], [-HOUR, -2 * HOUR], enough, -HOUR),
            ([HOUR, -HOUR], [HOUR, -HOUR], enough, 0),
            ([-HOUR, -2 * HOUR], [-HOUR, -2 * HOUR], over, 0),
            // One has raised its `until`.
            ([-2 * HOUR, -2 * HOUR], [-HOUR, -2 * HOUR], over, -HOUR),
            ([-2 * HOUR, -2 * HOUR], [HOUR, -2 * HOUR], over, 0),
            // One has lowered its `until`.
            ([-HOUR, -HOUR], [-2 * HOUR, -HOUR], over, 0),
        ] {
            let time = clock();
            let snapshot = |ahead: [i64; 2]| {
                let records = (0..).zip(ahead).map(|(node_id, ahead)| {
                    let until = time.saturating_add_signed(ahead);
                    (node_id, Record::new(2, 1, Some(holder("2")), until))
                });
                Snapshot::new(records.collect(), None)
            };
            let mut clocks = Clocks { patience: enough, ..clocks() };
            clocks.read(&snapshot(before), time);
            clocks.patience = patience;
            clocks.read(&snapshot(after), time);
            let difference = clocks.peek().store.unwrap().abs_diff(at(believed));
            assert!(difference < 60_000, "{before:?} {after:?}: {difference}");
        }
    }
}
