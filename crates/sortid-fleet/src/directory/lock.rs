//! The lock of a node ID.

use super::file::{failed, open};
use crate::{StoreError, StoreErrorKind};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// How long a swap waits for another one of the same node ID.
const PATIENCE: Duration = Duration::from_secs(3);

/// A lock that this process has. The operating system takes it back when the process ends.
pub(super) struct Lock(File);

impl Lock {
    /// Locks a file. Returns `None` if its folder is not there.
    pub(super) fn acquire(path: &Path) -> Result<Option<Self>, StoreError> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            // Each attempt opens the file again, because someone may have removed it.
            let file = match open_lock(path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(failed("open", path, &error)),
            };
            match file.try_lock() {
                Ok(()) => {
                    let lock = Self(file);
                    if is_at(&lock.0, path).map_err(|error| failed("read", path, &error))? {
                        return Ok(Some(lock));
                    }
                    // Some network file systems give a file another inode number each time.
                    if start.elapsed() > PATIENCE {
                        let message = format!(
                            "cannot lock {} within {} s: it is another file each time. Use a directory on a disk of this \
                             host",
                            path.display(),
                            PATIENCE.as_secs(),
                        );
                        return Err(StoreError::new(StoreErrorKind::Unavailable, message));
                    }
                }
                Err(TryLockError::WouldBlock) if start.elapsed() > PATIENCE => {
                    let holders = holders(&file).unwrap_or_else(|| "another process".to_owned());
                    return Err(StoreError::new(
                        StoreErrorKind::Unavailable,
                        format!(
                            "cannot lock {} within {} s: {holders} holds it, and may be stopped. Continue or end it",
                            path.display(),
                            PATIENCE.as_secs(),
                        ),
                    ));
                }
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(16));
                }
                Err(TryLockError::Error(error)) => return Err(failed("lock", path, &error)),
            }
        }
    }

    /// Locks a file if nobody has locked it.
    pub(super) fn acquire_now(path: &Path) -> Option<Self> {
        let file = open_lock(path).ok()?;
        file.try_lock().ok()?;
        let lock = Self(file);
        is_at(&lock.0, path).ok()?.then_some(lock)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A forked child can have a copy of the descriptor. To close this one would not free the lock.
        let _ = self.0.unlock();
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;

        // Others can read and write the file, and cannot remove it: FILE_SHARE_READ and FILE_SHARE_WRITE.
        options.share_mode(0b11);
    }
    match open(options.clone().read(true).write(true).create(true).truncate(false), path) {
        // The file can be another user's. To lock it, reading is enough.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open(options.read(true), path).map_err(|_| error)
        }
        result => result,
    }
}

/// Whether the path leads to the open file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        let open = file.metadata()?;
        match path.symlink_metadata() {
            Ok(found) => Ok((found.dev(), found.ino()) == (open.dev(), open.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        // While the file is open, it cannot be removed.
        Ok(true)
    }
}

/// The processes that hold a lock of the file, for people; `None` if that is not known.
#[cfg(target_os = "linux")]
fn holders(file: &File) -> Option<String> {
    use std::{fs, os::unix::fs::MetadataExt as _};

    let metadata = file.metadata().ok()?;
    let (major, minor) = (rustix::fs::major(metadata.dev()), rustix::fs::minor(metadata.dev()));
    let place = format!("{major:02x}:{minor:02x}:{}", metadata.ino());
    let locks = fs::read_to_string("/proc/locks").ok()?;
    // `1: FLOCK  ADVISORY  WRITE 5491 fe:00:613 0 EOF`. A process that waits has an arrow after the number, and one of
    // another container has the ID 0.
    let holders = locks.lines().filter_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        (words.get(5) == Some(&&*place) && words[4] != "0").then(|| {
            // Anyone can name a process, so its name is escaped.
            let name = fs::read_to_string(format!("/proc/{}/comm", words[4])).unwrap_or_default();
            format!("process {} ({:?})", words[4], name.trim_end())
        })
    });
    Some(holders.collect::<Vec<_>>().join(", ")).filter(|holders| !holders.is_empty())
}

#[cfg(not(target_os = "linux"))]
fn holders(_: &File) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::Lock;
    use std::fs;

    /// A child that is forked within a swap has a copy of the descriptor, and keeps it.
    #[test]
    fn a_lock_is_free_afterwards_even_if_a_copy_of_its_descriptor_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0.lock");
        let lock = Lock::acquire(&path).unwrap().unwrap();
        let copy = lock.0.try_clone().unwrap();
        drop(lock);
        let again = Lock::acquire(&path).unwrap().unwrap();
        // A child that ends frees no lock of its parent.
        drop(copy);
        assert!(fs::File::open(&path).unwrap().try_lock().is_err());
        drop(again);
        fs::File::open(&path).unwrap().try_lock().unwrap();
    }

    /// Otherwise one process could lock a removed file, and another one the new file of the same name.
    #[cfg(windows)]
    #[test]
    fn on_windows_nobody_removes_the_file_of_a_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0.lock");
        let lock = Lock::acquire(&path).unwrap().unwrap();
        assert!(fs::remove_file(&path).is_err());
        drop(lock);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn without_its_folder_there_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Lock::acquire(&folder.path().join("a/0.lock")).unwrap().is_none());
    }
}
