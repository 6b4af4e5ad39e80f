//! A directory that lost all its records.

use crate::{
    common::{SECOND, now},
    directory::{SPACE, store},
};
use sortid_core::{Clock, SystemClock, testing::ManualClock};
use sortid_fleet::{
    DirectoryStore, Fleet, Init, JoinErrorKind, Millis, Repair, Store, StoreErrorKind, init, size_of,
};
use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

const SIZE: u32 = 2;

/// The clock of a computer that is two seconds behind.
struct Behind;

impl Clock for Behind {
    fn unix_micros(&self) -> Option<u64> {
        SystemClock.unix_micros().map(|micros| micros - 2_000_000)
    }
}

fn fleet(path: &Path, clock: impl Clock + Send + Sync + 'static) -> Fleet {
    let store = DirectoryStore::open(path).unwrap();
    Fleet::new(store).space(SPACE).unwrap().window(SECOND).unwrap().clock(clock).wait(60 * SECOND)
}

/// Makes IDs with each node ID until its reservation ends. It goes as far as one can: the clocks are ahead of the store's.
/// Returns the time of the last ID.
fn use_up(path: &Path) -> Millis {
    let node_ids = (0..SIZE).map(|node_id| {
        let clock = Arc::new(ManualClock::new(Duration::from_millis(now() + 10_000)));
        let node = fleet(path, Arc::clone(&clock)).join_as(node_id).unwrap();
        let until = node.status().until;
        clock.set(until.duration_since(UNIX_EPOCH).unwrap() - Duration::from_millis(1));
        let ids = node.generator(scru160::Options::new()).unwrap();
        ids.generate().unwrap().unix_millis()
    });
    node_ids.max().unwrap()
}

/// `docs/fleet.md` says what an operator does: end all processes, begin the fleet with the old size, and repair it.
#[test]
fn a_fleet_that_is_begun_again_and_repaired_makes_no_id_of_a_time_that_the_old_one_used() {
    let (first, path, _folder) = store();
    assert_eq!(init(&first, SPACE, SIZE).unwrap(), Init::Begun);
    let started = now();
    let last = use_up(&path);
    assert!(last >= started + 10_000, "{last} {started}");

    fs::remove_dir_all(&path).unwrap();
    let store = DirectoryStore::open(&path).unwrap();
    let error = fleet(&path, Behind).join().unwrap_err();
    assert_eq!(error.kind(), JoinErrorKind::NoFleet, "{error}");
    // Nothing says how large it was, so a repair alone does not begin it.
    let error = Repair::plan(&store, SPACE, Some(SIZE), SECOND).err().unwrap();
    assert_eq!(error.kind(), StoreErrorKind::Config, "{error}");

    assert_eq!(init(&store, SPACE, SIZE).unwrap(), Init::Begun);
    let until = Repair::plan(&store, SPACE, None, SECOND).unwrap().run(|_, _| {}).unwrap();
    assert!(until > last, "{until} {last}");
    assert_eq!(size_of(&store, SPACE).unwrap(), Some(SIZE));
    let records = store.read(SPACE).unwrap().records;
    assert_eq!(records.len(), SIZE as usize);
    assert!(records.values().all(|record| record.until == until && record.holder.is_none()));

    for node_id in 0..SIZE {
        let node = fleet(&path, Behind).join_as(node_id).unwrap();
        let ids = node.generator(scru160::Options::new()).unwrap();
        let id = ids.generate().unwrap();
        assert!(id.unix_millis() >= until, "{id:?} {until}");
    }
}
