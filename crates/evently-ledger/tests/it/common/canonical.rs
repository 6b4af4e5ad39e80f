//! Canonical JSON, by `canonical_json` and by `CanonicalWriter`.

use evently_ledger::{CanonicalWriter, JsonError, WriteError, canonical_json};
use std::convert::Infallible;

/// All that a sink got, and the length of its longest piece, which is what the writer kept in memory.
pub(crate) fn written(json: &[u8]) -> Result<(String, usize), JsonError> {
    let (mut text, mut longest) = (String::new(), 0);
    let result = CanonicalWriter::new().write(json, |piece| {
        text.push_str(piece);
        longest = longest.max(piece.len());
        Ok::<_, Infallible>(())
    });
    match result {
        Ok(()) => Ok((text, longest)),
        Err(WriteError::Sink(never)) => match never {},
        Err(WriteError::Json(error)) => {
            assert_eq!(text, "", "nothing is written of a text with an error");
            Err(error)
        }
    }
}

#[track_caller]
pub(crate) fn is_canonically(json: &str, canonical: &str) {
    assert_eq!(canonical_json(json).as_deref(), Ok(canonical));
    assert_eq!(canonical_json(canonical).as_deref(), Ok(canonical), "canonical already");
    assert_eq!(written(json.as_bytes()).unwrap().0, canonical);
}

pub(crate) fn error(json: &str) -> JsonError {
    let error = canonical_json(json).unwrap_err();
    assert_eq!(written(json.as_bytes()).unwrap_err(), error);
    error
}

/// Nested arrays or objects, `depth` of them.
pub(crate) fn nested(depth: usize, open: &str, close: &str) -> String {
    format!("{}1{}", open.repeat(depth), close.repeat(depth))
}
