//! PostgreSQL, etcd, MariaDB and Redis servers for the tests. They keep their data in a temporary folder, and end with
//! the chore. They listen on sockets in this folder, or on ports of this machine if TLS is tested or the server has no
//! sockets.

mod certificates;
mod etcd;

use crate::{
    shell::{self, Result, program, stdout_of},
    tools::{self, is_root},
};
use certificates::Certificates;
use std::{
    ffi::OsStr,
    fs,
    net::TcpListener,
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Calls `work` with the addresses of a server of each kind, as the environment variables that the tests read.
pub(super) fn with_all<T>(work: impl FnOnce(&[(&str, &str)]) -> Result<T>) -> Result<T> {
    let folder = Folder::new()?;
    let certificates = Certificates::new(&folder.0)?;
    let postgres = Server::postgres(&folder.0, false)?;
    let postgres_replica = Server::postgres_replica(&folder.0)?;
    let postgres_tls = Server::postgres_tls(&folder.0, &certificates)?;
    let etcd = Server::etcd(&folder.0)?;
    let etcd_tls = Server::etcd_tls(&folder.0, &certificates)?;
    let etcd_cluster = Server::etcd_cluster(&folder.0)?;
    let mariadb = Server::mariadb(&folder.0)?;
    let redis = Server::redis(&folder.0)?;
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
pub(super) fn with_postgres<T>(work: impl FnOnce(&str) -> Result<T>) -> Result<T> {
    let folder = Folder::new()?;
    let postgres = Server::postgres(&folder.0, false)?;
    work(&postgres.url)
}

/// The password of all users, plain and in the form of a URL.
const PASSWORD: &str = "p@ss:w/rd?";
const ENCODED_PASSWORD: &str = "p%40ss%3Aw%2Frd%3F";

/// A port that no one listens on.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
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
        Self::trusting_postgres(folder, "postgres", is_durable, &[])
    }

    /// A server that runs as the replica of a server that is down.
    fn postgres_replica(folder: &Path) -> Result<Self> {
        Self::trusting_postgres(folder, "postgres-replica", false, &["standby.signal"])
    }

    fn trusting_postgres(folder: &Path, name: &str, is_durable: bool, files: &[&str]) -> Result<Self> {
        let user = User::of("postgres")?;
        let folder = user.folder(folder.join(name))?;
        let url = format!("postgresql://postgres@{}/postgres", shown(&folder)?.replace('/', "%2F"));
        let fsync = if is_durable { "fsync=on" } else { "fsync=off" };
        Self::start_postgres(user, &folder, url, &["listen_addresses=", fsync], files)
    }

    /// A server that demands TLS, a certificate and a password from the user `fleet`. It also has a socket, at which it trusts
    /// everyone.
    fn postgres_tls(folder: &Path, certificates: &Certificates) -> Result<Self> {
        let user = User::of("postgres")?;
        let folder = user.folder(folder.join("postgres-tls"))?;
        let port = free_port()?;
        let key = certificates.key_of(user, &folder)?;
        let rules = folder.join("hba.conf");
        fs::write(
            &rules,
            "local all all trust\nhostssl all fleet 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n",
        )?;
        let of = |name: &str, path: &Path| -> Result<String> { Ok(format!("{name}={}", shown(path)?)) };
        let url = format!(
            "postgresql://fleet:{ENCODED_PASSWORD}@localhost:{port}/postgres?sslmode=verify-full&sslrootcert={}&sslcert={}&sslkey={}",
            shown(&certificates.ca)?,
            shown(&certificates.client)?,
            shown(&certificates.client_key)?
        );
        let settings = [
            "listen_addresses=127.0.0.1".to_owned(),
            format!("port={port}"),
            "ssl=on".to_owned(),
            of("ssl_ca_file", &certificates.ca)?,
            of("ssl_cert_file", &certificates.server)?,
            of("ssl_key_file", &key)?,
            of("hba_file", &rules)?,
        ];
        let server = Self::start_postgres(user, &folder, url, &settings.each_ref().map(|it| &**it), &[])?;
        let psql = tools::postgres("psql").ok_or("psql is not installed")?;
        let create = format!("CREATE ROLE fleet LOGIN PASSWORD '{PASSWORD}'");
        for statement in [&*create, "CREATE SCHEMA fleet AUTHORIZATION fleet"] {
            let mut psql = user.command(&psql);
            psql.args([
                "--no-psqlrc",
                "--quiet",
                "--username=postgres",
                "--dbname=postgres",
                "--command",
                statement,
            ]);
            quiet(psql.arg("--host").arg(&folder).arg(format!("--port={port}")))?;
        }
        Ok(server)
    }

    /// A server with its data and its socket in a folder, and with empty files beside its data. Everyone is trusted, unless the settings name other rules.
    fn start_postgres(
        user: User,
        folder: &Path,
        url: String,
        settings: &[&str],
        files: &[&str],
    ) -> Result<Self> {
        let program = |name| tools::postgres(name).ok_or(format!("{name} is not installed"));
        let data = folder.join("data");
        quiet(
            user.command(program("initdb")?)
                .args(["--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"])
                .arg("--no-sync")
                .arg("--pgdata")
                .arg(&data),
        )?;
        for file in files {
            fs::write(data.join(file), "")?;
        }
        let mut command = user.command(program("postgres")?);
        command.arg("-D").arg(&data).arg("-k").arg(folder);
        command.args(["-c", "fsync=off", "-c", "dynamic_shared_memory_type=mmap"]);
        command.args(settings.iter().flat_map(|setting| ["-c", setting]));
        let server = Self::start(command, folder, "-INT", url)?;
        let port = settings.iter().find_map(|setting| setting.strip_prefix("port=")).unwrap_or("5432");
        server.wait(|| {
            let mut ready = user.command(program("pg_isready")?);
            Ok(ready.args(["--port", port, "--host"]).arg(folder).output()?.status.success())
        })
    }

    pub(crate) fn mariadb(folder: &Path) -> Result<Self> {
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

    pub(crate) fn redis(folder: &Path) -> Result<Self> {
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

/// Runs the command, and shows its output only if it fails.
fn quiet(command: &mut Command) -> Result {
    eprintln!("$ {}", shell::shown(command));
    stdout_of(command).map(drop)
}

fn shown(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()).into())
}
