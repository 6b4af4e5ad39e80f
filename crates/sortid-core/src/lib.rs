#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod alphabet;
mod as_text;
mod clock;
mod entropy;
mod error;
mod generator;
#[doc(hidden)]
pub mod integrations;
#[cfg(all(test, loom))]
mod model;
mod monotonic;
#[cfg(target_has_atomic = "ptr")]
pub mod testing;
mod text;
mod traits;

pub use alphabet::{Alphabet, BASE32HEX, BASE64X64, CROCKFORD, CROCKFORD_ALIASED, HEX};
pub use as_text::AsText;
#[cfg(feature = "std")]
pub use clock::SystemClock;
pub use clock::{Clock, UnixTime};
pub use entropy::{Entropy, EntropyError, NoEntropy};
#[cfg(feature = "std")]
pub use entropy::{OsEntropy, ThreadEntropy};
pub use error::{
    GenerateError, GenerateErrorKind, OptionError, ParseError, ParseErrorKind, TimestampError, Value,
};
pub use generator::{DefaultClock, DefaultEntropy, Generator};
#[cfg(feature = "serde")]
pub use integrations::serde;
#[cfg(target_has_atomic = "ptr")]
pub use monotonic::SharedCell;
pub use monotonic::{DefaultRules, HybridRules, LocalCell, Position, RandomBytes, Rules, State, StateCell};
pub use text::Text;
