use crate::Scru160;

sortid_core::integrations!(
    Scru160,
    name: "SCRU160",
    bits: [0xff; 20],
    text: 32..=40, "^([0-9A-Va-v]{32}|[0-9A-Fa-f]{40})$",
    column: bytes,
    uuid: none,
    integer: (),
    time: try_from |id| Some(1000 * id.unix_millis()),
);
