//! The files of `deploy/` start the server with options that it has.

use crate::common::{Nodes, Server, command};
use std::{
    fs,
    net::TcpListener,
    os::{
        fd::OwnedFd,
        unix::{
            fs::PermissionsExt as _,
            net::{UnixListener, UnixStream},
        },
    },
    path::Path,
    process::{Command, Stdio},
};

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file)).unwrap()
}

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/server.md")).unwrap()
}

/// The values of a setting of a unit.
fn settings<'a>(unit: &'a str, name: &str) -> Vec<&'a str> {
    unit.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('=')).collect()
}

/// A command that passes standard input to the server as systemd passes a socket.
fn activated(socket: OwnedFd, options: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec 3<&0 0</dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec \"$@\"", "sh"]);
    shell
        .arg(env!("CARGO_BIN_EXE_sortid-server"))
        .args(options)
        .env_remove("SORTID_NODES")
        .stdin(Stdio::from(socket));
    shell
}

#[test]
fn the_unit_starts_the_server_on_its_socket() {
    let unit = read("sortid-server.service");
    let [start] = settings(&unit, "ExecStart")[..] else { panic!("expected one ExecStart") };
    let [_, options @ ..] = &start.split(' ').collect::<Vec<_>>()[..] else { unreachable!() };
    let unit = read("sortid-server.socket");
    let [address] = settings(&unit, "ListenStream")[..] else { panic!("expected a ListenStream") };
    assert_eq!(address, "127.0.0.1:7160");

    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap().to_string();
    let nodes = Nodes::new(1);
    let server = Server::spawn_as_is(activated(socket.into(), options).env("SORTID_NODES", &nodes.url));
    assert_eq!(server.address, address);
    server.wait_for("/readyz", |ready| ready.status == 200);
    assert_eq!(server.get("/v1/ulid-flake?n=10").lines().len(), 10);
    server.stop();
}

#[test]
fn a_unix_socket_of_systemd_stays() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("socket");
    let socket = UnixListener::bind(&path).unwrap();
    let server = Server::spawn_as_is(&mut activated(socket.try_clone().unwrap().into(), &["--log", "json"]));
    assert_eq!(server.get("/v1/euid").lines().len(), 1);
    server.stop();
    assert!(UnixStream::connect(&path).is_ok());
}

#[test]
fn systemd_accepts_the_units() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy");
    let units = ["sortid-server.service", "sortid-server.socket"].map(|unit| folder.join(unit));
    let Ok(output) = Command::new("systemd-analyze").args(["verify", "--man=no"]).args(units).output() else {
        eprintln!("left out, because systemd-analyze does not run");
        return;
    };
    let found = String::from_utf8(output.stderr).unwrap();
    // The program is not installed here.
    let wrong: Vec<_> = found
        .lines()
        .filter(|line| line.contains("sortid-server.s") && !line.contains("is not executable"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The options in lists such as `["--log", "json"]`, of the lines that begin with one of these words.
fn options(text: &str, words: &[&str]) -> Vec<Vec<String>> {
    let lines = text.lines().map(str::trim).filter(|line| words.iter().any(|word| line.starts_with(word)));
    let lists = lines.filter_map(|line| line.split_once('[')?.1.rsplit_once(']'));
    lists
        .map(|(list, _)| list.split(',').map(|option| option.trim().trim_matches('"').to_owned()).collect())
        .collect()
}

#[test]
fn the_containers_start_the_server_with_options_that_it_has() {
    let lists: Vec<_> = [
        options(&read("Containerfile"), &["CMD"]),
        options(&read("compose.yaml"), &["command: [ \"--listen"]),
    ]
    .concat();
    assert_eq!(lists.len(), 3);
    for options in lists {
        // Another port, because the tests run side by side.
        let options: Vec<_> =
            options.iter().map(|option| option.replace("0.0.0.0:7160", "127.0.0.1:0")).collect();
        Server::spawn_as_is(command().args(&options[..2]).args(&options[2..options.len() - 2])).stop();
        assert_eq!(options[options.len() - 2..], ["--log", "json"]);
    }
}

#[test]
fn the_commands_of_the_page_start_servers_of_a_fleet() {
    let page = page();
    let commands =
        page.lines().filter_map(|line| Some(line.strip_prefix("sortid-server ")?.split_once(" &")?.0));
    let nodes = Nodes::new(2);
    let servers: Vec<_> = commands
        .map(|options| {
            let options =
                options.split(' ').map(|option| if option.contains(':') { "127.0.0.1:0" } else { option });
            Server::spawn(command().args(options).env("SORTID_NODES", &nodes.url))
        })
        .collect();
    assert_eq!(servers.len(), 2);
    for server in servers {
        server.wait_for("/readyz", |ready| ready.status == 200);
        assert_eq!(server.get("/v1/ulid-flake").lines().len(), 1);
        server.stop();
    }
}

/// The commands install into a folder instead of `/`, and do not start anything.
#[test]
fn the_commands_of_the_page_install_what_the_units_need() {
    let root = tempfile::tempdir().unwrap();
    let at = |path: &str| root.path().join(path.trim_start_matches('/'));
    for folder in ["/usr/local/bin", "/etc/systemd/system"] {
        fs::create_dir_all(at(folder)).unwrap();
    }
    let page = page();
    let (_, commands) = page.split_once("```sh\nsudo install ").unwrap();
    let (commands, _) = commands.split_once("```").unwrap();
    let commands = format!("install {commands}")
        .replace("~/.cargo/bin/sortid-server", env!("CARGO_BIN_EXE_sortid-server"))
        .replace("sudo systemctl", "echo systemctl")
        .replace("sudo ", "")
        .replace(" /usr/", &format!(" {}/", at("/usr").display()))
        .replace(" /etc/", &format!(" {}/", at("/etc").display()));
    let mut shell = Command::new("sh");
    shell.args(["-ec", &commands]).env("SORTID_NODES", "postgres://host/database");
    let output = shell.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let started = String::from_utf8(output.stdout).unwrap();

    let unit = fs::read_to_string(at("/etc/systemd/system/sortid-server.service")).unwrap();
    let [start] = settings(&unit, "ExecStart")[..] else { panic!("expected one ExecStart") };
    // systemd looks for a name in this folder and in /usr/bin, where the package of Debian has the program.
    let program = at("/usr/local/bin").join(start.split(' ').next().unwrap());
    let version = Command::new(program).arg("--version").output().unwrap();
    assert!(version.status.success());
    let [file] = settings(&unit, "EnvironmentFile")[..] else { panic!("expected one EnvironmentFile") };
    let file = at(file.trim_start_matches('-'));
    assert_eq!(fs::read_to_string(&file).unwrap(), "SORTID_NODES=postgres://host/database\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let enabled = "systemctl enable --now sortid-server.socket sortid-server.service";
    assert_eq!(started.lines().collect::<Vec<_>>(), ["systemctl daemon-reload", enabled]);
    for unit in enabled.split(' ').filter(|word| word.starts_with("sortid-server.")) {
        assert!(at("/etc/systemd/system").join(unit).is_file());
    }
}
