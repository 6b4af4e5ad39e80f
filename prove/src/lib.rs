//! Functions of the crates under plain names, for proofs on machine code.

mod codecs;
#[cfg(feature = "fleet")]
mod fleet;
mod positions;
