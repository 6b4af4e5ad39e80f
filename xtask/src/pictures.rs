//! What the program shows on a terminal, as SVG: `docs/inspect.svg`.

use crate::{
    shell::{self, Result, cargo, root},
    svg::text,
};
use std::{fs, process::Command};

/// The pictures, and what the program is asked for.
const PICTURES: [(&str, &str); 1] = [("docs/inspect.svg", "inspect 05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6")];

/// Writes the pictures.
pub(crate) fn run() -> Result {
    for (path, svg) in pictures()? {
        fs::write(root().join(path), svg)?;
        println!("{path}");
    }
    Ok(())
}

/// Whether those that are committed show what the program does.
pub(crate) fn check() -> Result {
    for (path, svg) in pictures()? {
        if fs::read_to_string(root().join(path)).ok().as_ref() != Some(&svg) {
            return Err(format!("{path} is not what the program shows: run cargo xtask pictures").into());
        }
    }
    Ok(())
}

fn pictures() -> Result<Vec<(&'static str, String)>> {
    // As the benchmarks build it, so that it is built once.
    shell::run(&mut cargo(&["build", "--quiet", "--locked", "--release", "--package", "sortid-cli"]))?;
    let program = shell::target()?.join("release/sortid");
    let picture = |(path, line): (&'static str, &str)| {
        let mut command = Command::new(&program);
        command.args(line.split(' ')).args(["--color", "always"]).env_clear().env("COLUMNS", "80");
        let shown = shell::stdout_of(&mut command)?;
        Ok((path, terminal(&format!("\x1b[2m$\x1b[0m sortid {line}\n{shown}"))?))
    };
    PICTURES.into_iter().map(picture).collect()
}

/// Pixels of a character and of a line on a terminal.
const CELL: [f64; 2] = [8.4, 19.0];

const MARGIN: f64 = 16.0;

const TERMINAL_STYLE: &str = "\
rect { fill: #ffffff; stroke: #d0d7de }
text { font: 14px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #24292f }
.s1 { font-weight: 700 } .s2 { opacity: .6 }
.s31 { fill: #cf222e } .s32 { fill: #1a7f37 } .s33 { fill: #9a6700 } .s35 { fill: #8250df } .s36 { fill: #0a7285 }
@media (prefers-color-scheme: dark) {
  rect { fill: #0d1117; stroke: #30363d }
  text { fill: #e6edf3 }
  .s31 { fill: #ff7b72 } .s32 { fill: #3fb950 } .s33 { fill: #d29922 } .s35 { fill: #bc8cff } .s36 { fill: #39c5cf }
}
";

/// What was printed on a terminal: lines of text, with one style at a time by `ESC [ code m`, and none by `ESC [ 0 m`.
/// Each run of characters has its own place, so that columns are columns in any font.
fn terminal(printed: &str) -> Result<String> {
    let (mut body, mut columns, mut lines, mut class) = (String::new(), 0, 0_usize, String::new());
    for line in printed.lines() {
        let mut column = 0;
        for (index, mut run) in line.split("\x1b[").enumerate() {
            if index > 0 {
                let (code, rest) = run.split_once('m').ok_or("expected a style after ESC [")?;
                let class_of = format!(".s{code} ");
                class = match code {
                    "0" => String::new(),
                    _ if TERMINAL_STYLE.contains(&class_of) => format!(" class=\"s{code}\""),
                    _ => return Err(format!("there is no style for ESC [ {code} m").into()),
                };
                run = rest;
            }
            // Several blanks would be shown as one.
            for piece in run.split("  ") {
                let shown = piece.trim();
                if !shown.is_empty() {
                    let before = piece.len() - piece.trim_start().len();
                    let x = MARGIN + CELL[0] * (column + before) as f64;
                    let y = MARGIN + CELL[1] * (lines as f64 + 0.75);
                    let length = CELL[0] * shown.chars().count() as f64;
                    text(&mut body, x, y, &format!(" textLength=\"{length:.1}\"{class}"), shown);
                }
                column += piece.chars().count() + 2;
            }
            column -= 2;
        }
        columns = columns.max(column);
        lines += 1;
    }
    let [width, height] = [CELL[0] * columns as f64, CELL[1] * lines as f64].map(|size| size + 2.0 * MARGIN);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\n\
         <style>\n{TERMINAL_STYLE}</style>\n\
         <rect x=\".5\" y=\".5\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\"/>\n{body}</svg>\n",
        width - 1.0,
        height - 1.0,
    ))
}
