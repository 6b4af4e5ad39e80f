//! Charts as SVG, readable on light and on dark pages.

use std::fmt::Write as _;

pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) bars: Vec<Bar>,
}

pub(crate) struct Bar {
    pub(crate) label: String,
    /// Of the style below.
    pub(crate) class: &'static str,
    pub(crate) value: f64,
    pub(crate) shown: String,
}

const STYLE: &str = "\
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 }
.ours { fill: #0969da } .peer { fill: #8c959f } .bound { fill: #bf8700 }
.grid { stroke: #d0d7de }
.line { fill: none; stroke-width: 2 }
.l0 { stroke: #0969da } .l1 { stroke: #bf8700 } .l2 { stroke: #1a7f37 } .l3 { stroke: #8250df } .l4 { stroke: #cf222e }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .ours { fill: #4493f8 } .peer { fill: #6e7681 } .bound { fill: #d29922 }
  .grid { stroke: #30363d }
  .l0 { stroke: #4493f8 } .l1 { stroke: #d29922 } .l2 { stroke: #3fb950 } .l3 { stroke: #ab7df8 } .l4 { stroke: #f85149 }
}
";

const WIDTH: f64 = 820.0;

/// Where bars begin; their labels stand before.
const LEFT: f64 = 260.0;

const ROW: f64 = 18.0;

fn document(height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\">\n\
         <style>\n{STYLE}</style>\n{body}</svg>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn text(body: &mut String, x: f64, y: f64, attributes: &str, text: &str) {
    let _ = writeln!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\"{attributes}>{}</text>", escaped(text));
}

/// Bars from left to right, one panel below the other, each on a scale of its own: of the least three times the median,
/// and the longest bar. A longer bar ends at the edge, and its number says how long it is.
pub(crate) fn bars(panels: &[Panel]) -> String {
    let (mut body, mut y) = (String::new(), 0.0);
    for Panel { title, bars } in panels {
        y += 26.0;
        text(&mut body, 0.0, y, " class=\"title\"", title);
        y += 8.0;
        let mut sorted: Vec<_> = bars.iter().map(|bar| bar.value).collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(median), Some(longest)) = (sorted.get(sorted.len() / 2), sorted.last()) else { continue };
        let scale = (WIDTH - LEFT - 70.0) / longest.min(median * 3.0);
        for bar in bars {
            let width = (bar.value * scale).min(WIDTH - LEFT - 70.0);
            text(&mut body, LEFT - 8.0, y + 12.0, " text-anchor=\"end\"", &bar.label);
            let _ = writeln!(
                body,
                "<rect class=\"{}\" x=\"{LEFT}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{}\" rx=\"2\"/>",
                bar.class,
                y + 2.0,
                ROW - 5.0
            );
            text(&mut body, LEFT + width + 6.0, y + 12.0, "", &bar.shown);
            y += ROW;
        }
    }
    document(y + 12.0, &body)
}
