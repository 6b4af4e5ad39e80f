use crate::RonUid;

/// A bracket for 4, 5, 6, 7, 8 or 9 zeros, and the other digits.
#[cfg(any(feature = "schemars", feature = "utoipa"))]
macro_rules! bracket {
    () => {
        concat!(
            r"(\([0-9A-Z_a-z~]{0,6}|\[[0-9A-Z_a-z~]{0,5}|\{[0-9A-Z_a-z~]{0,4}",
            r"|\}[0-9A-Z_a-z~]{0,3}|\][0-9A-Z_a-z~]{0,2}|\)[0-9A-Z_a-z~]?)"
        )
    };
}

#[cfg(any(feature = "schemars", feature = "utoipa"))]
macro_rules! part {
    () => {
        concat!("([0-9A-Z_a-z~]{1,10}|", bracket!(), ")")
    };
}

sortid_core::__private::integrations!(
    RonUid,
    column: bytes,
    uuid: try_from,
    integer: (u128),
    time: try_from,
    schema: 1..=21, concat!("^(", part!(), "([-+$%]", part!(), "?|", bracket!(), ")?|[-+$%]", part!(), "?)$"),
);
