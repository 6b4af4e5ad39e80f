//! Typed IDs: `order_1HZP2F3TARAH1VEXW8BDJPEKP44`.

use crate::common::{run, shown};
use sortid::Spec;

fn stdout(args: &[&str], input: &[u8]) -> String {
    let output = run(args, input);
    assert!(output.status.success(), "{args:?}: {}", shown(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_command_reads_what_another_one_writes() {
    for spec in Spec::ALL {
        let name = spec.name();
        let options: &[&str] = match spec {
            Spec::EventlyId => &["--ledger-id", "00000000"],
            Spec::RonUid => &["--origin", "X"],
            _ => &[],
        };
        let typed = stdout(&[&["new", name, "-n", "20", "--prefix", "a_b"], options].concat(), b"");
        assert!(typed.lines().all(|line| line.starts_with("a_b_")), "{typed}");
        stdout(&["check", name, "--prefix", "a_b", "--sorted", "--unique"], typed.as_bytes());
        let inspected = stdout(&["inspect", "--spec", name, "--prefix", "a_b", "--json"], typed.as_bytes());
        assert_eq!(inspected.matches(r#""prefix":"a_b""#).count(), 20);
        for form in ["text", "hex", "base64url"] {
            let other =
                stdout(&["convert", "--spec", name, "--prefix", "a_b", "--to", form], typed.as_bytes());
            let from = ["convert", "--spec", name, "--from", form, "--prefix", "a_b", "--to", "text"];
            assert_eq!(stdout(&from, other.as_bytes()), typed);
        }
        if *spec != Spec::RonUid {
            let bare = stdout(&["convert", "--to", "text"], typed.as_bytes());
            assert_eq!(bare.replace("\n", " ").trim(), typed.replace("a_b_", "").replace('\n', " ").trim());
            assert_eq!(stdout(&["convert", "--prefix", "a_b", "--to", "text"], bare.as_bytes()), typed);
        }
    }
    let times = b"2024-06-06T06:06:06Z\n2024-06-06T06:06:07Z\n";
    let new = ["new", "scru160", "--at", "-", "--prefix", "x", "--ascending"];
    let first = stdout(&new, times);
    let last = first.lines().last().unwrap();
    stdout(&[&new[..], &["--after", last]].concat(), b"2024-06-06T06:06:08Z\n");
}

#[test]
fn a_column_of_typed_ids_is_checked() {
    let table = b"id,total\norder_1HZP2F3TARAH1VEXW8BDJPEKP44,30\norder_1HZP2F3TARAH1VEXW8BDJPEKP45,12\n";
    assert_eq!(
        shown(&run(&["check", "euid", "--csv", "--column", "id"], table)),
        "exit 1\nline 3, column id: the check is 5, expected 4: \"order_1HZP2F3TARAH1VEXW8BDJPEKP45\"\n\
         --- stderr\neuid: 1 valid, 1 invalid (1 typed)\n"
    );
    let refused =
        shown(&run(&["check", "euid", "--prefix", "user"], b"order_1HZP2F3TARAH1VEXW8BDJPEKP44\n1HZ\n"));
    assert_eq!(
        refused,
        "exit 1\nline 1: the text starts with \"order_1HZP2F3TARAH1VEXW8…\", expected the prefix \"user_\": \
         \"order_1HZP2F3TARAH1VEXW8BDJPEKP44\"\n\
         line 2: the text starts with \"1HZ\", expected the prefix \"user_\": \"1HZ\"\n\
         --- stderr\neuid: 0 valid, 2 invalid\n"
    );
    assert_eq!(
        shown(&run(&["convert", "--csv", "--column", "id", "--to", "time"], table)),
        "exit 1\nid,total\n2024-06-06T06:06:06.666Z,30\n--- stderr\n\
         line 3, column id: the check is 5, expected 4: \"order_1HZP2F3TARAH1VEXW8BDJPEKP45\"\n"
    );
    let refused =
        run(&["convert", "--to", "text", "--prefix", "user"], b"order_1HZP2F3TARAH1VEXW8BDJPEKP44\n");
    assert!(shown(&refused).contains(r#"expected the prefix "user_""#), "{}", shown(&refused));
}

#[test]
fn a_prefix_belongs_to_texts_and_follows_the_rules() {
    for args in [
        &["new", "euid", "--prefix", "order", "--format", "hex"][..],
        &["check", "euid", "--prefix", "order", "--from", "uuid"],
        &["inspect", "--prefix", "order", "--from", "hex"],
        &["new", "euid", "--prefix", "Order"],
        &["new", "euid", "--prefix", ""],
        &["check", "euid", "--prefix", "order_"],
        &["new", "--all", "--prefix", "order"],
    ] {
        let output = run(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(shown(&output).contains("--prefix"), "{args:?}: {}", shown(&output));
    }
}

#[test]
fn ids_that_are_yet_to_come_are_counted() {
    let later = stdout(&["new", "ulid-flake", "--at", "+1h", "--format", "int"], b"");
    let now = stdout(&["new", "ulid-flake", "-n", "2"], b"");
    assert_eq!(
        shown(&run(&["check", "ulid-flake"], format!("{now}{later}").as_bytes())),
        "exit 0\n--- stderr\nulid-flake: 3 valid, 0 invalid (2 text, 1 int)\n\
         valid IDs with a time that is more than a minute from now: 1. They may be Snowflakes\n"
    );
}
