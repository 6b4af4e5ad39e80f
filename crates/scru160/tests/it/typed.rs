//! ID types that `typed_id!` defines, without and with a prefix.

use std::time::Duration;

sortid_testkit::typed!(
    scru160,
    Scru160,
    zerocopy: [FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned],
    uuid: none,
    integer: none,
    bytemuck: all,
    time: Duration::from_millis(1_631_540_490_683)
);

#[test]
fn new_ids_of_all_types_are_in_one_order() {
    let (first, second, third) = (with_prefix::UserId::new(), scru160::new(), without_prefix::OrderId::new());
    assert!(first.get() < second && second < third.get());
}
