//! Records in etcd.

use crate::{
    Millis, Record, Snapshot, Store, StoreError,
    StoreErrorKind::{self, Config, Denied, Shape, Unavailable},
    Swapped,
    per_process::PerProcess,
    record::unreadable,
    tls,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::{
    fmt,
    io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant, UNIX_EPOCH},
};
use ureq::Agent;

mod address;

use address::Address;

/// The longest time that a call takes.
const LIMIT: Duration = Duration::from_millis(4500);

/// The greatest answer: more than the records of 65536 node IDs.
const GREATEST: u64 = 256 << 20;

/// What stands in a key in another form: all but the signs of the names of a fleet's spaces.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// Records in etcd 3.4 or later, through its JSON gateway, which is on by default.
///
/// ```no_run
/// use sortid_fleet::{EtcdStore, Store};
///
/// let store = EtcdStore::open("etcds://ids:secret@etcd1:2379,etcd2:2379,etcd3:2379?ca=/etc/etcd/ca.pem")?;
/// for (node_id, record) in store.read("default")?.records {
///     println!("{node_id}: {record:?}");
/// }
/// # Ok::<(), sortid_fleet::StoreError>(())
/// ```
///
/// # URL
///
/// `etcd://USER:PASSWORD@HOST:PORT,HOST:PORT?OPTION=VALUE&…`, or `etcds://…` with TLS. The port is 2379 if there is none,
/// and `USER:PASSWORD@` is left out where etcd asks for no password. Special signs are written as in all URLs: `%40` for
/// `@`. Proxies of the environment are not used. The options:
///
/// | option | meaning |
/// |---|---|
/// | `prefix` | how the keys begin; by default `sortid/nodes` |
/// | `ca` | a PEM file of the authorities that are trusted, by default those of the system |
/// | `cert`, `key` | PEM files of the client's certificate and its key |
///
/// Where etcd demands both certificates and passwords, its gateway refuses certificates with a common name (CN): give the
/// client one with only an organization. The files are read when the store is opened, and again after TLS has failed.
///
/// # Keys and rights
///
/// The key `PREFIX/SPACE/NODE_ID` has a [`Record`] as JSON. The user needs the right `readwrite` for keys that begin with
/// the prefix:
///
/// ```sh
/// etcdctl role add ids
/// etcdctl role grant-permission ids readwrite sortid/nodes/ --prefix
/// etcdctl user grant-role ids ids
/// ```
///
/// # Durability
///
/// etcd answers after a majority of its members has a write on disk, and reads are linearizable, so it survives the loss of
/// a minority. A cluster that is made of a backup (`etcdctl snapshot restore`) or of one member (`--force-new-cluster`) can
/// be behind. Its records then end before IDs that were made: run a [`Repair`](crate::Repair) before any process joins.
/// Members with `--unsafe-no-fsync` can lose writes.
///
/// A swap reads the record, compares it here, and writes if etcd's revision of the key is still the one that was read. So
/// records with the same members are equal, whatever bytes another version or a person wrote.
///
/// # Connections
///
/// Endpoints are asked in turn, the last good one first. A call takes at most 5 s. A swap that was sent is not repeated
/// elsewhere: nobody knows whether it was carried out. The store's time is the header `Date` of the member that answers.
/// It is a whole second, so up to 1 s behind that member's clock, and the clocks of the members can differ. A repair takes
/// the end of the second. The methods block, and may be called in threads of an asynchronous runtime.
pub struct EtcdStore {
    address: Address,
    agent: PerProcess<Agent>,
    /// What stands for the user and the password, until it expires.
    token: Mutex<Option<String>>,
    /// The endpoint that answered last.
    last: AtomicUsize,
    /// Whether a swap that expects no record replaces a value that is not one.
    is_for_repair: bool,
}

impl EtcdStore {
    /// Reads the URL of a cluster, and the files that it names. The first operation connects.
    ///
    /// # Errors
    ///
    /// If the URL, an option or a file is wrong.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let address = Address::parse(url)?;
        address.agent()?;
        Ok(Self::of(address, false))
    }

    fn of(address: Address, is_for_repair: bool) -> Self {
        let (token, last) = (Mutex::new(None), AtomicUsize::new(0));
        Self { address, agent: PerProcess::new(), token, last, is_for_repair }
    }

    /// The key of a record, without the node ID.
    fn key(&self, space: &str) -> String {
        format!("{}/{}/", self.address.prefix, utf8_percent_encode(space, ESCAPED))
    }

    /// Asks one endpoint after the other, the last good one first. For questions that change nothing: an endpoint that does
    /// not answer in time may still carry out what it was asked. Returns which one answered.
    fn ask_any(
        &self,
        path: &str,
        question: &Value,
        deadline: Instant,
    ) -> Result<(usize, Answer), StoreError> {
        let (first, count) = (self.last.load(Relaxed), self.address.endpoints.len());
        let (mut failures, mut refusal) = (vec![], None);
        for index in 0..count {
            let endpoint = (first + index) % count;
            // An equal share of what is left.
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(count - index).unwrap_or(1);
            match self.ask(endpoint, path, question, Instant::now() + share) {
                Ok(answer) => {
                    self.last.store(endpoint, Relaxed);
                    return Ok((endpoint, answer));
                }
                Err(error) if error.kind() == Unavailable => failures.push(error),
                // Another member may be set up as it should, or have a certificate that is valid.
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        // An error of a member that answers says more than that another is down.
        if let Some(error) = refusal {
            return Err(error);
        }
        let reasons: Vec<_> = failures.iter().map(ToString::to_string).collect();
        Err(StoreError::new(Unavailable, reasons.join("; ")))
    }

    /// Asks an endpoint, as the user of the URL.
    fn ask(
        &self,
        endpoint: usize,
        path: &str,
        question: &Value,
        deadline: Instant,
    ) -> Result<Answer, StoreError> {
        let host = &self.address.endpoints[endpoint];
        let known = self.token.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let was_known = known.is_some();
        let mut token = match (known, &self.address.user) {
            (None, Some(user)) => self.log_in(host, user, deadline)?,
            (known, _) => known,
        };
        let mut answer = self.post(host, path, question, token.as_deref(), deadline);
        // A token expires, and a server forgets it when it restarts.
        if let (true, Err(Failure { is_expired: true, .. }), Some(user)) =
            (was_known, &answer, &self.address.user)
        {
            token = self.log_in(host, user, deadline)?;
            answer = self.post(host, path, question, token.as_deref(), deadline);
        }
        answer.map_err(|failure| failure.error)
    }

    /// Gets a token; `None` if the server asks nobody for a password.
    fn log_in(
        &self,
        host: &str,
        user: &(String, String),
        deadline: Instant,
    ) -> Result<Option<String>, StoreError> {
        let (name, password) = user;
        let question = json!({ "name": name, "password": password });
        let token = match self.post(host, "auth/authenticate", &question, None, deadline) {
            Ok(answer) => answer.body["token"].as_str().map(ToOwned::to_owned),
            Err(Failure { error, .. }) if error.to_string().contains("authentication is not enabled") => None,
            Err(failure) => return Err(failure.error),
        };
        self.token.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&token);
        Ok(token)
    }

    fn post(
        &self,
        host: &str,
        path: &str,
        question: &Value,
        token: Option<&str>,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let mut request = self.agent.get(|| self.address.agent())?.post(format!("{host}/v3/{path}"));
        if let Some(token) = token {
            request = request.header("Authorization", token);
        }
        let sent = request
            .config()
            .timeout_global(Some(left))
            .build()
            .content_type("application/json")
            .send(question.to_string());
        let mut response = sent.map_err(|error| self.unreachable(host, error))?;
        let date = response
            .headers()
            .get("date")
            .and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
        let time = date.and_then(|date| date.duration_since(UNIX_EPOCH).ok()?.as_millis().try_into().ok());
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(GREATEST).lossy_utf8(true).read_to_string();
        let text = text.map_err(|error| self.unreachable(host, error))?;
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        if status == 200 && body["header"].is_object() {
            return Ok(Answer { body, time });
        }
        Err(refused(host, status, &text, &body))
    }

    fn unreachable(&self, host: &str, error: ureq::Error) -> Failure {
        let refusal = match &error {
            ureq::Error::Io(error) => tls::refusal(error),
            ureq::Error::Rustls(error) => tls::refusal(error),
            _ => None,
        };
        let (kind, reason, tip) = match (refusal, &error) {
            (Some(reason), _) => {
                // The next call reads the files of certificates again.
                self.agent.clear();
                (
                    Config,
                    reason,
                    ". Check ca, cert and key in the URL, the host name, and whether the server has TLS",
                )
            }
            (None, ureq::Error::Timeout(_)) => (Unavailable, "no answer in time".to_owned(), ""),
            // A server that is started again closes connections, too.
            (None, ureq::Error::Io(error))
                if matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof) =>
            {
                let tip = if host.starts_with("http:") {
                    ". If it has TLS, write etcds: in place of etcd:"
                } else {
                    ". If it has no TLS, write etcd: in place of etcds:. If it demands a certificate, give cert and key"
                };
                (Unavailable, error.to_string(), tip)
            }
            (None, other) => (Unavailable, other.to_string(), ""),
        };
        StoreError::new(kind, format!("etcd at {host}: {reason}{tip}")).with_source(error).into()
    }

    /// The record of a node ID and the revision of its last change; 0 for none.
    fn stored(&self, key: &str, answer: &Answer) -> Result<(u64, Option<Record>), StoreError> {
        let Some(pair) = answer.body["kvs"].as_array().and_then(|pairs| pairs.first()) else {
            return Ok((0, None));
        };
        let revision = pair["mod_revision"].as_str().and_then(|revision| revision.parse().ok());
        let revision = revision.ok_or_else(|| self.unexpected(key, "no revision"))?;
        match self.record(key, pair) {
            Err(error) if self.is_for_repair && error.kind() == Shape => Ok((revision, None)),
            record => Ok((revision, Some(record?))),
        }
    }

    fn record(&self, key: &str, pair: &Value) -> Result<Record, StoreError> {
        let value = pair["value"].as_str().unwrap_or_default();
        let value =
            BASE64_STANDARD.decode(value).map_err(|error| self.unexpected(key, &error.to_string()))?;
        serde_json::from_slice(&value).map_err(|source| {
            let error = match unreadable(&value, "/format", &source) {
                (Shape, why) => {
                    self.unexpected(key, &format!("{:?}: {why}", String::from_utf8_lossy(&value)))
                }
                (kind, why) => {
                    StoreError::new(kind, format!("the key {key} of etcd at {}: {why}", self.address))
                }
            };
            error.with_source(source)
        })
    }

    fn unexpected(&self, key: &str, found: &str) -> StoreError {
        let message = format!(
            "expected a record of sortid-fleet at the key {key} of etcd at {}, found {found}. Run `sortid nodes \
             repair` if the fleet's record is damaged, or use other keys with ?prefix= in the URL",
            self.address
        );
        StoreError::new(Shape, message)
    }
}

/// What etcd said, and when.
struct Answer {
    body: Value,
    time: Option<Millis>,
}

struct Failure {
    error: StoreError,
    /// Whether a new token may help.
    is_expired: bool,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self { error, is_expired: false }
    }
}

/// An answer that is not the one that was asked for. The codes are those of gRPC.
fn refused(host: &str, status: u16, text: &str, body: &Value) -> Failure {
    let said = body["error"].as_str().unwrap_or_else(|| text.lines().next().unwrap_or_default());
    let is_expired = said.contains("invalid auth token") || said.contains("revision of auth store is old");
    let (kind, tip): (StoreErrorKind, &str) = match (status, body["code"].as_u64()) {
        (_, Some(7)) => (Denied, "Give the role of this user the right readwrite on the prefix of the keys"),
        (_, Some(3)) if said.contains("user name is empty") => {
            (Denied, "Write a user and a password: etcd://USER:PASSWORD@HOST:PORT")
        }
        (_, Some(3)) if said.contains("authentication failed") => (Denied, "Check the user and the password"),
        (_, Some(16)) => (Denied, "Check the user and the password"),
        (400, None) if said.contains("CommonName of client") => (
            Config,
            "etcd with passwords refuses certificates of clients with a common name: use one that has only an organization",
        ),
        (200 | 400 | 404 | 405 | 501, None) | (404, _) => {
            (Config, "Expected etcd 3.4 or later with its JSON gateway, at its port for clients")
        }
        _ => (Unavailable, ""),
    };
    let end = if tip.is_empty() { "" } else { ". " };
    let error = StoreError::new(kind, format!("etcd at {host}: status {status}: {said}{end}{tip}"));
    Failure { error, is_expired }
}

impl Store for EtcdStore {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        let prefix = self.key(space);
        // The first key after all that begin with the prefix: `0` comes after `/`.
        let end = format!("{}0", &prefix[..prefix.len() - 1]);
        let question =
            json!({ "key": BASE64_STANDARD.encode(&prefix), "range_end": BASE64_STANDARD.encode(end) });
        let (_, answer) = self.ask_any("kv/range", &question, Instant::now() + LIMIT)?;
        // It was rounded down. A process can have reserved from the end of the second on, and a repair's `until` rests on it.
        let missing = if self.is_for_repair { 999 } else { 0 };
        let time = answer.time.map(|time| time.saturating_add(missing));
        let mut snapshot = Snapshot { time, ..Snapshot::default() };
        for pair in answer.body["kvs"].as_array().into_iter().flatten() {
            let key = BASE64_STANDARD.decode(pair["key"].as_str().unwrap_or_default()).unwrap_or_default();
            let key = String::from_utf8_lossy(&key);
            let node_id = key
                .strip_prefix(&prefix)
                .and_then(|text| text.parse::<u32>().ok().filter(|node_id| node_id.to_string() == text));
            // As in a directory, a key of another form is not one of a fleet.
            let Some(node_id) = node_id else { continue };
            match self.record(&key, pair) {
                Ok(record) => drop(snapshot.records.insert(node_id, record)),
                Err(error) if error.kind() == Shape => {
                    snapshot.damaged.insert(node_id, error.to_string());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(snapshot)
    }

    /// Compares the record with `expected` here, and its revision in etcd. So two records are equal if their fields are,
    /// whatever bytes another version writes.
    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        let deadline = Instant::now() + LIMIT;
        let key = format!("{}{node_id}", self.key(space));
        let encoded = BASE64_STANDARD.encode(&key);
        let (endpoint, answer) = self.ask_any("kv/range", &json!({ "key": encoded }), deadline)?;
        let (revision, current) = self.stored(&key, &answer)?;
        if current.as_ref() != expected {
            return Ok(Swapped::new(false, answer.time));
        }
        let value = serde_json::to_vec(next).map_err(|error| {
            StoreError::new(Config, format!("cannot write a record as JSON: {error}")).with_source(error)
        })?;
        let question = json!({
            "compare": [{ "key": encoded, "target": "MOD", "result": "EQUAL", "mod_revision": revision.to_string() }],
            "success": [{ "request_put": { "key": encoded, "value": BASE64_STANDARD.encode(value) } }],
        });
        let answer = self.ask(endpoint, "kv/txn", &question, deadline)?;
        // It is left out if it is false.
        Ok(Swapped::new(answer.body["succeeded"] == true, answer.time))
    }

    fn location(&self) -> String {
        format!("the keys {} of etcd at {}", self.address.prefix, self.address)
    }

    fn for_repair(&self) -> Option<Box<dyn Store>> {
        Some(Box::new(Self::of(self.address.clone(), true)))
    }
}

/// User, password and options are left out.
impl fmt::Debug for EtcdStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EtcdStore({} at {})", self.address.prefix, self.address)
    }
}
