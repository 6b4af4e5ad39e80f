//! Runs the Rust of the README and of `docs/` as doctests. Their console blocks are run by the test `docs` of
//! `sortid-cli`, their SQL by the tests of `sortid-databases`.

#![forbid(unsafe_code)]

/// Each page is the documentation of a module.
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        $(#[cfg(doctest)] #[doc = include_str!(concat!("../../../", $path))] mod $name {})*

        /// The pages whose Rust is run.
        pub const PAGES: &[&str] = &[$($path),*];
    };
}

pages! {
    readme: "README.md",
    architecture: "docs/architecture.md",
    choosing: "docs/choosing.md",
    cookbook: "docs/cookbook.md",
    euid: "docs/euid.md",
    evently_id: "docs/evently-id.md",
    reliability: "docs/reliability.md",
    ron_uid: "docs/ron-uid.md",
    scru160: "docs/scru160.md",
    ulid_flake: "docs/ulid-flake.md",
}
