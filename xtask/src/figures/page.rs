//! A page of `docs/`, written by hand except for the parts between `<!-- begin: NAME -->` and `<!-- end: NAME -->`.

use crate::shell::{Result, root, stdout_of};
use std::{fs, path::PathBuf, process::Command};

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
        let (begin, end) = (format!("<!-- begin: {name} -->\n"), format!("<!-- end: {name} -->"));
        let from = self.text.find(&begin).map(|at| at + begin.len());
        let range = from.zip(self.text.find(&end)).filter(|(from, to)| from <= to);
        let (from, to) = range.ok_or_else(|| format!("{} lacks the part {name:?}", self.path.display()))?;
        self.text.replace_range(from..to, &format!("{}\n", text.trim()));
        Ok(())
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
