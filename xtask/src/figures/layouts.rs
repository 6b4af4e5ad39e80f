//! What the descriptions of the specifications are written into: the drawings of bits in `docs/layout/` and
//! `docs/pictures/`, and TypeScript. The templates of `sortid-sql` are written out with them.

use crate::shell::{self, Result, cargo};

/// Writes the files. Tests compare them with the committed ones.
pub(crate) fn run() -> Result {
    let mut draw = cargo(&["test", "--quiet", "--package", "sortid-docs", "--test", "it"]);
    draw.args(["--", "layouts::", "typescript::", "expressions::"]);
    shell::run(draw.env("SORTID_DRAW", "1"))
}
