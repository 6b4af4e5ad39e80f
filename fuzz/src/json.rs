//! Canonical JSON.

use evently_ledger::{CanonicalWriter, JsonErrorKind, WriteError, canonical_json};
use std::convert::Infallible;

#[allow(dead_code, reason = "shared with the tests of evently-ledger")]
#[path = "../../crates/evently-ledger/tests/it/common/reference.rs"]
mod reference;

/// The greatest depth of objects and arrays that `serde_json` reads.
const DEPTH_OF_SERDE: usize = 127;

/// The digits that the exponents of a text may always add in total.
const MOST_DIGITS: usize = 1 << 18;

pub(crate) fn canonical(data: &[u8]) {
    let mut pieces = String::new();
    let written = CanonicalWriter::new().write(data, |piece| {
        pieces.push_str(piece);
        Ok::<_, Infallible>(())
    });
    let Ok(text) = std::str::from_utf8(data) else {
        let Err(WriteError::Json(error)) = written else { panic!("no UTF-8 was written") };
        assert_eq!(pieces, "");
        assert!(!error.to_string().is_empty());
        return;
    };
    let canonical = canonical_json(text);
    let expected = reference::parse(text).map(|tree| reference::canonical(&tree));
    if canonical.as_ref().is_err_and(|error| error.kind() == JsonErrorKind::Exponent) {
        // The reference has no limit for the digits that all exponents of a text add.
        assert!(expected.is_none_or(|expected| expected.len() > MOST_DIGITS));
    } else {
        assert_eq!(canonical.as_ref().ok(), expected.as_ref());
    }
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text);
    match canonical {
        Ok(canonical) => {
            assert!(written.is_ok());
            assert_eq!(pieces, canonical);
            assert_eq!(canonical_json(&canonical).as_ref(), Ok(&canonical), "idempotent");
            assert!(!canonical.contains(['\n', '\r', '\t']));
            if let Err(error) = is_json {
                assert!(error.to_string().contains("recursion limit"), "{error}");
            }
        }
        Err(error) => {
            assert_eq!(pieces, "");
            assert!(error.line() <= text.lines().count().max(1) + 1 && !error.to_string().is_empty());
            // Numbers and depths that are JSON, but exceed the limits of canonical JSON.
            let is_limit = matches!(error.kind(), JsonErrorKind::Exponent | JsonErrorKind::Depth);
            assert!(is_limit || serde_json::from_str::<serde_json::Value>(text).is_err(), "{error}");
            if error.kind() == JsonErrorKind::Depth {
                assert!(data.iter().filter(|byte| b"[{".contains(byte)).count() > DEPTH_OF_SERDE);
            }
        }
    }
}
