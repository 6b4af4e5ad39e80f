//! The speed of a server beside Redis and PostgreSQL, which count.

use super::Options;
use crate::report::finish;
use sortid_servers::{
    programs::{installed, memory},
    records::Record,
    servers::{Folder, Server},
    shell::{Result, stdout_of},
};
use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
};

/// The sizes of a batch.
const BATCHES: [u32; 3] = [1, 100, 10_000];

/// The connections that ask at a time.
const CONNECTIONS: &str = "4";

/// How often everything is measured, one after the other. The median counts.
const ROUNDS: usize = 3;

/// What a run found: requests in a second, and milliseconds.
#[derive(Clone, Copy)]
struct Speed {
    rate: f64,
    median: f64,
    p99: f64,
}

pub(super) fn run(options: &Options) -> Result {
    let folder = Folder::new("speed")?;
    let seconds = options.seconds.div_ceil(30);
    let server = Http::start(&options.server, None)?;
    let one_core = Http::start(&options.server, Some("0"))?;
    let postgres = Server::postgres(&folder, true)?;
    let redis = Server::redis(&folder)?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
    let socket = redis.url.strip_prefix("redis+unix://").ok_or("Redis has a socket")?;
    // All are asked over TCP, but PostgreSQL, whose socket is faster.
    stdout_of(Command::new("redis-cli").args(["-s", socket, "CONFIG", "SET", "port", &port]))?;
    postgres.psql("CREATE SEQUENCE ids")?;

    let mut rows = vec![];
    let before = memory(server.child.id())?;
    for batch in BATCHES {
        let path = |spec: &str| format!("/v1/{spec}?n={batch}");
        let mut runs: [Vec<Speed>; 4] = Default::default();
        for _ in 0..ROUNDS {
            runs[0].push(server.speed(&path("euid"), seconds, CONNECTIONS)?);
            runs[1].push(server.speed(&path("scru160"), seconds, CONNECTIONS)?);
            runs[2].push(of_redis(&port, batch, seconds)?);
            runs[3].push(of_postgres(&postgres.url, &folder, batch, seconds)?);
        }
        let increment = if batch == 1 { "Redis, INCR".to_owned() } else { format!("Redis, INCRBY {batch}") };
        let names = ["EUIDs".to_owned(), "SCRU160s".to_owned(), increment, "PostgreSQL, nextval".to_owned()];
        for (name, speeds) in names.iter().zip(runs) {
            rows.push(row(name, batch, speeds));
        }
    }
    let mut on_one = vec![];
    for _ in 0..ROUNDS {
        on_one.push(one_core.speed("/v1/euid?n=1000", seconds, "1")?);
    }
    rows.push(row("EUIDs, server on one core, one connection", 1000, on_one));
    let columns = ["what", "batch", "requests a second", "IDs a second", "p50", "p99"];
    let mut record =
        Record::new("Requests to a server beside requests to databases that count", &columns, rows)?;
    record.notes = vec![
        format!("{CONNECTIONS} connections on one machine, {seconds} s each, the median of {ROUNDS} rounds."),
        "A batch of PostgreSQL is SELECT nextval of a series; a batch of Redis is one number.".to_owned(),
        format!("Memory of the server: {before} kB before, {} kB after.", memory(server.child.id())?),
    ];
    finish(&record, options.write, "serve-speed")
}

fn row(name: &str, batch: u32, mut speeds: Vec<Speed>) -> Vec<String> {
    speeds.sort_by(|a, b| a.rate.total_cmp(&b.rate));
    let Speed { rate, median, p99 } = speeds[speeds.len() / 2];
    let ids = rate * f64::from(batch);
    let ids =
        if ids < 1e6 { format!("{:.0} thousand", ids / 1e3) } else { format!("{:.1} million", ids / 1e6) };
    let millis = |millis: f64| format!("{millis:.3} ms");
    vec![name.to_owned(), batch.to_string(), format!("{rate:.0}"), ids, millis(median), millis(p99)]
}

/// A server that is measured. It ends when this value is dropped.
struct Http {
    child: Child,
    address: String,
}

impl Http {
    fn start(program: &Path, core: Option<&str>) -> Result<Self> {
        let mut command = match core {
            Some(core) => {
                let mut command = Command::new("taskset");
                command.args(["-c", core]).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.args(["--listen", "127.0.0.1:0", "--log", "json"]).env_remove("SORTID_NODES");
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let stderr = child.stderr.take().ok_or("the server has no log")?;
        let mut line = String::new();
        BufReader::new(stderr).read_line(&mut line)?;
        let address = line.split(r#""address":""#).nth(1).and_then(|rest| rest.split('"').next());
        let address = address.ok_or_else(|| format!("the server does not listen: {line}"))?.to_owned();
        Ok(Self { child, address })
    }

    fn speed(&self, path: &str, seconds: u64, connections: &str) -> Result<Speed> {
        let mut wrk = Command::new(installed("wrk")?);
        wrk.args(["--threads", "1", "--latency", "--connections", connections]);
        wrk.args(["--duration", &format!("{seconds}s"), &format!("http://{}{path}", self.address)]);
        let text = stdout_of(&mut wrk)?;
        if text.contains("Non-2xx") {
            return Err(format!("the server refused requests:\n{text}").into());
        }
        let value = |name: &str| -> Result<&str> {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(name));
            Ok(line.ok_or_else(|| format!("wrk printed no {name}:\n{text}"))?.trim())
        };
        let rate = value("Requests/sec:")?.parse()?;
        Ok(Speed { rate, median: millis(value("50%")?)?, p99: millis(value("99%")?)? })
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The milliseconds of a time that wrk prints, such as `80.10us`.
fn millis(text: &str) -> Result<f64> {
    for (unit, millis) in [("us", 1e-3), ("ms", 1.0), ("s", 1e3)] {
        if let Some(number) = text.strip_suffix(unit) {
            return Ok(number.parse::<f64>()? * millis);
        }
    }
    Err(format!("not a time: {text}").into())
}

fn of_redis(port: &str, batch: u32, seconds: u64) -> Result<Speed> {
    let mut benchmark = Command::new(installed("redis-benchmark")?);
    // It counts requests, not seconds.
    let count = (60_000 * seconds).to_string();
    benchmark.args(["-p", port, "-c", CONNECTIONS, "-n", &count, "--csv"]);
    let by = batch.to_string();
    benchmark.args(if batch == 1 { vec!["INCR", "ids"] } else { vec!["INCRBY", "ids", &by] });
    let text = stdout_of(&mut benchmark)?;
    // "test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"
    let line = text.lines().last().unwrap_or_default();
    let values: Vec<f64> = line.split(',').filter_map(|value| value.trim_matches('"').parse().ok()).collect();
    let [rate, _, _, median, _, p99, _] = values[..] else {
        return Err(format!("redis-benchmark printed:\n{text}").into());
    };
    Ok(Speed { rate, median, p99 })
}

fn of_postgres(url: &str, folder: &Path, batch: u32, seconds: u64) -> Result<Speed> {
    let script = folder.join("nextval.sql");
    fs::write(&script, format!("SELECT nextval('ids') FROM generate_series(1, {batch});\n"))?;
    let log = folder.join("nextval");
    let mut pgbench = Command::new(installed("pgbench")?);
    pgbench.args([
        "--no-vacuum",
        "--client",
        CONNECTIONS,
        "--time",
        &seconds.to_string(),
        "--log",
        "--log-prefix",
    ]);
    pgbench.arg(&log).arg("--protocol=prepared").arg("--file").arg(&script).arg(url);
    let text = stdout_of(&mut pgbench)?;
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    let rate = rate.ok_or_else(|| format!("pgbench printed:\n{text}"))?;
    // The third value of each line is the time of a transaction in microseconds.
    let mut times: Vec<f64> = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("nextval.") && name != "nextval.sql")
        {
            let text = fs::read_to_string(&path)?;
            times.extend(text.lines().filter_map(|line| line.split(' ').nth(2)?.parse::<f64>().ok()));
            fs::remove_file(path)?;
        }
    }
    times.sort_by(f64::total_cmp);
    let at =
        |part: f64| times.get((times.len() as f64 * part) as usize).map_or(0.0, |micros| micros / 1000.0);
    Ok(Speed { rate, median: at(0.5), p99: at(0.99) })
}
