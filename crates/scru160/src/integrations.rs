use crate::Scru160;

sortid_core::__private::integrations!(
    [cfg]
    Scru160,
    column: bytes,
    uuid: none,
    integer: (),
    time: try_from,
    schema: 32..=40, "^([0-9A-Va-v]{32}|[0-9A-Fa-f]{40})$",
);
