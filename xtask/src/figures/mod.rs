//! The figures of `docs/`: tables, and pictures that tests draw.

pub(crate) mod markdown;
pub(crate) mod page;
pub(crate) mod performance;

use crate::{
    databases,
    shell::{self, Result, cargo, stdout_of},
};
use page::Page;
use std::process::Stdio;

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

/// Measures primary keys in PostgreSQL, and replaces the table of `docs/choosing.md`.
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
