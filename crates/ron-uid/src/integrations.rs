use crate::{Base64x64, RonUid, Scheme};

sortid_core::integrations!(
    RonUid,
    name: "RON UID",
    bits: RonUid::from_fields(Base64x64::ERROR, Base64x64::ERROR, Scheme::Derived).to_bytes(),
    text: 1..=21, "^([0-9A-Z_a-z~]{1,10}([-+$%][0-9A-Z_a-z~]{0,10})?|[-+$%][0-9A-Z_a-z~]{0,10})$",
    column: bytes,
    uuid: try_from,
    integer: (u128),
    time: try_from |uid| uid.unix_millis().map(|millis| 1000 * millis),
);
