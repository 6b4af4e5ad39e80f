//! The output of the program on a terminal, as pictures in `docs/`.

use crate::{
    shell::{Result, root, stdout_of},
    workspace,
};
use anstyle_svg::{Palette, Term};
use std::{fs, process::Command};

/// The pictures, and the arguments of the program.
const PICTURES: [(&str, &str); 1] = [("docs/inspect.svg", "inspect 05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6")];

/// Black, red, green, yellow, blue, magenta, cyan and white, as readable on black.
const COLOURS: [(u8, u8, u8); 8] = [
    (13, 17, 23),
    (255, 123, 114),
    (63, 185, 80),
    (210, 153, 34),
    (88, 166, 255),
    (188, 140, 255),
    (57, 197, 207),
    (230, 237, 243),
];

/// Writes the pictures.
pub(crate) fn run() -> Result {
    for (path, svg) in pictures()? {
        fs::write(root().join(path), svg)?;
        println!("{path}");
    }
    Ok(())
}

/// Compares the committed pictures with the output of the program.
pub(crate) fn check() -> Result {
    for (path, svg) in pictures()? {
        if fs::read_to_string(root().join(path)).ok().as_ref() != Some(&svg) {
            return Err(
                format!("{path} differs from the output of the program: run cargo xtask pictures").into()
            );
        }
    }
    Ok(())
}

fn pictures() -> Result<Vec<(&'static str, String)>> {
    let program = workspace::program_of_tests("sortid")?;
    let picture = |(path, line): (&'static str, &str)| {
        let mut command = Command::new(&program);
        command.args(line.split(' ')).args(["--color", "always"]).env_clear().env("COLUMNS", "80");
        let shown = stdout_of(&mut command)?;
        let svg = Term::new()
            .palette(Palette(std::array::from_fn(|index| COLOURS[index % COLOURS.len()].into())))
            .min_width_px(0)
            .render_svg(&format!("\x1b[2m$\x1b[0m sortid {line}\n{}", shown.trim_end()));
        Ok((path, svg))
    };
    PICTURES.into_iter().map(picture).collect()
}
