//! The folder of a space.

use super::{
    file::{failed, open, shape},
    lock::Lock,
    place::{self, Inode, Place},
};
use crate::{Record, StoreError, StoreErrorKind, record::unreadable};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long a file may be open elsewhere until it cannot be replaced.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most bytes of a file. A record has about 250, and the name of its holder.
const MOST_BYTES: u64 = 16 << 10;

/// What to do about a folder on an overlay that is, or may be, a copy.
const OVERLAY_ADVICE: &str = ". Each mount of an overlay, such as each container of an image, copies a folder of a lower layer \
     when it first writes into it, and two copies make the same IDs. Make the fleet in a volume that all its processes mount, \
     and not in the image";

/// What a file has. Later versions add members to the record, where earlier ones keep them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    record: Record,
    /// Where the record was written; `None` where this is not known.
    place: Option<Place>,
}

/// A folder during one operation.
pub(super) struct Folder {
    path: PathBuf,
    inode: Option<Inode>,
    /// To sync it. Windows has no such handle.
    #[cfg(unix)]
    file: fs::File,
}

impl Folder {
    /// Returns `None` if it is not there.
    pub(super) fn open(path: PathBuf) -> Result<Option<Self>, StoreError> {
        #[cfg(unix)]
        {
            match fs::File::open(&path).and_then(|file| Ok((Inode::of(&file)?, file))) {
                Ok((Some(inode), _)) if !inode.has_birth() && place::is_on_overlay(&path) => {
                    let message = format!(
                        "{}: expected a disk that records when a folder was made, found an overlay above one that does not. \
                         So a copy in another layer would not be noticed{OVERLAY_ADVICE}",
                        path.display()
                    );
                    Err(StoreError::new(StoreErrorKind::Config, message))
                }
                Ok((inode, file)) => Ok(Some(Self { path, inode, file })),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(failed("open", &path, &error)),
            }
        }
        #[cfg(not(unix))]
        Ok(path.is_dir().then_some(Self { path, inode: None }))
    }

    pub(super) fn record_path(&self, node_id: u32) -> PathBuf {
        self.path.join(format!("{node_id}.json"))
    }

    /// Takes the lock of a node ID. Returns `None` if the folder was removed meanwhile.
    pub(super) fn lock(&self, node_id: u32) -> Result<Option<Lock>, StoreError> {
        Lock::acquire(&self.lock_path(node_id))
    }

    fn lock_path(&self, node_id: u32) -> PathBuf {
        self.path.join(format!("{node_id}.lock"))
    }

    /// Makes the names of the files durable.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        #[cfg(unix)]
        self.file.sync_all().map_err(|error| failed("sync", &self.path, &error))?;
        Ok(())
    }

    /// Returns the node IDs that can have a record, and removes what processes left that died within a swap.
    pub(super) fn node_ids(&self) -> Result<BTreeSet<u32>, StoreError> {
        let failed = |error| failed("list", &self.path, &error);
        let mut node_ids = BTreeSet::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let Some((node_id, kind)) = name.to_str().and_then(node_id_of) else { continue };
            match kind {
                // While a file is replaced, some file systems leave it out of the list. A lock is never replaced.
                "json" | "lock" => {
                    node_ids.insert(node_id);
                }
                // A process that has the lock removes its file itself.
                _ if kind.ends_with(".tmp") => {
                    if let Some(_lock) = Lock::acquire_now(&self.lock_path(node_id)) {
                        let _ = fs::remove_file(self.path.join(&name));
                    }
                }
                _ => {}
            }
        }
        Ok(node_ids)
    }

    /// Reads a record, and why it may be a copy. `None` if there is no file.
    pub(super) fn read(&self, node_id: u32) -> Result<Option<(Record, Option<String>)>, StoreError> {
        let path = self.record_path(node_id);
        let mut bytes = Vec::new();
        let (place, links) = match open(OpenOptions::new().read(true), &path) {
            Ok(file) => Place::of(&file, self.inode)
                .and_then(|place| (&file).take(MOST_BYTES + 1).read_to_end(&mut bytes).map(|_| place))
                .and_then(|place| Ok((place, place::links(&file)?))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => Err(error),
        }
        .map_err(|error| failed("read", &path, &error))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(shape(
                &path,
                &format!("expected a record of at most {MOST_BYTES} bytes, found more"),
            ));
        }
        let entry: Entry = serde_json::from_slice(&bytes).map_err(|error| {
            let found = bytes.len();
            match unreadable(&bytes, "/record/format", &error) {
                (StoreErrorKind::Shape, error) => shape(
                    &path,
                    &format!(
                        "expected the JSON of a record, found {found} bytes: {error}. Stop the processes of this space, and \
                         run `sortid nodes repair`"
                    ),
                ),
                (kind, reason) => StoreError::new(kind, format!("{}: {reason}", path.display())),
            }
        })?;
        let why = links.or_else(|| {
            let difference = Place::difference(entry.place, place)?;
            Some(format!("or was restored from a backup: {difference}"))
        });
        Ok(Some((entry.record, why)))
    }

    /// Replaces a record. The caller has the lock of the node ID. When this returns, the record is durable.
    pub(super) fn replace(&self, node_id: u32, record: &Record) -> Result<(), StoreError> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|error| {
            let message =
                format!("the operating system gives no random bits for the name of a file: {error}");
            StoreError::new(StoreErrorKind::Unavailable, message)
        })?;
        // Two files never have the same name, so nobody renames what another process is writing.
        let temporary = self.path.join(format!("{node_id}.{:016x}.tmp", u64::from_ne_bytes(random)));
        let path = self.record_path(node_id);
        let result = self
            .write(&temporary, record)
            .and_then(|()| self.check_layer())
            .and_then(|()| rename(&temporary, &path).map_err(|error| failed("replace", &path, &error)));
        if result.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        result?;
        self.sync()
    }

    /// Checks after a write into the folder that it is still the one that the records were read from. A folder in a lower
    /// layer of an overlay is another one after the first write: a copy, which other mounts of that layer do not see.
    fn check_layer(&self) -> Result<(), StoreError> {
        let again = Self::open(self.path.clone())?;
        let found = again.and_then(|folder| folder.inode);
        if found == self.inode {
            return Ok(());
        }
        let difference = self.inode.zip(found).and_then(|(old, new)| Inode::difference("path", &old, &new));
        let message = format!(
            "expected the same folder after a write into it, found another one: {}{}",
            difference.as_deref().unwrap_or("it was removed"),
            self.advice()
        );
        Err(shape(&self.path, &message))
    }

    /// What to do about a folder that is not the one in which its records were written.
    pub(super) fn advice(&self) -> &'static str {
        if place::is_on_overlay(&self.path) { OVERLAY_ADVICE } else { "" }
    }

    fn write(&self, path: &Path, record: &Record) -> Result<(), StoreError> {
        let mut options = OpenOptions::new();
        let mut file = options
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|error| failed("make file", path, &error))?;
        let result = Place::of(&file, self.inode).and_then(|place| {
            let mut line = serde_json::to_vec(&Entry { record: record.clone(), place })?;
            line.push(b'\n');
            if line.len() as u64 > MOST_BYTES {
                let message = format!(
                    "expected a record of at most {MOST_BYTES} bytes, found {}. Use a shorter name of the holder",
                    line.len()
                );
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            file.write_all(&line)?;
            file.sync_all()
        });
        result.map_err(|error| failed("write", path, &error))
    }
}

/// Renames a file, and replaces the one of the new name. Windows can refuse that for the moment in which someone reads the
/// file, such as another process or a scanner.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match fs::rename(from, to) {
            Err(error)
                if cfg!(windows)
                    && error.kind() == io::ErrorKind::PermissionDenied
                    && start.elapsed() < PATIENCE =>
            {
                thread::sleep(Duration::from_millis(1));
            }
            result => return result,
        }
    }
}

/// The node ID that a file belongs to, and the rest of its name; `None` for a file of something else.
fn node_id_of(name: &str) -> Option<(u32, &str)> {
    let (digits, kind) = name.split_once('.')?;
    let node_id = digits.parse::<u32>().ok()?;
    (node_id.to_string() == digits).then_some((node_id, kind))
}
