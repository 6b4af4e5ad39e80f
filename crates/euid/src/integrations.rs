use crate::Euid;

sortid_core::__private::integrations!(
    [cfg]
    Euid,
    column: uuid,
    uuid: from,
    integer: (u128),
    time: from,
    schema: 27..=27, "^[0-9A-TV-Za-tv-z]{27}$",
);
