//! Servers that are killed and come back. The tests of other files do not run at the same time.

use postgres::{Client, NoTls};
use sortid_fleet::{Record, Snapshot, Store, StoreError, StoreErrorKind::Unavailable};
use std::{
    fs::File,
    net::TcpListener,
    path::Path,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

fn free(generation: u64) -> Record {
    Record { size: 32, generation, holder: None, until: generation }
}

/// Tries until the server is back, as a fleet does. All errors on the way say that it is away.
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

/// Swaps the record until the store has it, whatever the answers that are lost.
fn raise(store: &dyn Store, space: &str, generation: u64) {
    let expected = (generation > 1).then(|| free(generation - 1));
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

#[test]
fn postgresql_has_all_records_after_its_processes_were_killed() {
    let Ok(url) = std::env::var("SORTID_POSTGRES") else {
        return eprintln!("left out, because SORTID_POSTGRES is not set");
    };
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
