//! The store of one host.

mod file;
mod folder;
mod lock;
mod place;

use crate::{Millis, Record, Snapshot, Store, StoreError, StoreErrorKind, Swapped, fleet::check_space};
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
/// Each node ID is a small file, `SPACE/NODE_ID.json`, with one line of JSON. A swap writes and syncs a temporary file,
/// renames it to that name, and syncs the folder. Meanwhile it holds the lock of the node ID, `SPACE/NODE_ID.lock`, which
/// dies with its process. So a process that is killed blocks nothing, and a process that is stopped within a swap blocks
/// its node ID only. Other processes try for 3 s to get the lock. A reader waits for no lock.
///
/// The time of the store is the host's clock.
///
/// ```
/// use sortid_fleet::{DirectoryStore, Record, Store};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("ids");
/// let store = DirectoryStore::open(path)?;
/// store.prepare("orders")?;
/// let record = Record::new(32, 1, None, 1_750_000_000_000);
/// assert!(store.swap("orders", 7, None, &record)?.swapped);
/// assert!(!store.swap("orders", 7, None, &record)?.swapped);
/// assert_eq!(store.read("orders")?.records[&7], record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # The directory
///
/// The directory must be on a disk of this host. [`warning`](Store::warning) reports a network file system, whose locks
/// and renames may be weaker, and about one in memory, which is lost with a restart. Use PostgreSQL or etcd for several
/// hosts.
///
/// Nothing else may change or remove files in the directory. Only [`init`](crate::init) makes the directory, and never its
/// parents: those may be a volume that is not mounted. A process that finds no directory, or no record, does not join.
///
/// New files have the permissions that the umask leaves. For processes of several users, give the directory a group that
/// all of them have, set its set-group-ID bit (`chmod 2770`), and run the processes with the umask 002. An administrator
/// runs `sortid nodes` as the user of the service.
///
/// # Copies
///
/// A copy of the directory can be behind: a backup is older than the IDs that were made since. Each record says where it
/// was written: the inode numbers of the file and its folder, and when these were made, if the file system records it. After
/// `cp -r`, `rsync`, or a backup that is restored, even over the directory itself, these differ. A record with more than
/// one link (`cp -al`) counts as a copy, too, until the other links are removed: a record that was linked back from a backup
/// looks the same. No process joins a space that has a copy, and no process renews a node ID whose record
/// is one, until a [`Repair`](crate::Repair) has raised `until`. A directory that is renamed or moved on one file system is
/// not a copy.
///
/// A container that writes for the first time into a directory of its image gets a copy of it, and so does each mount of an
/// overlay. A process notices this before it takes a node ID, and refuses. A directory that was made in the container works
/// for the processes of this container. If the overlay is on a disk that does not record when a folder was made, each
/// directory is refused.
///
/// Some copies are not noticed, so run `sortid nodes repair` after them:
///
/// - A snapshot of the file system, the disk or the virtual machine is restored.
/// - A record is moved away and back (`mv`).
/// - On Windows: the standard library cannot identify a file.
/// - The file system does not record when a file was made, and uses an inode number again: ext4 with inodes of 128 bytes,
///   and some network file systems.
#[derive(Debug)]
pub struct DirectoryStore {
    path: PathBuf,
    /// Whether it reads copies as if they were none, and replaces what is damaged.
    is_for_repair: bool,
}

impl DirectoryStore {
    /// Opens a directory, which does not have to be there yet. [`prepare`](Store::prepare) makes it.
    ///
    /// # Errors
    ///
    /// `Config` if the path is empty, `Shape` if it leads to something that is not a directory, `Denied` without permission.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let given = path.as_ref();
        // The directory stays the same if the process changes its working directory.
        let path = path::absolute(given).map_err(|error| {
            let message = format!("directory of a fleet: expected a path, found {given:?}: {error}");
            StoreError::new(StoreErrorKind::Config, message)
        })?;
        match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_dir() => Err(shape(&path, "expected a directory, found a file")),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("read", &path, &error)),
            _ => Ok(Self { path, is_for_repair: false }),
        }
    }

    /// Checks the name of a space. Another one could lead elsewhere.
    fn folder_path(&self, space: &str) -> Result<PathBuf, StoreError> {
        check_space(space).map_err(|message| StoreError::new(StoreErrorKind::Config, message))?;
        Ok(self.path.join(space))
    }

    /// Opens the folder of a space. Returns `None` if it is not there: the space has no records.
    fn folder(&self, space: &str) -> Result<Option<Folder>, StoreError> {
        let folder = Folder::open(self.folder_path(space)?)?;
        if folder.is_none() && !self.path.is_dir() {
            let message =
                format!("directory {} is not there. Mount its volume, or move it back", self.path.display());
            return Err(StoreError::new(StoreErrorKind::Missing, message));
        }
        Ok(folder)
    }

    fn load(&self, folder: &Folder, space: &str, node_id: u32) -> Result<Option<Record>, StoreError> {
        match folder.read(node_id)? {
            Some((_, Some(why))) if !self.is_for_repair => Err(shape(
                &folder.record_path(node_id),
                &format!(
                    "it is a copy, {why}{}. The `until` of a copy can be too early, and another fleet can use the original. If \
                     this directory is to be used, stop its processes, and run `sortid nodes repair --nodes dir:{} --space \
                     {space}`: its node IDs are free after 10 minutes, or after the longest window of its processes, with \
                     `--window`",
                    folder.advice(),
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
        for node_id in folder.node_ids()? {
            match self.load(&folder, space, node_id) {
                Ok(Some(record)) => drop(snapshot.records.insert(node_id, record)),
                Ok(None) => {}
                Err(error) if matches!(error.kind(), StoreErrorKind::Shape | StoreErrorKind::Denied) => {
                    snapshot.damaged.insert(node_id, error.to_string());
                }
                Err(error) => return Err(error),
            }
        }
        // A swap may have failed, or its process died, between renaming and syncing. A caller relies on what it reads.
        folder.sync()?;
        Ok(snapshot)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        let refused = Swapped::new(false, now());
        let Some(folder) = self.folder(space)? else { return Ok(refused) };
        let Some(_lock) = folder.lock(node_id)? else { return Ok(refused) };
        let found = match self.load(&folder, space, node_id) {
            // A repair replaces it. Its `until` is above all that was ever reserved.
            Err(error) if self.is_for_repair && error.kind() == StoreErrorKind::Shape => None,
            found => found?,
        };
        if found.as_ref() != expected {
            return Ok(refused);
        }
        folder.replace(node_id, next)?;
        Ok(Swapped::new(true, refused.time))
    }

    /// Makes the directory and the folder of the space. Both are durable before there is a record, so where there is a
    /// record, they are durable.
    fn prepare(&self, space: &str) -> Result<(), StoreError> {
        let folder = self.folder_path(space)?;
        make(&self.path).map_err(|error| match error.kind() {
            // Windows has one error for a parent that is not there and one that is a file.
            io::ErrorKind::NotFound if self.path.parent().is_some_and(Path::is_file) => {
                failed("make directory", &self.path, &io::ErrorKind::NotADirectory.into())
            }
            io::ErrorKind::NotFound => StoreError::new(
                StoreErrorKind::Config,
                format!(
                    "cannot make directory {}: its parent is not there. Correct the path, mount the volume, or make the \
                     parent",
                    self.path.display()
                ),
            ),
            _ => failed("make directory", &self.path, &error),
        })?;
        if let Some(parent) = self.path.parent() {
            match file::sync_folder(parent) {
                // The directory of another user.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
                result => result.map_err(|error| failed("sync", parent, &error))?,
            }
        }
        make(&folder).map_err(|error| failed("make folder", &folder, &error))?;
        file::sync_folder(&self.path).map_err(|error| failed("sync", &self.path, &error))
    }

    fn location(&self) -> String {
        format!("directory {}", self.path.display())
    }

    fn warning(&self) -> Option<String> {
        place::warning(&self.path)
    }

    fn for_repair(&self) -> Option<Box<dyn Store>> {
        Some(Box::new(Self { path: self.path.clone(), is_for_repair: true }))
    }
}

/// Makes a directory, if it is not there.
fn make(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        // Without permission to write to the parent, the directory itself can be fine.
        Err(_) if path.is_dir() => Ok(()),
        result => result,
    }
}

fn now() -> Option<Millis> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Millis::try_from(since_1970.as_millis()).ok()
}
