//! A log that cannot be written loses lines, and nothing else.

use crate::common::{Nodes, PATIENCE, Server, command};
use std::{
    fs::{self, File, OpenOptions},
    io::{BufRead as _, BufReader, PipeReader, pipe},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A server of a fleet that has not joined yet.
fn start(folder: &Path, nodes: &Nodes, stderr: impl Into<Stdio>) -> Server {
    let mut command = command();
    command.args(["--nodes", &nodes.url, "--window", "1s", "--log-level", "debug"]);
    Server::without_log(&mut command, &folder.join("socket"), stderr)
}

/// Everything works: the server joins its fleet, makes IDs, and ends in order, with answers to open requests.
fn works(server: Server, nodes: &Nodes) {
    nodes.init(1);
    server.wait_for("/readyz", |ready| ready.status == 200);
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(server.get("/v1/ron-uid?n=10").lines().len(), 10);
    let mut clients: Vec<_> = (0..6).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.send(b"GET /v1/ulid-flake?n=10000 HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    }
    while server.metric("sortid_connections") < 7.0 {
        thread::yield_now();
    }
    // Its answer comes after the others were taken.
    server.get("/healthz");
    server.signal("TERM");
    for client in &mut clients {
        assert_eq!(client.answer(true).unwrap().expect("an answer").lines().len(), 10_000);
    }
    let (status, _) = server.ended();
    assert!(status.success(), "{status}");
    // The server has released its node ID.
    let store = sortid_fleet::open(&nodes.url).unwrap();
    assert_eq!(store.read("default").unwrap().records[&0].holder, None);
}

#[test]
fn a_server_whose_log_is_cut_off_works() {
    let (folder, nodes) = (tempfile::tempdir().unwrap(), Nodes::none());
    let (reader, writer) = pipe().unwrap();
    let server = start(folder.path(), &nodes, writer);
    let mut lines = BufReader::new(reader).lines();
    while !lines.next().unwrap().unwrap().contains("waiting for the fleet") {}
    drop(lines);
    works(server, &nodes);
}

#[test]
fn a_server_whose_log_is_never_read_works() {
    let (folder, nodes) = (tempfile::tempdir().unwrap(), Nodes::none());
    let (reader, writer): (PipeReader, _) = pipe().unwrap();
    let server = start(folder.path(), &nodes, writer);
    let mut client = server.connect();
    // The pipe and the queue of the server are full then.
    while server.metric("sortid_log_lines_lost_total") == 0.0 {
        for _ in 0..100 {
            assert_eq!(client.get("/v1/euid").status, 200);
        }
    }
    works(server, &nodes);
    drop(reader);
}

#[test]
fn a_server_whose_log_is_on_a_full_disk_works() {
    let (folder, nodes) = (tempfile::tempdir().unwrap(), Nodes::none());
    let server = start(folder.path(), &nodes, OpenOptions::new().write(true).open("/dev/full").unwrap());
    server.wait_for("/metrics", |metrics| !metrics.text().contains("sortid_log_lines_lost_total 0\n"));
    works(server, &nodes);
}

#[test]
fn a_server_without_standard_error_works() {
    let (folder, nodes) = (tempfile::tempdir().unwrap(), Nodes::none());
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$@\" 2>&-", "sh", env!("CARGO_BIN_EXE_sortid-server")]);
    shell.args(["--nodes", &nodes.url, "--window", "1s"]);
    works(Server::without_log(&mut shell, &folder.path().join("socket"), Stdio::null()), &nodes);
}

/// The limit of the size of files stands for a disk without room. A write beyond it fails in part.
#[test]
fn a_log_that_can_be_written_again_says_how_many_lines_are_lost() {
    let (folder, nodes) = (tempfile::tempdir().unwrap(), Nodes::none());
    let log = folder.path().join("log");
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f 512; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_sortid-server")]);
    shell.args(["--log", "json", "--log-level", "debug", "--nodes", &nodes.url, "--window", "1s"]);
    let stderr = OpenOptions::new().create(true).append(true).open(&log).unwrap();
    let server = Server::without_log(&mut shell, &folder.path().join("socket"), stderr);
    let mut client = server.connect();
    while server.metric("sortid_log_lines_lost_total") < 5.0 {
        for _ in 0..100 {
            assert_eq!(client.get("/healthz").status, 200);
        }
    }
    let text = || fs::read_to_string(&log).unwrap();
    // The beginning of a line stays, and the next line is a line of its own.
    let rest = text().rsplit('\n').next().unwrap().to_owned();
    fs::write(&log, &rest).unwrap();
    let started = Instant::now();
    while !text().contains("lines of this log are lost") {
        assert!(started.elapsed() < PATIENCE, "{}", text());
        thread::sleep(Duration::from_millis(5));
    }
    works(server, &nodes);
    let text = text();
    let text = text.strip_prefix(&rest).unwrap().trim_start_matches('\n');
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let notice = lines.iter().find(|line| line["message"] == "lines of this log are lost").unwrap();
    assert_eq!(notice["level"], "ERROR");
    assert!(notice["lost_lines"].as_u64().unwrap() >= 5, "{notice}");
}

#[test]
fn a_log_shows_no_character_that_a_terminal_obeys() {
    for form in ["text", "json"] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sortid-server"));
        command.env_remove("SORTID_NODES").args(["--log", form, "--log-level", "debug"]);
        let server =
            Server::without_log(&mut command, &folder.path().join("socket"), File::create(&log).unwrap());
        let hidden = "\u{80}\u{85}\u{9b}31m\u{ad}\u{200b}\u{2028}\u{2029}\u{202e}\u{feff}\u{e0041}";
        for path in [format!("/v1/{hidden}"), format!("/v1/euid?{hidden}={hidden}")] {
            assert!(matches!(server.get(&path).status, 400 | 404), "{path}");
        }
        server.stop();
        let log = fs::read_to_string(log).unwrap();
        let raw: Vec<_> =
            log.chars().filter(|character| hidden.contains(*character) && !character.is_ascii()).collect();
        assert!(raw.is_empty(), "{form}: {raw:?}");
        assert!(log.contains("\\u009b31m") && log.contains("\\u202e"), "{log}");
        assert_eq!(log.lines().filter(|line| line.contains("answered")).count(), 2, "{log}");
    }
}
