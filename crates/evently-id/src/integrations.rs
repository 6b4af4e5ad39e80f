use crate::EventId;

sortid_core::integrations!(
    EventId,
    name: "Event ID",
    bits: [0xff; 16],
    text: 32..=32, "^[0-9A-Fa-f]{32}$",
    column: uuid,
    uuid: from,
    integer: (u128),
    time: try_from |id| Some(id.unix_micros()),
);
