//! ID types that `typed_id!` defines, without and with a prefix.

use std::time::Duration;

// u128::MAX is not a UID: its variety is 15.
sortid_testkit::typed!(
    ron_uid,
    RonUid,
    zerocopy: [Immutable, IntoBytes, KnownLayout, Unaligned],
    uuid: try_from,
    integer: (Some("340282366920938463463374607431768211455")),
    bytemuck: some,
    time: Duration::from_millis(1_464_382_213_001)
);

#[test]
fn a_uid_may_contain_the_separator_of_the_prefix() {
    let uid = ron_uid::ron_uid!("a_b-c_d");
    let typed = with_prefix::UserId::from(uid);
    assert_eq!(typed.to_string(), "user_account_a_b-c_d");
    assert_eq!(with_prefix::UserId::parse("user_account_a_b-c_d"), Ok(typed));
}
