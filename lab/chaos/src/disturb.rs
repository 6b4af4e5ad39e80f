//! What happens to processes and to their store.

use crate::{
    places::{Places, STEP, Work},
    store::{Store, StoreKind},
};
use fastrand::Rng;
use sortid_servers::shell::Result;
use std::{
    thread,
    time::{Duration, Instant},
};

/// How often something happens: once in this many milliseconds.
pub(crate) struct Often {
    pub(crate) kill: u64,
    pub(crate) stop: u64,
    pub(crate) terminate: u64,
    pub(crate) step: u64,
}

/// How often something happens to the store.
const TROUBLE: u64 = 6000;

/// Disturbs the processes and their store for a while. In the end, all clocks are right, and the store answers.
pub(crate) fn disturb<W: Work>(
    places: &mut Places<W>,
    store: &mut Store,
    often: &Often,
    time: Duration,
) -> Result {
    let started = Instant::now();
    let mut host = HostClock::default();
    while started.elapsed() < time {
        thread::sleep(STEP);
        let now = Instant::now();
        // Whether something that happens once in this many milliseconds happens now.
        let mut is_time = |millis: u64| places.random.u64(0..millis) < STEP.as_millis() as u64;
        let [kill, stop, terminate, step, trouble] =
            [often.kill, often.stop, often.terminate, often.step, TROUBLE].map(&mut is_time);
        if kill {
            places.kill()?;
        }
        if stop {
            places.stop(now);
        }
        if terminate {
            places.terminate();
        }
        // The time of a directory is that of the host, so its processes have one clock. In the end they disagree, too.
        if store.kind == StoreKind::Dir && started.elapsed() < time * 3 / 4 {
            if let Some(ahead) = host.step(now, &mut places.random) {
                places.step_all(ahead)?;
            }
        } else if step {
            places.step(host.ahead)?;
        }
        if trouble {
            store.disturb(&mut places.random)?;
        }
        store.heal(now)?;
        places.look(now)?;
    }
    store.calm()?;
    places.step_all(host.ahead)
}

/// The clock of a host. An hour forward stays, because the node IDs that are reserved then would be out of use for an hour
/// after a step back. An hour back lasts for some seconds.
#[derive(Default)]
struct HostClock {
    /// How far it is ahead, in seconds.
    ahead: i64,
    is_behind: bool,
    next: Option<Instant>,
}

impl HostClock {
    /// Steps the clock if it is time. Returns how far it is ahead then, in seconds.
    fn step(&mut self, now: Instant, random: &mut Rng) -> Option<i64> {
        if self.next.is_some_and(|next| now < next) {
            return None;
        }
        self.next = Some(now + Duration::from_millis(random.u64(2000..6000)));
        let choice = random.u8(0..6);
        let was_behind = std::mem::take(&mut self.is_behind);
        match choice {
            _ if was_behind => {}
            0 => {
                self.is_behind = true;
                return Some(self.ahead - 3600);
            }
            1 => self.ahead += 3600,
            _ => return Some(self.ahead + random.i64(-6..=6)),
        }
        Some(self.ahead)
    }
}
