use crate::{
    Holder, Record, Snapshot, Store, StoreError,
    StoreErrorKind::{Config, Shape, Unavailable},
    Swapped,
    per_process::PerProcess,
};
use postgres_protocol::escape::escape_literal;
use std::{
    fmt, io,
    panic::resume_unwind,
    sync::{Mutex as Lock, OnceLock, PoisonError},
    thread,
    time::Duration,
};
use tokio::{
    runtime::{Builder, Runtime},
    sync::Mutex,
    time::{Instant, timeout_at},
};

mod address;
mod session;

use address::Address;
use session::{Answer, Row, Session};

/// The longest time that a call waits for the server. Half a second more may pass until the server knows that it is over.
const LIMIT: Duration = Duration::from_millis(4500);

/// Records in a table of PostgreSQL 10 or later.
///
/// ```no_run
/// use sortid_fleet::{PostgresStore, Store};
///
/// let store = PostgresStore::open("postgres://ids:secret@db1,db2/orders?sslmode=verify-full")?;
/// for (node_id, record) in store.read("default")?.records {
///     println!("{node_id}: {record:?}");
/// }
/// # Ok::<(), sortid_fleet::StoreError>(())
/// ```
///
/// # URL
///
/// `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?OPTION=VALUE&…`, or `postgresql://…`. Special signs are written as
/// in all URLs: `%40` for `@`. Several hosts are tried in turn, and the first primary serves. A folder of sockets is a host
/// with `%2F` for `/`. Without a password, the environment variable `PGPASSWORD` has it. Besides the options of
/// [`tokio_postgres::Config`], these are known:
///
/// | option | meaning |
/// |---|---|
/// | `table` | the table, with its schema if it is not on the search path: `ids.nodes`; by default `sortid_nodes` |
/// | `sslmode` | as in libpq: `disable`; `prefer` (default) and `require` encrypt; `verify-ca` and `verify-full` also demand a certificate of an authority that is trusted, `verify-full` for the host of the URL |
/// | `sslrootcert` | a PEM file of the authorities that are trusted, by default those of the system. With it, each TLS connection is at least `verify-ca`. `system` stands for those of the system |
/// | `sslcert`, `sslkey` | PEM files of the client's certificate and its key |
///
/// Use `verify-full` across a network: with `prefer` and `require`, a server in the middle can pretend to be the
/// database. The files are read again for each connection, so they may be replaced.
///
/// # Table and rights
///
/// [`init`](crate::init) creates the table, if the user may create tables in the schema. Otherwise let another user run this
/// before; the store needs no other rights:
///
/// ```sql
/// CREATE TABLE sortid_nodes (
///     space text COLLATE "C", number bigint, size bigint NOT NULL, generation bigint NOT NULL,
///     holder text, instance text, until_ms bigint NOT NULL, PRIMARY KEY (space, number)
/// );
/// GRANT SELECT, INSERT, UPDATE ON sortid_nodes TO ids;
/// ```
///
/// Without `table=SCHEMA.NAME`, the search path of the user decides which table it is, at the first connection of a store.
/// Name the schema if several users share a fleet.
///
/// # Durability
///
/// A swap is one statement in a transaction of its own. A second transaction, in the same message, reads the record again,
/// and waits until it is durable. So triggers, rules and constraints of the table, which run in the first, cannot weaken the
/// answer: if they change the record, or keep it as it was, the swap fails. A read waits in the same way. The transactions
/// set all that the answer rests on, whatever the settings of the server, the database, the user and the URL are:
/// `synchronous_commit` of the second is `on`, or stays `remote_apply`, and `search_path`, `client_min_messages` and
/// `row_security` are the store's own. What a transaction cannot set is checked: `zero_damaged_pages` and
/// `ignore_checksum_failure` have to be off. A table whose rows a policy can hide from the user is refused. The rest is up
/// to the server:
///
/// - `fsync` and `full_page_writes` have to be on. [`warning`](Store::warning) reports if they are not.
/// - **Failover loses nothing only with `synchronous_standby_names`.** A standby that is promoted without the last commits
///   has older records, and processes that take over node IDs can then repeat IDs of the last window. The same is true of a
///   backup that is restored. Run a [`Repair`](crate::Repair) after both, before any process joins. Ask the provider of
///   a managed database whether its standby is synchronous.
/// - A synchronous standby that is down makes calls fail until it is back or is taken from the list. A commit whose wait
///   was cancelled counts as failed. The server reports it only by a warning, so each call also asks for a notice, and fails
///   if none arrives. Any other warning fails the call, too, such as one about a collation of another version.
///
/// Replicas are refused, because they can be behind. So are unlogged tables, which are empty after a crash.
///
/// # Connections
///
/// Each store has one connection, made by the first call, and again after an error. A call takes at most 5 s; it waits for
/// locks for 3 s. All statements go without names and in one message, so PgBouncer may pool transactions. A pool that drops
/// the server's notices is refused. The methods
/// block, and may be called in threads of an asynchronous runtime. The server's time is `clock_timestamp()`.
pub struct PostgresStore {
    address: Address,
    link: PerProcess<Link>,
    /// The table with its schema; known after the first connection. A search path that changes later does not change it.
    table: OnceLock<String>,
    /// What the server is set to that loses records; known after the first connection.
    warning: Lock<Option<String>>,
    /// Whether a swap that expects no record replaces a row that is not one.
    is_for_repair: bool,
}

/// The one connection, and what drives it.
struct Link {
    /// `None` only in `drop`.
    runtime: Option<Runtime>,
    session: Mutex<Option<Session>>,
}

impl Link {
    fn new() -> Result<Self, StoreError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = Some(runtime.map_err(|error| failed("a runtime", error))?);
        Ok(Self { runtime, session: Mutex::new(None) })
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // The drop of a runtime waits for name lookups, and panics in an asynchronous task.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl PostgresStore {
    /// Reads the URL of a database, and the files that it names. The first operation connects.
    ///
    /// # Errors
    ///
    /// If the URL, an option or a file is wrong.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let address = Address::parse(url)?;
        address.tls()?;
        Ok(Self::of(address, false))
    }

    fn of(address: Address, is_for_repair: bool) -> Self {
        let (link, table, warning) = (PerProcess::new(), OnceLock::new(), Lock::new(None));
        Self { address, link, table, warning, is_for_repair }
    }

    /// Runs a change, if there is one, and then a question, on the connection or a new one. `statements` gets the table, and
    /// returns both. `creates` says whether a missing table is made.
    fn run(
        &self,
        statements: impl Fn(&str) -> (Option<String>, String) + Sync,
        creates: bool,
    ) -> Result<Answer, StoreError> {
        let work = || {
            let link = self.link.get(Link::new)?;
            let runtime =
                link.runtime.as_ref().ok_or_else(|| StoreError::new(Unavailable, "the store is closed"))?;
            runtime.block_on(self.run_on(&link, &statements, creates))
        };
        // `block_on` panics in a thread of another runtime.
        thread::scope(|scope| {
            let thread = thread::Builder::new().name("sortid-postgres".to_owned()).spawn_scoped(scope, work);
            thread
                .map_err(|error| failed("a thread", error))?
                .join()
                .unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    async fn run_on(
        &self,
        link: &Link,
        statements: &(dyn Fn(&str) -> (Option<String>, String) + Sync),
        creates: bool,
    ) -> Result<Answer, StoreError> {
        let deadline = Instant::now() + LIMIT;
        let mut slot = timeout_at(deadline, link.session.lock()).await.map_err(|_| {
            StoreError::new(
                Unavailable,
                format!("PostgreSQL at {} has not answered other calls", self.address),
            )
        })?;
        // After an error the session is closed, because what the server does is not known.
        let session = match slot.take() {
            Some(session) if session.is_alive().await => session,
            _ => {
                let table = self.table.get().unwrap_or(&self.address.table);
                let session = Session::connect(&self.address, table, deadline, creates).await?;
                self.table.get_or_init(|| session.table.clone());
                self.warning.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&session.warning);
                session
            }
        };
        let (change, question) = statements(&session.table);
        let answer = session.run(change.as_deref(), &question, deadline).await?;
        *slot = Some(session);
        Ok(answer)
    }

    fn unexpected(&self, found: &str) -> StoreError {
        let message = format!(
            "expected records in the table {} of PostgreSQL at {}, found {found}",
            self.address.table, self.address
        );
        StoreError::new(Shape, message)
    }

    fn time(&self, answer: &Answer) -> Result<Option<u64>, StoreError> {
        let time = answer.time.as_deref().and_then(|time| time.parse().ok());
        time.map(Some).ok_or_else(|| self.unexpected("no time of the server"))
    }
}

/// User, password and options are left out.
impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresStore({} in {})", self.address.table, self.address)
    }
}

fn failed(what: &str, error: io::Error) -> StoreError {
    StoreError::new(Unavailable, format!("cannot start {what} for PostgreSQL: {error}")).with_source(error)
}

/// A text in SQL.
fn literal(text: &str) -> Result<String, StoreError> {
    if text.contains('\0') {
        let message =
            format!("expected a name without U+0000, which PostgreSQL cannot store, found {text:?}");
        return Err(StoreError::new(Config, message));
    }
    Ok(escape_literal(text))
}

/// The size, the generation, the holder, the instance and the time of a record, in SQL.
fn values(record: &Record) -> Result<[String; 5], StoreError> {
    let integer = |value: u64| {
        let fits = i64::try_from(value).map(|value| value.to_string());
        fits.map_err(|_| {
            StoreError::new(
                Config,
                format!("expected a number up to {}, the greatest of PostgreSQL, found {value}", i64::MAX),
            )
        })
    };
    let text = |field: fn(&Holder) -> &String| {
        record.holder.as_ref().map_or_else(|| Ok("NULL".to_owned()), |holder| literal(field(holder)))
    };
    Ok([
        integer(record.size.into())?,
        integer(record.generation)?,
        text(|holder| &holder.name)?,
        text(|holder| &holder.instance)?,
        integer(record.until)?,
    ])
}

/// The record of a row, whose columns are in the order of `read`.
fn record(row: &Row) -> Option<Record> {
    let [_, Some(size), Some(generation), holder, instance, Some(until)] = &**row else {
        return None;
    };
    let holder = match (holder, instance) {
        (None, None) => None,
        (Some(name), Some(instance)) => Some(Holder::new(name.clone(), instance.clone())),
        _ => return None,
    };
    let (size, generation, until) = (size.parse().ok()?, generation.parse().ok()?, until.parse().ok()?);
    Some(Record::new(size, generation, holder, until))
}

/// The columns of a record, after the node ID.
const COLUMNS: &str = "size, generation, holder, instance, until_ms";

impl Store for PostgresStore {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        let space = literal(space)?;
        let read =
            |table: &str| (None, format!("SELECT number, {COLUMNS} FROM {table} WHERE space = {space}"));
        let answer = self.run(read, false)?;
        let mut snapshot = Snapshot { time: self.time(&answer)?, ..Snapshot::default() };
        for row in &answer.rows {
            let error = || self.unexpected(&format!("the row {row:?}"));
            let node_id =
                row.first().and_then(|node_id| node_id.as_deref()?.parse().ok()).ok_or_else(error)?;
            match record(row) {
                Some(record) => drop(snapshot.records.insert(node_id, record)),
                None => drop(snapshot.damaged.insert(node_id, error().to_string())),
            }
        }
        Ok(snapshot)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        let (space, [size, generation, holder, instance, until]) = (literal(space)?, values(next)?);
        // What `record` refuses.
        let on_conflict = if self.is_for_repair {
            "DO UPDATE SET size = excluded.size, generation = excluded.generation, holder = excluded.holder, \
             instance = excluded.instance, until_ms = excluded.until_ms \
             WHERE old.size NOT BETWEEN 0 AND 4294967295 OR old.generation < 0 OR old.until_ms < 0 \
             OR (old.holder IS NULL) <> (old.instance IS NULL)"
        } else {
            "DO NOTHING"
        };
        let expected = expected.map(values).transpose()?;
        let change = |table: &str| match &expected {
            None => format!(
                "INSERT INTO {table} AS old (space, number, {COLUMNS}) \
                 VALUES ({space}, {node_id}, {size}, {generation}, {holder}, {instance}, {until}) \
                 ON CONFLICT (space, number) {on_conflict} RETURNING 1"
            ),
            Some([old_size, old_generation, old_holder, old_instance, old_until]) => format!(
                "UPDATE {table} SET size = {size}, generation = {generation}, holder = {holder}, \
                 instance = {instance}, until_ms = {until} \
                 WHERE space = {space} AND number = {node_id} AND size = {old_size} \
                 AND generation = {old_generation} AND holder IS NOT DISTINCT FROM {old_holder} \
                 AND instance IS NOT DISTINCT FROM {old_instance} AND until_ms = {old_until} RETURNING 1"
            ),
        };
        let swap = |table: &str| {
            let change = format!("WITH swapped AS ({}) SELECT count(*) FROM swapped", change(table));
            let read =
                format!("SELECT number, {COLUMNS} FROM {table} WHERE space = {space} AND number = {node_id}");
            (Some(change), read)
        };
        let answer = self.run(swap, false)?;
        let swapped = answer.change.as_deref() == Some("1");
        let written = [size, generation, holder, instance, until];
        let is_written = |row| record(row).and_then(|found| values(&found).ok()) == Some(written);
        if swapped && !answer.rows.first().is_some_and(is_written) {
            let message = format!(
                "expected the record of node ID {node_id} that was written to the table {} of PostgreSQL at {}, found {:?}. A \
                 trigger or a rule of the table may have changed it: remove that",
                self.address.table, self.address, answer.rows
            );
            return Err(StoreError::new(Unavailable, message));
        }
        Ok(Swapped::new(swapped, self.time(&answer)?))
    }

    fn prepare(&self, _space: &str) -> Result<(), StoreError> {
        self.run(|_| (None, "SELECT 1".to_owned()), true).map(drop)
    }

    fn location(&self) -> String {
        let Address { table, .. } = &self.address;
        format!("table {table} of database {} in PostgreSQL at {}", self.address.database(), self.address)
    }

    fn for_repair(&self) -> Option<Box<dyn Store>> {
        Some(Box::new(Self::of(self.address.clone(), true)))
    }

    fn warning(&self) -> Option<String> {
        self.warning.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
