//! The boundary between the crates and the JavaScript of the package `sortid`, in `package/src/`.
//!
//! A call for one ID passes it in the [tray](mod@tray), a fixed place in the module's memory: JavaScript writes the ID or its text
//! there, calls, and reads the result there. So a call allocates nothing. Only rare and large values, such as reports, are
//! strings of `wasm-bindgen`.
//!
//! A function that fails returns `false` or `None`, and leaves the [failure] for JavaScript to fetch and throw.

#[cfg(feature = "ids")]
mod detect;
#[cfg(feature = "ids")]
mod entropy;
mod failure;
#[cfg(feature = "ids")]
mod generator;
#[cfg(feature = "ids")]
mod id;
#[cfg(feature = "inspect")]
mod inspect;
mod json;
#[cfg(feature = "ledger")]
mod ledger;
#[cfg(feature = "ids")]
mod ron;
#[cfg(feature = "ids")]
mod specs;
#[cfg(feature = "ids")]
mod tray;

/// The specification with this number in `SPECS` of `package/src/spec.ts`.
#[cfg(any(feature = "ids", feature = "inspect"))]
fn spec(number: u32) -> sortid::Spec {
    sortid::Spec::ALL[number as usize]
}
