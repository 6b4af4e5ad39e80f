//! What the programs `sortid` and `sortid-server` share: how they print IDs, and how they read times and extensions.

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "only the programs use it"
)]

mod extension;
mod format;
mod hidden;
pub mod json;
mod range;
pub mod time;

pub use extension::AskedExtension;
pub use format::Format;
pub use hidden::{escaped, is_hidden};
pub use range::Span;
