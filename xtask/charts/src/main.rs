//! Draws the chart of `docs/performance.md` from a table of the page, for `cargo xtask charts`.

#![forbid(unsafe_code)]

use plotters::{
    coord::{Shift, types::RangedCoordf64},
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::{error::Error, fs, path::Path};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The colours of our crates, of other crates, and of bounds. The background is white on dark pages too.
const COLOURS: [RGBColor; 3] = [RGBColor(9, 105, 218), RGBColor(140, 149, 159), RGBColor(191, 135, 0)];
const TEXT: RGBColor = RGBColor(36, 41, 47);

const PAGE: &str = "docs/performance.md";
const CHART: &str = "docs/performance.svg";

const WIDTH: u32 = 820;
/// The height of a bar with the gap below it, and of the title above the bars.
const ROW: i32 = 18;
const TITLE: i32 = 34;
/// The width before the bars, for their labels, and after the longest, for its value. Two panels stand side by side.
const LEFT: i32 = 160;
const RIGHT: i32 = 90;

/// A file of the project.
fn file(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn main() -> Result {
    fs::write(file(CHART), chart()?)?;
    println!("{CHART}");
    Ok(())
}

/// A panel for each column of the summary, with a bar for each row.
fn chart() -> Result<String> {
    let page = fs::read_to_string(file(PAGE))?;
    let part = page.split_once("<!-- begin: summary -->").and_then(|(_, rest)| rest.split_once("<!-- end:"));
    let (part, _) = part.ok_or("docs/performance.md lacks the part \"summary\"")?;
    let rows = part.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).collect();
    let [head, rows @ ..] = &rows[..] else { return Err("the summary lacks a table".into()) };

    let panels: Vec<_> = (1..head.len())
        .map(|column| {
            let bars = rows.iter().filter(|row| row[column] != "-").map(|row| Bar::new(row[0], row[column]));
            Ok((head[column], bars.collect::<Result<Vec<_>>>()?))
        })
        .collect::<Result<_>>()?;
    let height = |(_, bars): &(&str, Vec<Bar<'_>>)| TITLE + ROW * bars.len() as i32;
    let heights: Vec<_> = panels.chunks(2).map(|pair| pair.iter().map(height).max().unwrap_or(0)).collect();

    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, heights.iter().sum::<i32>() as u32 + 8));
    let mut rest = area.into_drawing_area();
    rest.fill(&WHITE)?;
    for (pair, height) in panels.chunks(2).zip(heights) {
        let (above, below) = rest.split_vertically(height);
        for (area, (title, bars)) in above.split_evenly((1, 2)).iter().zip(pair) {
            draw(area, title, bars)?;
        }
        rest = below;
    }
    rest.present()?;
    drop(rest);
    Ok(svg)
}

struct Bar<'p> {
    label: String,
    value: f64,
    shown: &'p str,
    colour: RGBColor,
}

impl<'p> Bar<'p> {
    fn new(name: &'p str, cell: &'p str) -> Result<Self> {
        let (shown, _) = cell.split_once(" (").unwrap_or((cell, ""));
        let value = shown.strip_suffix(" ns").and_then(|value| value.parse().ok());
        let kind = if name.starts_with('`') { 1 } else { 2 * usize::from(name.starts_with("bound")) };
        Ok(Self {
            label: name.replace('`', ""),
            value: value.ok_or_else(|| format!("{cell:?} does not begin with nanoseconds"))?,
            shown,
            colour: COLOURS[kind],
        })
    }
}

/// The scale ends at the longest bar or at four times the median. A longer bar is cut off, and dots precede its value.
fn draw(panel: &Area<'_>, title: &str, bars: &[Bar<'_>]) -> Result {
    panel.draw(&Text::new(title.to_owned(), (8, 20), bold()))?;
    let mut sorted: Vec<_> = bars.iter().map(|bar| bar.value).collect();
    sorted.sort_by(f64::total_cmp);
    let most = sorted[sorted.len() - 1].min(4.0 * sorted[sorted.len() / 2]);
    let (x, y) = panel.get_pixel_range();
    let top = y.start + TITLE;
    let frame = (x.start + LEFT..x.end - RIGHT, top..top + ROW * bars.len() as i32);
    let panel = panel.apply_coord_spec(Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(
        0.0..most,
        0.0..bars.len() as f64,
        frame,
    ));
    for (index, Bar { label, value, shown, colour }) in bars.iter().enumerate() {
        let (top, end) = (index as f64, value.min(most));
        panel.draw(&Rectangle::new([(0.0, top + 0.1), (end, top + 0.8)], colour.filled()))?;
        let label = Text::new(label.clone(), (-8, 0), text(HPos::Right));
        panel.draw(&(EmptyElement::at((0.0, top + 0.5)) + label))?;
        let shown = format!("{}{shown}", if *value > most { "… " } else { "" });
        panel.draw(&(EmptyElement::at((end, top + 0.5)) + Text::new(shown, (6, 0), text(HPos::Left))))?;
    }
    Ok(())
}

fn text(anchor: HPos) -> TextStyle<'static> {
    ("sans-serif", 15).into_font().color(&TEXT).pos(Pos::new(anchor, VPos::Center))
}

fn bold() -> TextStyle<'static> {
    ("sans-serif", 17, FontStyle::Bold).into_font().color(&TEXT).pos(Pos::new(HPos::Left, VPos::Center))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_chart_shows_the_table_of_the_page() {
        let committed = fs::read_to_string(file(CHART)).unwrap();
        assert!(committed == chart().unwrap(), "{CHART} differs from the table: run cargo xtask charts");
    }
}
