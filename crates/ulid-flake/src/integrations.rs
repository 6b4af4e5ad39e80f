use crate::{ScalableUlidFlake, UlidFlake};

sortid_core::integrations!(
    UlidFlake,
    name: "Ulid-Flake",
    bits: UlidFlake::MAX.to_bytes(),
    text: 13..=13, "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$",
    column: integer,
    uuid: none,
    integer: (i64),
    time: from |id| Some(1000 * id.unix_millis()),
);

sortid_core::integrations!(
    ScalableUlidFlake,
    name: "scalable Ulid-Flake",
    bits: ScalableUlidFlake::MAX.to_bytes(),
    text: 13..=13, "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$",
    column: integer,
    uuid: none,
    integer: (i64),
    time: from |id| Some(1000 * id.unix_millis()),
);
