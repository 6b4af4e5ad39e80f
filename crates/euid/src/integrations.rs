use crate::Euid;

sortid_core::integrations!(
    Euid,
    name: "EUID",
    bits: [0xff; 16],
    text: 27..=27, "^[0-9A-TV-Za-tv-z]{27}$",
    column: uuid,
    uuid: from,
    integer: (u128),
    time: from |id| Some(1000 * id.unix_millis()),
);
