//! What is written into `docs/` by programs.

use crate::{
    databases,
    page::Page,
    shell::{self, Result, cargo, stdout_of},
};
use std::process::Stdio;

/// Draws `docs/layout/` anew. That it is not out of date is one of the tests.
pub(crate) fn layouts() -> Result {
    let mut draw = cargo(&["test", "--quiet", "--package", "sortid-docs", "--test", "layouts"]);
    shell::run(draw.env("SORTID_DRAW", "1"))
}

/// Measures, and replaces the table of `docs/choosing.md`.
pub(crate) fn index_sizes() -> Result {
    let measure = ["run", "--package", "sortid-docs", "--example", "index_sizes"];
    let table = databases::with_postgres(|url| {
        stdout_of(cargo(&measure).env("SORTID_POSTGRES", url).stderr(Stdio::inherit()))
    })?;
    print!("{table}");
    let mut page = Page::read("choosing.md")?;
    page.replace("index-sizes", &table)?;
    page.write()
}
