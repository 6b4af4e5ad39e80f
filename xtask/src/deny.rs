//! cargo-deny: licences, sources, banned crates and advisories.

use crate::{
    shell::{self, Result, cargo},
    tools,
};

/// The workspace, and the packages that build alone.
const MANIFESTS: [&str; 9] = [
    "Cargo.toml",
    "bindings/python/Cargo.toml",
    "bindings/web/Cargo.toml",
    "engines/datafusion/Cargo.toml",
    "fuzz/Cargo.toml",
    "lab/prove/Cargo.toml",
    "examples/orders/Cargo.toml",
    "examples/service/Cargo.toml",
    "lab/no-std/Cargo.toml",
];

/// Not a step of `ci`, because cargo-deny takes minutes to install. Advisories are fetched from the network.
pub(crate) fn run(advisories: bool) -> Result {
    tools::install(tools::DENY)?;
    let checks: &[&str] = if advisories { &["advisories"] } else { &["licenses", "bans", "sources"] };
    for manifest in MANIFESTS {
        let deny = ["deny", "--locked", "--workspace", "--config", "deny.toml", "--manifest-path"];
        shell::run(cargo(&deny).args([manifest, "check"]).args(checks))?;
    }
    Ok(())
}
