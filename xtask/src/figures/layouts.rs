//! The bit layouts in `docs/layout/`.

use crate::shell::{self, Result, cargo};

/// Draws the layouts anew. One of the tests compares them with the committed files.
pub(crate) fn run() -> Result {
    let mut draw = cargo(&["test", "--quiet", "--package", "sortid-docs", "--test", "layouts"]);
    shell::run(draw.env("SORTID_DRAW", "1"))
}
