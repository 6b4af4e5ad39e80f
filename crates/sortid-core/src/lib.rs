#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Without this error, the standard library would trap at the first ID. `js` is not a default, because other hosts of
// the target do not have the functions that `wasm-bindgen` imports.
#[cfg(all(feature = "std", not(feature = "js"), target_arch = "wasm32", target_os = "unknown"))]
compile_error!(
    "sortid: the feature `std` needs a clock and random bytes, which the target wasm32-unknown-unknown does not have. \
     In a browser or another JavaScript host, turn on the feature `js`. \
     In another host, turn off the default features, and pass a `Clock` and an `Entropy` of your own to `Options::build_with`."
);

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod pointers;

mod alphabet;
mod as_text;
mod backfill;
mod civil;
mod clock;
mod entropy;
mod error;
#[cfg(target_has_atomic = "ptr")]
mod fence;
mod field;
mod generate;
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
mod option;
#[cfg(all(feature = "std", unix, not(all(test, loom))))]
mod process;
#[cfg(all(test, loom))]
use model::process;
#[cfg(not(any(all(feature = "std", unix), all(test, loom))))]
mod process {
    /// Without forks, a state has one process.
    #[must_use]
    pub const fn process() -> u64 {
        1
    }
}
#[cfg(any(feature = "serde", feature = "uuid"))]
mod hyphenated;
mod rfc9562;
#[cfg(feature = "serde")]
pub mod serde;
mod sortable_id;
mod state;
#[cfg(target_has_atomic = "ptr")]
pub mod testing;
mod text;
mod typed_id;
#[cfg(feature = "uuid")]
mod uuid_or;
#[cfg(target_has_atomic = "ptr")]
mod word;

pub use alphabet::{Alphabet, BASE32HEX, BASE64X64, CROCKFORD, CROCKFORD_ALIASED, HEX};
pub use as_text::AsText;
pub use backfill::{Backfill, BackfillRules};
#[cfg(feature = "std")]
pub use clock::SystemClock;
pub use clock::{Clock, UnixMicros, UnixMillis, UnixTime};
pub use entropy::{Entropy, EntropyError, NoEntropy};
#[cfg(feature = "std")]
pub use entropy::{OsEntropy, ThreadEntropy};
pub use error::{
    BackfillError, ConfigError, GenerateError, GenerateErrorKind, ParseError, ParseErrorKind, RangeError,
    TimestampError,
};
#[cfg(target_has_atomic = "ptr")]
pub use fence::{Fence, Fenced};
pub use field::{Field, FieldValue, Role};
pub use generate::{Generate, Typed};
pub use generator::{DefaultClock, DefaultEntropy, Generator};
pub use monotonic::{
    Hybrid, HybridRules, NodeOptions, Position, RandomBytes, Rollback, RollbackPolicy, Rules,
};
pub use option::{Configure, OptionInfo, OptionKind};
pub use sortable_id::SortableId;
pub use text::Text;
#[cfg(feature = "uuid")]
pub use uuid_or::UuidOr;

/// For the crates of this project only. It may change in any release, so these crates depend on exactly one version of
/// this one.
#[doc(hidden)]
pub mod __private {
    pub use crate::{
        __description as description, __generator_defaults as generator_defaults, __generators as generators,
        __integrations as integrations, __sortable_id as sortable_id, __standard_traits as standard_traits,
        __typed_id as typed_id, __typed_id_docs as typed_id_docs, __typed_parts as typed_parts,
        backfill::{BackfillRules, one_at},
        error::{BackfillObstacle, create as error},
        integrations::dependencies,
        process::process,
        sortable_id::{PLAUSIBLE, millis},
    };

    #[cfg(feature = "uuid")]
    pub use crate::__or_uuid as or_uuid;

    /// Only the crates of this project implement the traits that require it.
    pub trait Sealed {}

    #[cfg(feature = "alloc")]
    pub extern crate alloc;

    pub mod civil {
        pub use crate::civil::*;
    }

    /// The name of `bytemuck` for its derives.
    #[cfg(feature = "bytemuck")]
    pub mod bytemuck {
        pub use ::bytemuck as __sortid_bytemuck;
    }

    #[cfg(any(feature = "serde", feature = "uuid"))]
    pub mod hyphenated {
        pub use crate::hyphenated::*;
    }

    pub mod integrations {
        pub use crate::integrations::*;
    }

    pub mod option {
        pub use crate::option::{duration, flag, number, set_rollback, with_bits};
    }

    pub mod rfc9562 {
        pub use crate::rfc9562::*;
    }

    pub mod typed_id {
        pub use crate::typed_id::*;
    }

    /// The names that the macros use. They have their usual meaning even in a module that has other meanings for them.
    pub mod prelude {
        pub use core::{fmt, prelude::rust_2024::*, str::FromStr};
    }
}
