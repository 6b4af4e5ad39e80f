//! The file of a record.

use crate::{Record, StoreError, StoreErrorKind};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::Path,
};

/// The most bytes of a file. A record has about 200, and the name of its holder.
const MOST_BYTES: u64 = 16 << 10;

/// What a file has.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    record: Record,
    /// Where the record was written; `None` where this is not known.
    place: Option<Place>,
}

/// Where a record was written. A copy is elsewhere. To move the directory on one file system changes nothing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    file: Inode,
    /// A copy that consists of hard links has the same files in another folder.
    folder: Inode,
}

/// Which file or folder it is.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inode {
    number: u64,
    /// When it was made, in nanoseconds since 1970, if the file system tells it. A number is used again after its file was
    /// removed.
    born: Option<u64>,
}

impl Place {
    #[cfg(unix)]
    fn of(file: &File, folder: &Path) -> io::Result<Option<Self>> {
        Ok(Some(Self { file: Inode::of(file)?, folder: Inode::of(&File::open(folder)?)? }))
    }

    /// The standard library cannot tell.
    #[cfg(not(unix))]
    fn of(_: &File, _: &Path) -> io::Result<Option<Self>> {
        Ok(None)
    }

    /// How the place of a file differs from the one where it was written.
    fn difference(written: Option<Self>, found: Option<Self>) -> Option<String> {
        let found = found?;
        let Some(written) = written else { return Some("it does not say where it was written".to_owned()) };
        let of_file = Inode::difference("file", &written.file, &found.file);
        of_file.or_else(|| Inode::difference("folder", &written.folder, &found.folder))
    }
}

impl Inode {
    #[cfg(unix)]
    fn of(file: &File) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;

        Ok(Self { number: file.metadata()?.ino(), born: Self::born(file) })
    }

    /// Asks the kernel. The C library of a process whose clock is faked tells another time.
    #[cfg(target_os = "linux")]
    fn born(file: &File) -> Option<u64> {
        use rustix::fs::{AtFlags, StatxFlags, statx};

        let stat = statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::BTIME).ok()?;
        let is_known = StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::BTIME);
        let seconds = u64::try_from(stat.stx_btime.tv_sec).ok().filter(|_| is_known)?;
        seconds.checked_mul(1_000_000_000)?.checked_add(stat.stx_btime.tv_nsec.into())
    }

    #[cfg(all(unix, not(target_os = "linux")))]
    fn born(file: &File) -> Option<u64> {
        let since_1970 = file.metadata().ok()?.created().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        u64::try_from(since_1970.as_nanos()).ok()
    }

    fn difference(what: &str, written: &Self, found: &Self) -> Option<String> {
        if written.number != found.number {
            return Some(format!("its {what} was inode {}, and is inode {}", written.number, found.number));
        }
        let (written, found) = written.born.zip(found.born)?;
        (written != found)
            .then(|| format!("its {what} was made at {written} ns since 1970, and is one of {found} ns"))
    }
}

/// Reads a record, and how its file differs from the one that was written; `None` if there is no file.
pub(super) fn read(path: &Path, folder: &Path) -> Result<Option<(Record, Option<String>)>, StoreError> {
    let mut bytes = Vec::new();
    let found = match open(OpenOptions::new().read(true), path) {
        Ok(file) => Place::of(&file, folder)
            .and_then(|place| (&file).take(MOST_BYTES + 1).read_to_end(&mut bytes).map(|_| place)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => Err(error),
    }
    .map_err(|error| failed("read", path, &error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(shape(path, &format!("expected a record of at most {MOST_BYTES} bytes, found more")));
    }
    let entry: Entry = serde_json::from_slice(&bytes).map_err(|error| {
        shape(path, &format!("expected the JSON of a record, found {} bytes: {error}", bytes.len()))
    })?;
    Ok(Some((entry.record, Place::difference(entry.place, found))))
}

/// Replaces the file of a record. The caller has locked the number. When this returns, the record is durable.
pub(super) fn replace(path: &Path, folder: &Path, number: u32, record: &Record) -> Result<(), StoreError> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| {
        let message = format!("the operating system gives no random bits for the name of a file: {error}");
        StoreError::new(StoreErrorKind::Unavailable, message)
    })?;
    // Two files never have the same name, so nobody renames what another process is writing.
    let temporary = folder.join(format!("{number}.{:016x}.tmp", u64::from_ne_bytes(random)));
    let result = write(&temporary, folder, record)
        .and_then(|()| fs::rename(&temporary, path).map_err(|error| failed("replace", path, &error)));
    if result.is_err() {
        // If this fails, the next holder of the number removes it.
        let _ = fs::remove_file(&temporary);
    }
    result?;
    sync_folder(folder).map_err(|error| failed("sync", folder, &error))
}

fn write(path: &Path, folder: &Path, record: &Record) -> Result<(), StoreError> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|error| failed("make file", path, &error))?;
    let result = (|| {
        let entry = Entry { record: record.clone(), place: Place::of(&file, folder)? };
        let mut line = serde_json::to_vec(&entry)?;
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
    })();
    result.map_err(|error| failed("write", path, &error))
}

/// Removes what processes left that died within a swap of this number. The caller has locked the number.
pub(super) fn remove_temporary(folder: &Path, number: u32) {
    let prefix = format!("{number}.");
    // A file that stays does no harm.
    let Ok(entries) = fs::read_dir(folder) else { return };
    for name in entries.flatten().map(|entry| entry.file_name()) {
        if name.to_str().is_some_and(|name| name.starts_with(&prefix) && name.ends_with(".tmp")) {
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

/// Makes the names of the files in a folder durable.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Opens a file. Refuses links, and pipes, which could wait for ever.
pub(super) fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    let file = {
        use rustix::{fs::OFlags, io::Errno};
        use std::os::unix::fs::OpenOptionsExt as _;

        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
        options.open(path).map_err(|error| {
            let is_link = error.raw_os_error() == Some(Errno::LOOP.raw_os_error());
            if is_link { not_a_file("a symbolic link") } else { error }
        })?
    };
    #[cfg(not(unix))]
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(not_a_file("a folder"));
    }
    if kind.is_file() { Ok(file) } else { Err(not_a_file("a device or a pipe")) }
}

fn not_a_file(found: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("expected a file, found {found}"))
}

/// Explains an error of the operating system.
pub(super) fn failed(doing: &str, path: &Path, error: &io::Error) -> StoreError {
    use StoreErrorKind::{Config, Denied, Shape, Unavailable};
    use io::ErrorKind as Kind;

    let (kind, advice) = match error.kind() {
        Kind::PermissionDenied => (
            Denied,
            ". Let this user read and write the directory and its files, or run as the user of the service",
        ),
        Kind::ReadOnlyFilesystem => (Denied, ". Mount it writable, or use another directory"),
        Kind::StorageFull | Kind::QuotaExceeded => (Unavailable, ". Make room"),
        Kind::NotADirectory | Kind::IsADirectory | Kind::InvalidData => {
            (Shape, ". Move away what does not belong there")
        }
        Kind::Unsupported => (Config, ". Use a directory on a disk of this host"),
        Kind::InvalidInput => (Config, ""),
        _ => (Unavailable, ""),
    };
    StoreError::new(kind, format!("cannot {doing} {}: {error}{advice}", path.display()))
}

/// An error of what is in the directory.
pub(super) fn shape(path: &Path, found: &str) -> StoreError {
    StoreError::new(StoreErrorKind::Shape, format!("{}: {found}", path.display()))
}

/// What an operator should know about the file system of the directory.
#[cfg(target_os = "linux")]
pub(super) fn warning(path: &Path) -> Option<String> {
    let is = match rustix::fs::statfs(path).ok()?.f_type as u32 {
        0x6969 => "on NFS, a network file system",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "on SMB, a network file system",
        0x0102_1997 => "on 9P, a network file system",
        0x00c3_6400 => "on Ceph, a network file system",
        0x0bd0_0bd0 => "on Lustre, a network file system",
        0x6573_5546 => "on FUSE, which can be a network file system",
        0x0102_1994 | 0x8584_58f6 => {
            return Some(format!(
                "directory {} is in memory: a restart of the host removes it, and then the fleet can repeat IDs. Use a \
                 directory on a disk",
                path.display()
            ));
        }
        0x794c_7630 => {
            return Some(format!(
                "directory {} is on an overlay, such as the layer of a container: other containers do not see it, and it \
                 is removed with the container. Mount a volume",
                path.display()
            ));
        }
        0x4d44 | 0x2011_bab0 => {
            return Some(format!(
                "directory {} is on FAT, whose files get other inode numbers when it is mounted: then it looks like a \
                 copy. Use another file system",
                path.display()
            ));
        }
        _ => return None,
    };
    Some(format!(
        "directory {} is {is}: its locks and renames may not hold between hosts, and then the fleet can repeat IDs. Use a \
         directory on a disk of this host, PostgreSQL or etcd",
        path.display()
    ))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn warning(_: &Path) -> Option<String> {
    None
}
