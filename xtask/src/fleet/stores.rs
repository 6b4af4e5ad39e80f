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
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A store. It ends, and is removed, when this value is dropped.
pub(super) struct Store {
    kind: StoreKind,
    place: Place,
    /// What is wrong now, and until when.
    trouble: Option<(Trouble, Instant)>,
    /// How often it was disturbed.
    pub(super) restarts: u64,
    pub(super) cuts: u64,
}

enum Place {
    Directory(PathBuf),
    // The server ends before its folder is removed.
    Server(Box<Server>, #[expect(dead_code, reason = "is dropped")] Folder),
}

#[derive(Clone, Copy)]
enum Trouble {
    /// The server is down.
    Down,
    /// The server is stopped.
    Stopped,
    /// The directory cannot be written to.
    ReadOnly,
}

impl Store {
    /// Starts a store. A directory is made in `folder`, which is on a disk.
    pub(super) fn start(kind: StoreKind, folder: &Path) -> Result<Self> {
        let place = match kind {
            StoreKind::Dir => {
                let path = folder.join(format!("fleet-store-{}", std::process::id()));
                fs::create_dir_all(&path)?;
                Place::Directory(path)
            }
            StoreKind::Postgres => {
                let folder = Folder::new()?;
                Place::Server(Server::postgres(&folder.0, true)?.into(), folder)
            }
            StoreKind::Etcd => {
                let folder = Folder::new()?;
                Place::Server(Server::etcd(&folder.0)?.into(), folder)
            }
        };
        Ok(Self { kind, place, trouble: None, restarts: 0, cuts: 0 })
    }

    pub(super) fn url(&self) -> String {
        match &self.place {
            Place::Directory(path) => format!("dir:{}", path.display()),
            Place::Server(server, _) => server.url.clone(),
        }
    }

    /// Does something to the store, unless something is wrong already.
    pub(super) fn disturb(&mut self, random: &mut Rng) -> Result {
        if self.trouble.is_some() {
            return Ok(());
        }
        let until = Instant::now() + Duration::from_millis(random.u64(300..5000));
        match (self.kind, &mut self.place, random.u8(0..3)) {
            (_, Place::Directory(path), _) => {
                // Root can write to folders whose mode forbids it, but not to these.
                if chattr("+i", path) {
                    self.cuts += 1;
                    self.trouble = Some((Trouble::ReadOnly, until));
                }
            }
            (_, Place::Server(server, _), 0) => {
                server.crash()?;
                self.restarts += 1;
                self.trouble = Some((Trouble::Down, until));
            }
            (StoreKind::Postgres, Place::Server(server, _), 1) => {
                // One of its processes: the server takes all others down, and starts anew.
                let children = format!("/proc/{0}/task/{0}/children", server.id());
                let children = fs::read_to_string(children).unwrap_or_default();
                let children: Vec<_> = children.split_whitespace().collect();
                if !children.is_empty() {
                    signal("-KILL", children[random.usize(..children.len())]);
                    self.restarts += 1;
                }
            }
            (StoreKind::Postgres, Place::Server(server, _), _) => {
                let cut =
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()";
                let psql = tools::postgres("psql").ok_or("psql is not installed")?;
                // It fails if the server has just crashed.
                if stdout_of(Command::new(psql).args(["--no-psqlrc", "--command", cut, &server.url])).is_ok()
                {
                    self.cuts += 1;
                }
            }
            (_, Place::Server(server, _), _) => {
                signal("-STOP", &server.id().to_string());
                self.cuts += 1;
                self.trouble = Some((Trouble::Stopped, until));
            }
        }
        Ok(())
    }

    /// Ends the trouble whose time is over.
    pub(super) fn heal(&mut self, now: Instant) -> Result {
        if let Some((trouble, _)) = self.trouble.take_if(|(_, until)| *until <= now) {
            match (trouble, &mut self.place) {
                (Trouble::ReadOnly, Place::Directory(path)) => drop(chattr("-i", path)),
                (Trouble::Stopped, Place::Server(server, _)) => signal("-CONT", &server.id().to_string()),
                _ => {}
            }
        }
        // A server that crashed may refuse to start until all its processes have ended.
        if self.trouble.is_none()
            && let Place::Server(server, _) = &mut self.place
        {
            server.revive()?;
        }
        Ok(())
    }

    /// Ends all trouble.
    pub(super) fn calm(&mut self) -> Result {
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
pub(super) fn signal(signal: &str, process: &str) {
    let _ = Command::new("kill").args([signal, process]).stderr(Stdio::null()).status();
}
