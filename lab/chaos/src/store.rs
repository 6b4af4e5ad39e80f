//! The stores of fleets, and what happens to them.

use clap::ValueEnum;
use fastrand::Rng;
use sortid_servers::{
    servers::{Folder, Server},
    shell::Result,
};
use std::{
    ops::Range,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreKind {
    Dir,
    Postgres,
    Etcd,
}

impl StoreKind {
    /// The name for people.
    pub(crate) const fn shown(self) -> &'static str {
        match self {
            Self::Dir => "a directory",
            Self::Postgres => "PostgreSQL",
            Self::Etcd => "etcd, three servers",
        }
    }
}

#[derive(clap::Args)]
pub(crate) struct Stores {
    /// The store [default: all stores, one after the other]
    #[arg(long, value_enum, conflicts_with = "write")]
    store: Option<StoreKind>,
}

impl Stores {
    pub(crate) fn kinds(&self) -> &[StoreKind] {
        self.store.as_ref().map_or(StoreKind::value_variants(), std::slice::from_ref)
    }
}

/// A store. It ends, and is removed, when this value is dropped.
pub(crate) struct Store {
    pub(crate) kind: StoreKind,
    // The servers end before their folder is removed. A directory has none.
    servers: Vec<Server>,
    folder: Folder,
    /// What is wrong now, and until when.
    trouble: Option<(Trouble, Instant)>,
    /// How often it was disturbed.
    turns: u64,
    /// How often servers crashed.
    pub(crate) crashes: u64,
    /// How often connections were cut, or the store did not answer.
    pub(crate) cuts: u64,
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
        let folder =
            if kind == StoreKind::Dir { Folder::within(folder, "store") } else { Folder::new("store") }?;
        let servers = match kind {
            StoreKind::Dir => vec![],
            StoreKind::Postgres => vec![Server::postgres(&folder, true)?],
            StoreKind::Etcd => Server::etcd_cluster(&folder)?,
        };
        Ok(Self { kind, servers, folder, trouble: None, turns: 0, crashes: 0, cuts: 0 })
    }

    pub(crate) fn url(&self) -> String {
        let first = self.servers.first();
        first.map_or_else(|| format!("dir:{}", self.folder.display()), |server| server.url.clone())
    }

    /// Does something to the store, unless something is wrong already.
    pub(crate) fn disturb(&mut self, random: &mut Rng) -> Result {
        if self.trouble.is_some() {
            return Ok(());
        }
        let until = Instant::now() + Duration::from_millis(random.u64(300..5000));
        if self.kind == StoreKind::Dir {
            // Root can write to folders whose mode forbids it, but not to these.
            if chattr("+i", &self.folder) {
                self.cuts += 1;
                self.trouble = Some((Trouble::ReadOnly, until));
            }
            return Ok(());
        }
        // One of several servers, or all.
        let first = random.usize(..self.servers.len());
        let some = if random.bool() { first..first + 1 } else { 0..self.servers.len() };
        // Each kind of trouble in turn, so that a short proof has all.
        match (self.turns % 3, self.kind) {
            (0, _) => {
                for server in &mut self.servers[some] {
                    server.crash()?;
                    self.crashes += 1;
                }
                self.trouble = Some((Trouble::Down, until));
            }
            (1, StoreKind::Postgres) => {
                self.crashes += u64::from(self.servers[0].crash_a_child(|count| random.usize(..count)));
            }
            (_, StoreKind::Postgres) => {
                let cut =
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()";
                // It fails if the server has just crashed.
                self.cuts += u64::from(self.servers[0].psql(cut).is_ok());
            }
            _ => {
                self.servers[some.clone()].iter().for_each(|server| server.signal("-STOP"));
                self.cuts += 1;
                self.trouble = Some((Trouble::Stopped(some), until));
            }
        }
        self.turns += 1;
        Ok(())
    }

    /// Ends the trouble whose time is over.
    pub(crate) fn heal(&mut self, now: Instant) -> Result {
        match self.trouble.take_if(|(_, until)| *until <= now) {
            Some((Trouble::ReadOnly, _)) => drop(chattr("-i", &self.folder)),
            Some((Trouble::Stopped(some), _)) => {
                self.servers[some].iter().for_each(|server| server.signal("-CONT"));
            }
            Some((Trouble::Down, _)) | None => {}
        }
        // A server that crashed may refuse to start until all its processes have ended.
        if self.trouble.is_none() {
            self.servers.iter_mut().try_for_each(Server::revive)?;
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
    }
}

/// Changes an attribute of a folder and all its files. Only root can, and not on every file system.
fn chattr(change: &str, path: &Path) -> bool {
    let mut command = Command::new("chattr");
    command.args(["-R", "-f", change]).arg(path).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
