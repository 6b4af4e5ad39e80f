//! ID types that `typed_id!` defines, without and with a prefix.

use std::time::Duration;

sortid_testkit::typed!(
    euid,
    Euid,
    zerocopy: [FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned],
    uuid: from,
    integer: None,
    bytemuck: all,
    time: Duration::from_millis(13_484_529_128_248)
);

#[test]
fn new_ids_of_all_types_are_in_one_order() {
    let (first, second, third) = (with_prefix::UserId::new(), euid::new(), without_prefix::OrderId::new());
    assert!(first.get() < second && second < third.get());
}
