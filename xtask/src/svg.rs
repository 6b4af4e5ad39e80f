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
.l0 { stroke: #0969da } .l1 { stroke: #bf8700 } .l2 { stroke: #1a7f37 } .l3 { stroke: #8250df } .l4 { stroke: #cf222e } .l5 { stroke: #57606a }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .ours { fill: #4493f8 } .peer { fill: #6e7681 } .bound { fill: #d29922 }
  .grid { stroke: #30363d }
  .l0 { stroke: #4493f8 } .l1 { stroke: #d29922 } .l2 { stroke: #3fb950 } .l3 { stroke: #ab7df8 } .l4 { stroke: #f85149 } .l5 { stroke: #8b949e }
}
";

const WIDTH: f64 = 820.0;

/// Where bars begin; their labels stand before.
const LEFT: f64 = 260.0;

/// Of the width, what is left for the longest bar when its number has room.
const LONGEST: f64 = WIDTH - LEFT - 80.0;

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

pub(crate) fn text(body: &mut String, x: f64, y: f64, attributes: &str, text: &str) {
    let _ = writeln!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\"{attributes}>{}</text>", escaped(text));
}

/// Bars from left to right, one panel below the other, each on a scale of its own, which ends with the longest bar or at
/// three times the median. A longer one is cut off there, as the dots before its number say.
pub(crate) fn bars(panels: &[Panel]) -> String {
    let (mut body, mut y) = (String::new(), 14.0);
    for (index, class) in ["ours", "peer", "bound"].into_iter().enumerate() {
        let x = LEFT + 80.0 * index as f64;
        let _ =
            writeln!(body, "<rect class=\"{class}\" x=\"{x}\" y=\"4\" width=\"11\" height=\"11\" rx=\"2\"/>");
        text(&mut body, x + 16.0, y, "", class);
    }
    for Panel { title, bars } in panels {
        y += 26.0;
        text(&mut body, 0.0, y, " class=\"title\"", title);
        y += 8.0;
        let mut sorted: Vec<_> = bars.iter().map(|bar| bar.value).collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(median), Some(longest)) = (sorted.get(sorted.len() / 2), sorted.last()) else { continue };
        let scale = (LONGEST) / longest.min(median * 3.0);
        for bar in bars {
            let width = (bar.value * scale).min(LONGEST);
            let is_cut = bar.value * scale > width;
            text(&mut body, LEFT - 8.0, y + 12.0, " text-anchor=\"end\"", &bar.label);
            let _ = writeln!(
                body,
                "<rect class=\"{}\" x=\"{LEFT}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{}\" rx=\"2\"/>",
                bar.class,
                y + 2.0,
                ROW - 5.0
            );
            let shown = if is_cut { format!("… {}", bar.shown) } else { bar.shown.clone() };
            text(&mut body, LEFT + width + 6.0, y + 12.0, "", &shown);
            y += ROW;
        }
    }
    document(y + 12.0, &body)
}

pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: &'static str,
    pub(crate) series: Vec<Series>,
}

pub(crate) struct Series {
    pub(crate) name: String,
    /// Positive, from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A logarithmic scale from whole powers of ten to whole powers of ten.
struct Scale {
    least: f64,
    decades: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        assert!(
            values.clone().all(|value| value > 0.0 && value.is_finite()),
            "no place on a logarithmic scale"
        );
        let least = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let greatest = values.fold(0.0, f64::max).log10().ceil();
        Self { least, decades: (greatest - least).max(1.0), from, to }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value.log10() - self.least) / self.decades * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (least, decades) = (self.least as i32, self.decades as i32);
        (0..=decades).map(move |decade| 10_f64.powi(least + decade))
    }
}

/// Lines on logarithmic scales, two plots side by side.
pub(crate) fn lines(plots: &[Plot]) -> String {
    const HEIGHT: f64 = 330.0;
    let mut body = String::new();
    for (index, plot) in plots.iter().enumerate() {
        let (left, top) = ((index % 2) as f64 * WIDTH / 2.0, (index / 2) as f64 * HEIGHT);
        draw(&mut body, plot, left, top);
    }
    document(plots.len().div_ceil(2) as f64 * HEIGHT, &body)
}

fn draw(body: &mut String, plot: &Plot, left: f64, top: f64) {
    text(body, left, top + 20.0, " class=\"title\"", &plot.title);
    let below_names = top + 30.0 + 16.0 * plot.series.len() as f64;
    let points = plot.series.iter().flat_map(|series| &series.points);
    let x = Scale::new(points.clone().map(|point| point.0), left + 55.0, left + WIDTH / 2.0 - 30.0);
    let y = Scale::new(points.map(|point| point.1), top + 290.0, below_names + 10.0);
    for tick in x.ticks() {
        let _ = writeln!(
            body,
            "<line class=\"grid\" x1=\"{0:.1}\" y1=\"{1:.1}\" x2=\"{0:.1}\" y2=\"{2:.1}\"/>",
            x.at(tick),
            y.from,
            y.to
        );
        text(body, x.at(tick), y.from + 16.0, " text-anchor=\"middle\"", &tick.to_string());
    }
    for tick in y.ticks() {
        let _ = writeln!(
            body,
            "<line class=\"grid\" x1=\"{1:.1}\" y1=\"{0:.1}\" x2=\"{2:.1}\" y2=\"{0:.1}\"/>",
            y.at(tick),
            x.from,
            x.to
        );
        text(body, x.from - 6.0, y.at(tick) + 4.0, " text-anchor=\"end\"", &tick.to_string());
    }
    text(body, (x.from + x.to) / 2.0, y.from + 32.0, " text-anchor=\"middle\"", plot.x);
    for (index, series) in plot.series.iter().enumerate() {
        let at = top + 38.0 + 16.0 * index as f64;
        let _ =
            writeln!(body, "<path class=\"line l{index}\" d=\"M{:.1} {:.1}h20\"/>", left + 55.0, at - 4.0);
        text(body, left + 82.0, at, "", &series.name);
        let points = series.points.iter().map(|point| format!("{:.1},{:.1}", x.at(point.0), y.at(point.1)));
        let points = points.collect::<Vec<_>>().join(" ");
        let _ = writeln!(body, "<polyline class=\"line l{index}\" points=\"{points}\"/>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_scale_goes_from_power_to_power() {
        let scale = Scale::new([30.0, 2000.0].into_iter(), 0.0, 300.0);
        assert_eq!(scale.ticks().collect::<Vec<_>>(), [10.0, 100.0, 1000.0, 10_000.0]);
        assert_eq!([10.0, 100.0, 10_000.0].map(|value| scale.at(value)), [0.0, 100.0, 300.0]);
    }

    #[test]
    #[should_panic(expected = "no place on a logarithmic scale")]
    fn zero_is_on_no_logarithmic_scale() {
        Scale::new([0.0, 2000.0].into_iter(), 0.0, 300.0);
    }

    #[test]
    fn a_name_does_not_end_an_element() {
        let bar = Bar { label: "Mutex<Generator>".into(), class: "ours", value: 1.0, shown: "1 ns".into() };
        let chart = bars(&[Panel { title: "a & b".into(), bars: vec![bar] }]);
        assert!(
            chart.contains(">Mutex&lt;Generator&gt;</text>") && chart.contains(">a &amp; b</text>"),
            "{chart}"
        );
    }
}
