//! The output of the program on a terminal, as the picture `docs/inspect.svg`.

use anstyle_svg::{Palette, Term};
use std::{env, fs, process::Command};

const LINE: &str = "inspect 05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6";

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

/// Compares the picture with the output. If `SORTID_DRAW` is set, draws it.
#[test]
fn the_picture_shows_the_output_of_the_program() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sortid"));
    command.args(LINE.split(' ')).args(["--color", "always"]).env_clear().env("COLUMNS", "80");
    let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let svg = Term::new()
        .palette(Palette(std::array::from_fn(|index| COLOURS[index % COLOURS.len()].into())))
        .min_width_px(0)
        .render_svg(&format!("\x1b[2m$\x1b[0m sortid {LINE}\n{}", shown.trim_end()));
    let picture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/inspect.svg");
    if env::var_os("SORTID_DRAW").is_some() {
        fs::write(picture, svg).unwrap();
    } else {
        assert!(fs::read_to_string(picture).unwrap() == svg, "it differs: run cargo xtask layouts");
    }
}
