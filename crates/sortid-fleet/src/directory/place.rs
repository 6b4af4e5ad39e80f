//! Where records are.

use serde::{Deserialize, Serialize};
use std::{fs::File, io, path::Path};

/// Where a record was written. A copy is elsewhere. To move the directory on one file system changes nothing.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    file: Inode,
    /// A copy that consists of hard links has the same files in another folder.
    folder: Inode,
}

/// Which file or folder it is.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Inode {
    number: u64,
    /// When it was made, in nanoseconds since 1970, if the file system records it. A number is used again after its file was
    /// removed.
    born: Option<u64>,
}

impl Place {
    pub(super) fn of(file: &File, folder: Option<Inode>) -> io::Result<Option<Self>> {
        Ok(Inode::of(file)?.zip(folder).map(|(file, folder)| Self { file, folder }))
    }

    /// How the place of a file differs from the one where it was written.
    pub(super) fn difference(written: Option<Self>, found: Option<Self>) -> Option<String> {
        let found = found?;
        let Some(written) = written else { return Some("it does not say where it was written".to_owned()) };
        let of_file = Inode::difference("file", &written.file, &found.file);
        of_file.or_else(|| Inode::difference("folder", &written.folder, &found.folder))
    }
}

impl Inode {
    #[cfg(unix)]
    pub(super) fn of(file: &File) -> io::Result<Option<Self>> {
        use std::os::unix::fs::MetadataExt as _;

        Ok(Some(Self { number: file.metadata()?.ino(), born: Self::born(file) }))
    }

    /// The standard library has no function for it.
    #[cfg(not(unix))]
    pub(super) fn of(_: &File) -> io::Result<Option<Self>> {
        Ok(None)
    }

    /// Asks the kernel. The C library of a process whose clock is faked gives another time.
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

    /// Whether it is known when it was made.
    pub(super) const fn has_birth(&self) -> bool {
        self.born.is_some()
    }

    pub(super) fn difference(what: &str, written: &Self, found: &Self) -> Option<String> {
        if written.number != found.number {
            return Some(format!("its {what} was inode {}, and is inode {}", written.number, found.number));
        }
        let (written, found) = written.born.zip(found.born)?;
        (written != found)
            .then(|| format!("its {what} was made at {written} ns since 1970, and is one of {found} ns"))
    }
}

/// Says so if a file has several names. Each swap writes a new file, so one of the names is a copy, which can be put back
/// later with the same inode.
#[cfg(unix)]
pub(super) fn links(file: &File) -> io::Result<Option<String>> {
    use std::os::unix::fs::MetadataExt as _;

    let links = file.metadata()?.nlink();
    Ok((links > 1).then(|| {
        format!(
            "or a copy was made of it: its file has {links} links. If someone made the other link, such as with `cp -al`, \
             remove it, and the fleet goes on"
        )
    }))
}

/// The standard library has no function for it.
#[cfg(not(unix))]
pub(super) fn links(_: &File) -> io::Result<Option<String>> {
    Ok(None)
}

/// The kind of an overlay's file system.
#[cfg(target_os = "linux")]
const OVERLAY: u32 = 0x794c_7630;

/// Whether a folder is on an overlay. The first write into a folder of a lower layer copies the folder into the upper layer
/// of this mount. Its inode number stays, and the time when it was made becomes that of the copy.
#[cfg(target_os = "linux")]
pub(super) fn is_on_overlay(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|found| found.f_type as u32 == OVERLAY)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_on_overlay(_: &Path) -> bool {
    false
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
        OVERLAY => {
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
