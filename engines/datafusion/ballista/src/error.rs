use std::{fmt, io, net::SocketAddr, path::PathBuf, time::Duration};

/// Why a member of a cluster does not start, or stops.
///
/// The text says what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The address of a scheduler is malformed.
    Address {
        /// The form of an address.
        expected: &'static str,
        /// The text that was given.
        found: String,
    },
    /// Other machines cannot reach an address such as `0.0.0.0`.
    Advertise {
        /// The address to listen on.
        bind: SocketAddr,
    },
    /// The address is in use, or does not belong to this machine.
    Bind {
        /// The address to listen on.
        bind: SocketAddr,
        /// What listens there.
        purpose: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Nothing answers at the address of the scheduler.
    Unreachable {
        /// The address of the scheduler, `HOST:PORT`.
        scheduler: String,
        /// How long the connection was tried.
        tried: Duration,
        /// The last error.
        source: io::Error,
    },
    /// The directory of an executor cannot be written.
    WorkDir {
        /// The directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The scheduler did not accept the executor, or something else than a scheduler answers at the address.
    Refused {
        /// The address of the scheduler, `HOST:PORT`.
        scheduler: String,
        /// The error of Ballista.
        reason: String,
    },
    /// The executor stopped without a signal.
    Stopped {
        /// The address of the scheduler, `HOST:PORT`.
        scheduler: String,
        /// Whether the scheduler answered the last heartbeat.
        connected: bool,
    },
    /// Any other error of Ballista.
    Ballista(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { expected, found } => {
                write!(f, "expected the address of a scheduler, {expected}; found {found:?}")
            }
            Self::Advertise { bind } => write!(
                f,
                "{} stands for all addresses of this machine, and other machines cannot connect to it. \
                 Also set the name or address that they use (--advertise HOST)",
                bind.ip()
            ),
            Self::Bind { bind, purpose, source } => write!(
                f,
                "cannot listen on {bind} ({purpose}): {source}. Another program may use the port: \
                 choose another port, or 0 for a free one"
            ),
            Self::Unreachable { scheduler, tried, source } => write!(
                f,
                "expected a scheduler at {scheduler}, found none within {} s: {source}. \
                 Start it with `sortid-engine scheduler`, or correct the address",
                tried.as_secs()
            ),
            Self::WorkDir { path, source } => write!(
                f,
                "cannot write to the directory {}: {source}. An executor keeps intermediate results there: \
                 choose a directory that exists (--work-dir DIR)",
                path.display()
            ),
            Self::Refused { scheduler, reason } => write!(
                f,
                "the executor could not register at {scheduler}: {reason}. Expected a scheduler of Ballista {} \
                 that can connect to this executor: check the address, the versions and the firewall",
                ballista_core::BALLISTA_VERSION
            ),
            Self::Stopped { scheduler, connected: false } => write!(
                f,
                "the executor stopped: the scheduler at {scheduler} did not answer five heartbeats. \
                 Start the executor again when the scheduler runs"
            ),
            Self::Stopped { scheduler, connected: true } => write!(
                f,
                "the executor stopped without a signal: the scheduler at {scheduler} asked for it, or a service \
                 of the executor failed. The log has the reason (RUST_LOG=info)"
            ),
            Self::Ballista(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Error {}
