//! Runs three instances of the service on one database, kills one of them, and stops another.

use serde_json::{Value, json};
use sortid_fleet::{DirectoryStore, Record, Store, init};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};
use ulid_flake::UlidFlake;

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = env::temp_dir().join(format!("orders-fleet-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        init(&DirectoryStore::open(folder.join("nodes")).unwrap(), "orders", 32).unwrap();
        Self(folder)
    }

    /// The record of a node ID.
    fn record(&self, node_id: u32) -> Record {
        let store = DirectoryStore::open(self.0.join("nodes")).unwrap();
        store.read("orders").unwrap().records[&node_id].clone()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Instance {
    process: Child,
    url: String,
    node_id: u32,
}

impl Instance {
    fn start(folder: &Path, name: &str) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_orders-fleet"))
            .args(["orders.db", "127.0.0.1:0", "dir:nodes", name])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, node_id) =
            line.trim_end().strip_prefix("listening on ").unwrap().split_once(" with node ID ").unwrap();
        Self { process, url: format!("http://{address}"), node_id: node_id.parse().unwrap() }
    }

    /// Places orders, and returns their IDs.
    fn place(&self, count: usize) -> Vec<UlidFlake> {
        let order = json!({ "customer": "Ada", "cents": 1250 }).to_string();
        let place = || {
            let order: Value = curl(&[&format!("{}/orders", self.url), "--json", &order]);
            let id: UlidFlake = order["id"].as_str().unwrap().parse().unwrap();
            assert_eq!(u32::from(id.scalable().scalability()), self.node_id);
            id
        };
        (0..count).map(|_| place()).collect()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn curl(args: &[&str]) -> Value {
    let output =
        Command::new("curl").args(["--silent", "--show-error", "--fail"]).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn no_two_instances_make_the_same_id_also_after_one_is_killed() {
    let folder = Folder::new();
    let mut made = vec![];
    let mut instances = ["a", "b", "c"].map(|name| Instance::start(&folder.0, name));
    thread::scope(|scope| {
        let threads: Vec<_> = instances.iter().map(|instance| scope.spawn(|| instance.place(20))).collect();
        made.extend(threads.into_iter().flat_map(|thread| thread.join().unwrap()));
    });

    // Killed: the same name gets the same node ID, once the reservation has ended.
    let [killed, stopped, _] = &mut instances;
    killed.process.kill().unwrap();
    killed.process.wait().unwrap();
    let before = folder.record(killed.node_id);
    made.extend(stopped.place(20));
    let restarted = Instance::start(&folder.0, "a");
    assert_eq!(restarted.node_id, killed.node_id);
    assert_eq!(folder.record(killed.node_id).generation, before.generation + 1);
    made.extend(restarted.place(20));

    // Stopped: the node ID is free at once.
    let terminated = Command::new("kill").arg(stopped.process.id().to_string()).status().unwrap();
    assert!(terminated.success());
    assert!(stopped.process.wait().unwrap().success());
    assert_eq!(folder.record(stopped.node_id).holder, None);

    assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), 100, "all IDs are distinct");
    let mut last = BTreeMap::new();
    for id in &made {
        let last = last.insert(id.scalable().scalability(), *id);
        assert!(last < Some(*id), "the IDs of each node ID ascend, also those of its next holder");
    }
    let stored = curl(&[&format!("{}/orders", restarted.url)]);
    let stored =
        stored.as_array().unwrap().iter().map(|order| order["id"].as_str().unwrap().parse().unwrap());
    assert_eq!(stored.collect::<BTreeSet<UlidFlake>>(), made.into_iter().collect());
}
