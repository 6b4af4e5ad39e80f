//! Runs the Rust of the README and of docs/ as doctests. Their console blocks are run by `sortid-cli`'s test `docs`, and
//! their SQL by `sortid-databases`' test `cookbook`.
