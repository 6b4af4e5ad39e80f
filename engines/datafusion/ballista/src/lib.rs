#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod client;
mod codec;
mod error;
mod executor;
mod extensions;
mod progress;
mod query;
mod recovery;
#[cfg(feature = "s3")]
mod s3;
mod scheduler;
mod signal;

pub use client::connect;
pub use codec::{LogicalCodec, PhysicalCodec};
pub use error::Error;
pub use executor::{Executor, ExecutorOptions, executor};
pub use extensions::Extensions;
pub use query::cancellations;
pub use scheduler::{Scheduler, SchedulerOptions, scheduler};
