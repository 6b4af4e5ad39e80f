//! A generator for WebAssembly in a browser, which has no threads, and gets the time and random bytes from the host:
//! `cargo run -p ulid-flake --no-default-features --example wasm`.
//!
//! If the host is JavaScript with `wasm-bindgen`, the feature `js` does all this. With `default-features = false`, the crate
//! needs only these two functions of the host. Here `main` is the host. In a
//! browser, the functions are `Date.now()` and `crypto.getRandomValues()`, called through the bindings that you use.
//! `cargo xtask ci` builds and runs this example natively, not in a browser.

use std::time::{SystemTime, UNIX_EPOCH};
use ulid_flake::{Clock, Entropy, EntropyError, GenerateError, Generator, Options};

/// `Date.now()`: milliseconds since 1970, and a fraction.
struct HostClock(fn() -> f64);

impl Clock for HostClock {
    fn unix_micros(&self) -> Option<u64> {
        let millis = (self.0)();
        // NaN and numbers below 0 are not a time.
        (millis >= 0.0).then_some((millis * 1000.0) as u64)
    }
}

/// `crypto.getRandomValues()`: false if it threw.
struct HostEntropy(fn(&mut [u8]) -> bool);

impl Entropy for HostEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if (self.0)(bytes) { Ok(()) } else { Err(EntropyError::from("getRandomValues threw")) }
    }
}

/// The state of the module, whose methods it exports.
struct Ids(Generator<HostClock, HostEntropy>);

impl Ids {
    fn new(now: fn() -> f64, random: fn(&mut [u8]) -> bool) -> Self {
        Self(Options::new().build_with(HostClock(now), HostEntropy(random)))
    }

    /// Returns the text, because a number of JavaScript cannot hold every `i64`.
    fn next(&self) -> Result<String, GenerateError> {
        // Not `generate`, which would wait for the next millisecond in a busy loop.
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
