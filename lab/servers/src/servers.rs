//! PostgreSQL, etcd, MariaDB and Redis servers. They keep their data in a temporary folder, and end with
//! their values. They listen on sockets in this folder, or on ports of this machine if TLS is tested or the server has no
//! sockets.

mod certificates;
mod etcd;

use crate::{
    programs::{installed, is_root, postgres},
    shell::{self, Result, stdout_of},
};
use certificates::Certificates;
use std::{
    ffi::OsStr,
    fs,
    net::TcpListener,
    ops::Deref,
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Calls `work` with the addresses of a server of each kind, as the environment variables that the tests read.
///
/// # Errors
///
/// If a server is not installed or does not start, and those of `work`.
pub fn with_all<T>(work: impl FnOnce(&[(&str, &str)]) -> Result<T>) -> Result<T> {
    let folder = Folder::new("databases")?;
    let certificates = Certificates::new(&folder)?;
    let postgres = Server::postgres(&folder, false)?;
    let postgres_replica = Server::postgres_replica(&folder)?;
    let postgres_tls = Server::postgres_tls(&folder, &certificates)?;
    let etcd = Server::etcd(&folder)?;
    let etcd_tls = Server::etcd_tls(&folder, &certificates)?;
    let etcd_cluster = Server::etcd_cluster(&folder)?;
    let mariadb = Server::mariadb(&folder)?;
    let redis = Server::redis(&folder)?;
    work(&[
        ("SORTID_POSTGRES", &postgres.url),
        ("SORTID_POSTGRES_REPLICA", &postgres_replica.url),
        ("SORTID_POSTGRES_TLS", &postgres_tls.url),
        ("SORTID_ETCD", &etcd.url),
        ("SORTID_ETCD_TLS", &etcd_tls.url),
        ("SORTID_ETCD_CLUSTER", &etcd_cluster[0].url),
        ("SORTID_MYSQL", &mariadb.url),
        ("SORTID_REDIS", &redis.url),
    ])
}

/// Calls `work` with the address of a PostgreSQL server.
///
/// # Errors
///
/// If the server is not installed or does not start, and those of `work`.
pub fn with_postgres<T>(work: impl FnOnce(&str) -> Result<T>) -> Result<T> {
    let folder = Folder::new("databases")?;
    let postgres = Server::postgres(&folder, false)?;
    work(&postgres.url)
}

/// The password of all users, plain and in the form of a URL.
const PASSWORD: &str = "p@ss:w/rd?";
const ENCODED_PASSWORD: &str = "p%40ss%3Aw%2Frd%3F";

/// A port that no one listens on.
///
/// # Errors
///
/// If the system has none.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// The user that runs a server. Servers refuse to run as root. `None` is the user of this process.
#[derive(Clone, Copy)]
struct User(Option<(u32, u32)>);

impl User {
    fn of(name: &str) -> Result<Self> {
        let id = |flag, name| stdout_of(Command::new("id").args([flag, name]));
        let or_nobody =
            |flag| -> Result<u32> { Ok(id(flag, name).or_else(|_| id(flag, "nobody"))?.trim().parse()?) };
        Ok(Self(if is_root() { Some((or_nobody("-u")?, or_nobody("-g")?)) } else { None }))
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

/// A folder, removed when this value is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// Makes a folder of this process in the folder for temporary files, whose path is short enough for sockets.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn new(name: &str) -> Result<Self> {
        Self::within(&std::env::temp_dir(), name)
    }

    /// Makes a folder of this process in another one.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn within(folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(format!("sortid-{name}-{}", std::process::id()));
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
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
pub struct Server {
    process: Child,
    command: Command,
    /// The signal for a fast but orderly end.
    signal: &'static str,
    /// Its address, as the clients of its kind write it.
    pub url: String,
}

impl Server {
    /// Starts PostgreSQL. `is_durable`: a write that was acknowledged outlives a computer that loses its power.
    ///
    /// # Errors
    ///
    /// If the server is not installed, or does not start.
    pub fn postgres(folder: &Path, is_durable: bool) -> Result<Self> {
        Self::trusting_postgres(folder, "postgres", if is_durable { "fsync=on" } else { "fsync=off" }, &[])
    }

    /// A server that runs as the replica of a server that is down.
    fn postgres_replica(folder: &Path) -> Result<Self> {
        Self::trusting_postgres(folder, "postgres-replica", "fsync=off", &["standby.signal"])
    }

    fn trusting_postgres(folder: &Path, name: &str, fsync: &str, files: &[&str]) -> Result<Self> {
        let user = User::of("postgres")?;
        let folder = user.folder(folder.join(name))?;
        let url = format!("postgresql://postgres@{}/postgres", shown(&folder)?.replace('/', "%2F"));
        Self::start_postgres(user, &folder, url, 5432, &["listen_addresses=", fsync], files)
    }

    /// A server that demands TLS, a certificate and a password from the user `fleet`. It also has a socket, at which it trusts
    /// everyone.
    fn postgres_tls(folder: &Path, certificates: &Certificates) -> Result<Self> {
        let user = User::of("postgres")?;
        let folder = user.folder(folder.join("postgres-tls"))?;
        let port = free_port()?;
        let rules = folder.join("hba.conf");
        fs::write(
            &rules,
            "local all all trust\nhostssl all fleet 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n",
        )?;
        let [ca, cert, key] =
            [&certificates.ca, &certificates.client, &certificates.client_key].map(|path| shown(path));
        let url = format!(
            "postgresql://fleet:{ENCODED_PASSWORD}@localhost:{port}/postgres?sslmode=verify-full&sslrootcert={}&sslcert={}&sslkey={}",
            ca?, cert?, key?
        );
        let files = [
            ("ssl_ca_file", &certificates.ca),
            ("ssl_cert_file", &certificates.server),
            ("ssl_key_file", &certificates.key_of(user, &folder)?),
            ("hba_file", &rules),
        ];
        let mut settings =
            vec!["listen_addresses=127.0.0.1".to_owned(), format!("port={port}"), "ssl=on".to_owned()];
        settings.extend(files.map(|(name, path)| format!("{name}={}", path.display())));
        let settings: Vec<_> = settings.iter().map(String::as_str).collect();
        let server = Self::start_postgres(user, &folder, url, port, &settings, &[])?;
        let create = format!("CREATE ROLE fleet LOGIN PASSWORD '{PASSWORD}'");
        let mut psql = user.command(postgres_program("psql")?);
        psql.args(["--no-psqlrc", "--quiet", "--username=postgres", "--dbname=postgres"]);
        psql.args(["--command", &create, "--command", "CREATE SCHEMA fleet AUTHORIZATION fleet"]);
        quiet(psql.arg("--host").arg(&folder).arg(format!("--port={port}")))?;
        Ok(server)
    }

    /// A server with its data and its socket in a folder, and with empty files beside its data. Everyone is trusted, unless
    /// the settings name other rules.
    fn start_postgres(
        user: User,
        folder: &Path,
        url: String,
        port: u16,
        settings: &[&str],
        files: &[&str],
    ) -> Result<Self> {
        let data = folder.join("data");
        let mut init = user.command(postgres_program("initdb")?);
        init.args(["--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"]);
        quiet(init.args(["--no-sync", "--pgdata"]).arg(&data))?;
        for file in files {
            fs::write(data.join(file), "")?;
        }
        let mut command = user.command(postgres_program("postgres")?);
        command.arg("-D").arg(&data).arg("-k").arg(folder);
        command.args(["-c", "fsync=off", "-c", "dynamic_shared_memory_type=mmap"]);
        command.args(settings.iter().flat_map(|setting| ["-c", setting]));
        let mut ready = user.command(postgres_program("pg_isready")?);
        ready.args(["--port", &port.to_string(), "--host"]).arg(folder);
        Self::start(command, folder, "-INT", url)?.wait(ready)
    }

    /// Starts MariaDB.
    ///
    /// # Errors
    ///
    /// If the server is not installed, or does not start.
    pub fn mariadb(folder: &Path) -> Result<Self> {
        let user = User::of("mysql")?;
        let folder = user.folder(folder.join("mariadb"))?;
        let with = |name: &str| format!("--{name}={}", folder.join(name).display());
        let mut install = user.command(installed("mariadb-install-db")?);
        install.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]);
        quiet(install.arg(with("datadir")))?;
        let mut command = user.command(installed("mariadbd")?);
        command.args(["--no-defaults", "--skip-networking", "--innodb-flush-log-at-trx-commit=0"]);
        command.args(["datadir", "socket", "pid-file"].map(with));
        let url = format!("mysql://root@localhost/sortid?socket={}", shown(&folder.join("socket"))?);
        let mut create = user.command(installed("mariadb")?);
        create.args(["--no-defaults", "--user=root", "--execute=CREATE DATABASE sortid"]).arg(with("socket"));
        Self::start(command, &folder, "-TERM", url)?.wait(create)
    }

    /// Starts Redis.
    ///
    /// # Errors
    ///
    /// If the server is not installed, or does not start.
    pub fn redis(folder: &Path) -> Result<Self> {
        let user = User::of("redis")?;
        let folder = user.folder(folder.join("redis"))?;
        let socket = folder.join("socket");
        let mut command = user.command(installed("redis-server")?);
        command.args(["--port", "0", "--save", "", "--dir"]).arg(&folder).arg("--unixsocket").arg(&socket);
        // Other users connect to the socket, too.
        command.args(["--unixsocketperm", "777"]);
        let mut ping = user.command(installed("redis-cli")?);
        ping.arg("-s").arg(&socket).args(["-e", "PING"]);
        Self::start(command, &folder, "-TERM", format!("redis+unix://{}", shown(&socket)?))?.wait(ping)
    }

    /// Starts a server of HTTP on this port, whose log is in this folder, and waits until it has this path.
    ///
    /// # Errors
    ///
    /// If the server does not start.
    pub fn http(command: Command, folder: &Path, port: u16, path: &str) -> Result<Self> {
        let url = format!("http://127.0.0.1:{port}/");
        let mut ready = Command::new(installed("curl")?);
        ready.args(["--silent", "--fail", "--output", "/dev/null"]).arg(format!("{url}{path}"));
        Self::start(command, folder, "-TERM", url)?.wait(ready)
    }

    fn start(mut command: Command, folder: &Path, signal: &'static str, url: String) -> Result<Self> {
        eprintln!("$ {} &", shell::shown(&command));
        let log = fs::File::create(folder.join("log"))?;
        let process = command.stdout(log.try_clone()?).stderr(log).spawn()?;
        Ok(Self { process, command, signal, url })
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        signal(name, self.process.id());
    }

    /// Kills the server without a chance to tidy up.
    ///
    /// # Errors
    ///
    /// If it cannot be killed.
    pub fn crash(&mut self) -> Result {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }

    /// Kills the process of a server that this chooses, and returns whether there was one. PostgreSQL then takes its other
    /// processes down, and starts again.
    pub fn crash_a_child(&self, choose: impl FnOnce(usize) -> usize) -> bool {
        let children = format!("/proc/{0}/task/{0}/children", self.process.id());
        let children = fs::read_to_string(children).unwrap_or_default();
        let children: Vec<u32> = children.split_whitespace().filter_map(|id| id.parse().ok()).collect();
        if !children.is_empty() {
            signal("-KILL", children[choose(children.len())]);
        }
        !children.is_empty()
    }

    /// Runs a command in PostgreSQL.
    ///
    /// # Errors
    ///
    /// If the server does not answer, or refuses the command.
    pub fn psql(&self, command: &str) -> Result<String> {
        let mut psql = Command::new(postgres_program("psql")?);
        stdout_of(psql.args(["--no-psqlrc", "--command", command, &self.url]))
    }

    /// Starts the server again, with the same data, if it has ended. Does not wait until it answers.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn revive(&mut self) -> Result {
        if self.process.try_wait()?.is_some() {
            self.process = self.command.spawn()?;
        }
        Ok(())
    }

    /// Waits until this command succeeds.
    fn wait(mut self, mut is_ready: Command) -> Result<Self> {
        let started = Instant::now();
        while !is_ready.output()?.status.success() {
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

/// Sends a signal to a process, which may have ended.
pub fn signal(signal: &str, process: u32) {
    let _ = Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
}

/// Runs the command, and shows its output only if it fails.
fn quiet(command: &mut Command) -> Result {
    eprintln!("$ {}", shell::shown(command));
    stdout_of(command).map(drop)
}

/// A program of PostgreSQL.
fn postgres_program(name: &str) -> Result<PathBuf> {
    Ok(postgres(name).ok_or_else(|| format!("{name} is not installed"))?)
}

fn shown(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()).into())
}
