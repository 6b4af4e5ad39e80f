//! Servers that are killed and come back, and standbys that are down. The tests of other files do not run at the same time.

use postgres::{Client, NoTls};
use sortid_fleet::{Record, Snapshot, Store, StoreError, StoreErrorKind::Unavailable};
use std::{
    fs::File,
    net::TcpListener,
    path::Path,
    process::{Child, Command},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

fn free(generation: u64) -> Record {
    Record::new(32, generation, None, generation)
}

/// Tries until the server is back, as a fleet does. Until then, each error says that the server does not answer.
#[track_caller]
fn answer<T>(mut call: impl FnMut() -> Result<T, StoreError>) -> T {
    let started = Instant::now();
    loop {
        match call() {
            Ok(answer) => return answer,
            Err(error) => {
                assert_eq!(error.kind(), Unavailable, "{error}");
                assert!(started.elapsed() < Duration::from_secs(120), "{error}");
                thread::sleep(Duration::from_millis(50));
            }
        }
    }
}

/// Swaps the record until the store has it, whichever answers are lost.
fn raise(store: &dyn Store, space: &str, generation: u64) {
    let expected = (generation > 1).then(|| free(generation - 1));
    answer(|| store.prepare(space));
    let is_there =
        || store.read(space).map(|Snapshot { records, .. }| records.get(&0) == Some(&free(generation)));
    let swapped = answer(|| {
        if is_there()? {
            return Ok(true);
        }
        Ok(store.swap(space, 0, expected.as_ref(), &free(generation))?.swapped)
    });
    assert!(swapped || answer(is_there));
}

/// While a test changes the server of PostgreSQL, no other test of this file may run.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn postgresql_has_all_records_after_its_processes_were_killed() {
    let Ok(url) = std::env::var("SORTID_POSTGRES") else {
        return eprintln!("left out, because SORTID_POSTGRES is not set");
    };
    let _alone = ALONE.lock().unwrap();
    let store = sortid_fleet::open(&format!("{url}?application_name=killed")).unwrap();
    let space = format!("killed-{}", std::process::id());
    for generation in 1..4 {
        raise(&*store, &space, generation);
        let mut admin = Client::connect(&url, NoTls).unwrap();
        let query = "SELECT pid::text FROM pg_stat_activity WHERE application_name = 'killed'";
        let process: String = admin.query_one(query, &[]).unwrap().get(0);
        // PostgreSQL ends all connections then, and recovers from its log.
        assert!(Command::new("kill").args(["-9", &process]).status().unwrap().success());
        assert_eq!(answer(|| store.read(&space)).records[&0], free(generation));
    }
}

/// Lets commits wait for standbys of this name.
fn wait_for_standbys(admin: &mut Client, name: &str) {
    admin.batch_execute(&format!("ALTER SYSTEM SET synchronous_standby_names = '{name}'")).unwrap();
    admin.batch_execute("SELECT pg_reload_conf()").unwrap();
    let mut setting = || -> String { admin.query_one("SHOW synchronous_standby_names", &[]).unwrap().get(0) };
    while setting() != name {
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_commit_that_a_synchronous_standby_lacks_is_not_acknowledged_and_not_read() {
    let Ok(url) = std::env::var("SORTID_POSTGRES") else {
        return eprintln!("left out, because SORTID_POSTGRES is not set");
    };
    let _alone = ALONE.lock().unwrap();
    let store = &sortid_fleet::open(&format!("{url}?application_name=standby")).unwrap();
    let space = &format!("standby-{}", std::process::id());
    raise(&**store, space, 1);
    let mut admin = Client::connect(&url, NoTls).unwrap();
    wait_for_standbys(&mut admin, "nobody");
    let waiting = "FROM pg_stat_activity WHERE application_name = 'standby' AND wait_event = 'SyncRep'";

    // A person cancels the wait. The server commits, with a warning.
    let cancelled = thread::scope(|scope| {
        let swap = scope.spawn(|| store.swap(space, 0, Some(&free(1)), &free(2)).unwrap_err());
        while !swap.is_finished() {
            admin.query(&format!("SELECT pg_cancel_backend(pid) {waiting}"), &[]).unwrap();
            thread::sleep(Duration::from_millis(10));
        }
        swap.join().unwrap()
    });
    assert_eq!(cancelled.kind(), Unavailable, "{cancelled}");
    assert!(cancelled.to_string().contains("may not be durable: canceling wait"), "{cancelled}");

    // The record is in the table, but a standby that is promoted now does not have it.
    for error in [store.read(space).unwrap_err(), store.swap(space, 0, Some(&free(2)), &free(3)).unwrap_err()]
    {
        assert_eq!(error.kind(), Unavailable, "{error}");
    }
    // Calls that gave up leave nothing behind in the server.
    let mut count = || -> i64 { admin.query_one(&format!("SELECT count(*) {waiting}"), &[]).unwrap().get(0) };
    while count() > 0 {
        thread::sleep(Duration::from_millis(10));
    }

    wait_for_standbys(&mut admin, "");
    // The swap whose answer was lost was carried out, or not.
    let generation = answer(|| store.read(space)).records[&0].generation;
    assert!([2, 3].contains(&generation), "{generation}");
    raise(&**store, space, generation + 1);
}

struct Etcd {
    process: Child,
    folder: tempfile::TempDir,
    port: u16,
    peers: u16,
}

impl Etcd {
    fn new() -> Self {
        let port = || TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let (folder, port, peers) = (tempfile::tempdir().unwrap(), port(), port());
        Self { process: Self::start(folder.path(), port, peers), folder, port, peers }
    }

    fn start(folder: &Path, port: u16, peers: u16) -> Child {
        let [client, peer] = [port, peers].map(|port| format!("http://127.0.0.1:{port}"));
        let log = File::create(folder.join("log")).unwrap();
        let mut command = Command::new("etcd");
        command.arg("--data-dir").arg(folder.join("data")).stdout(log.try_clone().unwrap()).stderr(log);
        command.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
        command.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
        command.args(["--initial-cluster", &format!("default={peer}")]).spawn().unwrap()
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    fn restart(&mut self) {
        self.process = Self::start(self.folder.path(), self.port, self.peers);
    }
}

impl Drop for Etcd {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn etcd_has_all_records_after_it_was_killed() {
    if std::env::var("SORTID_ETCD").is_err() {
        return eprintln!("left out, because SORTID_ETCD is not set");
    }
    let mut etcd = Etcd::new();
    let store = sortid_fleet::open(&format!("etcd://127.0.0.1:{}", etcd.port)).unwrap();
    for generation in 1..4 {
        raise(&*store, "orders", generation);
        etcd.kill();
        assert_eq!(store.read("orders").unwrap_err().kind(), Unavailable);
        etcd.restart();
        assert_eq!(answer(|| store.read("orders")).records[&0], free(generation));
    }
}
