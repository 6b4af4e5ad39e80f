//! The words of a `StateCell`: one of 128 bits, and one for the number of a process.
//!
//! On processors that cannot exchange 128 bits at once, `portable-atomic` takes a lock. If a thread holds it while the
//! process forks, nobody releases it in the child. So these processors have other words where processes fork.

#[cfg(all(
    feature = "std",
    unix,
    any(test, not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "s390x")))
))]
pub(crate) mod locked;

#[cfg(all(test, loom))]
pub(crate) use crate::model::{AtomicU128, WordOfProcess as AtomicProcess};
#[cfg(all(
    feature = "std",
    unix,
    not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "s390x")),
    not(all(test, loom))
))]
pub(crate) use locked::{AtomicProcess, AtomicU128};
#[cfg(all(
    any(
        not(all(feature = "std", unix)),
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "s390x")
    ),
    not(all(test, loom))
))]
pub(crate) use portable_atomic::{AtomicU64 as AtomicProcess, AtomicU128};
