//! Options, results and errors of the program.

use crate::{engine, process::Process, start_scheduler};
use std::{
    fs,
    io::Write,
    net::TcpListener,
    process::{Command, Stdio},
};

/// Standard output, standard error and the exit code.
fn run(command: &mut Command) -> (String, String, i32) {
    let output = command.stdin(Stdio::null()).output().expect("runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code().expect("code"))
}

#[test]
fn statements_come_from_arguments_a_file_or_standard_input() {
    let dir = tempfile::tempdir().expect("directory");
    let parquet = dir.path().join("t.parquet");
    let statements = format!(
        "COPY (VALUES (1, 'x'), (2, 'y,z')) TO '{0}' STORED AS PARQUET;
         CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION '{0}'; -- a comment
         SELECT column1 AS a, column2 AS b FROM t ORDER BY a DESC;",
        parquet.display()
    );
    let expected = "count\n2\na,b\n2,\"y,z\"\n1,x\n";

    let (output, errors, code) = run(engine(&["sql", "--format", "csv"]).arg(&statements));
    assert_eq!((output.as_str(), errors.as_str(), code), (expected, "", 0));

    let file = dir.path().join("statements.sql");
    fs::write(&file, &statements).expect("file");
    let (output, _, code) = run(engine(&["sql", "--format", "csv", "--file"]).arg(&file));
    assert_eq!((output.as_str(), code), (expected, 0));

    let mut child = engine(&["sql", "--format", "csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    child.stdin.take().expect("input").write_all(statements.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn results_are_a_table_csv_or_json() {
    let query = "SELECT * FROM (VALUES (1, 'x'), (2, NULL)) AS t(a, b) ORDER BY a";
    for (format, expected) in [
        ("table", "+---+---+\n| a | b |\n+---+---+\n| 1 | x |\n| 2 |   |\n+---+---+\n"),
        ("csv", "a,b\n1,x\n2,\n"),
        ("json", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":null}\n"),
    ] {
        let (output, _, code) = run(&mut engine(&["sql", "--format", format, query]));
        assert_eq!((output.as_str(), code), (expected, 0));
    }
    // A header without rows.
    let (output, _, _) =
        run(&mut engine(&["sql", "--format", "csv", &query.replace("ORDER", "WHERE a > 9 ORDER")]));
    assert_eq!(output, "a,b\n");
}

#[test]
fn an_error_ends_the_program_with_1_and_a_wrong_option_with_2() {
    for (args, code, part) in [
        (&["sql", "SELEC 1"][..], 1, "Expected: an SQL statement"),
        (&["sql", "SELECT 1; SELECT nothing(1); SELECT 3"], 1, "Invalid function 'nothing'"),
        (&["sql", ""], 1, "expected a statement, found none"),
        (&["sql", "--file", "/no/such/file"], 1, "cannot read /no/such/file"),
        (
            &["sql", "--cluster", "localhost:1", "SELECT 1"],
            1,
            "expected the address of a scheduler, df://HOST:PORT",
        ),
        (
            &["sql", "--cluster", "df://localhost:1", "SELECT 1"],
            1,
            "expected a scheduler at localhost:1, found none",
        ),
        (&["scheduler", "--bind", "0.0.0.0"], 1, "(--advertise HOST)"),
        (&["executor", "--scheduler", "localhost"], 1, "expected the address of a scheduler, HOST:PORT"),
        (
            &["executor", "--scheduler", "localhost:1", "--scheduler-timeout", "1"],
            1,
            "expected a scheduler at localhost:1, found none within 1 s",
        ),
        (&["sql", "--file", "a", "SELECT 1"], 2, "cannot be used with"),
        (&["executor", "--heartbeat", "0"], 2, "invalid value '0'"),
    ] {
        let (output, errors, found) = run(&mut engine(args));
        assert_eq!(found, code, "{args:?}: {errors}");
        assert!(errors.starts_with("error: ") && errors.contains(part), "{args:?}: {errors}");
        assert!(!output.contains('3'), "later statements do not run: {output}");
    }
}

#[test]
fn a_port_in_use_or_a_missing_directory_is_an_error() {
    let dir = tempfile::tempdir().expect("directory");
    let (_scheduler, port) = start_scheduler(dir.path());
    let taken = TcpListener::bind("127.0.0.1:0").expect("port");
    let taken = taken.local_addr().expect("address").port().to_string();

    let (_, errors, code) = run(&mut engine(&["scheduler", "--port", &port.to_string()]));
    assert_eq!(code, 1);
    assert!(errors.contains(&format!("cannot listen on 127.0.0.1:{port} (the scheduler)")), "{errors}");

    let scheduler = format!("localhost:{port}");
    for (options, part) in [
        (["--port", &taken, "--grpc-port", "0"], format!("cannot listen on 127.0.0.1:{taken} (results)")),
        (["--port", "0", "--grpc-port", &taken], format!("cannot listen on 127.0.0.1:{taken} (tasks)")),
        (["--port", "0", "--work-dir", "/no/such"], "cannot write to the directory /no/such".into()),
    ] {
        let (_, errors, code) = run(engine(&["executor", "--scheduler", &scheduler]).args(options));
        assert_eq!(code, 1);
        assert!(errors.contains(&part), "{errors}");
    }
}

#[test]
fn an_executor_says_that_the_address_is_not_that_of_a_scheduler() {
    let dir = tempfile::tempdir().expect("directory");
    // Closes each connection.
    let other = TcpListener::bind("127.0.0.1:0").expect("port");
    let address = format!("localhost:{}", other.local_addr().expect("address").port());
    std::thread::spawn(move || other.incoming().for_each(drop));

    let mut command = engine(&["executor", "--port", "0", "--grpc-port", "0", "--scheduler", &address]);
    let mut executor = Process::start(&mut command, dir.path(), "executor");
    assert_eq!(executor.status().code(), Some(1));
    assert!(executor.log().contains(&format!("could not register at {address}")), "{}", executor.log());
}

#[test]
fn an_executor_ends_with_an_error_when_its_scheduler_is_gone() {
    let dir = tempfile::tempdir().expect("directory");
    let (scheduler, port) = start_scheduler(dir.path());
    let mut executor = crate::start_executor(dir.path(), "executor", port);
    drop(scheduler);
    assert_eq!(executor.status().code(), Some(1));
    assert!(executor.log().contains("did not answer five heartbeats"), "{}", executor.log());
}
