use crate::{Millis, Record};
use std::{collections::BTreeMap, error::Error, fmt};

/// Where the processes of a fleet keep their [`Record`]s.
///
/// Uniqueness and order of a fleet's IDs rest on [`swap`](Self::swap) alone. It has to be *linearizable*: once a swap has
/// succeeded, every later read and swap sees its record, even after a crash of the store. A store that can lose acknowledged
/// writes, such as a cache or a replica that is promoted without the last writes, is not one.
///
/// The methods block. A fleet calls them on threads of its own, several at a time for several nodes.
///
/// ```
/// use sortid_fleet::{Record, Snapshot, Store, StoreError, Swapped};
/// use std::{collections::BTreeMap, sync::Mutex};
///
/// /// The records of one process, for tests.
/// #[derive(Default)]
/// struct Memory(Mutex<BTreeMap<(String, u32), Record>>);
///
/// impl Store for Memory {
///     fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
///         let records = self.0.lock().unwrap();
///         let of_space = records.iter().filter(|((name, _), _)| name == space);
///         let records = of_space.map(|((_, node_id), record)| (*node_id, record.clone())).collect();
///         Ok(Snapshot::new(records, None))
///     }
///
///     fn swap(
///         &self,
///         space: &str,
///         node_id: u32,
///         expected: Option<&Record>,
///         next: &Record,
///     ) -> Result<Swapped, StoreError> {
///         let mut records = self.0.lock().unwrap();
///         let key = (space.to_owned(), node_id);
///         let swapped = records.get(&key) == expected;
///         if swapped {
///             records.insert(key, next.clone());
///         }
///         Ok(Swapped::new(swapped, None))
///     }
/// }
/// ```
pub trait Store: Send + Sync + 'static {
    /// Reads all records of a space. The node IDs whose record cannot be read are in [`Snapshot::damaged`].
    ///
    /// # Errors
    ///
    /// If the store does not answer. `Missing` if there is no place for records, such as a directory or a table.
    fn read(&self, space: &str) -> Result<Snapshot, StoreError>;

    /// Replaces the record of a node ID with `next` if it is `expected`; `None` expects that there is none. All fields have
    /// to be equal. When it returns that it swapped, the record is durable.
    ///
    /// # Errors
    ///
    /// `Missing` if there is no place for records; `Shape` if what the store has for the node ID is not a record. If the
    /// store does not answer, then the record may or may not be replaced, even later. The fleet reads it to find out.
    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError>;

    /// Makes the place of a space's records durable, such as a directory or a table, if it is not there. Only
    /// [`init`](crate::init) calls this. No other method makes one, so that no process creates a fleet in a wrong place.
    ///
    /// # Errors
    ///
    /// If the place cannot be made.
    fn prepare(&self, _space: &str) -> Result<(), StoreError> {
        Ok(())
    }

    /// Returns where the records are, for messages: the absolute path of a directory; the server, the database and the
    /// table. It has no password.
    fn location(&self) -> String {
        "the store".to_owned()
    }

    /// Returns what an operator should know about this store, such as that a directory is on a network; `None` if there is
    /// nothing.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Returns this store as [`Repair`](crate::Repair) uses it. It reads copies as records, and replaces what is damaged
    /// by a swap that expects no record. If the store rounds its time down, this store rounds it up. `None` if this store
    /// does all that.
    fn for_repair(&self) -> Option<Box<dyn Store>> {
        None
    }
}

/// The records of a space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The records by node ID.
    pub records: BTreeMap<u32, Record>,
    /// The node IDs whose record cannot be read, and why: where it is, and what was found. No process joins a space that has
    /// any.
    pub damaged: BTreeMap<u32, String>,
    /// The time of the store's clock; `None` if it has none.
    pub time: Option<Millis>,
}

impl Snapshot {
    /// Creates a snapshot of these records. `time` is the time of the store's clock; `None` if it has none.
    #[must_use]
    pub const fn new(records: BTreeMap<u32, Record>, time: Option<Millis>) -> Self {
        Self { records, damaged: BTreeMap::new(), time }
    }
}

/// The outcome of [`Store::swap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Swapped {
    /// Whether the record was replaced.
    pub swapped: bool,
    /// The time of the store's clock; `None` if it has none.
    pub time: Option<Millis>,
}

impl Swapped {
    /// Creates an outcome. `time` is the time of the store's clock; `None` if it has none.
    #[must_use]
    pub const fn new(swapped: bool, time: Option<Millis>) -> Self {
        Self { swapped, time }
    }
}

/// The error of a [`Store`].
pub struct StoreError {
    kind: StoreErrorKind,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// What a fleet does about an error of its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// The store does not answer, or has no resources now. The fleet tries again.
    Unavailable,
    /// There is no place for records, such as a directory or a table. Joining fails at once; a process that has a node ID
    /// tries again.
    Missing,
    /// The store refuses this user, or the process has no permission. Joining fails at once.
    Denied,
    /// A later version of this crate wrote the records, and this version must not use them. Joining fails at once.
    Later,
    /// What the store has is not a record, or the table or the directory has another shape. Joining fails at once.
    Shape,
    /// The address or an option is wrong. Joining fails at once.
    Config,
    /// The process does not have its node ID any more: see [`NodeState::Lost`](crate::NodeState::Lost).
    Lost,
}

impl StoreError {
    /// Creates an error. The message says what was expected, what was found, where, and what to do.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// Adds the error that caused this one. It is not a part of the message.
    #[must_use]
    pub fn with_source(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    /// Returns what a fleet does about it.
    #[must_use]
    pub const fn kind(&self) -> StoreErrorKind {
        self.kind
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreError({:?}: {self})", self.kind)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
