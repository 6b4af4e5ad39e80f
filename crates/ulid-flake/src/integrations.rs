use crate::UlidFlake;

sortid_core::__private::integrations!(
    [cfg]
    UlidFlake,
    column: integer,
    uuid: none,
    integer: (i64),
    time: from,
    schema: 13..=13, "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$",
);
