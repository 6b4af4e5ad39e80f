//! Draws the charts of `docs/performance.md` from its tables, for `cargo xtask charts`.

#![forbid(unsafe_code)]

use plotters::{
    coord::{Shift, types::RangedCoordf64},
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::{error::Error, fs, ops::Range, path::Path};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The colours of lines, and of bars for `ours`, `peer` and `bound`. The background is white on dark pages too.
const COLOURS: [RGBColor; 6] = [
    RGBColor(9, 105, 218),
    RGBColor(140, 149, 159),
    RGBColor(191, 135, 0),
    RGBColor(26, 127, 55),
    RGBColor(130, 80, 223),
    RGBColor(207, 34, 46),
];
const WHOSE: [&str; 3] = ["ours", "peer", "bound"];
const TEXT: RGBColor = RGBColor(36, 41, 47);
const GRID: RGBColor = RGBColor(208, 215, 222);

const WIDTH: u32 = 820;
/// The height of a bar with the gap below it, and of the title above the bars.
const ROW: i32 = 18;
const TITLE: i32 = 34;
/// The width before the bars, for their labels, and after the longest, for its value.
const LEFT: i32 = 260;
const RIGHT: i32 = 80;
/// The height of a plot of lines, and of a line of its legend. Two plots stand side by side.
const PLOT: u32 = 330;
const LINE: i32 = 16;

/// The sections of the page whose tables are drawn as bars, by the begin of their headings.
const WITH_BARS: [&str; 7] =
    ["Encode:", "Parse:", "Generate:", "Fill:", "Threads:", "RON print:", "RON parse:"];

/// A file of the project.
fn file(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Draws both charts.
fn main() -> Result {
    for (path, svg) in charts()? {
        fs::write(file(path), svg)?;
        println!("{path}");
    }
    Ok(())
}

fn charts() -> Result<[(&'static str, String); 2]> {
    let page = fs::read_to_string(file("docs/performance.md"))?;
    Ok([
        ("docs/performance.svg", bars(&tables(part(&page, "times")?))?),
        ("docs/growth.svg", lines(&tables(part(&page, "growth")?))?),
    ])
}

/// The part of a page that a chore writes.
fn part<'p>(page: &'p str, name: &str) -> Result<&'p str> {
    let part = page.split_once(&format!("<!-- begin: {name} -->"));
    let part = part.and_then(|(_, rest)| rest.split_once(&format!("<!-- end: {name} -->")));
    part.map(|(part, _)| part).ok_or_else(|| format!("docs/performance.md lacks the part {name:?}").into())
}

/// A table of the page. The first row has the names of the columns.
struct Table<'p> {
    heading: &'p str,
    rows: Vec<Vec<&'p str>>,
}

fn tables(part: &str) -> Vec<Table<'_>> {
    let (mut tables, mut heading): (Vec<Table<'_>>, _) = (vec![], "");
    let mut is_inside = false;
    for line in part.lines() {
        heading = line.strip_prefix("### ").unwrap_or(heading);
        let cells = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
        if let Some(cells) = cells {
            if !is_inside {
                tables.push(Table { heading, rows: vec![] });
            }
            tables.iter_mut().last().expect("pushed above").rows.push(cells.split(" | ").collect());
        }
        is_inside = line.starts_with('|');
    }
    tables
}

/// A bar for each row, in a panel for each table.
fn bars(tables: &[Table<'_>]) -> Result<String> {
    let tables: Vec<_> = WITH_BARS
        .iter()
        .map(|start| {
            let table = tables.iter().find(|table| table.heading.starts_with(start));
            table.ok_or_else(|| format!("docs/performance.md lacks a section {start:?}"))
        })
        .collect::<std::result::Result<_, _>>()?;
    let height = |table: &Table<'_>| TITLE + ROW * (table.rows.len() as i32 - 1);
    let mut svg = String::new();
    let total = TITLE + tables.iter().map(|table| height(table)).sum::<i32>();
    let mut rest = area(&mut svg, total as u32)?;
    let (legend, panels) = rest.split_vertically(TITLE);
    rest = panels;
    for (index, whose) in WHOSE.iter().enumerate() {
        let x = LEFT + 80 * index as i32;
        legend.draw(&Rectangle::new([(x, 12), (x + 12, 24)], COLOURS[index].filled()))?;
        legend.draw(&Text::new(*whose, (x + 18, 18), text(HPos::Left)))?;
    }
    for table in tables {
        let (panel, below) = rest.split_vertically(height(table));
        rest = below;
        draw_bars(&panel, table)?;
    }
    rest.present()?;
    drop((legend, rest));
    Ok(svg)
}

/// The scale ends at the longest bar or at three times the median. A longer bar is cut off, and dots precede its value.
fn draw_bars(panel: &Area<'_>, table: &Table<'_>) -> Result {
    panel.draw(&Text::new(table.heading, (8, 20), bold()))?;
    let rows = &table.rows[1..];
    let values = rows.iter().map(|row| {
        let value = row.get(2).and_then(|value| value.strip_suffix(" ns")?.parse::<f64>().ok());
        value.ok_or_else(|| format!("not a time in ns: {row:?}"))
    });
    let values: Vec<_> = values.collect::<std::result::Result<_, _>>()?;
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let most = sorted[sorted.len() - 1].min(3.0 * sorted[sorted.len() / 2]);
    let (x, y) = panel.get_pixel_range();
    let frame = (x.start + LEFT..x.end - RIGHT, y.start + TITLE..y.end);
    let panel = panel.apply_coord_spec(Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(
        0.0..most,
        0.0..rows.len() as f64,
        frame,
    ));
    for (index, (row, value)) in rows.iter().zip(values).enumerate() {
        let colour = WHOSE.iter().position(|whose| *whose == row[0]).ok_or("neither ours, peer nor bound")?;
        let (top, end) = (index as f64, value.min(most));
        panel.draw(&Rectangle::new([(0.0, top + 0.1), (end, top + 0.8)], COLOURS[colour].filled()))?;
        let label =
            EmptyElement::at((0.0, top + 0.5)) + Text::new(row[1].to_owned(), (-8, 0), text(HPos::Right));
        panel.draw(&label)?;
        let shown = format!("{}{}", if value > most { "… " } else { "" }, row[2]);
        panel.draw(&(EmptyElement::at((end, top + 0.5)) + Text::new(shown, (6, 0), text(HPos::Left))))?;
    }
    Ok(())
}

/// A plot for each table, on logarithmic scales, with a line for each row.
fn lines(tables: &[Table<'_>]) -> Result<String> {
    let mut svg = String::new();
    let rows = tables.len().div_ceil(2);
    let area = area(&mut svg, PLOT * rows as u32)?;
    for (area, table) in area.split_evenly((rows, 2)).iter().zip(tables) {
        draw_lines(area, table)?;
    }
    area.present()?;
    drop(area);
    Ok(svg)
}

fn draw_lines(area: &Area<'_>, table: &Table<'_>) -> Result {
    let [head, rows @ ..] = &table.rows[..] else { return Err("a table without rows".into()) };
    let numbers =
        |row: &[&str]| row[1..].iter().map(|cell| cell.parse()).collect::<std::result::Result<Vec<f64>, _>>();
    let (title, x_title) = head[0].split_once(", by ").ok_or("expected a title with \", by \"")?;
    let xs = numbers(head)?;
    let ys = rows.iter().map(|row| numbers(row)).collect::<std::result::Result<Vec<_>, _>>()?;
    let (legend, plot) = area.split_vertically(TITLE + 4 + LINE * rows.len() as i32);
    legend.draw(&Text::new(title.to_owned(), (56, 20), bold()))?;
    let mut chart = ChartBuilder::on(&plot)
        .margin(8)
        .margin_right(28)
        .x_label_area_size(40)
        .y_label_area_size(48)
        .build_cartesian_2d((xs[0]..xs[xs.len() - 1]).log_scale(), decades(&ys.concat()).log_scale())?;
    chart
        .configure_mesh()
        .x_desc(x_title)
        .x_labels(10)
        .y_labels(5)
        .x_label_formatter(&f64::to_string)
        .y_label_formatter(&f64::to_string)
        .label_style(text(HPos::Left))
        .axis_style(GRID)
        .bold_line_style(GRID)
        .light_line_style(WHITE)
        .draw()?;
    for (index, ((row, ys), colour)) in rows.iter().zip(&ys).zip(COLOURS).enumerate() {
        let style = colour.stroke_width(2);
        chart.draw_series(LineSeries::new(xs.iter().copied().zip(ys.iter().copied()), style))?;
        let y = TITLE + 6 + LINE * index as i32;
        legend.draw(&PathElement::new([(56, y), (76, y)], style))?;
        legend.draw(&Text::new(row[0].to_owned(), (84, y), text(HPos::Left)))?;
    }
    Ok(())
}

/// The powers of ten around these values.
fn decades(values: &[f64]) -> Range<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    10_f64.powf(least.log10().floor())..10_f64.powf(most.log10().ceil())
}

fn area(svg: &mut String, height: u32) -> Result<Area<'_>> {
    let area = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    Ok(area)
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
    fn the_committed_charts_show_the_tables_of_the_page() {
        for (path, svg) in charts().unwrap() {
            let committed = fs::read_to_string(file(path)).unwrap();
            assert!(committed == svg, "{path} differs from the tables: run cargo xtask charts");
        }
    }

    #[test]
    fn a_table_has_the_heading_before_it() {
        let found = tables(
            "### A\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\ntext\n\n| z | z |\n|---|---|\n### B\n| w |\n",
        );
        let found: Vec<_> = found.into_iter().map(|table| (table.heading, table.rows)).collect();
        assert_eq!(
            found,
            [
                ("A", vec![vec!["x", "y"], vec!["1", "2"]]),
                ("A", vec![vec!["z", "z"]]),
                ("B", vec![vec!["w"]]),
            ]
        );
    }
}
