//! What is written into `docs/` by programs.

use crate::{
    databases,
    shell::{self, Result, cargo, root, stdout_of},
};
use std::{fs, process::Stdio};

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
    let path = root().join("docs/choosing.md");
    let page = fs::read_to_string(&path)?;
    fs::write(path, between(&page, "index-sizes", &table)?).map_err(Into::into)
}

/// The page with this text between `<!-- name -->` and `<!-- /name -->`.
fn between(page: &str, name: &str, text: &str) -> Result<String> {
    let [begin, end] = [format!("<!-- {name} -->\n"), format!("<!-- /{name} -->")];
    let parts = page.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("there is no {begin}"))?;
    Ok(format!("{before}{begin}{text}{end}{after}"))
}
