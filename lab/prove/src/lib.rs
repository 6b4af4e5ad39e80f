//! Functions of the crates under plain names, for proofs on machine code.

mod codecs;
mod positions;
