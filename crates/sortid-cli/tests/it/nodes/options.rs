//! Options of fleets that are wrong.

use super::begin;
use crate::common::{Folder, run_with, sortid, text};
use insta::assert_snapshot;

#[test]
fn wrong_options_of_a_fleet_say_what_was_expected() {
    let folder = Folder::new("nodes-wrong");
    folder.file("file", "");
    begin(&format!("dir:{}", folder.path("ids")), 256);
    let mut snapshot = String::new();
    for line in [
        "new scru160 --space orders",
        "new scru160 --node-id 3",
        "new --nodes dir:ids",
        "new --all --nodes dir:ids",
        "new evently-id --nodes dir:ids",
        "new scru160 --nodes dir:ids --node 3:5",
        "new euid --nodes dir:ids --extension 3",
        "new ulid-flake --nodes dir:ids --scalable --node 3",
        "new ron-uid --nodes dir:ids --logical",
        "new ron-uid --nodes dir:ids",
        "new ron-uid --nodes dir:ids --origin Xgritzk0_D",
        "new ron-uid --nodes dir:ids --origin Xgritzk0_D --scheme 0280",
        "new scru160 --nodes dir:ids --at 2024-06-06",
        "new scru160 --nodes dir:ids --at -",
        "new scru160 --nodes dir:ids --spill 1",
        "new scru160 --nodes dir:ids --format int",
        "new scru160 --nodes dir:ids --counter-extension-bits 9",
        "new scru160 --nodes dir:ids --wait 30",
        "new scru160 --nodes dir:ids --wait soon",
        "new scru160 --nodes dir:ids --window 500ms",
        "new scru160 --nodes dir:ids --window 1h",
        "new scru160 --nodes dir:ids --size 0",
        "new scru160 --nodes dir:ids --node-id 256",
        "new scru160 --nodes dir:ids --space Orders",
        "new ulid-flake --nodes dir:ids --size 33",
        "new scru160 --nodes dir:ids",
        // It has too many node IDs for a Ulid-Flake.
        "new ulid-flake --nodes dir:ids",
        "new scru160 --nodes dir:ids --space typo",
        "new scru160 --nodes dir:ids --size 16",
        "new scru160 --nodes dir:",
        "new scru160 --nodes ids",
        "new scru160 --nodes ./ids",
        "new scru160 --nodes file:///ids",
        "new scru160 --nodes dir:file",
        "new scru160 --nodes dir:no/such/folder",
        "new scru160 --nodes postgres:secret@db",
        "new scru160 --nodes redis://secret@cache",
        "new scru160 --nodes secret@db",
        "nodes init",
        "nodes init --nodes dir:ids --size 32",
        "nodes init --nodes dir:new --size 0",
        "nodes init --nodes dir:new --size 65537",
        "nodes init --nodes dir:new --space Orders",
        "nodes init --nodes dir:no/such/folder",
        "nodes list",
        "nodes list --nodes dir:typo",
        "nodes release --nodes dir:ids",
        "nodes release 256 --nodes dir:ids",
        "nodes release 1 --nodes dir:ids --space typo",
        "nodes release x --nodes dir:ids",
        "nodes repair --nodes dir:ids --window 1h",
        "nodes repair --nodes dir:ids --size 0",
        "nodes repair --nodes dir:ids --space new",
    ] {
        let mut command = sortid(&line.split(' ').collect::<Vec<_>>());
        command.current_dir(&folder.0);
        let output = run_with(command, b"");
        let stderr = text(&output.stderr).replace(folder.0.to_str().unwrap(), "FOLDER");
        assert!(!stderr.contains("secret"), "{stderr}");
        let message = stderr.lines().next().unwrap_or("no error");
        // What is not known are the IDs.
        assert_eq!(output.status.code(), Some(if stderr.is_empty() { 0 } else { 2 }), "{line}: {stderr}");
        snapshot += &format!("$ sortid {line}\n{message}\n\n");
    }
    assert_snapshot!("wrong_options", snapshot);
}

#[cfg(not(all(feature = "etcd", feature = "postgres")))]
#[test]
fn a_store_that_was_not_built_in_says_how_to_get_it() {
    use crate::common::{run, shown};

    for (url, feature) in [("postgres://db/ids", "postgres"), ("etcd://db:2379", "etcd")] {
        if feature == "postgres" && cfg!(feature = "postgres") || feature == "etcd" && cfg!(feature = "etcd")
        {
            continue;
        }
        let output = run(&["nodes", "list", "--nodes", url], b"");
        assert_eq!(output.status.code(), Some(2));
        let command = format!("cargo install --locked --path crates/sortid-cli --features {feature}\n");
        assert!(text(&output.stderr).contains(&command), "{}", shown(&output));
    }
}
