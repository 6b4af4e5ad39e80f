//! Runs the service with the PostgreSQL server of `SORTID_POSTGRES`, and sends requests with curl.

use euid::Extension;
use serde_json::{Value, json};
use service::OrderId;
use sortid_fleet::{PostgresStore, Store as _};
use std::{
    env, fs,
    io::{self, BufRead, BufReader, Write as _},
    net::{Shutdown, TcpStream},
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, Once},
    thread,
    time::{Duration, Instant},
};

/// Creates the fleet once for all tests.
static INIT: Once = Once::new();

struct Service {
    process: Child,
    url: String,
    node_id: u16,
}

impl Service {
    fn start(database: &str) -> Self {
        let service = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_service"));
            command.env("DATABASE_URL", database);
            command
        };
        INIT.call_once(|| assert!(service().arg("init").status().unwrap().success()));
        let mut process = service().env("ADDRESS", "127.0.0.1:0").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let line = line.strip_prefix("listening on ").unwrap();
        let (address, node_id) = line.trim_end().split_once(" with node ID ").unwrap();
        Self { url: format!("http://{address}"), node_id: node_id.parse().unwrap(), process }
    }

    /// Sends a request, and returns the status and the body of the answer. With a body it is a POST.
    fn curl(&self, path: &str, body: Option<Value>) -> (u16, String) {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--write-out", "\n%{http_code}"]);
        if let Some(body) = body {
            curl.args(["--header", "content-type: application/json", "--data", &body.to_string()]);
        }
        let output = curl.arg(format!("{}{path}", self.url)).output().expect("curl is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = String::from_utf8(output.stdout).unwrap();
        let (body, status) = output.rsplit_once('\n').unwrap();
        (status.parse().unwrap(), body.to_owned())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn typed_ids_go_through_json_urls_and_the_database() {
    let Ok(database) = env::var("SORTID_POSTGRES") else {
        eprintln!("left out, because SORTID_POSTGRES is not set");
        return;
    };
    let service = Service::start(&database);
    let user = format!("user_{}", euid::new());
    let mut placed = vec![];
    let other = Service::start(&database);
    for (service, item) in [(&service, "tea"), (&other, "cup"), (&service, "pot")] {
        let (status, body) = service.curl("/orders", Some(json!({ "customer": user, "item": item })));
        assert_eq!(status, 200, "{body}");
        let order: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((&order["customer"], &order["item"]), (&json!(user), &json!(item)));
        let id: OrderId = serde_json::from_value(order["id"].clone()).unwrap();
        assert_eq!(id.get().extension().map(Extension::value), Some(service.node_id));
        placed.push(order);
    }
    assert_ne!(service.node_id, other.node_id);
    let ids: Vec<_> = placed.iter().map(|order| order["id"].clone()).collect();
    let (status, body) = service.curl(&format!("/users/{user}/orders"), None);
    assert_eq!((status, serde_json::from_str(&body).unwrap()), (200, json!(placed)), "{body}");
    let (status, body) = service.curl("/orders/find", Some(json!([ids[2], ids[0]])));
    assert_eq!(
        (status, serde_json::from_str(&body).unwrap()),
        (200, json!([placed[0], placed[2]])),
        "{body}"
    );

    // The ID of an order is not the ID of a user, in a URL and in JSON.
    let order = ids[0].as_str().unwrap();
    let (status, body) = service.curl(&format!("/users/{order}/orders"), None);
    assert_eq!(status, 400, "{body}");
    assert!(body.contains("user_"), "{body}");
    let (status, body) = service.curl("/orders", Some(json!({ "customer": order, "item": "tea" })));
    assert_eq!(status, 422, "{body}");
    let (status, _) = service.curl("/orders/find", Some(json!([user])));
    assert_eq!(status, 422);
}

#[test]
fn a_process_that_is_told_to_end_releases_its_node_id() {
    let Ok(database) = env::var("SORTID_POSTGRES") else {
        eprintln!("left out, because SORTID_POSTGRES is not set");
        return;
    };
    for signal in ["TERM", "INT"] {
        let mut service = Service::start(&database);
        let kill = Command::new("kill").args(["-s", signal, &service.process.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert!(service.process.wait().unwrap().success(), "SIG{signal}");
        let store = PostgresStore::open(&database).unwrap();
        let records = store.read("orders").unwrap().records;
        assert_eq!(records[&service.node_id.into()].holder, None, "SIG{signal}");
    }
}

/// A socket that leads to a database until it is cut.
struct Link {
    folder: PathBuf,
    streams: Arc<Mutex<Vec<UnixStream>>>,
}

impl Link {
    fn to(database: &str, name_of_test: &str) -> (Self, String) {
        let (before, rest) = database.split_once('@').unwrap();
        let (host, name) = rest.rsplit_once('/').unwrap();
        let socket = format!("{}/.s.PGSQL.5432", host.replace("%2F", "/"));
        let folder = env::temp_dir().join(format!("sortid-{name_of_test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let url = format!("{before}@{}/{name}", folder.to_str().unwrap().replace('/', "%2F"));
        let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).unwrap();
        let link = Self { folder, streams: Arc::default() };
        let streams = Arc::clone(&link.streams);
        thread::spawn(move || {
            for client in listener.incoming() {
                let ends = [client.unwrap(), UnixStream::connect(&socket).unwrap()];
                for (from, to) in [(0, 1), (1, 0)] {
                    let [mut from, mut to] = [from, to].map(|end| ends[end].try_clone().unwrap());
                    thread::spawn(move || io::copy(&mut from, &mut to));
                }
                streams.lock().unwrap().extend(ends);
            }
        });
        (link, url)
    }

    fn cut(&self) {
        fs::remove_dir_all(&self.folder).unwrap();
        for stream in &*self.streams.lock().unwrap() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

#[test]
fn a_process_that_is_told_to_end_while_its_store_is_down_ends_in_order() {
    let Ok(database) = env::var("SORTID_POSTGRES") else {
        eprintln!("left out, because SORTID_POSTGRES is not set");
        return;
    };
    let (link, url) = Link::to(&database, "end");
    let mut service = Service::start(&url);
    link.cut();
    assert!(
        Command::new("kill")
            .args(["-s", "TERM", &service.process.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let status = service.process.wait().unwrap();
    assert!(status.success(), "{status}");
}

#[test]
fn an_outage_is_seen_in_the_metrics_and_in_the_log() {
    let Ok(database) = env::var("SORTID_POSTGRES") else {
        eprintln!("left out, because SORTID_POSTGRES is not set");
        return;
    };
    let (link, url) = Link::to(&database, "outage");
    let mut service = Service::start(&url);
    let metric = |service: &Service, name: &str| -> f64 {
        let metrics = service.curl("/metrics", None).1;
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name}: {metrics}")).parse().unwrap()
    };
    assert_eq!([metric(&service, "sortid_ready"), metric(&service, "sortid_store_failures")], [1.0, 0.0]);
    assert!(metric(&service, "sortid_reservation_left_seconds") > 5.0);
    assert!(metric(&service, "sortid_clock_skew_seconds").abs() < 1.0);
    link.cut();
    let log = BufReader::new(service.process.stderr.take().unwrap());
    let failed = log.lines().map_while(Result::ok).find(|line| line.contains(": Failed, ")).unwrap();
    assert!(failed.starts_with(&format!("node ID {}: ", service.node_id)), "{failed}");
    assert!(metric(&service, "sortid_store_failures") > 0.0);
}

/// A client that does not send the rest of its request would keep the process for ever.
#[test]
fn a_process_does_not_wait_longer_than_twenty_seconds_for_a_request() {
    let Ok(database) = env::var("SORTID_POSTGRES") else {
        eprintln!("left out, because SORTID_POSTGRES is not set");
        return;
    };
    let mut service = Service::start(&database);
    let mut client = TcpStream::connect(service.url.trim_start_matches("http://")).unwrap();
    let head = "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 100\r\nExpect: 100-continue\r\n\r\n";
    client.write_all(head.as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(&client).read_line(&mut line).unwrap();
    assert_eq!(line, "HTTP/1.1 100 Continue\r\n", "the handler reads the body");
    let (id, start) = (service.process.id().to_string(), Instant::now());
    assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
    assert!(service.process.wait().unwrap().success());
    assert!(start.elapsed() >= Duration::from_secs(20), "{:?}", start.elapsed());
    let records = PostgresStore::open(&database).unwrap().read("orders").unwrap().records;
    assert_eq!(records[&service.node_id.into()].holder, None);
}

#[test]
fn the_requests_of_the_page_have_answers() {
    let Ok(database) = env::var("SORTID_POSTGRES") else {
        eprintln!("left out, because SORTID_POSTGRES is not set");
        return;
    };
    let service = Service::start(&database);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/service.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, requests) = page.split_once("In another terminal:\n\n```sh\n").unwrap();
    let requests = requests.split_once("```").unwrap().0;
    let requests = requests.replace("localhost:8080", service.url.trim_start_matches("http://"));
    let output = Command::new("sh").args(["-ec", &format!("{requests}echo $id")]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = String::from_utf8(output.stdout).unwrap();
    let [of_user, found, refused, id]: [&str; 4] =
        output.lines().collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("{output}"));
    let order = json!({ "id": id, "customer": "user_C8EE934SR007G5Q94QKKXFRFV8B", "item": "tea" });
    let of_user: Vec<Value> = serde_json::from_str(of_user).unwrap();
    assert!(of_user.contains(&order), "{output}");
    assert_eq!(serde_json::from_str::<Value>(found).unwrap(), json!([order]), "{output}");
    assert!(refused.contains("user_"), "{output}");
}
