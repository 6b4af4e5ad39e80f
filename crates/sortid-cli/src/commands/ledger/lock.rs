//! Locks with a timeout, because anyone who can open a file can lock it for ever.

use clap::Args;
use std::{
    fs::{File, TryLockError},
    io,
    sync::mpsc,
    thread,
    time::Duration,
};

/// How long to wait for the lock of a ledger.
#[derive(Args)]
pub(super) struct Timeout {
    /// How long to wait while another process has locked the file
    #[arg(long = "lock-timeout", value_name = "SECONDS", default_value_t = Timeout::DEFAULT)]
    seconds: u64,
}

impl Timeout {
    const DEFAULT: u64 = 30;

    pub(super) const fn duration(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

impl Default for Timeout {
    fn default() -> Self {
        Self { seconds: Self::DEFAULT }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// To read while nobody writes.
    Shared,
    /// To write while nobody reads or writes.
    Exclusive,
}

impl Access {
    fn try_lock(self, file: &File) -> Result<(), TryLockError> {
        match self {
            Self::Shared => file.try_lock_shared(),
            Self::Exclusive => file.try_lock(),
        }
    }

    fn lock(self, file: &File) -> io::Result<()> {
        match self {
            Self::Shared => file.lock_shared(),
            Self::Exclusive => file.lock(),
        }
    }
}

/// Locks the file. After `timeout`, or if no thread can wait, returns an error of the kind `TimedOut`. Its message
/// names the processes that may hold the lock.
///
/// A thread waits in the operating system. If it tried at intervals, it would hardly ever meet the moment at which a
/// process that writes batch after batch unlocks the file.
pub(super) fn lock(file: &File, access: Access, timeout: Duration) -> io::Result<()> {
    match access.try_lock(file) {
        Ok(()) => return Ok(()),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // The lock belongs to both handles, because they are copies.
    let copy = file.try_clone()?;
    let (sender, receiver) = mpsc::sync_channel(0);
    let waiter = thread::Builder::new().spawn(move || {
        let result = access.lock(&copy);
        let is_locked = result.is_ok();
        // This fails if nobody waits any longer.
        if sender.send(result).is_err() && is_locked {
            let _ = copy.unlock();
        }
    });
    if let Err(error) = waiter {
        let message = format!(
            "another process has locked it, and this program cannot start a thread to wait for it: {error}"
        );
        return Err(io::Error::new(io::ErrorKind::TimedOut, message));
    }
    receiver.recv_timeout(timeout).unwrap_or_else(|_| {
        let message = format!(
            "another process has kept it locked for {} s: {} (to wait longer: --lock-timeout SECONDS)",
            timeout.as_secs(),
            holders(file).unwrap_or_else(|| "look for the programs that have the file open".to_owned()),
        );
        Err(io::Error::new(io::ErrorKind::TimedOut, message))
    })
}

/// Which processes may hold a lock on the file; `None` if that is not known.
#[cfg(target_os = "linux")]
fn holders(file: &File) -> Option<String> {
    use std::{fs, os::unix::fs::MetadataExt as _};

    const READINGS: u32 = 100;

    let metadata = file.metadata().ok()?;
    let (device, inode) = (metadata.dev(), metadata.ino());
    // The kernel gives the list in pieces. If a process gives up a lock between two pieces, another lock can be missing.
    let pids = (0..READINGS).find_map(|_| {
        let locks = fs::read_to_string("/proc/locks").ok()?;
        Some(holders_in(&locks, device, inode)).filter(|pids| !pids.is_empty())
    })?;
    let names: Vec<_> = pids
        .iter()
        .map(|pid| match fs::read_to_string(format!("/proc/{pid}/comm")) {
            // Anyone can name a process, so its name is escaped.
            Ok(name) => format!("process {pid} ({:?})", name.trim_end()),
            Err(_) => format!("process {pid}"),
        })
        .collect();
    Some(format!("{} may hold the lock", names.join(", ")))
}

#[cfg(not(target_os = "linux"))]
fn holders(_: &File) -> Option<String> {
    None
}

/// The processes that hold a lock on this file according to `/proc/locks`, whose lines are such as
/// `1: FLOCK  ADVISORY  WRITE 5491 fe:00:613 0 EOF`.
#[cfg(target_os = "linux")]
fn holders_in(locks: &str, device: u64, inode: u64) -> Vec<u32> {
    let (major, minor) =
        ((device >> 8 & 0xfff) | (device >> 32 & !0xfff), (device & 0xff) | (device >> 12 & !0xff));
    // Some file systems show another device in `/proc/locks`.
    let (whole, part) = (format!("{major:02x}:{minor:02x}:{inode}"), format!(":{inode}"));
    let of = |is_file: &dyn Fn(&str) -> bool| -> Vec<u32> {
        let lines = locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        // A process that waits has an arrow after the number. A process of another container has the ID 0.
        let holding = lines.filter(|words| words.get(5).is_some_and(|file| is_file(file)));
        holding.filter_map(|words| words[4].parse().ok()).filter(|&pid| pid > 0).collect()
    };
    let exact = of(&|file| file == whole);
    if exact.is_empty() { of(&|file| file.ends_with(&part)) } else { exact }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::holders_in;

    #[test]
    fn the_holders_of_a_lock_are_those_of_the_file_and_not_those_that_wait() {
        let locks = "1: FLOCK  ADVISORY  WRITE 5491 fe:00:613 0 EOF\n\
                     1: -> FLOCK  ADVISORY  WRITE 77 fe:00:613 0 EOF\n\
                     2: POSIX  ADVISORY  READ 0 fe:00:613 0 EOF\n\
                     3: FLOCK  ADVISORY  READ 12 fe:01:613 0 EOF\n\
                     4: FLOCK  ADVISORY  READ 13 fe:00:1613 0 EOF\n\
                     5:\n";
        assert_eq!(holders_in(locks, 0xfe00, 613), [5491]);
        assert_eq!(holders_in(locks, 0xfe01, 613), [12]);
        assert_eq!(holders_in(locks, 0x0801, 1613), [13]);
        assert!(holders_in(locks, 0xfe00, 14).is_empty());
        // A device number of the kernel has the minor number on both sides of the major number.
        assert_eq!(holders_in("1: FLOCK ADVISORY WRITE 9 103:100001:5 0 EOF", 0x1_0001_0301, 5), [9]);
    }
}
