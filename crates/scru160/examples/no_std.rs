//! Generates IDs without std and alloc, with a clock and random bytes of its own:
//! `cargo run -p scru160 --no-default-features --example no_std`.
//!
//! Only `main` uses std, so that the example runs on your computer; the module `device` does not. In the repository,
//! `lab/no-std` is a program without std.

#![no_std]

extern crate std;

mod device {
    use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use scru160::{Clock, Entropy, EntropyError, Generator, Options};

    /// Milliseconds since the clock was set; an interrupt counts them.
    pub(crate) static ELAPSED: AtomicU32 = AtomicU32::new(0);

    /// The time at which the clock was set, in milliseconds since 1970.
    const SET_AT: u64 = 1_717_653_966_666;

    pub(crate) struct Timer;

    impl Clock for Timer {
        fn unix_micros(&self) -> Option<u64> {
            Some((SET_AT + u64::from(ELAPSED.load(Relaxed))) * 1000)
        }
    }

    /// Stands for a register of random bits.
    static REGISTER: AtomicU32 = AtomicU32::new(1);

    pub(crate) struct RandomBits;

    impl Entropy for RandomBits {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
            for byte in bytes {
                let state = REGISTER.load(Relaxed);
                if state == 0 {
                    return Err(EntropyError::from("the source of random bits failed"));
                }
                REGISTER.store(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223), Relaxed);
                *byte = (state >> 24) as u8;
            }
            Ok(())
        }
    }

    pub(crate) static IDS: Generator<Timer, RandomBits> = Options::new().build_with(Timer, RandomBits);
}

fn main() -> Result<(), scru160::GenerateError> {
    let first = device::IDS.try_generate()?;
    device::ELAPSED.fetch_add(1, core::sync::atomic::Ordering::Relaxed);
    let second = device::IDS.try_generate()?;
    assert!(first < second && second.unix_millis() == first.unix_millis() + 1);
    std::println!("{first}\n{second}");
    Ok(())
}
