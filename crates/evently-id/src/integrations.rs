use crate::EventId;

sortid_core::__private::integrations!(
    [cfg]
    EventId,
    column: uuid,
    uuid: from,
    integer: (u128),
    time: try_from,
    schema: 32..=32, "^[0-9A-Fa-f]{32}$",
);
