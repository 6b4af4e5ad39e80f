use crate::time::Time;
use sortid::{GenerateError, GenerateErrorKind};
use std::{fmt, io};

/// Why the program could not do its work: exit code 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for something that cannot be.
    Usage { command: &'static str, message: String },
    /// Reading or writing failed.
    Io { what: String, error: io::Error },
    /// No ID can be made now.
    Generate(GenerateError),
    /// There are no more IDs of the time that was asked for.
    UsedUp(Time),
}

impl Failure {
    pub(crate) fn usage(command: &'static str, message: impl fmt::Display) -> Self {
        Self::Usage { command, message: message.to_string() }
    }

    pub(crate) fn reading(what: &str, error: io::Error) -> Self {
        Self::Io { what: format!("cannot read {what}"), error }
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// An error without further context is one of writing to stdout.
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage { message, .. } => f.write_str(message),
            Self::Io { what, error } => write!(f, "{what}: {error}"),
            Self::UsedUp(at) => {
                write!(f, "the IDs of {at} are used up: ask for fewer, or make the rest for a later time")
            }
            Self::Generate(error) => match *error.kind() {
                // The library has no calendar.
                GenerateErrorKind::ClockOutOfRange { now: Some(now), first, last, .. } => {
                    let [now, first, last] = [now, first, last].map(Time::from_unix_micros);
                    write!(f, "an ID of {now} cannot be: the timestamp holds {first} to {last}")
                }
                GenerateErrorKind::Exhausted { until: u64::MAX, .. } => {
                    f.write_str("there are no more IDs of this length: ask for fewer, or for longer ones")
                }
                GenerateErrorKind::Exhausted { until, .. } => {
                    let until = Time::from_unix_micros(until);
                    write!(
                        f,
                        "the IDs of the time before {until} are used up: ask for fewer, or mend the clock"
                    )
                }
                _ => error.fmt(f),
            },
        }
    }
}
