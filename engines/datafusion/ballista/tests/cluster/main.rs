//! `sortid-engine` as a user runs it: on one machine, and as a cluster of processes on loopback.
#![cfg(unix)]

mod command_line;
mod ledgers;
mod lost;
mod own_functions;
mod page;
mod process;

use process::Process;
use rustix::process::Signal;
use std::{fs, path::Path, process::Command, time::Duration};

/// The program of the package.
pub(crate) fn engine(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sortid-engine"));
    command.args(args);
    command
}

/// The output of `sortid-engine sql`.
pub(crate) fn sql(args: &[&str], statements: &str) -> String {
    let output = engine(&["sql", "--format", "csv"]).args(args).arg(statements).output().expect("runs");
    assert!(output.status.success(), "{statements}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A scheduler, and its port.
pub(crate) fn start_scheduler(dir: &Path) -> (Process, u16) {
    start_scheduler_with(dir, &[])
}

pub(crate) fn start_scheduler_with(dir: &Path, options: &[&str]) -> (Process, u16) {
    let mut command =
        engine(&["scheduler", "--port", "0", "--executor-timeout", "10", "--check-interval", "1"]);
    // With this level, the log also has the ends of the stages.
    command.args(options).env("RUST_LOG", "info,ballista_scheduler::display=debug");
    let mut scheduler = Process::start(&mut command, dir, "scheduler");
    let port = scheduler.port();
    (scheduler, port)
}

/// An executor that the scheduler knows.
pub(crate) fn start_executor(dir: &Path, name: &str, scheduler: u16) -> Process {
    let mut command =
        engine(&["executor", "--port", "0", "--grpc-port", "0", "--slots", "2", "--heartbeat", "1"]);
    command.arg("--scheduler").arg(format!("localhost:{scheduler}")).arg("--work-dir").arg(dir);
    let mut executor = Process::start(command.env("RUST_LOG", "info"), dir, name);
    executor.wait_for("registration", |process| process.log().contains("registration succeed").then_some(()));
    executor
}

/// Eight files of Parquet in `dir/rows`, and the statement that makes them the table `rows`.
pub(crate) fn rows(dir: &Path) -> String {
    let dir = dir.join("rows");
    fs::create_dir(&dir).expect("directory");
    let copies: Vec<_> = (0..8)
        .map(|file| {
            let path = dir.join(format!("{file}.parquet"));
            let first = file * 2000;
            format!(
                "COPY (SELECT value AS a, value % 10 AS g, 'row ' || value AS t FROM generate_series({first}, {})) \
                 TO '{}' STORED AS PARQUET",
                first + 1999,
                path.display()
            )
        })
        .collect();
    sql(&[], &copies.join(";"));
    format!("CREATE EXTERNAL TABLE rows STORED AS PARQUET LOCATION '{}/'; ", dir.display())
}

#[test]
fn a_cluster_gives_the_results_of_one_machine_and_ends_orderly() {
    let dir = tempfile::tempdir().expect("directory");
    let table = rows(dir.path());
    let (mut scheduler, port) = start_scheduler(dir.path());
    let mut executors = ["one", "two"].map(|name| start_executor(dir.path(), name, port));

    let cluster = format!("df://localhost:{port}");
    for query in [
        "SELECT count(*), min(a), max(t) FROM rows",
        "SELECT g, count(*), sum(a), min(t) FROM rows GROUP BY g ORDER BY g",
        "SELECT * FROM rows WHERE a % 1000 = 7 ORDER BY a",
        "SELECT r.g, count(*) FROM rows r JOIN rows s ON r.a = s.a + 1 WHERE r.t > s.t GROUP BY r.g ORDER BY 1",
        "SELECT a, row_number() OVER (PARTITION BY g ORDER BY a DESC) AS n FROM rows ORDER BY a LIMIT 20",
    ] {
        let statements = format!("{table}{query}");
        let expected = sql(&[], &statements);
        assert!(expected.lines().count() > 1, "{expected}");
        assert_eq!(sql(&["--cluster", &cluster], &statements), expected, "{query}");
    }
    for executor in &executors {
        assert!(executor.log().contains("Finished task"), "both executors work");
    }

    let [one, two] = &mut executors;
    for (process, name, signal) in [
        (one, "executor", Signal::TERM),
        (two, "executor", Signal::INT),
        (&mut scheduler, "scheduler", Signal::TERM),
    ] {
        process.send(signal);
        assert!(process.status().success(), "{}", process.log());
        assert!(process.output().ends_with(&format!("{name} stopped\n")), "{}", process.output());
    }
    let left: Vec<_> = fs::read_dir(dir.path())
        .expect("directory")
        .filter(|entry| {
            entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("sortid-"))
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_query_survives_the_death_of_an_executor_that_runs_its_tasks() {
    let dir = tempfile::tempdir().expect("directory");
    let table = rows(dir.path());
    assert_survives(dir.path(), |work| {
        format!(
            "{table}SELECT g, count(*), sum(a * value % 7) FROM rows CROSS JOIN {} GROUP BY g ORDER BY g",
            numbers(work)
        )
    });
}

/// The numbers from 1 on, as a table with the column `value`.
pub(crate) fn numbers(count: usize) -> String {
    let numbers = (1..=count).map(|value| format!("({value})")).collect::<Vec<_>>().join(",");
    format!("(SELECT value FROM (VALUES {numbers}) AS v(value))")
}

/// Asserts that a query gives the result of one machine, although one of two executors is killed while it works on the
/// query. `statements` returns a query with this much work.
pub(crate) fn assert_survives(dir: &Path, statements: impl Fn(usize) -> String) {
    let (_scheduler, port) = start_scheduler(dir);
    let _survivor = start_executor(dir, "survivor", port);
    let victim = start_executor(dir, "victim", port);
    let cluster = format!("df://localhost:{port}");

    // More work on a faster machine, until the victim is caught with a task that has started and not finished.
    for work in (0..12).map(|exponent| 20 << exponent) {
        let statements = statements(work);
        let before = unfinished(&victim);
        assert_eq!(before.0, before.1, "no query runs");
        let mut client = Process::start(
            engine(&["sql", "--format", "csv", "--cluster", &cluster]).arg(&statements),
            dir,
            "client",
        );
        let mut caught = false;
        while !caught && client.running() {
            if unfinished(&victim).0 > before.0 {
                victim.freeze();
                let (started, finished) = unfinished(&victim);
                caught = started > finished;
                victim.send(if caught { Signal::KILL } else { Signal::CONT });
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(client.status().success(), "{}", client.log());
        assert_eq!(client.output(), sql(&[], &statements));
        if caught {
            return;
        }
    }
    panic!("no task of the victim was seen at work\n{}", victim.log());
}

/// Hours of work.
pub(crate) const ENDLESS: &str = "SELECT sum(r.a * s.a % 7) FROM rows r \
     CROSS JOIN (SELECT a FROM rows CROSS JOIN (SELECT a AS b FROM rows WHERE a < 2000)) s";

#[test]
fn ctrl_c_cancels_the_query_on_the_cluster() {
    let dir = tempfile::tempdir().expect("directory");
    let table = rows(dir.path());
    let (_scheduler, port) = start_scheduler(dir.path());
    let mut executor = start_executor(dir.path(), "executor", port);
    let cluster = format!("df://localhost:{port}");

    let endless = format!("{table}{ENDLESS}");
    let mut client =
        Process::start(engine(&["sql", "--cluster", &cluster]).arg(&endless), dir.path(), "client");
    executor.wait_for("task", |executor| (unfinished(executor).0 > 0).then_some(()));
    client.send(Signal::INT);
    assert_eq!(client.status().code(), Some(1));
    assert_eq!(client.log(), "error: interrupted\n");

    executor.wait_for("cancellation", |executor| executor.log().contains("Cancelling tasks").then_some(()));
    assert_eq!(
        sql(&["--cluster", &cluster], &format!("{table}SELECT count(*) AS n FROM rows")),
        "n\n16000\n"
    );
}

/// How many tasks an executor has started and finished.
fn unfinished(executor: &Process) -> (usize, usize) {
    let log = executor.log();
    (log.matches("Execute task").count(), log.matches("Finished task").count())
}
