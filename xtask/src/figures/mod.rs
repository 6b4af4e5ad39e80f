//! The figures of `docs/`: tables, charts and pictures that the code writes.

#[cfg(feature = "charts")]
mod charts;
pub(crate) mod collisions;
pub(crate) mod cost;
pub(crate) mod growth;
pub(crate) mod index_sizes;
pub(crate) mod layouts;
pub(crate) mod page;
pub(crate) mod performance;
pub(crate) mod pictures;

use crate::shell::Result;

/// Draws the charts of `docs/performance.md` from its tables.
#[cfg(feature = "charts")]
pub(crate) fn draw_charts() -> Result {
    charts::draw()
}

/// Builds this program again with the feature `charts`, so that other chores do not wait until plotters is built.
#[cfg(not(feature = "charts"))]
pub(crate) fn draw_charts() -> Result {
    use crate::{
        shell::{self, cargo},
        workspace,
    };

    let mut draw = cargo(&["run", "--quiet", "--locked", "--package", "xtask", "--features", "charts"]);
    draw.arg("--target-dir").arg(workspace::target()?.join("charts")).args(["--", "charts"]);
    shell::run(&mut draw)
}
