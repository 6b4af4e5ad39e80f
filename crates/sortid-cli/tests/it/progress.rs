//! The progress of a long input, on a terminal.
//!
//! The program `script` of util-linux makes the terminal. Where it is missing, the test is left out.
#![cfg(target_os = "linux")]

use crate::common::{Folder, run, text};
use std::process::Command;

/// What a command of a shell leaves on a terminal, and everything that it printed. `None` without `script`.
fn on_a_terminal(command: &str) -> Option<(Vec<String>, String)> {
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &format!("stty cols 80; {command}"), "/dev/null"])
        .env("SORTID", env!("CARGO_BIN_EXE_sortid"))
        .env("TERM", "xterm")
        .output()
        .ok()?;
    let printed = text(&output.stdout);
    // indicatif returns to the start of the line and removes it. What is printed then has to begin there.
    let screen = printed.replace("\r\n", "\n");
    let lines = screen.lines().map(|line| {
        let last = line.rsplit('\r').next().unwrap_or_default();
        last.strip_prefix("\x1b[2K").unwrap_or(last).to_owned()
    });
    Some((lines.collect(), printed))
}

#[test]
fn a_long_input_has_a_bar_that_garbles_nothing() {
    let folder = Folder::new("progress");
    let id = "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6\n";
    let half = id.repeat(300_000);
    let long = folder.file("long", format!("{half}!\n{half}?\n"));
    let short = folder.file("short", format!("{id}!\n"));
    let faults = ["line 300001: ", "line 600002: "];
    let summary = "scru160: 600000 valid, 2 invalid";

    let Some((lines, printed)) = on_a_terminal(&format!("$SORTID check scru160 < {long}")) else {
        eprintln!("left out, because there is no program script");
        return;
    };
    assert!(printed.contains(" MiB of 18.88 MiB, "), "there is no bar: {printed:?}");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with(faults[0]) && lines[1].starts_with(faults[1]), "{lines:?}");
    assert_eq!(lines[2], summary);

    // A pipe has no length. Its output goes elsewhere, the faults to the terminal.
    let command = format!("cat {long} | $SORTID convert --spec scru160 --to hex > {}", folder.path("hex"));
    let (lines, printed) = on_a_terminal(&command).unwrap();
    assert!(printed.contains(" MiB, "), "there is no bar: {printed:?}");
    assert!(lines[0].starts_with(faults[0]) && lines[1].starts_with(faults[1]), "{lines:?}");

    // The output is on the terminal, or the input is short.
    for command in [
        format!("$SORTID convert --spec scru160 --to hex < {long}"),
        format!("$SORTID convert --spec scru160 --to hex < {short}"),
        format!("$SORTID check scru160 {short}"),
    ] {
        let (_, printed) = on_a_terminal(&command).unwrap();
        assert!(!printed.contains("iB") && !printed.contains("\x1b[2K"), "{printed:?}");
    }
    let args = ["check", "scru160", &long];
    assert!(!text(&run(&args, b"").stderr).contains('\r'), "there is a bar without a terminal");
}
