//! Fleets with a clock and random bytes of a test, and ID types.

use crate::common::{SECOND, wait_until};
use sortid_core::{
    Generate, GenerateErrorKind,
    testing::{ManualClock, SeededEntropy},
};
use sortid_fleet::{Fleet, init, testing::MemoryStore};
use std::{sync::Arc, time::Duration};

/// 2024-06-06T06:06:06.666Z
const START: Duration = Duration::from_millis(1_717_653_966_666);

euid::typed_id! {
    #[prefix = "order"]
    #[no_new]
    struct OrderId;
    #[prefix = "item"]
    #[no_new]
    struct ItemId;
}

fn fleet(clock: &Arc<ManualClock>, seed: u64) -> Fleet {
    let store = MemoryStore::with_clock(Arc::clone(clock));
    init(&store, "default", 8).unwrap();
    Fleet::new(store).window(15 * SECOND).unwrap().clock(Arc::clone(clock)).entropy(SeededEntropy::new(seed))
}

/// Two services with the same clock, the same random bytes and the same node ID make the same IDs.
#[test]
fn the_ids_of_a_test_are_those_of_its_clock_and_its_random_bytes() {
    let made = [7, 7, 8].map(|seed| {
        let clock = Arc::new(ManualClock::new(START));
        let node = fleet(&clock, seed).join_as(5).unwrap();
        let ids = node.generator(scru160::Options::new()).unwrap();
        let first = ids.generate().unwrap();
        clock.advance(SECOND);
        [first, ids.generate().unwrap()]
    });
    let [first, again, other] = made;
    assert_eq!(first.map(|id| id.unix_millis()), [1_717_653_966_666, 1_717_653_967_666]);
    assert_eq!(first, again);
    assert!(first[0] != other[0] && first[1] != other[1]);
}

#[test]
fn the_types_of_a_fleet_share_a_generator_and_its_node_id() {
    let clock = Arc::new(ManualClock::new(START));
    let node = fleet(&clock, 1).join_as(3).unwrap();
    let ids = Arc::new(node.generator(euid::Options::new()).unwrap());
    let orders: Box<dyn Generate<Id = OrderId> + Send + Sync> = Box::new(Arc::clone(&ids).typed::<OrderId>());
    let items = Arc::clone(&ids).typed::<ItemId>();
    let (order, item) = (orders.generate().unwrap(), items.generate().unwrap());
    assert!(order.get() < item.get());
    let mut more = [OrderId::MIN; 100];
    orders.fill(&mut more).unwrap();
    assert!(more.is_sorted() && item.get() < more[0].get());
    for id in more.map(OrderId::get).into_iter().chain([order.get(), item.get()]) {
        assert_eq!(id.extension().map(euid::Extension::value), Some(3));
    }
    // A second generator would repeat these IDs.
    assert!(node.generator(euid::Options::new()).is_err());
}

/// The clock jumps by more than a window: the generator is refused until the thread of the node has renewed.
#[test]
fn a_reservation_follows_the_clock_of_the_test() {
    let clock = Arc::new(ManualClock::new(START));
    let node = fleet(&clock, 1).join().unwrap();
    let ids = node.generator(scru160::Options::new()).unwrap();
    let first = ids.generate().unwrap();
    clock.advance(3600 * SECOND);
    assert_eq!(ids.try_generate().unwrap_err().kind(), GenerateErrorKind::ReservationLate);
    wait_until(|| ids.try_generate().is_ok());
    let second = ids.generate().unwrap();
    assert_eq!(second.unix_millis() - first.unix_millis(), 3_600_000);
    // Back by more than the allowance: no generator of a fleet is reset.
    clock.set(START);
    assert_eq!(ids.generate().unwrap_err().kind(), GenerateErrorKind::ClockRollback);
}
