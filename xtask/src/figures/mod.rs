//! The figures of `docs/`: tables, and pictures that tests draw.

pub(crate) mod markdown;
pub(crate) mod page;
pub(crate) mod performance;

use crate::shell::{self, Result, cargo};

/// Draws the layouts and the output of the program, and writes TypeScript and the SQL of templates. Tests write these
/// files, and compare them with the committed ones.
pub(crate) fn layouts() -> Result {
    for (package, tests) in
        [("sortid-docs", &["layouts::", "typescript::", "expressions::"][..]), ("sortid-cli", &["picture::"])]
    {
        let mut draw = cargo(&["test", "--quiet", "--package", package, "--test", "it", "--"]);
        shell::run(draw.args(tests).env("SORTID_DRAW", "1"))?;
    }
    Ok(())
}
