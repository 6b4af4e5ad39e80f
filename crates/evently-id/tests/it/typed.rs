//! ID types that `typed_id!` defines, without and with a prefix.

use std::time::Duration;

sortid_testkit::typed!(
    evently_id,
    EventId,
    zerocopy: [FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned],
    uuid: from,
    integer: None,
    bytemuck: all,
    time: Duration::from_micros(1_633_278_792_816_530)
);
