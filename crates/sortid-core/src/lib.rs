#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod alphabet;
mod as_text;
mod civil;
mod clock;
mod entropy;
mod error;
mod generator;
mod generators;
#[allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "only the crates of this project use it, through __private"
)]
mod integrations;
#[cfg(all(test, loom))]
mod model;
mod monotonic;
#[cfg(feature = "std")]
mod process;
#[cfg(not(feature = "std"))]
mod process {
    /// Without an operating system, there is one process.
    #[must_use]
    pub const fn process() -> u64 {
        1
    }
}
#[cfg(feature = "serde")]
pub mod serde;
mod sortable_id;
#[cfg(target_has_atomic = "ptr")]
pub mod testing;
mod text;

pub use alphabet::{Alphabet, BASE32HEX, BASE64X64, CROCKFORD, CROCKFORD_ALIASED, HEX};
pub use as_text::AsText;
#[cfg(feature = "std")]
pub use clock::SystemClock;
pub use clock::{Clock, UnixTime};
pub use entropy::{Entropy, EntropyError, NoEntropy};
#[cfg(feature = "std")]
pub use entropy::{OsEntropy, ThreadEntropy};
pub use error::{GenerateError, GenerateErrorKind, OptionError, ParseError, ParseErrorKind, TimestampError};
pub use generator::{DefaultClock, DefaultEntropy, Generator};
#[cfg(target_has_atomic = "ptr")]
pub use monotonic::SharedCell;
pub use monotonic::{DefaultRules, HybridRules, LocalCell, Position, RandomBytes, Rules, State, StateCell};
pub use sortable_id::SortableId;
pub use text::Text;

/// For the crates of this project only. It may change in any release, so these crates depend on exactly one version of
/// this one.
#[doc(hidden)]
pub mod __private {
    pub use crate::{
        __generator_defaults as generator_defaults, __generators as generators,
        __integrations as integrations, __sortable_id as sortable_id, __standard_traits as standard_traits,
        error::create as error, integrations::dependencies, process::process, sortable_id::millis,
    };

    #[cfg(feature = "alloc")]
    pub extern crate alloc;

    pub mod civil {
        pub use crate::civil::*;
    }

    pub mod integrations {
        pub use crate::integrations::*;
    }

    /// The names that the macros use, also where a module has other meanings for them.
    pub mod prelude {
        pub use core::{fmt, prelude::rust_2024::*, str::FromStr};
    }
}
