//! The tests that need a database server.

// The servers are Debian's packages. They run in a temporary folder, and are reached by sockets or by ports of this
// host. Some demand TLS, certificates and passwords. The tests find them by environment variables such as
// `SORTID_POSTGRES`. Without its variable, a test reports that it is left out.

#[cfg(unix)]
pub(crate) use sortid_servers::servers;

/// On other systems these chores say what they need.
#[cfg(not(unix))]
mod servers {
    use crate::shell::Result;

    const UNIX: &str =
        "database servers are started on Unix only: run this chore on Linux, for example in WSL";

    pub(super) fn with_all<T>(_work: impl FnOnce(&[(&str, &str)]) -> Result<T>) -> Result<T> {
        Err(UNIX.into())
    }

    pub(super) fn with_postgres<T>(_work: impl FnOnce(&str) -> Result<T>) -> Result<T> {
        Err(UNIX.into())
    }
}

use crate::{
    ci,
    shell::{self, Result, cargo},
    tools,
};
use std::process::Command;

/// Runs the tests of the ID types, of the stores of fleets, and of the SQL and the Rust in the documentation, against
/// servers.
pub(crate) fn run() -> Result {
    eprintln!("The first build of the tests takes a few minutes.");
    let packages = ["--package", "sortid-integrations", "--package", "sortid-docs"];
    test(cargo(&["test", "--locked", "--no-fail-fast"]).args(packages))
}

/// All tests of the workspace, for `cargo xtask ci --all`.
pub(crate) fn test_all() -> Result {
    test(&mut ci::all_tests()?)
}

/// Runs the tests while the servers are up. If the servers cannot be installed, the tests run without them, and the result
/// is an error.
fn test(test: &mut Command) -> Result {
    if let Err(error) = tools::install(tools::DATABASES) {
        shell::run(test)?;
        return Err(format!("no test ran against a database server: {error}").into());
    }
    servers::with_all(|addresses| shell::run(test.envs(addresses.iter().copied())))
}

/// Calls `work` with the addresses of a server of each kind, as the environment variables that the tests read.
pub(crate) fn with_all<T>(work: impl FnOnce(&[(&str, &str)]) -> Result<T>) -> Result<T> {
    tools::install(tools::DATABASES)?;
    servers::with_all(work)
}

/// Calls `work` with the address of a PostgreSQL server.
pub(crate) fn with_postgres<T>(work: impl FnOnce(&str) -> Result<T>) -> Result<T> {
    tools::install(tools::ONLY_POSTGRES)?;
    servers::with_postgres(work)
}
