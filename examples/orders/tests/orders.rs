//! Runs the service, and sends requests with curl.

use serde_json::{Value, json};
use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

struct Service {
    process: Child,
    url: String,
    file: PathBuf,
}

impl Service {
    fn start(name: &str) -> Self {
        let file = env::temp_dir().join(format!("orders-{name}-{}.db", std::process::id()));
        let mut process = Command::new(env!("CARGO_BIN_EXE_orders"))
            .arg(&file)
            .arg("127.0.0.1:0")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("listening on ").unwrap();
        Self { url: format!("http://{address}"), process, file }
    }

    /// Sends a request, and returns the status and the body of the answer.
    fn curl(&self, path: &str, args: &[&str]) -> (u16, String) {
        let output = Command::new("curl")
            .args(["--silent", "--show-error", "--write-out", "\n%{http_code}"])
            .args(args)
            .arg(format!("{}{path}", self.url))
            .output()
            .expect("curl is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = String::from_utf8(output.stdout).unwrap();
        let (body, status) = output.rsplit_once('\n').unwrap();
        (status.parse().unwrap(), body.to_owned())
    }

    fn place(&self, customer: &str) -> Value {
        let order = json!({ "customer": customer, "cents": 1250 }).to_string();
        let json = "content-type: application/json";
        let (status, body) = self.curl("/orders", &["--header", json, "--data", &order]);
        assert_eq!(status, 201, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    fn page(&self, query: &str) -> Vec<Value> {
        let (status, body) = self.curl(&format!("/orders?{query}"), &[]);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_file(&self.file);
    }
}

#[test]
fn orders_are_stored_and_paged_by_id() {
    let service = Service::start("paged");
    let orders: Vec<Value> = (0..25).map(|number| service.place(&format!("customer {number}"))).collect();
    let id = orders[7]["id"].as_str().unwrap();
    assert_eq!(id.len(), 27);
    let (status, body) = service.curl(&format!("/orders/{id}"), &[]);
    assert_eq!((status, serde_json::from_str::<Value>(&body).unwrap()), (200, orders[7].clone()));

    let mut paged = service.page("limit=10");
    while let Some(last) = paged.last().filter(|_| paged.len() < 25) {
        let next = service.page(&format!("limit=10&after={}", last["id"].as_str().unwrap()));
        assert!(!next.is_empty());
        paged.extend(next);
    }
    assert_eq!(paged, orders, "the order of the IDs is that of the requests");
}

#[test]
fn orders_are_found_by_time() {
    let service = Service::start("time");
    let (first, second) = (service.place("first"), service.place("second"));
    let millis = |order: &Value| order["id"].as_str().unwrap().parse::<euid::Euid>().unwrap().unix_millis();
    assert!(millis(&first) < millis(&second), "a process was started in between");
    assert_eq!(service.page(&format!("until={}", millis(&first))), [first.clone()]);
    assert_eq!(service.page(&format!("since={}", millis(&second))), [second.clone()]);
    assert_eq!(service.page(&format!("since={}&until={}", millis(&first), millis(&second))), [first, second]);
}

#[test]
fn a_text_that_is_not_an_id_and_a_time_out_of_range_are_refused() {
    let service = Service::start("refused");
    let id = service.place("first")["id"].as_str().unwrap().to_owned();
    let (status, body) = service.curl("/orders/nonsense", &[]);
    assert_eq!(status, 400);
    assert!(body.contains("expected 27 characters, found 8"), "{body}");

    let wrong = if id.starts_with('C') { id.replacen('C', "D", 1) } else { format!("C{}", &id[1..]) };
    let (status, body) = service.curl(&format!("/orders/{wrong}"), &[]);
    assert_eq!(status, 400);
    assert!(body.contains("check is"), "{body}");

    let (status, _) = service.curl(&format!("/orders/{}", euid::Euid::MIN), &[]);
    assert_eq!(status, 404);
    let (status, body) = service.curl("/orders?since=99999999999999999", &[]);
    assert_eq!(status, 400);
    assert!(body.contains("the time is "), "{body}");
}
