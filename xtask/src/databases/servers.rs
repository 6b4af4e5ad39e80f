//! PostgreSQL, MariaDB, Redis and etcd servers for the tests. They listen on sockets in a temporary folder, or on ports of
//! this host, and end with the chore.

use crate::{
    shell::{self, Result, program, stdout_of},
    tools::{self, is_root},
};
use std::{
    ffi::OsStr,
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Calls `work` with the addresses of a server of each kind, as the environment variables that the tests read.
pub(super) fn with_all<T>(work: impl FnOnce([(&str, &str); 3]) -> Result<T>) -> Result<T> {
    let folder = Folder::new()?;
    let postgres = Server::postgres(&folder.0, false)?;
    let mariadb = Server::mariadb(&folder.0)?;
    let redis = Server::redis(&folder.0)?;
    work([("SORTID_POSTGRES", &postgres.url), ("SORTID_MYSQL", &mariadb.url), ("SORTID_REDIS", &redis.url)])
}

/// Calls `work` with the address of a PostgreSQL server.
pub(super) fn with_postgres<T>(work: impl FnOnce(&str) -> Result<T>) -> Result<T> {
    let folder = Folder::new()?;
    let postgres = Server::postgres(&folder.0, false)?;
    work(&postgres.url)
}

/// The user that runs a server. Servers refuse to run as root. `None` is the user of this process.
#[derive(Clone, Copy)]
struct User(Option<(u32, u32)>);

impl User {
    fn of(name: &str) -> Result<Self> {
        if !is_root() {
            return Ok(Self(None));
        }
        let id = |flag| -> Result<u32> {
            let id = stdout_of(Command::new("id").args([flag, name]));
            Ok(id.or_else(|_| stdout_of(Command::new("id").args([flag, "nobody"])))?.trim().parse()?)
        };
        Ok(Self(Some((id("-u")?, id("-g")?))))
    }

    fn command(self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        if let Some((user, group)) = self.0 {
            command.uid(user).gid(group);
        }
        command
    }

    /// Makes a folder that belongs to this user.
    fn folder(self, path: PathBuf) -> Result<PathBuf> {
        fs::create_dir(&path)?;
        if let Some((user, group)) = self.0 {
            chown(&path, Some(user), Some(group))?;
        }
        Ok(path)
    }
}

/// A temporary folder, removed when this value is dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("sortid-databases-{}", std::process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("cannot remove {}: {error}", self.0.display());
        }
    }
}

/// A server that listens on a socket in its folder, or on a port of this host. It ends when this value is dropped.
pub(crate) struct Server {
    process: Child,
    command: Command,
    /// The signal for a fast but orderly end.
    signal: &'static str,
    pub(crate) url: String,
}

impl Server {
    /// `is_durable`: a write that was acknowledged outlives a computer that loses its power.
    pub(crate) fn postgres(folder: &Path, is_durable: bool) -> Result<Self> {
        let user = User::of("postgres")?;
        let folder = user.folder(folder.join("postgres"))?;
        let program = |name| tools::postgres(name).ok_or(format!("{name} is not installed"));
        let data = folder.join("data");
        quiet(
            user.command(program("initdb")?)
                .args(["--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"])
                .arg("--no-sync")
                .arg("--pgdata")
                .arg(&data),
        )?;
        let mut command = user.command(program("postgres")?);
        command.arg("-D").arg(&data).arg("-k").arg(&folder);
        command.args(["-c", "listen_addresses=", "-c", "dynamic_shared_memory_type=mmap"]);
        command.args(["-c", if is_durable { "fsync=on" } else { "fsync=off" }]);
        let url = format!("postgresql://postgres@{}/postgres", shown(&folder)?.replace('/', "%2F"));
        let server = Self::start(command, &folder, "-INT", url)?;
        server.wait(|| {
            Ok(user.command(program("pg_isready")?).arg("--host").arg(&folder).output()?.status.success())
        })
    }

    fn mariadb(folder: &Path) -> Result<Self> {
        let user = User::of("mysql")?;
        let folder = user.folder(folder.join("mariadb"))?;
        let (data, socket) = (folder.join("data"), folder.join("socket"));
        let program = |name| program(name).ok_or(format!("{name} is not installed"));
        let with = |name: &str, path: &Path| -> Result<String> { Ok(format!("--{name}={}", shown(path)?)) };
        quiet(
            user.command(program("mariadb-install-db")?)
                .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"])
                .arg(with("datadir", &data)?),
        )?;
        let mut command = user.command(program("mariadbd")?);
        command.args(["--no-defaults", "--skip-networking", "--innodb-flush-log-at-trx-commit=0"]);
        command.args([
            with("datadir", &data)?,
            with("socket", &socket)?,
            with("pid-file", &folder.join("pid"))?,
        ]);
        let url = format!("mysql://root@localhost/sortid?socket={}", shown(&socket)?);
        let server = Self::start(command, &folder, "-TERM", url)?;
        server.wait(|| {
            let mut client = user.command(program("mariadb")?);
            client.args(["--no-defaults", "--user=root", "--execute=CREATE DATABASE sortid"]);
            Ok(client.arg(with("socket", &socket)?).output()?.status.success())
        })
    }

    fn redis(folder: &Path) -> Result<Self> {
        let user = User::of("redis")?;
        let folder = user.folder(folder.join("redis"))?;
        let socket = folder.join("socket");
        let program = |name| program(name).ok_or(format!("{name} is not installed"));
        let mut command = user.command(program("redis-server")?);
        command.args(["--port", "0", "--save", "", "--dir"]).arg(&folder).arg("--unixsocket").arg(&socket);
        // Other users connect to the socket, too.
        command.args(["--unixsocketperm", "777"]);
        let url = format!("redis+unix://{}", shown(&socket)?);
        let server = Self::start(command, &folder, "-TERM", url)?;
        server.wait(|| {
            let mut client = user.command(program("redis-cli")?);
            Ok(client.arg("-s").arg(&socket).args(["-e", "PING"]).output()?.status.success())
        })
    }

    pub(crate) fn etcd(folder: &Path) -> Result<Self> {
        let user = User::of("etcd")?;
        let folder = user.folder(folder.join("etcd"))?;
        // Ports that are free now.
        let ports = [TcpListener::bind(("127.0.0.1", 0))?, TcpListener::bind(("127.0.0.1", 0))?];
        let [client, peer] = [ports[0].local_addr()?, ports[1].local_addr()?];
        drop(ports);
        let mut command = user.command(program("etcd").ok_or("etcd is not installed")?);
        command.arg("--data-dir").arg(folder.join("data"));
        for option in ["--listen-client-urls", "--advertise-client-urls"] {
            command.args([option, &format!("http://{client}")]);
        }
        for option in ["--listen-peer-urls", "--initial-advertise-peer-urls"] {
            command.args([option, &format!("http://{peer}")]);
        }
        command.args(["--initial-cluster", &format!("default=http://{peer}")]);
        let server = Self::start(command, &folder, "-TERM", format!("etcd://{client}"))?;
        server.wait(|| Ok(is_healthy(client).unwrap_or(false)))
    }

    fn start(mut command: Command, folder: &Path, signal: &'static str, url: String) -> Result<Self> {
        eprintln!("$ {} &", shell::shown(&command));
        let log = fs::File::create(folder.join("log"))?;
        let process = command.stdout(log.try_clone()?).stderr(log).spawn()?;
        Ok(Self { process, command, signal, url })
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Kills the server without a chance to tidy up.
    pub(crate) fn crash(&mut self) -> Result {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }

    /// Starts the server again, with the same data, if it has ended. Does not wait until it answers.
    pub(crate) fn revive(&mut self) -> Result {
        if self.process.try_wait()?.is_some() {
            self.process = self.command.spawn()?;
        }
        Ok(())
    }

    /// Waits until the server answers.
    fn wait(mut self, is_ready: impl Fn() -> Result<bool>) -> Result<Self> {
        let started = Instant::now();
        while !is_ready()? {
            if let Some(status) = self.process.try_wait()? {
                return Err(format!("{} ended: {status}", self.url).into());
            }
            if started.elapsed() > Duration::from_secs(60) {
                return Err(format!("{} does not answer after a minute", self.url).into());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(self)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let id = self.process.id().to_string();
        let asked = Command::new("kill").args([self.signal, &id]).status();
        let started = Instant::now();
        while asked.as_ref().is_ok_and(ExitStatus::success) && started.elapsed() < Duration::from_secs(20) {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whether the etcd server at this address has a leader.
fn is_healthy(address: SocketAddr) -> Result<bool> {
    let second = Duration::from_secs(1);
    let mut stream = TcpStream::connect_timeout(&address, second)?;
    stream.set_read_timeout(Some(second))?;
    stream.write_all(b"GET /health HTTP/1.0\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.contains("\"health\":\"true\""))
}

/// Runs the command, and shows its output only if it fails.
fn quiet(command: &mut Command) -> Result {
    eprintln!("$ {}", shell::shown(command));
    stdout_of(command).map(drop)
}

fn shown(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()).into())
}
