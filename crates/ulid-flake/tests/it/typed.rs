//! ID types that `typed_id!` defines, without and with a prefix.

use std::time::Duration;

sortid_testkit::typed!(
    ulid_flake,
    UlidFlake,
    zerocopy: [Immutable, IntoBytes, KnownLayout, Unaligned],
    uuid: none,
    integer: (Some("-1")),
    bytemuck: some,
    time: Duration::from_millis(1_717_653_966_666)
);

#[test]
fn new_ids_of_all_types_are_in_one_order() {
    let (first, second, third) =
        (with_prefix::UserId::new(), ulid_flake::new(), without_prefix::OrderId::new());
    assert!(first.get() < second && second < third.get());
}
