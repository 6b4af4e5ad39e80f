//! For WebAssembly in a browser, which has no threads, and whose clock and entropy are the host's:
//! `cargo run -p ulid-flake --no-default-features --example wasm`.
//!
//! With `default-features = false` nothing of the crate needs more than the host passes in. Here `main` is the host; in a
//! browser the two functions are `Date.now()` and `crypto.getRandomValues()`, by whichever bindings you use. It is built and
//! run for the host alone by `cargo xtask ci`.

use std::time::{SystemTime, UNIX_EPOCH};
use ulid_flake::{Clock, Entropy, EntropyError, GenerateError, Generator, Options};

/// `Date.now()`: milliseconds since 1970, and a fraction.
struct HostClock(fn() -> f64);

impl Clock for HostClock {
    fn unix_micros(&self) -> Option<u64> {
        let millis = (self.0)();
        // A number that is none, or before 1970, is no time.
        (millis >= 0.0).then_some((millis * 1000.0) as u64)
    }
}

/// `crypto.getRandomValues()`: false when it threw.
struct HostEntropy(fn(&mut [u8]) -> bool);

impl Entropy for HostEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if (self.0)(bytes) { Ok(()) } else { Err(EntropyError::new("getRandomValues threw")) }
    }
}

/// What the module keeps, and exports the methods of.
struct Ids(Generator<HostClock, HostEntropy>);

impl Ids {
    fn new(now: fn() -> f64, random: fn(&mut [u8]) -> bool) -> Self {
        Self(Generator::from_parts(Options::new(), HostClock(now), HostEntropy(random)))
    }

    /// The text: an `i64` does not fit a number of JavaScript.
    fn next(&self) -> Result<String, GenerateError> {
        // Not `generate`, which would wait for the next millisecond in a loop.
        self.0.try_generate().map(|id| id.encode().as_str().into())
    }
}

fn main() -> Result<(), GenerateError> {
    let now =
        || SystemTime::now().duration_since(UNIX_EPOCH).map_or(-1.0, |time| time.as_secs_f64() * 1000.0);
    let random = |bytes: &mut [u8]| {
        bytes.iter_mut().zip(1_u8..).for_each(|(byte, value)| *byte = value);
        true
    };
    let ids = Ids::new(now, random);
    println!("{}", ids.next()?);

    let error = Ids::new(now, |_| false).next().unwrap_err();
    println!("{error}");
    Ok(())
}
