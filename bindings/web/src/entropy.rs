//! The random bytes of the host.

use sortid::{Entropy, EntropyError, OsEntropy};
use std::cell::RefCell;

/// The random bytes of the host, in large pieces: a call of the host takes longer than an ID.
#[derive(Clone, Copy)]
pub(crate) struct Source;

/// Random bytes that no ID has used.
struct Pool {
    bytes: [u8; 2048],
    used: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; 2048], used: 2048 }) };
}

impl Entropy for Source {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        POOL.with_borrow_mut(|pool| {
            if bytes.len() > pool.bytes.len() - pool.used {
                OsEntropy.fill(&mut pool.bytes)?;
                pool.used = 0;
            }
            let taken = &mut pool.bytes[pool.used..pool.used + bytes.len()];
            bytes.copy_from_slice(taken);
            // Nobody reads them again.
            taken.fill(0);
            pool.used += bytes.len();
            Ok(())
        })
    }
}
