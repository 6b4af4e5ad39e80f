//! The stores of the proof, and what happens to them.

use super::StoreKind;
use crate::{
    databases::servers::{Folder, Server},
    shell::{Result, stdout_of},
    tools,
};
use fastrand::Rng;
use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A store. It ends, and is removed, when this value is dropped.
pub(crate) struct Store {
    kind: StoreKind,
    place: Place,
    /// What is wrong now, and until when.
    trouble: Option<(Trouble, Instant)>,
    /// How often it was disturbed.
    turns: u64,
    /// How often servers crashed.
    pub(crate) crashes: u64,
    /// How often connections were cut, or the store did not answer.
    pub(crate) cuts: u64,
}

enum Place {
    Directory(PathBuf),
    // The servers end before their folder is removed.
    Servers(Vec<Server>, #[expect(dead_code, reason = "is dropped")] Folder),
}

enum Trouble {
    /// Servers are down.
    Down,
    /// These servers are stopped.
    Stopped(Range<usize>),
    /// The directory cannot be written to.
    ReadOnly,
}

impl Store {
    /// Starts a store. A directory is made in `folder`, which is on a disk.
    pub(crate) fn start(kind: StoreKind, folder: &Path) -> Result<Self> {
        let place = match kind {
            StoreKind::Dir => {
                let path = folder.join(format!("fleet-store-{}", std::process::id()));
                fs::create_dir_all(&path)?;
                Place::Directory(path)
            }
            StoreKind::Postgres => {
                let folder = Folder::new()?;
                Place::Servers(vec![Server::postgres(&folder.0, true)?], folder)
            }
            StoreKind::Etcd => {
                let folder = Folder::new()?;
                Place::Servers(Server::etcd_cluster(&folder.0)?, folder)
            }
        };
        Ok(Self { kind, place, trouble: None, turns: 0, crashes: 0, cuts: 0 })
    }

    pub(crate) fn url(&self) -> String {
        match &self.place {
            Place::Directory(path) => format!("dir:{}", path.display()),
            Place::Servers(servers, _) => servers[0].url.clone(),
        }
    }

    /// Does something to the store, unless something is wrong already.
    pub(crate) fn disturb(&mut self, random: &mut Rng) -> Result {
        if self.trouble.is_some() {
            return Ok(());
        }
        let until = Instant::now() + Duration::from_millis(random.u64(300..5000));
        // Each kind of trouble in turn, so that a short proof has all.
        let turn = self.turns;
        self.turns += 1;
        let servers = match &mut self.place {
            Place::Directory(path) => {
                // Root can write to folders whose mode forbids it, but not to these.
                if chattr("+i", path) {
                    self.cuts += 1;
                    self.trouble = Some((Trouble::ReadOnly, until));
                }
                return Ok(());
            }
            Place::Servers(servers, _) => servers,
        };
        // One of several servers, or all.
        let first = random.usize(..servers.len());
        let some = if random.bool() { first..first + 1 } else { 0..servers.len() };
        match (turn % 3, self.kind) {
            (0, _) => {
                for server in &mut servers[some] {
                    server.crash()?;
                    self.crashes += 1;
                }
                self.trouble = Some((Trouble::Down, until));
            }
            (1, StoreKind::Postgres) => {
                // One of its processes: the server takes all others down, and starts again.
                let children = format!("/proc/{0}/task/{0}/children", servers[0].id());
                let children = fs::read_to_string(children).unwrap_or_default();
                let children: Vec<_> = children.split_whitespace().collect();
                if !children.is_empty() {
                    signal("-KILL", children[random.usize(..children.len())]);
                    self.crashes += 1;
                }
            }
            (_, StoreKind::Postgres) => {
                let cut =
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()";
                let psql = tools::postgres("psql").ok_or("psql is not installed")?;
                let mut psql = Command::new(psql);
                // It fails if the server has just crashed.
                if stdout_of(psql.args(["--no-psqlrc", "--command", cut, &servers[0].url])).is_ok() {
                    self.cuts += 1;
                }
            }
            _ => {
                for server in &servers[some.clone()] {
                    signal("-STOP", &server.id().to_string());
                }
                self.cuts += 1;
                self.trouble = Some((Trouble::Stopped(some), until));
            }
        }
        Ok(())
    }

    /// Ends the trouble whose time is over.
    pub(crate) fn heal(&mut self, now: Instant) -> Result {
        if let Some((trouble, _)) = self.trouble.take_if(|(_, until)| *until <= now) {
            match (trouble, &mut self.place) {
                (Trouble::ReadOnly, Place::Directory(path)) => drop(chattr("-i", path)),
                (Trouble::Stopped(some), Place::Servers(servers, _)) => {
                    servers[some].iter().for_each(|server| signal("-CONT", &server.id().to_string()));
                }
                _ => {}
            }
        }
        // A server that crashed may refuse to start until all its processes have ended.
        if self.trouble.is_none()
            && let Place::Servers(servers, _) = &mut self.place
        {
            servers.iter_mut().try_for_each(Server::revive)?;
        }
        Ok(())
    }

    /// Ends all trouble.
    pub(crate) fn calm(&mut self) -> Result {
        self.heal(Instant::now() + Duration::from_secs(3600))
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.calm();
        if let Place::Directory(path) = &self.place
            && let Err(error) = fs::remove_dir_all(path)
        {
            eprintln!("cannot remove {}: {error}", path.display());
        }
    }
}

/// Changes an attribute of a folder and all its files. Only root can, and not on every file system.
fn chattr(change: &str, path: &Path) -> bool {
    let mut command = Command::new("chattr");
    command.args(["-R", "-f", change]).arg(path).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Sends a signal to a process, which may have ended.
pub(crate) fn signal(signal: &str, process: &str) {
    let _ = Command::new("kill").args([signal, process]).stderr(Stdio::null()).status();
}
