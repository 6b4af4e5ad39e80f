//! The functions of sortid on a cluster, and ledgers whose parts are verified on different machines.

use crate::{assert_survives, numbers, sql, start_executor, start_scheduler};
use evently_ledger::{Event, Ledger, Profile};
use std::{fmt::Write as _, fs, path::Path};

/// The lines of a ledger.
fn ledger(events: usize) -> Vec<String> {
    let mut ledger = Ledger::new(Profile::Classic);
    let mut batch = ledger.batch();
    (0..events)
        .map(|n| {
            let mut event = Event::new("placed").entity("order").key(n.to_string());
            batch.append(&mut event).expect("an event");
            format!("{event}\n")
        })
        .collect()
}

/// 40 ledgers in `many/`, and one ledger of six files in `one/`. Each seventh ledger has a changed event, and so has the
/// large one.
fn ledgers(dir: &Path) {
    for n in 0..40 {
        let mut lines = ledger(n % 5);
        if n % 7 == 6 && lines.len() > 1 {
            lines.swap(0, 1);
        }
        let folder = dir.join("many").join(format!("shop-{}", n % 3));
        fs::create_dir_all(&folder).expect("directory");
        fs::write(folder.join(format!("{n:02}.ndjson")), lines.concat()).expect("file");
    }
    let mut lines = ledger(3_000);
    lines.remove(1_700);
    fs::create_dir(dir.join("one")).expect("directory");
    for (n, part) in lines.chunks(500).enumerate() {
        fs::write(dir.join("one").join(format!("{n}.ndjson")), part.concat()).expect("file");
    }
}

/// IDs of each specification in `dir/ids`, as a table of Parquet.
fn ids(dir: &Path) -> String {
    let prefixes = ["scru160", "euid", "ulid_flake", "ron_uid", "event_id"];
    let mut columns = String::new();
    for prefix in prefixes {
        write!(columns, ", {prefix}_min_at(t) AS {prefix}, {prefix}_text({prefix}_max_at(t)) AS {prefix}_t")
            .expect("text");
    }
    fs::create_dir(dir.join("ids")).expect("directory");
    for file in 0..4 {
        let copy = format!(
            "COPY (SELECT value{columns} FROM (SELECT value, to_timestamp_millis(1717653966666 + value * 977) AS t \
             FROM generate_series({}, {}))) TO '{}/ids/{file}.parquet' STORED AS PARQUET",
            file * 250,
            file * 250 + 249,
            dir.display()
        );
        sql(&[], &copy);
    }
    format!("CREATE EXTERNAL TABLE ids STORED AS PARQUET LOCATION '{}/ids/'; ", dir.display())
}

#[test]
fn functions_and_ledgers_have_the_results_of_one_machine() {
    let dir = tempfile::tempdir().expect("directory");
    ledgers(dir.path());
    let table = ids(dir.path());
    let (_scheduler, port) = start_scheduler(dir.path());
    let executors = ["one", "two"].map(|name| start_executor(dir.path(), name, port));
    let cluster = format!("df://localhost:{port}");

    let (many, one) = (dir.path().join("many"), dir.path().join("one"));
    let (many, one) = (many.display(), one.display());
    let verdict = "v['valid'], v['events'], v['ledger_id'], v['faults'], v['first_fault']['file'], \
                   v['first_fault']['line'], v['first_fault']['kind'], v['first_fault']['expected']";
    let of_one = "ledger_verify(line, file, block, number)";
    let mut queries = vec![
        format!(
            "SELECT file, {verdict} FROM (SELECT file, {of_one} AS v FROM ledger_lines('{many}') GROUP BY file) ORDER BY file"
        ),
        format!(
            "SELECT shop, {verdict} FROM (SELECT regexp_replace(file, '/[^/]*$', '') AS shop, ledger_verify_strict(line, \
             file, block, number) AS v FROM ledger_lines('{many}/shop-*/*.ndjson') GROUP BY shop) ORDER BY shop"
        ),
        format!("SELECT {verdict} FROM (SELECT {of_one} AS v FROM ledger_lines('{one}'))"),
        format!(
            "SELECT {verdict} FROM (SELECT ledger_join(s) AS v FROM (SELECT ledger_summary(line, file, block, number) AS s \
             FROM ledger_lines('{one}') GROUP BY file))"
        ),
        format!("SELECT count(*), count(line), min(number), max(block) FROM ledger_lines('{one}', '{many}')"),
    ];
    for prefix in ["scru160", "euid", "ulid_flake", "ron_uid", "event_id"] {
        queries.push(format!(
            "SELECT {prefix}_time({prefix}_parse({prefix}_t)) AS t, {prefix}_text({prefix}), {prefix}_is_valid({prefix}_t), \
             {prefix}_try_parse('x') FROM ids WHERE {prefix}_time({prefix}) < '2024-06-06T06:10:00Z' ORDER BY value"
        ));
        queries.push(format!(
            "SELECT count(*), min({prefix}_text({prefix})) FROM ids WHERE {prefix} >= {prefix}_min_at('2024-06-06T06:10:00Z')"
        ));
    }
    for query in queries {
        let statements = format!("{table}{query}");
        let expected = sql(&[], &statements);
        assert!(expected.lines().count() > 1, "{query}: {expected}");
        assert_eq!(sql(&["--cluster", &cluster], &statements), expected, "{query}");
    }
    for executor in &executors {
        assert!(executor.log().contains("Finished task"), "both executors work");
    }
}

#[test]
fn the_verdict_of_a_ledger_survives_the_death_of_an_executor() {
    let dir = tempfile::tempdir().expect("directory");
    ledgers(dir.path());
    let one = dir.path().join("one");
    assert_survives(dir.path(), |work| {
        format!(
            "SET datafusion.optimizer.repartition_file_min_size = 1; \
             SELECT v['first_fault']['line'] AS line, v['events'] AS events, count(*) AS n FROM (SELECT value, \
             ledger_verify(line, file, block, number) AS v FROM ledger_lines('{}') CROSS JOIN {} GROUP BY value) \
             GROUP BY 1, 2",
            one.display(),
            numbers(work)
        )
    });
}
