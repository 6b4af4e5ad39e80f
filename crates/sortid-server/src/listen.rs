//! Where the server listens, and what ends it.

use crate::{
    app::App,
    serve::{Limits, serve},
};
use axum::{Router, serve::ListenerExt as _};
use std::{error::Error, fmt, future::pending, io, str::FromStr, sync::Arc};
#[cfg(unix)]
use std::{
    fs::{self, File, TryLockError},
    os::unix::fs::{FileTypeExt as _, MetadataExt as _},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};
use tokio::{net::TcpListener, sync::watch};
#[cfg(unix)]
use tokio::{
    net::{UnixListener, UnixStream},
    signal::unix::{Signal, SignalKind, signal},
};

const DEFAULT: &str = "127.0.0.1:7160";

/// The argument of `--listen`.
#[derive(Clone)]
pub(crate) enum Address {
    Tcp(String),
    #[cfg(unix)]
    Unix(PathBuf),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        #[cfg(unix)]
        if let Some(path) = text.strip_prefix("unix:") {
            if path.is_empty() {
                return Err("expected a path after unix:, such as unix:/run/sortid/socket".to_owned());
            }
            return Ok(Self::Unix(path.into()));
        }
        let has_port =
            text.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        if has_port {
            return Ok(Self::Tcp(text.to_owned()));
        }
        Err(format!("expected an address and a port, such as {DEFAULT}, or unix: and a path"))
    }
}

/// A socket that listens.
pub(crate) enum Listening {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix {
        listener: UnixListener,
        /// The file to remove at the end. `None` if systemd made it.
        file: Option<SocketFile>,
    },
}

impl fmt::Display for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(listener) => match listener.local_addr() {
                Ok(address) => write!(f, "{address}"),
                Err(_) => f.write_str("unknown"),
            },
            #[cfg(unix)]
            Self::Unix { listener, .. } => {
                let address = listener.local_addr().ok();
                let path = address.as_ref().and_then(|address| address.as_pathname());
                write!(f, "unix:{}", path.unwrap_or(Path::new("")).display())
            }
        }
    }
}

impl Listening {
    /// Takes the socket of systemd, or opens one at this address.
    pub(crate) async fn open(address: Option<&Address>) -> Result<Self, Box<dyn Error>> {
        if let Some(inherited) = Self::inherited()? {
            return Ok(inherited);
        }
        let default = Address::Tcp(DEFAULT.to_owned());
        match address.unwrap_or(&default) {
            Address::Tcp(address) => {
                let listener = TcpListener::bind(address).await;
                Ok(Self::Tcp(listener.map_err(|error| format!("cannot listen on {address}: {error}"))?))
            }
            #[cfg(unix)]
            Address::Unix(path) => {
                let cannot = |error: io::Error| format!("cannot listen on unix:{}: {error}", path.display());
                // Until this is dropped, no other server opens or removes a socket in the folder.
                let _turn = turn(path);
                let listener = match UnixListener::bind(path) {
                    Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_left_over(path).await => {
                        fs::remove_file(path).map_err(cannot)?;
                        UnixListener::bind(path)
                    }
                    listener => listener,
                };
                let listener = listener.map_err(cannot)?;
                let id = file_id(path).map_err(cannot)?;
                Ok(Self::Unix { listener, file: Some(SocketFile { path: path.clone(), id }) })
            }
        }
    }

    #[cfg(unix)]
    fn inherited() -> Result<Option<Self>, Box<dyn Error>> {
        let mut sockets = listenfd::ListenFd::from_env();
        match sockets.len() {
            0 => return Ok(None),
            1 => {}
            count => {
                return Err(
                    format!("expected one socket of systemd, found {count}: write one ListenStream").into()
                );
            }
        }
        if let Ok(Some(listener)) = sockets.take_tcp_listener(0) {
            listener.set_nonblocking(true)?;
            return Ok(Some(Self::Tcp(TcpListener::from_std(listener)?)));
        }
        let Some(listener) = sockets.take_unix_listener(0)? else { return Ok(None) };
        listener.set_nonblocking(true)?;
        Ok(Some(Self::Unix { listener: UnixListener::from_std(listener)?, file: None }))
    }

    #[cfg(not(unix))]
    fn inherited() -> Result<Option<Self>, Box<dyn Error>> {
        Ok(None)
    }

    pub(crate) async fn serve(
        self,
        service: (Arc<App>, Router),
        limits: Limits,
        stop: watch::Receiver<bool>,
    ) {
        match self {
            Self::Tcp(listener) => {
                let listener = listener.tap_io(|io| {
                    // Without it, a small answer can wait for 40 ms.
                    let _ = io.set_nodelay(true);
                });
                serve(listener, service, limits, stop, || {}).await;
            }
            #[cfg(unix)]
            Self::Unix { listener, file } => {
                let remove = || {
                    if let Some(file) = file {
                        file.remove();
                    }
                };
                serve(listener, service, limits, stop, remove).await;
            }
        }
    }
}

/// The file of a socket that this server has opened.
#[cfg(unix)]
pub(crate) struct SocketFile {
    path: PathBuf,
    id: (u64, u64),
}

#[cfg(unix)]
impl SocketFile {
    /// Removes the file, if the socket of another server has not replaced it. The listener must still be there: other servers
    /// replace a socket without one, and its inode may get another file.
    fn remove(self) {
        let _turn = turn(&self.path);
        if file_id(&self.path).is_ok_and(|id| id == self.id) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The device and the inode of a file.
#[cfg(unix)]
fn file_id(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))
}

/// Locks the folder of a socket until the file is closed. Without the lock, one of two servers that replace a left-over socket
/// at the same time could remove the new socket of the other. If the folder cannot be locked, or another program has locked it
/// for longer, the server goes on without.
#[cfg(unix)]
fn turn(path: &Path) -> Option<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = File::open(folder).ok()?;
    (0..100).find_map(|_| match folder.try_lock() {
        Err(TryLockError::WouldBlock) => {
            thread::sleep(Duration::from_millis(10));
            None
        }
        locked => Some(locked.ok()),
    })??;
    Some(folder)
}

/// Whether a server that was killed left its socket behind.
#[cfg(unix)]
async fn is_left_over(path: &Path) -> bool {
    // A connection to another kind of file is refused, too.
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = UnixStream::connect(path).await;
    is_socket && refused.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

/// Raises the limit of open files to the most that the system allows, and returns it.
#[cfg(unix)]
pub(crate) fn raise_file_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let limit = if raised.is_ok() { maximum } else { current };
    limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

#[cfg(not(unix))]
pub(crate) fn raise_file_limit() -> usize {
    usize::MAX
}

/// The signals that end the server.
#[cfg(unix)]
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Option<Signal>,
    /// It would kill the process when a file, such as its log, reaches the limit of the size of files.
    _file_size: Signal,
}

#[cfg(unix)]
impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        let hangup = if is_hangup_ignored() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup,
            _file_size: signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))?,
        })
    }

    /// Waits for a signal, and returns its name.
    pub(crate) async fn next(mut self) -> &'static str {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => pending().await,
            }
        };
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
            _ = hangup => "SIGHUP",
        }
    }
}

/// Whether the server was started to outlive its terminal, for example with `nohup`. Only Linux tells.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return true };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|signals| u64::from_str_radix(signals.trim(), 16).ok());
    ignored.is_none_or(|signals| signals & 1 << (SignalKind::hangup().as_raw_value() - 1) != 0)
}

#[cfg(not(unix))]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    pub(crate) async fn next(self) -> &'static str {
        let _ = tokio::signal::ctrl_c().await;
        "Ctrl-C"
    }
}
