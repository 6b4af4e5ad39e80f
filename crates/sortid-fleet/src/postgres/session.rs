use super::address::{Address, shown};
use crate::{
    StoreError,
    StoreErrorKind::{self, Config as Wrong, Denied, Missing, Shape, Unavailable},
    tls,
};
use postgres_protocol::escape::escape_literal;
use std::{
    error::Error as _,
    future::poll_fn,
    mem::take,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_postgres::{
    AsyncMessage, Client, Config, Connection, Error, NoTls, SimpleQueryMessage, Socket,
    error::{Severity, SqlState},
    tls::MakeTlsConnect,
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The fields of a row, as text; `None` is NULL.
pub(super) type Row = Vec<Option<String>>;

pub(super) type Rows = Vec<Row>;

/// How long a connection that was idle may take to show that it still works.
const ALIVE: Duration = Duration::from_secs(1);

/// How long the server may take to hear that an answer is not waited for any more.
const CANCEL: Duration = Duration::from_millis(500);

/// All settings that an answer rests on, whatever those of the server, the database, the user and the URL are.
///
/// - Functions, operators and types are those of the system. Temporary tables come last: otherwise they come first.
/// - Warnings arrive, and notices only where [`END`] asks for one.
/// - Rows that a policy hides are an error.
/// - `format_type` does not quote the names of types.
/// - A statement that is cancelled while it waits for a synchronous standby is committed, although the standby does not
///   have it. So only the wait for locks has a limit in the server. PostgreSQL 17 has a limit of transactions.
/// - No statement is compiled: if a user's `enable_nestloop` is off, that takes seconds.
/// - Only `on` and `remote_apply` make a commit durable before its answer.
///
/// The last field of the row has the settings that a transaction cannot change.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \
    SET LOCAL search_path = pg_catalog, pg_temp; \
    SET LOCAL client_min_messages = warning; \
    SET LOCAL row_security = off; \
    SET LOCAL quote_all_identifiers = off; \
    SET LOCAL lock_timeout = 3000; SET LOCAL statement_timeout = 0; \
    SELECT \
    CASE WHEN current_setting('server_version_num')::int >= 110000 THEN set_config('jit', 'off', true) END, \
    CASE WHEN current_setting('server_version_num')::int >= 170000 \
    THEN set_config('transaction_timeout', '0', true) END, \
    CASE WHEN current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') \
    THEN set_config('synchronous_commit', 'on', true) END, \
    format('client_encoding = %s, ignore_checksum_failure = %s, zero_damaged_pages = %s', \
    current_setting('client_encoding'), current_setting('ignore_checksum_failure'), \
    current_setting('zero_damaged_pages'))";

/// The end of a transaction that reads. Its commit is durable only when all commits before it are, because it writes a
/// message to the log. A commit whose wait for a standby is cancelled gives a warning, and nothing else. The cast of an empty
/// text to `tsquery` gives a notice, which proves that such a warning would arrive. Only the commit comes after it.
const END: &str = "SET LOCAL client_min_messages = notice; \
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, \
    pg_logical_emit_message(true, 'sortid', ''), ''::tsquery; COMMIT";

/// The settings that `BEGIN` finds. With the last two, the server reads a page that is damaged as if it had no records.
const FOUND: &str = "client_encoding = UTF8, ignore_checksum_failure = off, zero_damaged_pages = off";

/// The columns of the table by name, as the server describes them. A later version may add columns that can be left out of
/// an `INSERT`: an `UPDATE` leaves them as they are. A column that cannot be left out keeps this version away.
const COLUMNS: &str = "generation bigint not null, holder text, instance text, number bigint not null, size bigint not null, \
    space text not null, until_ms bigint not null";

const KEY: &str = "space, number";

/// A connection to a server that has the table.
pub(super) struct Session {
    client: Client,
    tls: Option<MakeRustlsConnect>,
    host: String,
    heard: Arc<Mutex<Heard>>,
    /// The table with its schema, as it stands in SQL.
    pub(super) table: String,
    /// Settings of the server that lose records.
    pub(super) warning: Option<String>,
}

/// What the server answers to a [`run`](Session::run).
pub(super) struct Answer {
    /// The field of the change; `None` without a change.
    pub(super) change: Option<String>,
    /// The rows of the question.
    pub(super) rows: Rows,
    /// The server's clock, in milliseconds since 1970.
    pub(super) time: Option<String>,
}

/// What the server said besides the answers.
#[derive(Default)]
struct Heard {
    /// Whether the notice of [`END`] came.
    has_notice: bool,
    /// The last warning before the notice, and the last one after it.
    warnings: [Option<String>; 2],
}

/// An error, and the server's code for it.
struct Failure {
    error: StoreError,
    code: Option<SqlState>,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self { error, code: None }
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

impl Session {
    /// Connects to the first host that answers and is not a replica. `creates` says whether a missing table is made.
    pub(super) async fn connect(
        address: &Address,
        table: &str,
        deadline: Instant,
        creates: bool,
    ) -> Result<Self, StoreError> {
        let tls = address.tls()?;
        let mut failure: Option<StoreError> = None;
        for (index, host) in address.hosts.iter().enumerate() {
            // An equal share of what is left.
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(address.hosts.len() - index).unwrap_or(1);
            match Self::open(host, tls.clone(), table, Instant::now() + share, creates).await {
                Ok(session) => return Ok(session),
                // An error of a server that answers says more than that another is down.
                Err(error) if failure.as_ref().is_none_or(|first| first.kind() == Unavailable) => {
                    failure = Some(error);
                }
                Err(_) => {}
            }
        }
        Err(failure.unwrap_or_else(|| StoreError::new(Wrong, "the URL of PostgreSQL names no host")))
    }

    async fn open(
        config: &Config,
        tls: Option<MakeRustlsConnect>,
        table: &str,
        deadline: Instant,
        creates: bool,
    ) -> Result<Self, StoreError> {
        let host = shown(config);
        let started = match tls.clone() {
            Some(tls) => timeout_at(deadline, start(config, tls)).await,
            None => timeout_at(deadline, start(config, NoTls)).await,
        };
        let (client, heard) = started
            .map_err(|_| {
                StoreError::new(Unavailable, format!("PostgreSQL at {host} does not answer in time"))
            })?
            .map_err(|error| explain(&error, &host))?;
        let mut session = Self { client, tls, host, heard, table: String::new(), warning: None };
        session.table = session.locate(table, deadline).await?;
        session.set_up(&session.table.clone(), deadline, creates).await?;
        Ok(session)
    }

    /// Finds the schema of a table whose name has none: that in which the search path of the user finds the table, or would
    /// create it.
    async fn locate(&self, table: &str, deadline: Instant) -> Result<String, StoreError> {
        if table.contains('.') {
            return Ok(table.to_owned());
        }
        // The names of functions and operators are complete, because here the search path is still the user's.
        let question = format!(
            "SELECT COALESCE((SELECT relnamespace::pg_catalog.regnamespace::pg_catalog.text FROM pg_catalog.pg_class \
             WHERE oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass({})::pg_catalog.oid), \
             pg_catalog.quote_ident(pg_catalog.current_schema()))",
            escape_literal(table)
        );
        let rows = self.query(&question, deadline).await?;
        match fields(&rows) {
            [Some(schema)] if !schema.starts_with("pg_temp_") => Ok(format!("{schema}.{table}")),
            [found] => Err(StoreError::new(
                Wrong,
                format!(
                    "expected a schema for tables on the search path of the user of PostgreSQL at {}, found {}. Write \
                     ?table=SCHEMA.NAME in the URL",
                    self.host,
                    found.unwrap_or("none")
                ),
            )),
        }
    }

    /// Checks the server and the table. `creates` says whether a missing table is made.
    async fn set_up(&mut self, table: &str, deadline: Instant, creates: bool) -> Result<(), StoreError> {
        let name = escape_literal(table);
        let question = format!(
            "SELECT pg_is_in_recovery(), to_regclass({name}) IS NULL, \
             (SELECT string_agg(it, ', ') FROM unnest(ARRAY['fsync', 'full_page_writes']) it \
             WHERE current_setting(it) = 'off')"
        );
        let rows = self.transact(&question, deadline).await?;
        let [is_replica, is_missing, unsafe_settings] = fields(&rows);
        if is_replica == Some("t") {
            return Err(self.replica());
        }
        self.warning = unsafe_settings.map(|settings| {
            format!(
                "PostgreSQL at {} runs with {settings} off: a crash of its machine can lose records, \
                 and IDs can then repeat. Turn them on",
                self.host
            )
        });
        match (is_missing, creates) {
            (Some("t"), true) => self.create(table, deadline).await?,
            (Some("t"), false) => {
                let message = format!("PostgreSQL at {} has no table {table}", self.host);
                return Err(StoreError::new(Missing, message));
            }
            _ => {}
        }
        self.check(table, deadline).await
    }

    async fn create(&self, table: &str, deadline: Instant) -> Result<(), StoreError> {
        let create = format!(
            "CREATE TABLE IF NOT EXISTS {table} (space text COLLATE \"C\", number bigint, size bigint NOT NULL, \
             generation bigint NOT NULL, holder text, instance text, until_ms bigint NOT NULL, PRIMARY KEY ({KEY}))"
        );
        match self.transact(&create, deadline).await {
            Ok(_) => Ok(()),
            // Another process made it at the same time. `IF NOT EXISTS` does not see a table that is not committed.
            Err(Failure {
                code:
                    Some(SqlState::UNIQUE_VIOLATION | SqlState::DUPLICATE_TABLE | SqlState::DUPLICATE_OBJECT),
                ..
            }) => self.query("ROLLBACK", deadline).await.map(drop).map_err(Into::into),
            Err(Failure { code: Some(SqlState::INSUFFICIENT_PRIVILEGE), error }) => {
                let message = format!(
                    "there is no table {table}, and this user cannot create it. {error}. Let another user run {create}; \
                     GRANT SELECT, INSERT, UPDATE ON {table} TO this user"
                );
                Err(StoreError::new(Denied, message).with_source(error))
            }
            Err(failure) => Err(failure.error),
        }
    }

    async fn check(&self, table: &str, deadline: Instant) -> Result<(), StoreError> {
        let name = |column: &str| escape_literal(column.split(' ').next().unwrap_or_default());
        let names: Vec<_> = COLUMNS.split(", ").map(name).collect();
        let question = format!(
            "SELECT c.relkind, c.relpersistence, \
             (SELECT string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || \
             CASE WHEN a.attnotnull THEN ' not null' ELSE '' END, ', ' ORDER BY a.attname COLLATE \"C\") \
             FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
             AND (a.attname IN ({}) OR a.attnotnull AND NOT a.atthasdef AND a.attidentity = '')), \
             (SELECT string_agg(a.attname, ', ' ORDER BY a.attnum) \
             FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey) \
             WHERE i.indrelid = c.oid AND i.indisprimary) \
             FROM pg_class c WHERE c.oid = to_regclass({})",
            names.join(", "),
            escape_literal(table)
        );
        let rows = self.transact(&question, deadline).await?;
        let [kind, persistence, columns, key] = fields(&rows);
        let found = match (kind, persistence) {
            (Some("r"), Some("p")) if columns == Some(COLUMNS) && is_key(key) => return Ok(()),
            (None, _) => "no table".to_owned(),
            (Some("r"), Some("u")) => {
                "an unlogged table, which is empty after a crash. ALTER TABLE … SET LOGGED changes it"
                    .to_owned()
            }
            (Some("r"), Some("p")) => {
                format!(
                    "the columns {} and the primary key {}",
                    columns.unwrap_or("(none)"),
                    key.unwrap_or("(none)")
                )
            }
            _ => "a view, or a table of another kind".to_owned(),
        };
        Err(StoreError::new(
            Shape,
            format!(
                "expected in PostgreSQL at {} a table {table} with the columns {COLUMNS} and the primary key {KEY}, found \
                 {found}. Name another table with ?table= in the URL, and create the fleet there",
                self.host
            ),
        ))
    }

    /// Returns whether the connection still works.
    pub(super) async fn is_alive(&self) -> bool {
        timeout(ALIVE, self.client.check_connection()).await.is_ok_and(|checked| checked.is_ok())
    }

    /// Changes the table, and then reads it in a transaction of its own, in one message.
    ///
    /// Triggers, rules and constraints of the table can run anything in the transaction of the change, up to its commit. So
    /// the answer rests on the transaction after it, in which nothing of the table runs: what it reads is in the table, and
    /// durable. The change need not wait for that.
    pub(super) async fn run(
        &self,
        change: Option<&str>,
        question: &str,
        deadline: Instant,
    ) -> Result<Answer, StoreError> {
        let hear = || take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner));
        hear();
        let first = change.map_or_else(String::new, |change| {
            format!("{BEGIN}; SET LOCAL synchronous_commit = off; {change}; COMMIT; ")
        });
        let mut rows = self.query(&format!("{first}{BEGIN}; {question}; {END}"), deadline).await?.into_iter();
        let Heard { has_notice, warnings: [before, after] } = hear();
        let host = &self.host;
        if let Some(warning) = after {
            let message = format!("PostgreSQL at {host} warned, so the record may not be durable: {warning}");
            return Err(StoreError::new(Unavailable, message));
        }
        if !has_notice {
            let message = format!(
                "expected a notice from PostgreSQL at {host}, found none. A pool or a proxy drops notices, and with them \
                 the warning that a record is not durable: give the address of the server itself"
            );
            return Err(StoreError::new(Wrong, message));
        }
        if let Some(warning) = before {
            let message = format!(
                "PostgreSQL at {host} warned while it used the table {}: {warning}. Remove the cause of the warning",
                self.table
            );
            return Err(StoreError::new(Unavailable, message));
        }
        let change = match change {
            Some(_) => {
                self.check_settings(rows.next())?;
                rows.next().and_then(|row| row.into_iter().next().flatten())
            }
            None => None,
        };
        self.check_settings(rows.next())?;
        let time = rows.next_back().and_then(|row| row.into_iter().next().flatten());
        Ok(Answer { change, rows: rows.collect(), time })
    }

    /// Checks the row of `BEGIN`.
    fn check_settings(&self, begun: Option<Row>) -> Result<(), StoreError> {
        let found = begun.and_then(|row| row.into_iter().next_back().flatten());
        if found.as_deref() == Some(FOUND) {
            return Ok(());
        }
        let message = format!(
            "expected in PostgreSQL at {} the settings {FOUND}, found {}: see ALTER ROLE … RESET, ALTER DATABASE … \
             RESET, and the server's configuration",
            self.host,
            found.as_deref().unwrap_or("none")
        );
        Err(StoreError::new(Wrong, message))
    }

    /// Runs statements about the server and the table in one transaction, and returns their rows.
    async fn transact(&self, statements: &str, deadline: Instant) -> Result<Rows, Failure> {
        let mut rows = self.query(&format!("{BEGIN}; {statements}; COMMIT"), deadline).await?.into_iter();
        self.check_settings(rows.next())?;
        Ok(rows.collect())
    }

    async fn query(&self, statements: &str, deadline: Instant) -> Result<Rows, Failure> {
        let Ok(answer) = timeout_at(deadline, self.client.simple_query(statements)).await else {
            // Otherwise the server would wait on for a standby, and each further try would take one more connection.
            let token = self.client.cancel_token();
            let _ = match self.tls.clone() {
                Some(tls) => timeout(CANCEL, token.cancel_query(tls)).await,
                None => timeout(CANCEL, token.cancel_query(NoTls)).await,
            };
            let message = format!(
                "PostgreSQL at {} does not answer in time. If it has synchronous_standby_names, a standby may be down",
                self.host
            );
            return Err(StoreError::new(Unavailable, message).into());
        };
        let messages = match answer {
            Ok(messages) => messages,
            Err(error) => {
                let code = error.code().cloned();
                let is_replica = match &code {
                    Some(SqlState::READ_ONLY_SQL_TRANSACTION) => true,
                    // A replica refuses `READ WRITE`, and a table with rules refuses a change, with the same code.
                    Some(SqlState::FEATURE_NOT_SUPPORTED) => self.is_in_recovery(deadline).await,
                    _ => false,
                };
                let error =
                    if is_replica { self.replica().with_source(error) } else { explain(&error, &self.host) };
                return Err(Failure { error, code });
            }
        };
        let rows = messages.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => {
                Some((0..row.len()).map(|at| row.get(at).map(ToOwned::to_owned)).collect())
            }
            _ => None,
        });
        Ok(rows.collect())
    }

    /// Whether the server says that it is a replica, after a transaction failed.
    async fn is_in_recovery(&self, deadline: Instant) -> bool {
        let question = "ROLLBACK; SELECT pg_catalog.pg_is_in_recovery()";
        let answer = timeout_at(deadline, self.client.simple_query(question)).await;
        answer.ok().and_then(Result::ok).is_some_and(|messages| {
            messages
                .iter()
                .any(|message| matches!(message, SimpleQueryMessage::Row(row) if row.get(0) == Some("t")))
        })
    }

    /// The error of a server that cannot write. It may become a primary, or its name may go over to another.
    fn replica(&self) -> StoreError {
        StoreError::new(
            Unavailable,
            format!(
                "expected a primary server of PostgreSQL, found a read-only replica at {}. A replica can be behind, so its \
                 records are of no use: give the address of the primary",
                self.host
            ),
        )
    }
}

async fn start<T>(config: &Config, tls: T) -> Result<(Client, Arc<Mutex<Heard>>), Error>
where
    T: MakeTlsConnect<Socket>,
    T::Stream: Send + 'static,
{
    let (client, connection) = config.connect(tls).await?;
    let heard = Arc::default();
    tokio::spawn(drive(connection, Arc::clone(&heard)));
    // What the server says of a login comes before this answer. A warning of it is not one of a transaction.
    client.check_connection().await?;
    Ok((client, heard))
}

/// Moves the messages of a connection until it ends, and keeps what is said besides.
async fn drive<T>(mut connection: Connection<Socket, T>, heard: Arc<Mutex<Heard>>)
where
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        let AsyncMessage::Notice(it) = message else { continue };
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        match it.parsed_severity() {
            Some(Severity::Notice) => heard.has_notice = true,
            Some(Severity::Warning) => {
                let parts = [Some(it.message()), it.detail(), it.hint()].into_iter().flatten();
                let text: Vec<_> = parts.map(|part| part.trim_end_matches('.')).collect();
                let is_after = usize::from(heard.has_notice);
                heard.warnings[is_after] = Some(text.join(". "));
            }
            _ => {}
        }
    }
}

/// The fields of the first row; `None` also for those that are missing.
fn fields<const N: usize>(rows: &Rows) -> [Option<&str>; N] {
    std::array::from_fn(|at| rows.first()?.get(at)?.as_deref())
}

/// Whether these are the columns of the key, in any order.
fn is_key(columns: Option<&str>) -> bool {
    matches!(columns, Some(KEY | "number, space"))
}

/// The reason within an error of the client.
fn reason(error: &Error) -> String {
    let mut reason = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        let text = source.to_string().replace('\n', " ");
        if !reason.contains(&text) {
            reason = format!("{reason}: {text}");
        }
        next = source.source();
    }
    reason.strip_prefix("db error: ").map_or(reason.clone(), ToOwned::to_owned)
}

/// What a fleet does about an error, and what a person can do.
fn explain(error: &Error, host: &str) -> StoreError {
    let tls = tls::refusal(error);
    let said = error.source().map(ToString::to_string).unwrap_or_default();
    let (kind, tip): (StoreErrorKind, &str) = match error.code() {
        _ if tls.is_some() => (Wrong, "Check sslrootcert, sslcert, and the host name in the URL"),
        Some(code) if code.code().starts_with("28") => (Denied, "Check the user and the password"),
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => (
            Denied,
            "Give this user the rights SELECT, INSERT and UPDATE on the table, and USAGE on its schema. A table with row-level \
             security also needs the attribute BYPASSRLS",
        ),
        Some(&SqlState::INVALID_CATALOG_NAME) => (Wrong, "Check the name of the database in the URL"),
        Some(&SqlState::INVALID_SCHEMA_NAME) => (Wrong, "Check ?table= in the URL, or create the schema"),
        Some(&SqlState::UNDEFINED_TABLE) => (Missing, "Somebody has dropped the table"),
        Some(&SqlState::FEATURE_NOT_SUPPORTED) => {
            (Shape, "The store needs a table without rules: see DROP RULE")
        }
        Some(code) if code.code().starts_with("42") => {
            (Shape, "The table has changed: drop it, or name another with ?table= in the URL")
        }
        None if said.contains("server does not support TLS") => {
            (Wrong, "Turn TLS on in the server, or write sslmode=disable")
        }
        None if said.contains("password missing") => (Wrong, "Write it in the URL, or into PGPASSWORD"),
        None if error.to_string().starts_with("authentication error") => {
            (Denied, "Check the user and the password")
        }
        _ => (Unavailable, ""),
    };
    let reason = tls.unwrap_or_else(|| reason(error));
    let end = if tip.is_empty() { "" } else { ". " };
    StoreError::new(kind, format!("PostgreSQL at {host}: {reason}{end}{tip}"))
}
