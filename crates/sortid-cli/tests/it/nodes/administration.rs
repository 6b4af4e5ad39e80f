//! `sortid nodes`: the size, the state and the repair of a fleet.

use super::{begin, lines, list, now, states};
use crate::common::{Folder, json_lines, run, run_with, shown, sortid, text};
use insta::assert_snapshot;
use sortid_fleet::{DirectoryStore, Holder, Record, Store};

#[test]
fn the_node_ids_of_a_space_are_shown() {
    let folder = Folder::new("nodes-list");
    let path = folder.path("ids");
    let nodes = format!("dir:{path}");
    let store = DirectoryStore::open(&path).unwrap();
    store.prepare("orders").unwrap();
    let holder = |name: &str| Some(Holder::new(name, "0123456789abcdef"));
    let (past, future) = (1_717_653_966_666, 4_102_444_800_000);
    for (node_id, generation, holder, until) in [
        (0, 3, holder("pod-0"), future),
        (1, 12, holder("pod\u{1b}[31m\u{202e}-1"), past),
        (2, 1, None, past + 1),
        (31, u64::MAX, None, u64::MAX),
    ] {
        let record = Record::new(32, generation, holder, until);
        assert!(store.swap("orders", node_id, None, &record).unwrap().swapped);
    }
    let args = ["nodes", "list", "--nodes", &nodes, "--space", "orders"];
    assert_snapshot!("list", shown(&run(&args, b"")));
    assert_snapshot!("list_json", shown(&run(&[&args[..], &["--json"]].concat(), b"")));

    let empty = ["nodes", "list", "--nodes", &nodes];
    let output = run(&empty, b"");
    let message = format!("error: there is no fleet in space \"default\" of directory {path}. ");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with(&message), "{}", shown(&output));
    begin(&nodes, 5);
    let none = "exit 0\nspace \"default\" has 5 node IDs: 5 free\n";
    assert_eq!(shown(&run(&empty, b"")), none);
    assert_eq!(shown(&run(&[&empty[..], &["--json"]].concat(), b"")), "exit 0\n");
    let released = run(&["nodes", "release", "1", "2", "--nodes", &nodes, "--space", "orders"], b"");
    assert_eq!(
        shown(&released),
        "exit 0\nnode ID 1 is released from pod\\u{1b}[31m\\u{202e}-1; the next holder continues after 2024-06-06T06:06:06.666Z\nnode ID 2 has no holder\n"
    );
}

#[test]
fn a_repair_takes_the_node_ids_out_of_use_until_all_reservations_have_ended() {
    let folder = Folder::new("nodes-repair");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 4);
    lines(&["new", "ulid-flake", "--nodes", &nodes, "--node-id", "3", "--size", "4"]);
    let before = now();
    let plan = run(&["nodes", "repair", "--nodes", &nodes, "--dry-run"], b"");
    assert!(text(&plan.stdout).contains("\n  0 holders lose their node IDs"), "{}", shown(&plan));
    assert!(text(&plan.stdout).contains("\n  all 4 node IDs are free from 20"), "{}", shown(&plan));
    assert_eq!(states(&nodes), ["free"]);
    let output = run(&["nodes", "repair", "--nodes", &nodes], b"");
    let printed = text(&output.stdout);
    assert!(
        printed
            .starts_with("space \"default\": all 4 node IDs are taken from their holders, and free from 20"),
        "{printed}"
    );
    let rows = list(&nodes);
    assert_eq!(rows.len(), 4);
    for row in &rows {
        let until =
            row["until"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_millisecond() as u64;
        assert_eq!(row["state"], "blocked");
        assert!((before + 610_000..=now() + 610_000).contains(&until));
    }
    let output = run(&["new", "ulid-flake", "--nodes", &nodes, "--wait", "0s"], b"");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(text(&output.stderr).contains("each free node ID of space \"default\" is reserved until"));

    // The fleet's window is short, so the bounds are lower. Those of this space stay.
    let args = ["nodes", "repair", "--nodes", &nodes, "--window", "1s", "--json"];
    let again = json_lines(&run(&args, b"").stdout);
    let untils = |rows: &[serde_json::Value]| rows.iter().map(|row| row["until"].clone()).collect::<Vec<_>>();
    assert_eq!(untils(&again), untils(&rows));

    // Without a fleet, there is nothing to repair, and nothing is made.
    for size in [&[][..], &["--size", "2"]] {
        for place in [["--nodes", &*nodes, "--space", "lost"], ["--nodes", "dir:typo", "--space", "lost"]] {
            let mut command = sortid(&[&["nodes", "repair"], &place[..], size].concat());
            command.current_dir(&folder.0);
            let output = run_with(command, b"");
            assert_eq!(output.status.code(), Some(2));
            assert!(
                text(&output.stderr).starts_with("error: there is no fleet in space \"lost\" of directory ")
            );
        }
    }
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
    assert_eq!(std::fs::read_dir(folder.path("ids")).unwrap().count(), 1);
}

/// The recipe of `docs/fleet.md` for a store that lost all its records.
#[test]
fn a_store_that_lost_all_records_is_begun_again_and_repaired() {
    let folder = Folder::new("nodes-lost-store");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 4);
    lines(&["new", "ulid-flake", "--nodes", &nodes]);
    std::fs::remove_dir_all(folder.path("ids")).unwrap();
    let before = now();
    let repair = ["nodes", "repair", "--nodes", &nodes, "--window", "15s"];
    let output = run(&repair, b"");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    begin(&nodes, 4);
    lines(&repair);
    let rows = list(&nodes);
    assert_eq!(states(&nodes), ["blocked"; 4]);
    for row in &rows {
        let until: jiff::Timestamp = row["until"].as_str().unwrap().parse().unwrap();
        // The window and 10 s: no reservation that was lost ends later.
        assert!(until.as_millisecond() as u64 >= before + 25_000, "{row}");
    }
    let output = run(&["new", "ulid-flake", "--nodes", &nodes, "--wait", "0s"], b"");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}

#[test]
fn a_fleet_is_begun_once_and_keeps_its_size() {
    let folder = Folder::new("nodes-init");
    let nodes = format!("dir:{}", folder.path("ids"));
    let init = |options: &[&str]| run(&[&["nodes", "init", "--nodes", &nodes], options].concat(), b"");
    let path = folder.path("ids");
    let begun = format!("exit 0\ncreated a fleet of 32 node IDs in space \"default\" of directory {path}\n");
    assert_eq!(shown(&init(&[])), begun);
    let there =
        format!("exit 0\nnothing to do: space \"default\" of directory {path} has a fleet of 32 node IDs\n");
    assert_eq!(shown(&init(&[])), there);
    assert_eq!(shown(&init(&["--size", "32"])), there);
    let object = &json_lines(&init(&["--json", "--space", "orders", "--size", "256"]).stdout)[0];
    assert_eq!((&object["begun"], &object["numbers"]), (&true.into(), &256.into()));
    assert_eq!((&object["space"], &object["store"]), (&"orders".into(), &format!("directory {path}").into()));
    assert_eq!(json_lines(&init(&["--json", "--space", "orders"]).stdout)[0]["begun"], false);
    let output = init(&["--size", "64"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("has a fleet of 32 node IDs, expected 64"), "{}", shown(&output));
    assert_eq!(lines(&["new", "ulid-flake", "--nodes", &nodes]).len(), 1);
    // Only the last folder is made: its parent may be a volume that is not mounted.
    let output = run(&["nodes", "init", "--nodes", &format!("dir:{}", folder.path("volume/ids"))], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("its parent is not there"), "{}", shown(&output));
    assert!(!std::path::Path::new(&folder.path("volume")).exists());
}

/// The lines of a message can be copied, and lead to the fleet that was missing.
#[test]
fn without_a_fleet_no_process_makes_an_id_and_the_message_has_the_line_that_begins_one() {
    let folder = Folder::new("nodes-none");
    std::fs::create_dir(folder.path("empty")).unwrap();
    for (place, space) in [("dir:o'clock", "orders"), ("dir:empty", "default")] {
        let in_folder = |args: &[&str]| {
            let mut command = sortid(args);
            command.current_dir(&folder.0);
            run_with(command, b"")
        };
        for command in [&["new", "ulid-flake"][..], &["nodes", "list"], &["nodes", "release", "1"]] {
            let output = in_folder(&[command, &["--nodes", place, "--space", space]].concat());
            assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
            let message = text(&output.stderr);
            let (_, line) =
                message.trim_end().rsplit_once(": sortid ").unwrap_or_else(|| panic!("{message}"));
            assert_eq!(std::fs::read_dir(folder.path("empty")).unwrap().count(), 0);
            assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
            if command[0] != "new" || !cfg!(unix) {
                continue;
            }
            // It leads there from any folder.
            let script = format!("{} {line} --json", env!("CARGO_BIN_EXE_sortid"));
            let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(json_lines(&output.stdout)[0]["begun"], true, "{}", shown(&output));
            assert_eq!(
                in_folder(&[command, &["--nodes", place, "--space", space]].concat()).status.code(),
                Some(0)
            );
            let of_space = std::path::Path::new(place.strip_prefix("dir:").unwrap()).join(space);
            std::fs::remove_dir_all(folder.0.join(of_space)).unwrap();
            if space == "orders" {
                std::fs::remove_dir(folder.path("o'clock")).unwrap();
            }
        }
    }
}

#[test]
fn a_damaged_record_hides_no_other_and_a_repair_replaces_it() {
    let folder = Folder::new("nodes-damaged");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 3);
    for node_id in ["1", "2"] {
        lines(&["new", "scru160", "--nodes", &nodes, "--node-id", node_id]);
    }
    std::fs::write(folder.path("ids/default/1.json"), "{").unwrap();
    let output = run(&["nodes", "list", "--nodes", &nodes], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("\n   2  free "), "{}", shown(&output));
    assert!(text(&output.stderr).contains("1.json: expected the JSON of a record"), "{}", shown(&output));
    let output = run(&["new", "scru160", "--nodes", &nodes, "--node-id", "2"], b"");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    let plan = run(&["nodes", "repair", "--nodes", &nodes, "--dry-run"], b"");
    assert!(text(&plan.stdout).contains("  replaced: "), "{}", shown(&plan));
    assert_eq!(lines(&["nodes", "repair", "--nodes", &nodes, "--window", "1s"]).len(), 1);
    assert_eq!(states(&nodes), ["blocked"; 3]);

    // Without another record, nobody knows the size.
    for node_id in 0..3 {
        std::fs::write(folder.path(&format!("ids/default/{node_id}.json")), "{").unwrap();
    }
    let output = run(&["nodes", "repair", "--nodes", &nodes], b"");
    assert!(text(&output.stderr).contains("its size is not known: add --size N"), "{}", shown(&output));
    lines(&["nodes", "repair", "--nodes", &nodes, "--size", "2", "--window", "1s"]);
    assert_eq!(states(&nodes), ["blocked"; 2]);
}
