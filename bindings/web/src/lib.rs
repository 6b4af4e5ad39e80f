//! The boundary between the crates and the JavaScript of the package `sortid`, in `package/src/`.
//!
//! A call for one ID passes it in the [tray](mod@tray), a fixed place in the module's memory: JavaScript writes the ID or its text
//! there, calls, and reads the result there. So a call allocates nothing. Only rare and large values, such as reports, are
//! strings of `wasm-bindgen`.
//!
//! A function that fails returns `false` or `None`, and leaves the [failure] for JavaScript to fetch and throw.

mod detect;
mod failure;
mod fields;
mod generator;
mod id;
mod inspect;
mod json;
mod ledger;
mod ron;
mod rules;
mod tray;

use sortid::Spec;

/// The specification with this number in `SPECS` of `package/src/spec.ts`.
fn spec(number: u32) -> Spec {
    Spec::ALL[number as usize]
}
