//! The model of the protocol. Nothing here depends on a specification.

mod exhaustive;
mod mutations;
