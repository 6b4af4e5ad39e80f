use crate::RonUid;

sortid_core::__private::integrations!(
    RonUid,
    column: bytes,
    uuid: try_from,
    integer: (u128),
    time: try_from,
    schema: 1..=21, "^([0-9A-Z_a-z~]{1,10}([-+$%][0-9A-Z_a-z~]{0,10})?|[-+$%][0-9A-Z_a-z~]{0,10})$",
);
