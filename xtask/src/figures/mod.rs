//! The figures of `docs/`: tables, pictures and a chart that the code writes.

pub(crate) mod collisions;
pub(crate) mod cost;
pub(crate) mod growth;
pub(crate) mod index_sizes;
pub(crate) mod layouts;
pub(crate) mod markdown;
pub(crate) mod page;
pub(crate) mod performance;
pub(crate) mod pictures;

use crate::{
    shell::{self, Result, cargo},
    workspace,
};
use std::process::Command;

/// The program that draws the chart builds alone, so that other chores do not wait until the plotting library is built.
fn charts(command: &str) -> Result<Command> {
    let mut charts = cargo(&[command, "--quiet", "--locked", "--manifest-path", "xtask/charts/Cargo.toml"]);
    charts.arg("--target-dir").arg(workspace::target()?.join("charts"));
    Ok(charts)
}

/// Draws the chart of `docs/performance.md` from a table of the page.
fn draw_chart() -> Result {
    shell::run(&mut charts("run")?)
}

/// Compares the committed chart and pictures with what the code draws, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    shell::run(&mut charts("test")?)?;
    pictures::check()
}
