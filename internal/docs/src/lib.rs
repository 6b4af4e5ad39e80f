//! Runs the Rust code of the README and of `docs/` as doctests. The test `docs` of `sortid-cli` runs the console blocks, and
//! this crate's test `sql` the SQL.

#![forbid(unsafe_code)]

/// Makes each page the documentation of a module.
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        $(#[cfg(doctest)] #[doc = include_str!(concat!("../../../", $path))] mod $name {})*

        /// The pages whose Rust code is run.
        pub const PAGES: &[&str] = &[$($path),*];
    };
}

pages! {
    readme: "README.md",
    architecture: "docs/architecture.md",
    browser: "docs/browser.md",
    choosing: "docs/choosing.md",
    coming_from: "docs/coming-from.md",
    cookbook: "docs/cookbook.md",
    euid: "docs/euid.md",
    evently_id: "docs/evently-id.md",
    fleet: "docs/fleet.md",
    reliability: "docs/reliability.md",
    ron_uid: "docs/ron-uid.md",
    scru160: "docs/scru160.md",
    sql: "docs/sql.md",
    ulid_flake: "docs/ulid-flake.md",
}
