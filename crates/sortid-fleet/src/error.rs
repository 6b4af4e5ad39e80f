use crate::{Record, StoreError};
use sortid_core::__private::civil::rfc3339;
use std::{collections::BTreeMap, error::Error, fmt};

/// The error of an option of a fleet. The message says which, what was expected, and what was found.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigError(String);

pub(crate) const fn config(message: String) -> ConfigError {
    ConfigError(message)
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConfigError({self})")
    }
}

impl Error for ConfigError {}

/// The error of a process that could not join a fleet.
pub struct JoinError {
    kind: JoinErrorKind,
    message: String,
    source: Option<StoreError>,
}

/// Why a process could not join a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JoinErrorKind {
    /// There is no fleet: the store has no record of the space. [`init`](crate::init) creates one.
    NoFleet,
    /// All node IDs are taken. The message says by whom, and until when.
    Taken,
    /// The clock is ahead of the store's by more than a window and the allowance of 10 s.
    ClockAhead,
    /// A node ID is free, but its last IDs are ahead of this clock.
    ClockBehind,
    /// The records of the space differ in its size. A [`Repair`](crate::Repair) decides it.
    Size,
    /// The store cannot be used.
    Store,
    /// An option is wrong, the space does not have the node ID, or the process cannot start a thread.
    Config,
}

impl JoinError {
    pub(crate) const fn new(kind: JoinErrorKind, message: String) -> Self {
        Self { kind, message, source: None }
    }

    pub(crate) fn store(error: StoreError) -> Self {
        Self { kind: JoinErrorKind::Store, message: error.to_string(), source: Some(error) }
    }

    /// Returns why the process could not join.
    #[must_use]
    pub const fn kind(&self) -> JoinErrorKind {
        self.kind
    }
}

pub(crate) const fn join_config(message: String) -> JoinError {
    JoinError::new(JoinErrorKind::Config, message)
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JoinError({:?}: {self})", self.kind)
    }
}

impl Error for JoinError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

/// The error of a node that cannot make a generator.
#[derive(Clone, PartialEq, Eq)]
pub struct NodeError(pub(crate) String);

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NodeError({self})")
    }
}

impl Error for NodeError {}

/// The holders of node IDs, and until when they hold them: those first that become free first.
pub(crate) fn holders(records: &BTreeMap<u32, Record>) -> String {
    const MOST: usize = 5;

    let mut held: Vec<_> = records
        .iter()
        .filter_map(|(node_id, record)| Some((record.until, node_id, record.holder.as_ref()?)))
        .collect();
    held.sort_by_key(|&(until, node_id, _)| (until, node_id));
    let mut text = String::new();
    for (index, (until, node_id, holder)) in held.iter().take(MOST).enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let until = rfc3339(until.saturating_mul(1000));
        text += &format!("{separator}{node_id} by {} until {until}", holder.name.escape_debug());
    }
    if held.len() > MOST {
        text += &format!(", and {} more", held.len() - MOST);
    }
    text
}
