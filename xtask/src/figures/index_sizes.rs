//! The sizes of primary keys in PostgreSQL, a table of `docs/choosing.md`.

use super::page::Page;
use crate::{
    databases,
    shell::{Result, cargo, stdout_of},
};
use std::process::Stdio;

/// Measures, and replaces the table.
pub(crate) fn run() -> Result {
    let measure = ["run", "--package", "sortid-docs", "--example", "index_sizes"];
    let table = databases::with_postgres(|url| {
        stdout_of(cargo(&measure).env("SORTID_POSTGRES", url).stderr(Stdio::inherit()))
    })?;
    print!("{table}");
    let mut page = Page::read("choosing.md")?;
    page.replace("index-sizes", &table)?;
    page.write()
}
