//! What 16 bytes say as a UUID of RFC 9562.

/// Returns the version, 1 to 8; `None` if the bytes do not have the version and the variant of a UUID (sections 4.1 and 4.2).
#[must_use]
pub const fn version(bytes: &[u8; 16]) -> Option<u8> {
    match (bytes[8] >> 6, bytes[6] >> 4) {
        (0b10, version @ 1..=8) => Some(version),
        _ => None,
    }
}

/// Returns the time of a UUID of version 7 (section 5.7), in microseconds since 1970; `None` for other bytes.
#[must_use]
pub const fn v7_unix_micros(bytes: &[u8; 16]) -> Option<u64> {
    match version(bytes) {
        Some(7) => {
            let [m0, m1, m2, m3, m4, m5, ..] = *bytes;
            Some(1000 * u64::from_be_bytes([0, 0, m0, m1, m2, m3, m4, m5]))
        }
        _ => None,
    }
}
