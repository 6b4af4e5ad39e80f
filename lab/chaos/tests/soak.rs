//! The soak for a moment: it works, and it finds what it looks for.
#![cfg(unix)]

use std::process::{Command, Output};

fn soak(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sortid-chaos")).arg("soak").args(args).output().unwrap()
}

#[test]
fn all_laws_hold_for_a_moment() {
    let output = soak(&["--seconds", "5"]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn ids_that_are_written_twice_break_a_law() {
    let output = soak(&["--seconds", "2", "--sabotage"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("IDs occur again, the first is "), "{errors}");
}
