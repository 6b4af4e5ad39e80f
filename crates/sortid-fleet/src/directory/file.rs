//! Files and folders, and their errors.

use crate::{StoreError, StoreErrorKind};
use std::{
    fs::{File, OpenOptions},
    io,
    path::Path,
};

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
        Kind::ReadOnlyFilesystem => {
            (Denied, ". Mount it writable. Another directory is another fleet, which can make the same IDs")
        }
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
