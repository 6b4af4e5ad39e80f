use core::fmt;

/// A source of random bytes. Implement it on platforms without an operating system.
///
/// Its methods take `&self`, so the threads of a shared generator can use one source. A source with a state keeps the
/// state in a `Cell` (for one owner) or behind a lock.
///
/// ```
/// # use sortid_core::{Entropy, EntropyError};
/// struct Trng;
///
/// impl Entropy for Trng {
///     fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
///         for byte in bytes {
///             let ready = true; // ask the device
///             if !ready {
///                 return Err("the random number generator is not ready".into());
///             }
///             *byte = 42; // read from the device
///         }
///         Ok(())
///     }
/// }
/// ```
pub trait Entropy {
    /// Fills `bytes` with random bytes from a cryptographically strong source. The bytes that the child of a `fork`
    /// gets must differ from those of its parent.
    ///
    /// # Errors
    ///
    /// If the source fails. The generator then returns this error instead of an ID.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError>;

    /// `N` bytes of [`fill`](Self::fill).
    #[doc(hidden)]
    #[inline]
    fn draw<const N: usize>(&self) -> Result<[u8; N], EntropyError>
    where
        Self: Sized,
    {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }
}

for_pointers!(Entropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError>;
});

#[cfg(feature = "rand010")]
const RAND_FAILED: &str = "the source of `rand` failed";

/// The sources of the crate `rand`.
#[cfg(feature = "rand010")]
impl<R: rand_core::TryCryptoRng> Entropy for core::cell::RefCell<R> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        self.borrow_mut().try_fill_bytes(bytes).map_err(|_| RAND_FAILED.into())
    }
}

/// The sources of the crate `rand`, for threads that share a generator.
#[cfg(all(feature = "rand010", feature = "std"))]
impl<R: rand_core::TryCryptoRng> Entropy for std::sync::Mutex<R> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        let mut source = self.lock().map_err(|_| EntropyError::from(RAND_FAILED))?;
        source.try_fill_bytes(bytes).map_err(|_| RAND_FAILED.into())
    }
}

/// The error of a source that has no random bytes. A source of your own makes it from a text: `Err("not ready".into())`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntropyError {
    reason: &'static str,
    os_error: Option<i32>,
}

/// Creates the error of a source of your own. The message is "no random bytes: " and the reason.
impl From<&'static str> for EntropyError {
    fn from(reason: &'static str) -> Self {
        Self { reason, os_error: None }
    }
}

impl fmt::Display for EntropyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no random bytes: {}", self.reason)?;
        match self.os_error {
            Some(code) => write!(f, " (error {code} of the operating system)"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for EntropyError {}

/// The source without random bytes, for generators whose IDs have no random bits. Such a generator never draws from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEntropy;

impl Entropy for NoEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if bytes.is_empty() { Ok(()) } else { Err("there is none".into()) }
    }
}

/// The operating system's source of random bytes. Each call asks the system. On `wasm32-unknown-unknown`, with the feature
/// `js`, the source is `crypto.getRandomValues` of the JavaScript host.
///
/// ```
/// # use sortid_core::{Entropy, OsEntropy};
/// let mut bytes = [0; 16];
/// OsEntropy.fill(&mut bytes)?;
/// assert_ne!(bytes, [0; 16]);
/// # Ok::<(), sortid_core::EntropyError>(())
/// ```
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

#[cfg(feature = "std")]
const SOURCE_FAILED: &str = if cfg!(all(target_arch = "wasm32", target_os = "unknown")) {
    "`crypto.getRandomValues` of the JavaScript host failed, or is missing"
} else {
    "the operating system's source failed"
};

#[cfg(feature = "std")]
impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        getrandom::fill(bytes)
            .map_err(|error| EntropyError { reason: SOURCE_FAILED, os_error: error.raw_os_error() })
    }
}

/// The default source: one `ChaCha12` generator for each thread, seeded from [`OsEntropy`] at the first use and again
/// after every 64 KiB.
///
/// After a `fork`, the child takes a new seed before it draws a byte, so it never repeats the bytes of its parent. The
/// source notices a fork through `pthread_atfork`. It does not notice a process that was copied in another way, by `_Fork`,
/// by a raw `clone` system call or from a snapshot of a virtual machine: use [`OsEntropy`] there. It notices a fork too late
/// for a handler of `pthread_atfork` that was registered before the first ID. If the system has no memory for its own
/// handler, each call compares the ID of the process.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadEntropy;

#[cfg(feature = "std")]
impl Entropy for ThreadEntropy {
    #[inline]
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        thread::fill(bytes)
    }

    // A known number of bytes is passed in registers.
    #[inline]
    fn draw<const N: usize>(&self) -> Result<[u8; N], EntropyError> {
        #[cold]
        fn filled<const N: usize>() -> Result<[u8; N], EntropyError> {
            let mut bytes = [0; N];
            thread::fill(&mut bytes).map(|()| bytes)
        }
        thread::take().map_or_else(filled, Ok)
    }
}

#[cfg(feature = "std")]
mod thread {
    use super::{Entropy, EntropyError, OsEntropy};
    use crate::process::process;
    use chacha20::ChaCha12Rng;
    use core::cell::RefCell;
    use rand_core::{Rng as _, SeedableRng as _};

    const BYTES_A_SEED: usize = 64 * 1024;

    /// Bytes are generated in advance, so a request is a copy.
    const BYTES_IN_ADVANCE: usize = 1024;

    struct Seeded {
        rng: ChaCha12Rng,
        bytes_left: usize,
        /// The process that has this seed.
        process: u64,
        made: [u8; BYTES_IN_ADVANCE],
        used: usize,
    }

    impl Seeded {
        fn new() -> Result<Self, EntropyError> {
            Ok(Self {
                rng: ChaCha12Rng::from_seed(OsEntropy.draw()?),
                bytes_left: BYTES_A_SEED,
                process: process(),
                made: [0; BYTES_IN_ADVANCE],
                used: BYTES_IN_ADVANCE,
            })
        }

        /// Returns whether the seed suffices for `len` bytes of this process.
        fn suffices(&self, len: usize) -> bool {
            let lacking = len.saturating_sub(BYTES_IN_ADVANCE - self.used);
            self.process == process() && (lacking == 0 || self.bytes_left >= len.max(BYTES_IN_ADVANCE))
        }

        fn fill(&mut self, bytes: &mut [u8]) {
            let left = bytes.len().min(BYTES_IN_ADVANCE - self.used);
            let (first, rest) = bytes.split_at_mut(left);
            first.copy_from_slice(&self.made[self.used..][..left]);
            self.used += left;
            if rest.is_empty() {
                return;
            }
            self.bytes_left = self.bytes_left.saturating_sub(rest.len().max(BYTES_IN_ADVANCE));
            if rest.len() > BYTES_IN_ADVANCE {
                return self.rng.fill_bytes(rest);
            }
            self.rng.fill_bytes(&mut self.made);
            rest.copy_from_slice(&self.made[..rest.len()]);
            self.used = rest.len();
        }
    }

    std::thread_local! {
        static SEEDED: RefCell<Option<Seeded>> = const { RefCell::new(None) };
    }

    /// Returns the next bytes of those that were generated in advance, if enough are left.
    #[inline]
    pub(super) fn take<const N: usize>() -> Option<[u8; N]> {
        let taken = SEEDED.try_with(|cell| {
            let mut slot = cell.try_borrow_mut().ok()?;
            let seeded = slot.as_mut()?;
            let bytes = *seeded.made[seeded.used..].first_chunk()?;
            if seeded.process != process() {
                return None;
            }
            seeded.used += N;
            Some(bytes)
        });
        taken.ok().flatten()
    }

    pub(super) fn fill(bytes: &mut [u8]) -> Result<(), EntropyError> {
        SEEDED
            .try_with(|cell| {
                // Only a signal handler can find the cell borrowed.
                let Ok(mut slot) = cell.try_borrow_mut() else { return OsEntropy.fill(bytes) };
                if !slot.as_ref().is_some_and(|seeded| seeded.suffices(bytes.len())) {
                    *slot = Some(Seeded::new()?);
                }
                slot.iter_mut().for_each(|seeded| seeded.fill(bytes));
                Ok(())
            })
            // The thread is ending, and its generator is gone.
            .unwrap_or_else(|_| OsEntropy.fill(bytes))
    }

    #[cfg(test)]
    pub(super) fn seed() -> Option<[u8; 32]> {
        SEEDED.with_borrow(|slot| slot.as_ref().map(|seeded| seeded.rng.get_seed()))
    }
}

/// Repeatable bytes from a seed, by `SplitMix64`: the same in all releases. A generator with the same seed, clock and release
/// makes the same IDs. Use it for tests and simulations, never for IDs that are kept.
///
/// ```
/// # use sortid_core::{Entropy, testing::SeededEntropy};
/// let mut bytes = [[0; 8]; 3];
/// let source = SeededEntropy::new(7);
/// source.fill(&mut bytes[0])?;
/// source.fill(&mut bytes[1])?;
/// SeededEntropy::new(7).fill(&mut bytes[2])?;
/// assert!(bytes[0] != bytes[1] && bytes[0] == bytes[2]);
/// # Ok::<(), sortid_core::EntropyError>(())
/// ```
#[cfg(target_has_atomic = "ptr")]
#[derive(Debug)]
pub struct SeededEntropy(portable_atomic::AtomicU64);

#[cfg(target_has_atomic = "ptr")]
impl SeededEntropy {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Creates a source. Sources with the same seed return the same bytes.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(portable_atomic::AtomicU64::new(seed))
    }

    fn next(&self) -> u64 {
        let mut z = self.0.fetch_add(Self::STEP, portable_atomic::Ordering::Relaxed).wrapping_add(Self::STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(target_has_atomic = "ptr")]
impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_the_published_sequence() {
        let entropy = SeededEntropy::new(1_234_567);
        let numbers = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([entropy.next(), entropy.next()], numbers);
        let bytes = SeededEntropy::new(1_234_567).draw::<12>().unwrap();
        assert_eq!(bytes, numbers.map(u64::to_le_bytes).as_flattened()[..12]);
    }

    #[test]
    fn a_source_without_bytes_says_so() {
        assert_eq!(NoEntropy.draw::<0>(), Ok([]));
        let message = std::string::ToString::to_string;
        assert_eq!(message(&NoEntropy.draw::<1>().unwrap_err()), "no random bytes: there is none");
        let of_system = EntropyError { os_error: Some(38), ..EntropyError::from("it failed") };
        assert_eq!(message(&of_system), "no random bytes: it failed (error 38 of the operating system)");
    }

    #[test]
    fn a_seed_serves_64_kib() {
        assert_eq!(thread::seed(), None);
        ThreadEntropy.draw::<16>().unwrap();
        let first = thread::seed();
        for request in 1..4096 {
            if request % 2 == 0 {
                ThreadEntropy.draw::<16>().unwrap();
            } else {
                ThreadEntropy.fill(&mut [0; 16]).unwrap();
            }
            assert_eq!(thread::seed(), first);
        }
        ThreadEntropy.draw::<16>().unwrap();
        assert_ne!(thread::seed(), first);
    }

    #[test]
    fn a_trait_object_is_a_source() {
        let source: &dyn Entropy = &SeededEntropy::new(7);
        assert_eq!(Entropy::draw::<8>(&source), SeededEntropy::new(7).draw::<8>());
    }

    #[cfg(feature = "rand010")]
    #[test]
    fn a_source_of_rand_is_a_source_and_its_failure_is_an_error() {
        use rand_core::{Rng as _, SeedableRng as _, TryCryptoRng, TryRng};

        let seeded = || chacha20::ChaCha12Rng::seed_from_u64(7);
        let mut expected = [0; 32];
        seeded().fill_bytes(&mut expected);
        let (cell, mutex) = (core::cell::RefCell::new(seeded()), std::sync::Mutex::new(seeded()));
        assert_eq!(cell.draw(), Ok(expected));
        assert_eq!(mutex.draw(), Ok(expected));
        assert_ne!(cell.draw(), Ok(expected));

        struct Broken;

        impl TryRng for Broken {
            type Error = fmt::Error;

            fn try_next_u32(&mut self) -> Result<u32, fmt::Error> {
                Err(fmt::Error)
            }

            fn try_next_u64(&mut self) -> Result<u64, fmt::Error> {
                Err(fmt::Error)
            }

            fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), fmt::Error> {
                Err(fmt::Error)
            }
        }

        impl TryCryptoRng for Broken {}

        let failed = core::cell::RefCell::new(Broken).draw::<4>().unwrap_err();
        assert_eq!(std::format!("{failed}"), "no random bytes: the source of `rand` failed");
        assert_eq!(std::sync::Mutex::new(Broken).draw::<4>(), Err(failed));
    }

    #[test]
    fn thread_entropy_repeats_no_block_across_many_seeds_and_threads() {
        let draw_some =
            || (0..20_000).map(|_| ThreadEntropy.draw::<16>().unwrap()).collect::<std::vec::Vec<_>>();
        let other = std::thread::spawn(draw_some);
        let mut blocks = draw_some();
        blocks.extend(other.join().unwrap());
        blocks.sort_unstable();
        blocks.dedup();
        assert_eq!(blocks.len(), 40_000);
    }

    #[test]
    fn a_request_longer_than_a_seed_serves_is_filled() {
        let mut bytes = std::vec![0; 200_000];
        ThreadEntropy.fill(&mut bytes).unwrap();
        assert!(bytes.chunks(16).all(|block| block.iter().any(|&byte| byte != 0)));
    }

    #[test]
    fn a_thread_can_draw_while_it_ends() {
        struct AtEnd(std::sync::mpsc::Sender<Result<[u8; 16], EntropyError>>);
        impl Drop for AtEnd {
            fn drop(&mut self) {
                self.0.send(ThreadEntropy.draw()).unwrap();
            }
        }
        std::thread_local!(static AT_END: RefCell<Option<AtEnd>> = const { RefCell::new(None) });
        use core::cell::RefCell;

        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            AT_END.set(Some(AtEnd(sender)));
            ThreadEntropy.draw::<16>().unwrap();
        })
        .join()
        .unwrap();
        assert_ne!(receiver.recv().unwrap().unwrap(), [0; 16]);
    }
}
