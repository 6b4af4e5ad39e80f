//! A page of `docs/`, written by hand except for the parts between `<!-- begin: NAME -->` and `<!-- end: NAME -->`.

use crate::shell::{Result, cargo, root, stdout_of};
use serde_json::Value;
use std::{collections::BTreeSet, fs, ops::Range, path::PathBuf, process::Command};

#[derive(PartialEq)]
pub(crate) struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    /// Reads the page with this file name.
    pub(crate) fn read(name: &str) -> Result<Self> {
        let path = root().join("docs").join(name);
        Ok(Self { text: fs::read_to_string(&path)?, path })
    }

    pub(crate) fn replace(&mut self, name: &str, text: &str) -> Result {
        let range = self.range(name)?;
        self.text.replace_range(range, &format!("{}\n", text.trim()));
        Ok(())
    }

    fn range(&self, name: &str) -> Result<Range<usize>> {
        let (begin, end) = (format!("<!-- begin: {name} -->\n"), format!("<!-- end: {name} -->"));
        let from = self.text.find(&begin).map(|at| at + begin.len());
        let range = from
            .zip(self.text.find(&end))
            .map(|(from, to)| from..to)
            .filter(|range| range.start <= range.end);
        range.ok_or_else(|| format!("{} lacks the part {name:?}", self.path.display()).into())
    }

    pub(crate) fn write(&self) -> Result {
        Ok(fs::write(&self.path, &self.text)?)
    }
}

/// The revision of the code, with a `+` if files in these folders have changed since.
pub(crate) fn revision(folders: &[&str]) -> Result<String> {
    let git = |args: &[&str]| stdout_of(Command::new("git").args(args).current_dir(root()));
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let status = [&["status", "--porcelain", "--untracked-files=no", "--"], folders].concat();
    let has_changed = !git(&status)?.is_empty();
    Ok(format!("{}{}", commit.trim(), if has_changed { "+" } else { "" }))
}

/// The dependencies of the benchmarks, without those of this workspace.
pub(super) fn versions() -> Result<Vec<String>> {
    let metadata = stdout_of(&mut cargo(&["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let xtask = metadata["packages"].as_array().into_iter().flatten().find(|it| it["name"] == "xtask");
    let xtask = xtask.ok_or("cargo metadata does not list xtask")?;
    let node =
        metadata["resolve"]["nodes"].as_array().into_iter().flatten().find(|it| it["id"] == xtask["id"]);
    let direct: BTreeSet<_> = node
        .and_then(|node| node["deps"].as_array())
        .into_iter()
        .flatten()
        .filter(|dep| {
            dep["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|it| it["kind"] == "dev"))
        })
        .filter_map(|dep| dep["pkg"].as_str())
        .collect();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let direct = packages
        .filter(|it| it["id"].as_str().is_some_and(|id| direct.contains(id)) && !it["source"].is_null());
    Ok(direct
        .filter_map(|it| Some(format!("{} {}", it["name"].as_str()?, it["version"].as_str()?)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_of_that_name_is_replaced() {
        let text = "a\n<!-- begin: x -->\nold\n<!-- end: x -->\nb\n".into();
        let mut page = Page { path: PathBuf::new(), text };
        page.replace("x", "new\n").unwrap();
        page.replace("x", "newer").unwrap();
        assert_eq!(page.text, "a\n<!-- begin: x -->\nnewer\n<!-- end: x -->\nb\n");
        assert!(page.replace("y", "").is_err());
    }
}
