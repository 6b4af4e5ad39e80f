//! The store of `examples/redis_store.rs`, to which `docs/fleet.md` links, passes the tests of stores on a Redis server.

use sortid_fleet::{Fleet, Holder, Record, Store};
use std::{io::Write, thread, time::Duration};

#[expect(dead_code, unreachable_pub, reason = "the example is a program")]
#[path = "../../examples/redis_store.rs"]
mod example;

use example::RedisStore;

/// Returns a store on the server, or `None` after a note that there is none.
fn store() -> Option<RedisStore> {
    let Ok(url) = std::env::var("SORTID_REDIS") else {
        let _ = writeln!(
            std::io::stderr(),
            "left out: the store on Redis of docs/fleet.md, because SORTID_REDIS is not set"
        );
        return None;
    };
    Some(RedisStore(redis::Client::open(url).unwrap()))
}

/// Spaces of this run.
fn space(name: &str) -> String {
    format!("{name}-{}", std::process::id())
}

#[test]
fn a_swap_replaces_only_what_is_expected() {
    let Some(store) = store() else { return };
    let space = space("swaps");
    let holder = Some(Holder::new("a \"name\"\\", "1"));
    let first = Record::new(9, 1, holder, 1_750_000_000_000);
    let other = first.clone().changed(|it| it.until += 1);
    let swap = |expected, next| store.swap(&space, 7, expected, next).unwrap().swapped;
    assert!(store.read(&space).unwrap().records.is_empty());
    assert!(!swap(Some(&first), &other) && swap(None, &first) && !swap(None, &other));
    assert_eq!(store.read(&space).unwrap().records[&7], first);
    assert!(!swap(Some(&other), &other) && swap(Some(&first), &other) && !swap(Some(&first), &first));
    assert_eq!(store.read(&space).unwrap().records[&7], other);
    assert!(store.read(&space).unwrap().time.is_some());
}

#[test]
fn one_of_many_threads_succeeds_in_each_round() {
    let Some(store) = store() else { return };
    let space = space("rounds");
    let mut last: Option<Record> = None;
    for round in 0..20 {
        let next = |thread| Record::new(1, thread, None, round);
        let swapped: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|thread| {
                    let (store, space, last) = (&store, &space, &last);
                    scope.spawn(move || {
                        store.swap(space, 0, last.as_ref(), &next(thread)).unwrap().swapped.then_some(thread)
                    })
                })
                .collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        let [winner] = *swapped else { panic!("{swapped:?} in round {round}") };
        last = Some(next(winner));
        assert_eq!(store.read(&space).unwrap().records.remove(&0), last);
    }
}

#[test]
fn a_process_joins_and_releases() {
    let Some(store) = store() else { return };
    let space = space("joins");
    sortid_fleet::init(&store, &space, 2).unwrap();
    let fleet = Fleet::new(store).space(space).unwrap().wait(Duration::from_secs(60));
    let node = fleet.join_as(1).unwrap();
    let ids = node.generator(ulid_flake::Options::new()).unwrap();
    let first = ids.generate().unwrap();
    node.release().unwrap();
    let again = fleet.join_as(1).unwrap();
    assert_eq!(again.generation(), 2);
    assert!(again.generator(ulid_flake::Options::new()).unwrap().generate().unwrap() > first);
}
