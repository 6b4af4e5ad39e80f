//! `sortid new --nodes` and `sortid nodes`.

mod administration;
mod options;

use crate::common::{Folder, json_lines, run, run_with, shown, sortid, text};
use sortid::{euid::Euid, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
    process::{Child, Stdio},
    time::{SystemTime, UNIX_EPOCH},
};

fn lines(args: &[&str]) -> Vec<String> {
    let output = run(args, b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert_eq!(told(&output), "", "{}", shown(&output));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// Creates a fleet in the space `default`.
fn begin(nodes: &str, size: u32) {
    lines(&["nodes", "init", "--nodes", nodes, "--size", &size.to_string()]);
}

/// What a process says besides what it waits for: on a busy machine, each may have to wait.
fn told(output: &std::process::Output) -> String {
    let stderr = text(&output.stderr);
    stderr.split_inclusive('\n').filter(|line| !line.starts_with("waiting for ")).collect()
}

/// The objects of `nodes list`.
fn list(nodes: &str) -> Vec<serde_json::Value> {
    json_lines(&run(&["nodes", "list", "--json", "--nodes", nodes], b"").stdout)
}

fn states(nodes: &str) -> Vec<String> {
    list(nodes).iter().map(|row| row["state"].as_str().unwrap().to_owned()).collect()
}

/// A process that has its node ID, and waits for a reader of its IDs.
fn holder(args: &[&str]) -> Child {
    let args = [&["new", "ulid-flake", "-n", "100000000"], args].concat();
    let mut child = sortid(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 14]).unwrap();
    child
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64
}

#[test]
fn ids_have_a_node_id_that_is_free_afterwards() {
    let folder = Folder::new("nodes-node-id");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 32);
    let args = ["--nodes", &nodes, "--node-id", "11", "-n", "3000"];
    let made = |spec: &[&str]| lines(&[&["new"], spec, &args[..]].concat());

    for id in made(&["ulid-flake"]) {
        assert_eq!(id.parse::<UlidFlake>().unwrap().scalable().scalability(), 11);
    }
    let row = &list(&nodes)[0];
    assert_eq!((&row["number"], &row["numbers"], &row["state"]), (&11.into(), &32.into(), &"free".into()));
    assert_eq!(
        (&row["space"], &row["generation"], &row["holder"]),
        (&"default".into(), &1.into(), &().into())
    );

    // The space keeps its size: 5 bits of a SCRU160 and of an EUID, a digit of an origin.
    for id in made(&["scru160"]) {
        assert_eq!(id.parse::<Scru160>().unwrap().random16() >> 11, 11);
    }
    for id in made(&["euid"]) {
        let id: Euid = id.parse().unwrap();
        assert_eq!(id.extension().map(|it| (it.value(), it.bits())), Some((11, 5)));
    }
    for id in made(&["ron-uid", "--origin", "Xgritzk"]) {
        assert_eq!(id.parse::<RonUid>().unwrap().origin().encode(), "Xgritzk00B");
    }
    assert_eq!(list(&nodes)[0]["generation"], 4);

    // Another space is another fleet.
    lines(&["nodes", "init", "--nodes", &nodes, "--space", "orders", "--size", "256"]);
    let args = ["new", "scru160", "--nodes", &nodes, "--space", "orders"];
    assert_eq!(lines(&args).len(), 1);
    let row =
        &json_lines(&run(&["nodes", "list", "--json", "--nodes", &nodes, "--space", "orders"], b"").stdout)
            [0];
    assert_eq!((&row["space"], &row["numbers"]), (&"orders".into(), &256.into()));

    // The description is that of the scalable version, which an option also asks for.
    let args = ["new", "ulid-flake", "--scalable", "--node-id", "7", "--json", "--nodes", &nodes];
    let object: serde_json::Value = serde_json::from_str(&lines(&args)[0]).unwrap();
    assert_eq!(object["fields"]["scalability"], 7);
}

/// Scripts of before the words "node ID" and "size" use these names, and read these keys.
#[test]
fn the_earlier_names_of_the_options_and_the_keys_of_the_json_stay() {
    let folder = Folder::new("nodes-earlier");
    let nodes = format!("dir:{}", folder.path("ids"));
    let keys = |args: &[&str]| -> Vec<String> {
        let object = lines(&[args, &["--json", "--nodes", &nodes]].concat()).swap_remove(0);
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&object).unwrap();
        object.into_iter().map(|(key, _)| key).collect()
    };
    let begun = keys(&["nodes", "init", "--numbers", "16"]);
    assert_eq!(begun, keys(&["nodes", "init", "--size", "16"]));
    assert!(begun.contains(&"numbers".to_owned()), "{begun:?}");
    for [size, node_id] in [["--numbers", "--number"], ["--size", "--node-id"]] {
        let made = lines(&["new", "ulid-flake", "--nodes", &nodes, size, "16", node_id, "11"]);
        assert_eq!(made[0].parse::<UlidFlake>().unwrap().scalable().scalability(), 11);
    }
    let listed = keys(&["nodes", "list"]);
    assert!(["number", "numbers"].iter().all(|key| listed.contains(&(*key).to_owned())), "{listed:?}");
    assert_eq!(list(&nodes)[0]["number"], 11);
    for option in ["--numbers", "--size"] {
        let planned = keys(&["nodes", "repair", "--dry-run", option, "32"]);
        assert!(planned.contains(&"numbers".to_owned()), "{planned:?}");
    }
    for command in [&["nodes", "init"][..], &["nodes", "repair"], &["new", "ulid-flake"]] {
        let help = run(&[command, &["--help"]].concat(), b"");
        assert!(!text(&help.stdout).contains("--number"), "{}", shown(&help));
    }
}

#[test]
fn a_hundred_processes_at_once_share_32_node_ids() {
    let folder = Folder::new("nodes-hundred");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 32);
    let args = ["new", "ulid-flake", "--nodes", &nodes, "-n", "20", "--wait", "5m"];
    let spawn = |_| sortid(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children: Vec<_> = (0..100).map(spawn).collect();
    let mut all: BTreeSet<UlidFlake> = BTreeSet::new();
    let mut of_node_id: BTreeMap<u8, Vec<Vec<UlidFlake>>> = BTreeMap::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), told(&output)), (Some(0), String::new()));
        let ids: Vec<UlidFlake> = text(&output.stdout).lines().map(|id| id.parse().unwrap()).collect();
        assert!(ids.len() == 20 && ids.is_sorted());
        all.extend(&ids);
        of_node_id.entry(ids[0].scalable().scalability()).or_default().push(ids);
    }
    assert_eq!(all.len(), 2000, "all IDs are distinct");
    // The IDs of one holder of a node ID do not lie among those of another.
    for holders in of_node_id.values_mut() {
        holders.sort();
        assert!(holders.iter().flatten().is_sorted());
    }
    let rows = list(&nodes);
    assert!(rows.iter().all(|row| row["state"] == "free"), "{rows:?}");
    assert_eq!(rows.iter().map(|row| row["generation"].as_u64().unwrap()).sum::<u64>(), 100);
}

#[test]
fn a_node_id_that_is_taken_has_a_holder() {
    let folder = Folder::new("nodes-taken");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 1);
    let mut first = holder(&["--nodes", &nodes, "--name", "pod-1", "--window", "6s"]);
    let row = &list(&nodes)[0];
    assert_eq!((&row["state"], &row["holder"]), (&"held".into(), &"pod-1".into()));

    let second = ["new", "ulid-flake", "--nodes", &nodes, "--wait", "0s"];
    let output = run(&second, b"");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.starts_with("error: the only node ID of space \"default\" is taken: 0 by pod-1 until "),
        "{message}"
    );
    assert!(
        message.ends_with(
            " (to wait longer: --wait DURATION; to free a node ID: sortid nodes release NODE_ID)\n"
        ),
        "{message}"
    );

    // An administrator takes it away. Its process finds out when it renews, and says why it ends.
    let object = &json_lines(&run(&["nodes", "release", "0", "--json", "--nodes", &nodes], b"").stdout)[0];
    assert_eq!((&object["released"], &object["holder"]), (&true.into(), &"pod-1".into()));
    let until = object["until"].as_str().unwrap();
    let again = run(&["nodes", "release", "0", "--nodes", &nodes], b"");
    assert_eq!(shown(&again), "exit 0\nnode ID 0 has no holder\n");
    let mut ids = String::new();
    first.stdout.take().unwrap().read_to_string(&mut ids).unwrap();
    let output = first.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = told(&output);
    let (made, error) = told.split_once('\n').unwrap();
    assert!(made.starts_with("made ") && made.ends_with(" of 100000000 IDs"), "{made}");
    assert_eq!(
        error,
        "error: this process has lost node ID 0 of space \"default\": an administrator freed it. Start the command again\n"
    );

    // The next holder continues after it.
    let next: UlidFlake = lines(&["new", "ulid-flake", "--nodes", &nodes])[0].parse().unwrap();
    let last: UlidFlake = ids.lines().last().unwrap().parse().unwrap();
    let until = until.parse::<jiff::Timestamp>().unwrap().as_millisecond() as u64;
    assert!(last.unix_millis() < until && until <= next.unix_millis());
}

#[test]
fn a_process_that_is_ended_releases_its_node_id() {
    let folder = Folder::new("nodes-ended");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 32);

    // The reader closes the pipe.
    let mut child = holder(&["--nodes", &nodes]);
    assert_eq!(states(&nodes), ["held"]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), told(&output)), (Some(0), String::new()));
    assert!(states(&nodes).iter().all(|state| state == "free"));

    // A disk is full.
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let args = ["new", "ulid-flake", "-n", "9", "--nodes", &nodes];
        let output = sortid(&args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(states(&nodes).iter().all(|state| state == "free"));
    }

    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        use std::os::unix::process::ExitStatusExt as _;

        let is_ignored = |signal: &Signal| ignored_signals() >> (signal.as_raw() - 1) & 1 == 1;
        for signal in [Signal::TERM, Signal::INT, Signal::HUP].into_iter().filter(|it| !is_ignored(it)) {
            let child = holder(&["--nodes", &nodes]);
            assert!(states(&nodes).contains(&"held".to_owned()));
            kill_process(Pid::from_child(&child), signal).unwrap();
            let output = child.wait_with_output().unwrap();
            assert_eq!((output.status.signal(), told(&output)), (Some(signal.as_raw()), String::new()));
            assert!(states(&nodes).iter().all(|state| state == "free"), "{signal:?}");
        }

        // What is killed is held until its reservation ends.
        let child = holder(&["--nodes", &nodes]);
        kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
        child.wait_with_output().unwrap();
        assert!(states(&nodes).contains(&"held".to_owned()));
    }
}

/// The mask of the signals that this process ignores, and so its children: after `nohup`, or in the background of a shell. Only
/// Linux tells.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap())
}

/// `nohup` ignores a signal, and a shell those of its background jobs. They stay ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let folder = Folder::new("nodes-ignored");
    let script = "trap '' INT HUP
        sortid nodes init --nodes dir:ids > /dev/null
        sortid new ulid-flake --nodes dir:ids -n 100000000 > /dev/null &
        until sortid nodes list --nodes dir:ids 2> /dev/null | grep -q held; do sleep 0.01; done
        kill -INT $!; kill -HUP $!
        sortid nodes list --nodes dir:ids | tail -1
        kill -TERM $!
        wait
        sortid nodes list --nodes dir:ids | tail -1";
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_sortid")).parent().unwrap();
    let output = std::process::Command::new("sh")
        .args(["-c", script])
        .current_dir(&folder.0)
        .env("PATH", format!("{}:{}", program.display(), std::env::var("PATH").unwrap()))
        .output()
        .unwrap();
    assert_eq!(
        shown(&output),
        "exit 0\nspace \"default\" has 32 node IDs: 1 held, 31 free\nspace \"default\" has 32 node IDs: 32 free\n"
    );
}

/// The process of a record that was restored has the same node ID as another one.
#[test]
fn a_process_whose_node_id_was_taken_says_so_when_it_ends() {
    let folder = Folder::new("nodes-lost");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 1);
    let mut child = holder(&["--nodes", &nodes, "--window", "10m"]);
    lines(&["nodes", "release", "0", "--nodes", &nodes]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = "error: this process has lost node ID 0 of space \"default\": an administrator freed it";
    assert!(told(&output).starts_with(message), "{}", shown(&output));
}

#[test]
fn a_process_that_waits_for_its_store_says_so() {
    let folder = Folder::new("nodes-waits");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 1);
    let lock = std::fs::File::create(folder.path("ids/default/0.lock")).unwrap();
    lock.lock().unwrap();
    let output = run(&["new", "scru160", "--nodes", &nodes, "--wait", "4s"], b"");
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.starts_with("waiting for a node ID of the fleet\n"), "{message}");
    assert!(message.contains("cannot lock"), "{message}");
}

#[test]
fn the_environment_can_have_the_url() {
    let folder = Folder::new("nodes-environment");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 32);
    let with = |args: &[&str]| {
        let mut command = sortid(args);
        command.env("SORTID_NODES", &nodes);
        run_with(command, b"")
    };
    assert_eq!(with(&["new", "ulid-flake", "--node-id", "5"]).status.code(), Some(0));
    assert!(
        text(&with(&["nodes", "list"]).stdout).contains("\n   5  free "),
        "{}",
        shown(&with(&["nodes", "list"]))
    );
    // The command line comes first.
    let other = format!("dir:{}", folder.path("other"));
    begin(&other, 32);
    assert_eq!(with(&["new", "ulid-flake", "--nodes", &other]).status.code(), Some(0));
    assert_eq!(list(&nodes).len(), 1);
    for (args, message) in [
        (&["new", "evently-id"][..], "To make Event IDs, unset SORTID_NODES"),
        (
            &["new", "scru160", "--at", "now"],
            "--at makes IDs of a given time, and SORTID_NODES reserves node IDs for the present",
        ),
        (&["new", "--all"], "--all makes IDs to look at, and SORTID_NODES reserves node IDs for the present"),
        (&["new", "scru160", "--node", "3:5"], "--node and SORTID_NODES both set the node ID"),
    ] {
        let output = with(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(message), "{}", shown(&output));
    }
}

/// The program `script` of util-linux makes the terminal. Where it is missing, the test is left out.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_waits_says_for_whom() {
    let folder = Folder::new("nodes-wait");
    let nodes = format!("dir:{}", folder.path("ids"));
    begin(&nodes, 2);
    let mut holders: Vec<_> =
        ["pod-1", "pod-2"].map(|name| holder(&["--nodes", &nodes, "--name", name])).into();
    let node_id =
        |name: &str| list(&nodes).iter().find(|row| row["holder"] == name).unwrap()["number"].clone();
    let of_second = node_id("pod-2").to_string();
    for options in [["--node-id", of_second.as_str()], ["--name", "pod-2"]] {
        let output =
            run(&[&["new", "ulid-flake", "--nodes", &nodes, "--wait", "3s"], &options[..]].concat(), b"");
        let printed = text(&output.stderr);
        let waiting =
            format!("waiting for a node ID of the fleet: node ID {of_second} is reserved by pod-2 until 20");
        assert_eq!(printed.lines().filter(|line| line.starts_with(&waiting)).count(), 1, "{printed}");
        assert_eq!(printed.lines().count(), 2, "{printed}");
    }
    for process in &mut holders {
        process.kill().unwrap();
        process.wait().unwrap();
    }
}

/// Makes IDs in a store of a server, and shows and releases the node IDs.
#[cfg(any(feature = "etcd", feature = "postgres"))]
fn in_a_store_of(variable: &str) {
    let Ok(url) = std::env::var(variable) else {
        eprintln!("left out, because {variable} is not set");
        return;
    };
    let url = &if url.contains("://") { url } else { format!("etcd://{url}") };
    let space = format!("cli-{}", std::process::id());
    let place = ["--nodes", url, "--space", &space];
    // It warns of a server whose tests are quick because it does not sync.
    let begun = run(&[&["nodes", "init"], &place[..]].concat(), b"");
    assert_eq!(begun.status.code(), Some(0), "{}", shown(&begun));
    let mut ids = BTreeSet::new();
    for _ in 0..3 {
        ids.extend(lines(&[&["new", "ulid-flake", "-n", "100"], &place[..]].concat()));
    }
    assert_eq!(ids.len(), 300);
    let mut child = holder(&[&place[..], &["--node-id", "9"]].concat());
    let output = run(&[&["nodes", "release", "9", "--json"], &place[..]].concat(), b"");
    assert_eq!(json_lines(&output.stdout)[0]["released"], true, "{}", shown(&output));
    child.kill().unwrap();
    child.wait().unwrap();
    let output = run(&[&["nodes", "list"], &place[..]].concat(), b"");
    assert!(!text(&output.stdout).contains("held"), "{}", shown(&output));
}

#[cfg(feature = "postgres")]
#[test]
fn postgresql_has_the_node_ids() {
    in_a_store_of("SORTID_POSTGRES");
}

#[cfg(feature = "etcd")]
#[test]
fn etcd_has_the_node_ids() {
    in_a_store_of("SORTID_ETCD");
}
