//! Parsing, printing and comparing.

use crate::{
    failure::{Failure, ok},
    spec, tray,
};
use sortid::{
    __with_type as with_type, AnyId, SortableId, Spec, UnixMicros,
    ulid_flake::{Epoch, UlidFlake},
};
use std::cmp::Ordering;
use wasm_bindgen::prelude::*;

fn put<I: SortableId, E: Into<Failure>>(id: Result<I, E>) -> bool {
    ok(id).map(tray::put).is_some()
}

/// Reads the text in the tray.
#[wasm_bindgen]
pub fn parse(spec: u32, len: usize) -> bool {
    let text = tray::text(len);
    let text = &text[..len.min(tray::TEXT)];
    with_type!(crate::spec(spec), Id => put(<Id as SortableId>::parse_ascii(text)))
}

/// Reads a text that is longer than the tray, or not ASCII.
#[wasm_bindgen(js_name = parseLong)]
pub fn parse_long(spec: u32, text: &[u8]) -> bool {
    with_type!(crate::spec(spec), Id => put(<Id as SortableId>::parse_ascii(text)))
}

/// Writes the text of the ID in the tray, and returns its length.
#[wasm_bindgen]
pub fn print(spec: u32) -> usize {
    with_type!(crate::spec(spec), Id => tray::id::<Id>().map_or(0, |id| tray::put_text(id.encode().as_bytes())))
}

/// Checks the bytes of an ID in the tray.
#[wasm_bindgen]
pub fn check(spec: u32) -> bool {
    with_type!(crate::spec(spec), Id => put(tray::id::<Id>()))
}

/// Compares the ID in the tray with the second one there: −1, 0 or 1.
#[wasm_bindgen]
pub fn compare(spec: u32) -> i32 {
    fn compare<I: SortableId>() -> i32 {
        match (tray::id::<I>(), tray::second::<I>()) {
            (Ok(a), Ok(b)) => a.cmp(&b) as i32,
            // JavaScript passes only IDs that were valid.
            _ => Ordering::Equal as i32,
        }
    }
    with_type!(crate::spec(spec), Id => compare::<Id>())
}

/// The time in milliseconds since 1970; NaN if the ID has none, or if the number would lose bits.
#[wasm_bindgen(js_name = unixMillis)]
pub fn unix_millis(spec: u32) -> f64 {
    const GREATEST: u64 = 1 << 53;
    let micros = with_type!(crate::spec(spec), Id => tray::id::<Id>().ok().and_then(|id| SortableId::unix_micros(&id)));
    match micros.map(|micros| micros / 1000) {
        Some(millis) if millis < GREATEST => millis as f64,
        _ => f64::NAN,
    }
}

/// Puts the time in microseconds since 1970 into the tray. `false` if the ID has none.
#[wasm_bindgen(js_name = unixMicros)]
pub fn unix_micros(spec: u32) -> bool {
    let micros = with_type!(crate::spec(spec), Id => tray::id::<Id>().ok().and_then(|id| SortableId::unix_micros(&id)));
    micros.map(|micros| tray::put_fields([micros])).is_some()
}

#[wasm_bindgen]
pub fn min(number: u32) {
    tray::put(AnyId::min(spec(number)));
}

#[wasm_bindgen]
pub fn max(number: u32) {
    tray::put(AnyId::max(spec(number)));
}

/// The time of `high` × 2^32 + `low` microseconds since 1970. `high` is an integer.
pub(crate) fn micros(high: f64, low: u32) -> UnixMicros {
    UnixMicros((high as i128) << 32 | i128::from(low))
}

/// Puts the least or the greatest ID of a time into the tray. `epoch` is the epoch of Ulid-Flakes, in milliseconds; NaN
/// stands for the default.
#[wasm_bindgen(js_name = boundAt)]
pub fn bound_at(number: u32, high: f64, low: u32, is_max: bool, epoch: f64) -> bool {
    let time = micros(high, low);
    let spec = spec(number);
    if spec == Spec::UlidFlake && !epoch.is_nan() {
        let Some(epoch) = ok(Epoch::from_unix_millis(epoch as u64)) else { return false };
        let bound = if is_max { UlidFlake::max_at_with } else { UlidFlake::min_at_with };
        return put(bound(epoch, time));
    }
    let bound = if is_max { AnyId::max_at(spec, time) } else { AnyId::min_at(spec, time) };
    ok(bound).map(tray::put).is_some()
}
