//! The files of a ledger on the disk.

// `Disk` is a trait, so that a test can put a model in its place that crashes after each step (`crash.rs`), and so
// that `append` and `repair` cut in one way.

use super::lock::{self, Access};
use crate::failure::Failure;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    ops::Range,
    path::{Path, PathBuf},
    time::Duration,
};

/// The file of a ledger, and the file beside it that keeps what is cut off.
pub(super) trait Disk {
    /// The file of the ledger, for messages.
    fn path(&self) -> &Path;

    /// The file that keeps what is cut off.
    fn cut_path(&self) -> &Path;

    /// Keeps other processes from writing, and makes sure that the path still leads to this file: a lock on a file
    /// that was renamed excludes nobody. If the path leads to another file, and `may_reopen` is set, continues with
    /// that file.
    fn lock(&mut self, may_reopen: bool) -> Result<(), Failure>;

    fn unlock(&mut self) -> Result<(), Failure>;

    /// Makes sure that the path still leads to this file.
    fn check_place(&self) -> Result<(), Failure>;

    fn len(&mut self) -> io::Result<u64>;

    /// Reads these bytes, or fewer if the file ends before.
    fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>>;

    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<()>;

    fn set_len(&mut self, len: u64) -> io::Result<()>;

    fn sync(&mut self) -> io::Result<()>;

    /// Makes the file's entry in its directory durable.
    fn sync_directory(&mut self) -> io::Result<()>;

    /// Adds bytes to the file that keeps what is cut off.
    fn keep(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes durable the content of the file that keeps what is cut off, and its entry in the directory.
    fn sync_kept(&mut self) -> io::Result<()>;
}

/// Cuts off the end of the ledger from `range.start` on. The bytes are durable in the other file before the ledger is
/// shortened. NULs at the end are not kept: a file system can leave gigabytes of them.
pub(super) fn cut(disk: &mut impl Disk, range: Range<u64>) -> Result<(), Failure> {
    const PIECE: u64 = 1 << 20;

    let (mut at, mut nuls) = (range.start, 0);
    while at < range.end {
        let bytes = disk
            .read(at..range.end.min(at + PIECE))
            .and_then(
                |bytes| if bytes.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) },
            )
            .map_err(|error| Failure::file("read", disk.path(), error))?;
        at += bytes.len() as u64;
        let text = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        if text > 0 {
            while nuls > 0 {
                let piece = vec![0; nuls.min(PIECE) as usize];
                disk.keep(&piece).map_err(|error| not_kept(disk, error))?;
                nuls -= piece.len() as u64;
            }
            disk.keep(&bytes[..text]).map_err(|error| not_kept(disk, error))?;
        }
        nuls += (bytes.len() - text) as u64;
    }
    disk.sync_kept().map_err(|error| not_kept(disk, error))?;
    disk.set_len(range.start)
        .and_then(|()| disk.sync())
        .map_err(|error| Failure::file("shorten", disk.path(), error))
}

fn not_kept(disk: &impl Disk, error: io::Error) -> Failure {
    let what = format!(
        "nothing is cut off from {}, because {} cannot keep it",
        disk.path().display(),
        disk.cut_path().display()
    );
    Failure::Io { what, error }
}

/// The real files.
pub(super) struct Files {
    path: PathBuf,
    cut_path: PathBuf,
    /// The file; if the path is a link, the file that it leads to.
    target: PathBuf,
    /// The directory of the file.
    directory: PathBuf,
    file: File,
    kept: Option<Kept>,
    access: Access,
    timeout: Duration,
    /// Whether this process made the file.
    is_made: bool,
}

impl Files {
    /// Opens a ledger to append to it. Makes the file if there is none.
    pub(super) fn open_or_create(path: &Path, timeout: Duration) -> Result<Self, Failure> {
        Self::open_with(path, timeout, Access::Exclusive, true)
    }

    /// Opens a ledger that exists.
    pub(super) fn open(path: &Path, timeout: Duration, access: Access) -> Result<Self, Failure> {
        Self::open_with(path, timeout, access, false)
    }

    fn open_with(path: &Path, timeout: Duration, access: Access, may_create: bool) -> Result<Self, Failure> {
        loop {
            match Self::try_open(path, access, may_create) {
                Ok((file, target, is_made)) => {
                    let mut cut_path = target.clone().into_os_string();
                    cut_path.push(".cut");
                    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty());
                    return Ok(Self {
                        path: path.to_owned(),
                        cut_path: cut_path.into(),
                        directory: directory.unwrap_or(Path::new(".")).to_owned(),
                        target,
                        file,
                        kept: None,
                        access,
                        timeout,
                        is_made,
                    });
                }
                // Another process was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Failure::file("open", path, error)),
            }
        }
    }

    /// Returns the file, its path without a link, and whether it was made. The error `AlreadyExists` asks to try again.
    fn try_open(path: &Path, access: Access, may_create: bool) -> io::Result<(File, PathBuf, bool)> {
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::Error::other("expected a file, found a folder"));
            }
            // To open a pipe could wait for ever.
            Ok(metadata) if !metadata.is_file() => {
                return Err(io::Error::other("expected a file, found a device or a pipe"));
            }
            _ => {}
        }
        let target = target_of(path)?;
        let mut options = OpenOptions::new();
        // Not `append`: on Windows, such a file cannot be shortened.
        options.read(true).write(access == Access::Exclusive);
        match options.open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && may_create => {
                Ok((options.create_new(true).open(&target)?, target, true))
            }
            Err(error) => Err(error),
            Ok(file) => Ok((file, target, false)),
        }
    }

    /// Refuses the file if standard output or standard error leads to it: what is printed would go into the ledger.
    pub(super) fn refuse_as_output(&self, command: &'static str) -> Result<(), Failure> {
        let [is_output, is_error] = is_output(&self.file);
        let found = |output, what| {
            format!("expected another standard {output}, found the ledger: {what} would go into it")
        };
        if is_error {
            // Standard output is the only place left for the message.
            if !is_output {
                let _ = writeln!(io::stdout(), "error: {}", found("error", "messages"));
            }
            return Err(Failure::Told);
        }
        if is_output { Err(Failure::usage(command, found("output", "the output"))) } else { Ok(()) }
    }

    /// Removes the file if this process made it and it has stayed empty.
    pub(super) fn remove_if_unused(mut self) {
        self.timeout = Duration::ZERO;
        // If this fails, an empty file stays, which does no harm.
        if self.is_made && self.lock(false).is_ok() {
            if self.len().is_ok_and(|len| len == 0) {
                let _ = fs::remove_file(&self.target);
            }
            let _ = self.unlock();
        }
    }

    /// Where the open file is now, if it is known.
    fn present_path(&self) -> Option<PathBuf> {
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd as _;

            let path = fs::read_link(format!("/proc/self/fd/{}", self.file.as_raw_fd())).ok()?;
            // The path of a file whose name was removed, but that has another one, ends with " (deleted)".
            (is_at(&self.file, &path).ok()? == Some(true)).then_some(path)
        }
        #[cfg(not(target_os = "linux"))]
        None
    }
}

/// Returns the path that symbolic links lead to, from one to the next. There need not be a file.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;

    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        if !target.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            return Ok(target);
        }
        let next = fs::read_link(&target)?;
        target.pop();
        target.push(next);
    }
    Err(io::Error::other(format!("expected a file, found more than {MOST_LINKS} symbolic links in a row")))
}

/// Whether the path leads to the open file; `None` if it leads nowhere.
fn is_at(file: &File, path: &Path) -> io::Result<Option<bool>> {
    #[cfg(unix)]
    let is_same = {
        use std::os::unix::fs::MetadataExt as _;

        let open = file.metadata()?;
        path.metadata().map(|found| (found.dev(), found.ino()) == (open.dev(), open.ino()))
    };
    #[cfg(not(unix))]
    let is_same = {
        let open = same_file::Handle::from_file(file.try_clone()?)?;
        same_file::Handle::from_path(path).map(|found| found == open)
    };
    match is_same {
        Ok(is_same) => Ok(Some(is_same)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether standard output and standard error lead to the file.
fn is_output(file: &File) -> [bool; 2] {
    #[cfg(unix)]
    {
        use std::os::{fd::AsFd as _, unix::fs::MetadataExt as _};

        let (output, error) = (io::stdout(), io::stderr());
        [output.as_fd(), error.as_fd()].map(|output| {
            let output = output.try_clone_to_owned().map(File::from);
            let metadata = output.and_then(|output| Ok((output.metadata()?, file.metadata()?)));
            metadata.is_ok_and(|(output, file)| (output.dev(), output.ino()) == (file.dev(), file.ino()))
        })
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        [false; 2]
    }
}

/// Whether someone removed the last name of the open file.
fn is_removed(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        file.metadata().is_ok_and(|metadata| metadata.nlink() == 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

impl Disk for Files {
    fn path(&self) -> &Path {
        &self.path
    }

    fn cut_path(&self) -> &Path {
        &self.cut_path
    }

    fn lock(&mut self, may_reopen: bool) -> Result<(), Failure> {
        const REOPENED: u32 = 1000;

        let mut reopened = 0;
        loop {
            lock::lock(&self.file, self.access, self.timeout)
                .map_err(|error| Failure::file("lock", &self.path, error))?;
            // Between opening and locking, another process may have removed or replaced the file.
            match self.check_place() {
                Err(_) if may_reopen && reopened < REOPENED => {
                    reopened += 1;
                    *self = Self::open_with(&self.path, self.timeout, self.access, true)?;
                }
                result => return result,
            }
        }
    }

    fn unlock(&mut self) -> Result<(), Failure> {
        self.file.unlock().map_err(|error| Failure::file("unlock", &self.path, error))
    }

    fn check_place(&self) -> Result<(), Failure> {
        let is_at =
            is_at(&self.file, &self.path).map_err(|error| Failure::file("read", &self.path, error))?;
        if is_at == Some(true) {
            return Ok(());
        }
        let now = self.present_path().map(|path| path.display().to_string());
        let is_at_target = matches!(self::is_at(&self.file, &self.target), Ok(Some(true)));
        let happened = match (is_at, is_removed(&self.file), now) {
            // The target is another path only if the path was a link.
            _ if is_at_target => {
                format!("the link leads elsewhere now; {} has its events", self.target.display())
            }
            (None, true, _) => "it was removed, with all its events".to_owned(),
            (None, false, Some(now)) => format!("it was renamed to {now}, which has its events"),
            (None, false, None) => "it was renamed or removed, with all its events".to_owned(),
            (Some(_), true, _) => "another file has replaced it, and may not have all its events".to_owned(),
            (Some(_), false, Some(now)) => {
                format!("another file is in its place; it was renamed to {now}, which has its events")
            }
            (Some(_), false, None) => {
                "another file is in its place, and may not have all its events".to_owned()
            }
        };
        Err(Failure::changed(&self.path, &happened))
    }

    fn len(&mut self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = vec![];
        self.file.seek(SeekFrom::Start(range.start))?;
        (&mut self.file).take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn sync_directory(&mut self) -> io::Result<()> {
        if cfg!(unix) {
            File::open(&self.directory)?.sync_all()?;
        }
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.kept.is_none() {
            self.kept = Some(Kept::open(&self.cut_path, &self.file)?);
        }
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let result = kept.file.write_all(bytes);
        if result.is_err() {
            self.forget_kept();
        }
        result
    }

    fn sync_kept(&mut self) -> io::Result<()> {
        let result = self.kept.as_ref().map_or(Ok(()), |kept| kept.file.sync_all());
        let result = result.and_then(|()| self.sync_directory());
        if result.is_err() {
            self.forget_kept();
        }
        self.kept = None;
        result
    }
}

impl Files {
    /// Takes back what was kept. The ledger still has it.
    fn forget_kept(&mut self) {
        if let Some(kept) = self.kept.take() {
            kept.take_back(&self.cut_path);
        }
    }
}

/// The file that keeps what is cut off, and its state before.
struct Kept {
    file: File,
    len: u64,
    is_made: bool,
}

impl Kept {
    fn open(path: &Path, ledger: &File) -> io::Result<Self> {
        let is_made = path.symlink_metadata().is_err();
        let file = open_kept(path, ledger)?;
        let len = file.metadata()?.len();
        let mut kept = Self { file, len, is_made };
        if let Err(error) = kept.prepare(ledger) {
            kept.take_back(path);
            return Err(error);
        }
        Ok(kept)
    }

    fn prepare(&mut self, ledger: &File) -> io::Result<()> {
        #[cfg(unix)]
        make_private(&self.file, ledger)?;
        #[cfg(not(unix))]
        let _ = ledger;
        // What was cut off earlier ends without a line feed.
        if self.len > 0 {
            let mut last = [0];
            self.file.seek(SeekFrom::End(-1))?;
            self.file.read_exact(&mut last)?;
            if last != *b"\n" {
                self.file.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    /// Makes the file what it was before. If this fails, it has a copy of what the ledger has, which does no harm.
    fn take_back(self, path: &Path) {
        if self.file.metadata().is_ok_and(|metadata| metadata.len() != self.len) {
            let _ = self.file.set_len(self.len);
        }
        if self.is_made {
            let _ = fs::remove_file(path);
        }
    }
}

/// Opens the file that keeps what is cut off. Only users who may read the ledger may read it.
fn open_kept(path: &Path, ledger: &File) -> io::Result<File> {
    // Someone else may have put a link there.
    if path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("expected a file, found a folder, a link, a device or a pipe"));
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    let kept = options.open(path)?;
    if is_at(ledger, path)? == Some(true) {
        return Err(io::Error::other("expected another file, found the ledger itself"));
    }
    Ok(kept)
}

/// Lets only those read the file who may read the ledger. If the file cannot have the ledger's group, or one of them has an
/// access control list, only the owner of the file may read it.
#[cfg(unix)]
fn make_private(kept: &File, ledger: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

    let has_list = has_access_list(kept) || has_access_list(ledger);
    let (found, ledger) = (kept.metadata()?, ledger.metadata()?);
    let owner = found.uid();
    if owner != ledger.uid() && owner != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("expected a file of your own, found one of another user: move it away"));
    }
    if found.nlink() > 1 {
        return Err(io::Error::other("expected a file with one name, found several: move it away"));
    }
    // Only a privileged process can do this. Otherwise the file belongs to the user who appends.
    let _ = fchown(kept, Some(ledger.uid()), None);
    let has_its_group = found.gid() == ledger.gid() || fchown(kept, None, Some(ledger.gid())).is_ok();
    // To a file of another group, the members of the ledger's group are others.
    let mode = ledger.mode() & if has_its_group && !has_list { 0o666 } else { 0o600 };
    if found.mode() & 0o777 != mode {
        kept.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// Whether the file has an access control list. Then the bits of its group are those of the mask of the list, and not what
/// the group may do.
#[cfg(target_os = "linux")]
fn has_access_list(file: &File) -> bool {
    // An empty buffer asks for the length.
    rustix::fs::fgetxattr(file, "system.posix_acl_access", &mut [0; 0][..]).is_ok()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn has_access_list(_: &File) -> bool {
    false
}
