#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod alphabet;
mod clock;
mod entropy;
mod error;
mod generator;
mod monotonic;
mod text;
mod traits;

pub use alphabet::{Alphabet, BASE32HEX, BASE64X64, CROCKFORD, CROCKFORD_ALIASED, HEX};
#[cfg(target_has_atomic = "ptr")]
pub use clock::ManualClock;
#[cfg(feature = "std")]
pub use clock::SystemClock;
pub use clock::{Clock, UnixTime};
#[cfg(target_has_atomic = "ptr")]
pub use entropy::SeededEntropy;
pub use entropy::{Entropy, EntropyError};
#[cfg(feature = "std")]
pub use entropy::{OsEntropy, ThreadEntropy};
pub use error::{GenerateError, GenerateErrorKind, OptionError, ParseError, ParseErrorKind, Value};
pub use generator::{DefaultClock, DefaultEntropy, Generator};
#[cfg(target_has_atomic = "ptr")]
pub use monotonic::Shared;
pub use monotonic::{DefaultRules, Hybrid, Local, Point, Rules, State};
pub use text::Text;
