//! The boundary of `bindings/web` between JavaScript and the crates, built for this host. Its laws call each function
//! with any bytes, as JavaScript calls it, and compare the answers with the answers of the crates.

#![forbid(unsafe_code)]

#[path = "../../../bindings/web/src/detect.rs"]
mod detect;
#[path = "../../../bindings/web/src/entropy.rs"]
mod entropy;
#[path = "../../../bindings/web/src/failure.rs"]
mod failure;
#[path = "../../../bindings/web/src/generator.rs"]
mod generator;
#[path = "../../../bindings/web/src/id.rs"]
mod id;
#[path = "../../../bindings/web/src/inspect.rs"]
mod inspect;
#[path = "../../../bindings/web/src/json.rs"]
mod json;
#[path = "../../../bindings/web/src/ledger.rs"]
mod ledger;
#[path = "../../../bindings/web/src/ron.rs"]
mod ron;
#[path = "../../../bindings/web/src/specs.rs"]
mod specs;
#[path = "../../../bindings/web/src/tray.rs"]
mod tray;

mod answers;
mod generators;
mod laws;

pub use laws::boundary;

/// As in `bindings/web/src/lib.rs`.
fn spec(number: u32) -> sortid::Spec {
    sortid::Spec::ALL[number as usize]
}
