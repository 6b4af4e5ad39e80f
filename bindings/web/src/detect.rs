//! Which IDs a text or bytes can be.

use crate::json::Json;
use sortid::{Candidate, Candidates};
use wasm_bindgen::prelude::*;

/// The candidates for a text, as JSON.
#[wasm_bindgen(js_name = detectText)]
pub fn detect_text(text: &[u8]) -> String {
    candidates(sortid::detect(text))
}

/// The candidates for bytes, as JSON.
#[wasm_bindgen(js_name = detectBytes)]
pub fn detect_bytes(bytes: &[u8]) -> String {
    candidates(sortid::detect_bytes(bytes))
}

fn candidates(candidates: Candidates) -> String {
    let mut json = Json::default();
    json.array(candidates, write);
    json.finish()
}

fn write(json: &mut Json, candidate: Candidate) {
    json.object(|json| {
        json.name("spec").string(candidate.id().spec().name());
        json.name("id").bytes(candidate.id().as_bytes());
        json.name("weight").number(candidate.weight().into());
        json.name("reasons").array(candidate.reasons(), |json, reason| json.string(&reason.to_string()));
    });
}
