//! The store of one host.

mod file;
mod folder;
mod lock;
mod place;

use crate::{Millis, Record, Snapshot, Store, StoreError, StoreErrorKind, Swapped};
use file::{failed, shape};
use folder::Folder;
use std::{
    fs, io,
    path::{self, Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// A [`Store`] in a directory, for the processes of one host. Containers that share the directory are processes of one
/// host, too.
///
/// Each number is a small file, `SPACE/NUMBER.json`, with one line of JSON. A swap writes and syncs a temporary file, renames
/// it to that name, and syncs the folder. Meanwhile it holds the lock of the number, `SPACE/NUMBER.lock`, which dies with
/// its process. So a process that is killed blocks nothing, and a process that is stopped within a swap blocks its number
/// only. Other processes try for 3 s to get the lock. A reader waits for no lock.
///
/// The time of the store is the host's clock.
///
/// ```
/// use sortid_fleet::{DirectoryStore, Record, Store};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("ids");
/// let store = DirectoryStore::open(path)?;
/// let record = Record { size: 32, generation: 1, holder: None, until: 1_750_000_000_000 };
/// assert!(store.swap("orders", 7, None, &record)?.swapped);
/// assert!(!store.swap("orders", 7, None, &record)?.swapped);
/// assert_eq!(store.read("orders")?.records[&7], record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # The directory
///
/// The directory must be on a disk of this host. [`warning`](Store::warning) tells about a network file system, whose locks
/// and renames may be weaker, and about one in memory, which is lost with a restart. Use PostgreSQL or etcd for several
/// hosts.
///
/// Nothing else may change or remove files in the directory. Without the records, the fleet begins anew, and can repeat
/// IDs. So `open` makes the directory itself, but not its parents: those may be a volume that is not mounted.
///
/// New files have the permissions that the umask leaves. For processes of several users, give the directory a group that
/// all of them have, set its set-group-ID bit (`chmod 2770`), and run the processes with the umask 002. An administrator
/// runs `sortid nodes` as the user of the service.
///
/// # Copies
///
/// A copy of the directory can be behind: a backup is older than the IDs that were made since. Each record says where it
/// was written: the inode numbers of the file and its folder, and when these were made, if the file system tells it. After
/// `cp -r`, `rsync`, or a backup that is restored, even over the directory itself, these differ. Then all operations
/// fail with [`StoreErrorKind::Shape`] until [`repair`](crate::repair) has raised the bounds. To rename or to move the
/// directory on one file system is no copy.
///
/// Some copies are not noticed, so run `sortid nodes repair` after them:
///
/// - A snapshot of the file system, the disk or the virtual machine is restored.
/// - The directory is removed and made anew, so nothing is left to compare.
/// - Windows: the standard library cannot tell which file a file is.
/// - The file system does not tell when a file was made, and uses an inode number again: ext4 with inodes of 128 bytes,
///   and some network file systems.
#[derive(Debug)]
pub struct DirectoryStore {
    path: PathBuf,
    warning: Option<String>,
    /// Whether it reads copies as if they were none.
    accepts_copies: bool,
}

impl DirectoryStore {
    /// Opens a directory. Makes it if it is not there, but not its parents.
    ///
    /// # Errors
    ///
    /// `Config` if its parent is not there, `Shape` if it is not a directory, `Denied` without permission, `Unavailable` if
    /// the disk fails.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let given = path.as_ref();
        // The directory stays the same if the process changes its working directory.
        let path = path::absolute(given).map_err(|error| {
            let message = format!("directory of a fleet: expected a path, found {given:?}: {error}");
            StoreError::new(StoreErrorKind::Config, message)
        })?;
        let is_made = make(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::new(
                StoreErrorKind::Config,
                format!(
                    "cannot make directory {}: its parent is not there. Correct the path, mount the volume, or make the \
                     parent",
                    path.display()
                ),
            ),
            _ => failed("make directory", &path, &error),
        })?;
        let metadata = fs::metadata(&path).map_err(|error| failed("read", &path, &error))?;
        if !metadata.is_dir() {
            return Err(shape(&path, "expected a directory, found a file"));
        }
        // Another process may have made it, and died before this.
        if let Some(parent) = path.parent() {
            match file::sync_folder(parent) {
                Err(error) if is_made || error.kind() != io::ErrorKind::PermissionDenied => {
                    return Err(failed("sync", parent, &error));
                }
                _ => {}
            }
        }
        let warning = place::warning(&path);
        Ok(Self { path, warning, accepts_copies: false })
    }

    /// Checks the name of a space. Another one could lead elsewhere.
    fn folder_path(&self, space: &str) -> Result<PathBuf, StoreError> {
        let is_valid = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
        if !(1..=63).contains(&space.len()) || !space.bytes().all(is_valid) {
            return Err(StoreError::new(
                StoreErrorKind::Config,
                format!(
                    "name of a space: expected 1 to 63 of the characters a-z, 0-9, _ and -, found {space:?}"
                ),
            ));
        }
        Ok(self.path.join(space))
    }

    /// Opens the folder of a space. Returns `None` if it is not there: the space has no records.
    fn folder(&self, space: &str) -> Result<Option<Folder>, StoreError> {
        let folder = Folder::open(self.folder_path(space)?)?;
        if folder.is_none() && !self.path.is_dir() {
            return Err(self.gone());
        }
        Ok(folder)
    }

    /// Makes the folder of a space durable, before there is a record in it.
    fn make_folder(&self, space: &str) -> Result<(), StoreError> {
        let path = self.folder_path(space)?;
        make(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.gone(),
            _ => failed("make folder", &path, &error),
        })?;
        file::sync_folder(&self.path).map_err(|error| failed("sync", &self.path, &error))
    }

    fn gone(&self) -> StoreError {
        StoreError::new(
            StoreErrorKind::Unavailable,
            format!(
                "directory {} is not there any more. Mount its volume, or move it back",
                self.path.display()
            ),
        )
    }

    fn load(&self, folder: &Folder, space: &str, number: u32) -> Result<Option<Record>, StoreError> {
        let entry = match folder.read(number) {
            // A repair writes a damaged record anew. It needs only the bound, which is above all that was ever reserved.
            Err(error) if self.accepts_copies && error.kind() == StoreErrorKind::Shape => None,
            entry => entry?,
        };
        match entry {
            Some((_, Some(difference))) if !self.accepts_copies => Err(shape(
                &folder.record_path(number),
                &format!(
                    "it is a copy, or was restored from a backup: {difference}. So its bound can be behind, and another \
                     fleet can use the original. If this directory is to be used, stop its processes, and run `sortid \
                     nodes repair --nodes dir:{} --space {space}`: its numbers are free after 10 minutes, or after the \
                     longest window of its processes, with `--window`",
                    self.path.display(),
                ),
            )),
            found => Ok(found.map(|(record, _)| record)),
        }
    }
}

impl Store for DirectoryStore {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        let mut snapshot = Snapshot { time: now(), ..Snapshot::default() };
        let Some(folder) = self.folder(space)? else { return Ok(snapshot) };
        for number in folder.numbers()? {
            if let Some(record) = self.load(&folder, space, number)? {
                snapshot.records.insert(number, record);
            }
        }
        // A swap may have failed, or its process died, between renaming and syncing. A caller relies on what it reads.
        folder.sync()?;
        Ok(snapshot)
    }

    fn swap(
        &self,
        space: &str,
        number: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        let refused = Swapped { swapped: false, time: now() };
        if expected.is_none() {
            self.make_folder(space)?;
        }
        let Some(folder) = self.folder(space)? else { return Ok(refused) };
        let Some(_lock) = folder.lock(number)? else { return Ok(refused) };
        if self.load(&folder, space, number)?.as_ref() != expected {
            return Ok(refused);
        }
        folder.replace(number, next)?;
        Ok(Swapped { swapped: true, ..refused })
    }

    fn warning(&self) -> Option<String> {
        self.warning.clone()
    }

    fn for_repair(&self) -> Option<Box<dyn Store>> {
        Some(Box::new(Self { path: self.path.clone(), warning: self.warning.clone(), accepts_copies: true }))
    }
}

/// Makes a directory; returns whether it was not there.
fn make(path: &Path) -> io::Result<bool> {
    match fs::create_dir(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // Without permission to write to the parent, the directory itself can be fine.
        Err(_) if path.is_dir() => Ok(false),
        Err(error) => Err(error),
    }
}

fn now() -> Option<Millis> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Millis::try_from(since_1970.as_millis()).ok()
}
