//! What only RON UIDs have: integers in Base64x64, and compression in a context.

use crate::{failure::ok, tray};
use sortid::ron_uid::{Base64x64, RonUid, Vector, VectorBuilder};
use wasm_bindgen::prelude::*;

/// Reads the text in the tray as an integer, and puts the integer in its place.
#[wasm_bindgen(js_name = parseBase64x64)]
pub fn parse_base64x64(len: usize) -> bool {
    let text = tray::text(len);
    ok(Base64x64::parse_ascii(&text[..len.min(tray::TEXT)]))
        .map(|int| tray::put_fields([int.to_int()]))
        .is_some()
}

/// Writes the integer in the tray as text, and returns its length.
#[wasm_bindgen(js_name = printBase64x64)]
pub fn print_base64x64() -> usize {
    // JavaScript passes only integers of IDs.
    Base64x64::try_from_int(tray::field(0)).map_or(0, |int| tray::put_text(int.encode().as_bytes()))
}

/// Writes the text of the UID in the tray in the context of the second one there.
#[wasm_bindgen]
pub fn zip() -> usize {
    match (tray::id::<RonUid>(), tray::second::<RonUid>()) {
        (Ok(id), Ok(context)) => tray::put_text(id.zip(&context).as_bytes()),
        _ => 0,
    }
}

/// Reads a text in the context of the second UID in the tray.
#[wasm_bindgen]
pub fn unzip(text: &str) -> bool {
    let read = tray::second::<RonUid>().and_then(|context| RonUid::unzip(text, &context));
    ok(read).map(tray::put).is_some()
}

/// Reads a vector of UIDs. Returns their bytes, one after the other.
#[wasm_bindgen(js_name = parseVector)]
pub fn parse_vector(text: &str) -> Option<Vec<u8>> {
    let uids: Result<Vec<_>, _> = Vector::new(text).collect();
    ok(uids).map(|uids| uids.into_iter().flat_map(RonUid::to_bytes).collect())
}

/// Writes a vector of the UIDs with these bytes.
#[wasm_bindgen(js_name = printVector)]
pub fn print_vector(bytes: &[u8]) -> String {
    let uids = bytes.chunks_exact(16).filter_map(|bytes| RonUid::try_from(bytes).ok());
    uids.collect::<VectorBuilder>().finish()
}
