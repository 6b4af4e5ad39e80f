use crate::time::Time;
use sortid::GenerateError;
use sortid_fleet::StoreError;
use std::{fmt, io, path::Path};

/// Why the program could not do its work: exit code 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for something impossible. `command` is the subcommand: "new euid".
    Usage { command: String, message: String },
    /// Reading or writing failed.
    Io { what: String, error: io::Error },
    /// A whole message.
    Message(String),
    /// The message was already printed on standard output, because standard error has another use.
    Told,
    /// No ID can be generated now.
    Generate(GenerateError),
    /// All IDs of the time of `--at` are used up.
    UsedUp { at: Time, made: u64 },
}

impl Failure {
    pub(crate) fn usage(command: impl Into<String>, message: impl fmt::Display) -> Self {
        Self::Usage { command: command.into(), message: message.to_string() }
    }

    pub(crate) fn read(source: &str, error: io::Error) -> Self {
        Self::Io { what: format!("cannot read {source}"), error }
    }

    /// `verb` is what could not be done to the file: "write to".
    pub(crate) fn file(verb: &str, path: &Path, error: io::Error) -> Self {
        Self::Io { what: format!("cannot {verb} {}", path.display()), error }
    }

    /// `happened` is what happened to the file while this program had it open: "it was removed".
    pub(crate) fn changed(path: &Path, happened: &str) -> Self {
        Self::Message(format!("{} changed while this program had it open: {happened}", path.display()))
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl std::error::Error for Failure {}

/// An error without further context comes from writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io { what: "cannot write".into(), error }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        Self::Generate(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Message(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage { message, .. } | Self::Message(message) => f.write_str(message),
            Self::Told => Ok(()),
            Self::Io { what, error } => write!(f, "{what}: {error}"),
            Self::UsedUp { at, made } => {
                let ids = if *made == 1 { "ID fits" } else { "IDs fit" };
                write!(f, "only {made} {ids} the time {at}: ask for fewer, or use a later time for the rest")
            }
            Self::Generate(error) => error.fmt(f),
        }
    }
}
