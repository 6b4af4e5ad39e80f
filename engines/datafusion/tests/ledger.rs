//! Ledgers in files and tables: the verdicts are the same as the program's.

mod common;

use common::{
    batches, context,
    damage::{any_damage, damage, with_line_ends},
    error,
    ledger::{CLASSIC, ENTITIES, lines, made},
    program, rows,
};
use datafusion::{
    arrow::{
        array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray},
        datatypes::{DataType, Field, Schema},
    },
    datasource::MemTable,
    prelude::SessionContext,
};
use evently_ledger::{LONGEST_LINE, Profile};
use object_store::ObjectStoreExt as _;
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path, sync::Arc, thread};

/// Ledgers with a few faults each. They are the same in each run of the tests.
fn damaged(count: usize) -> Vec<Vec<Vec<u8>>> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[18; 32]);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let sources = [lines(CLASSIC), lines(ENTITIES), made(Profile::Classic, 40), made(Profile::Entities, 40)];
    let sources = sources.map(|source| with_line_ends(&source));
    let damages = prop::collection::vec((any::<prop::sample::Index>(), any::<usize>(), any_damage()), 0..4);
    let ledger = (0..4_usize, 1..40_usize, damages);
    (0..count)
        .map(|_| {
            let (source, length, damages) = ledger.new_tree(&mut runner).unwrap().current();
            let mut lines = sources[source][..length.min(sources[source].len())].to_vec();
            for (at, offset, kind) in damages {
                if !lines.is_empty() {
                    let at = at.index(lines.len());
                    damage(&mut lines, at, offset, kind);
                }
            }
            lines
        })
        .collect()
}

/// What the program prints about each ledger: a file, or the files of its parts.
fn said_by_the_program(ledgers: &[Vec<String>]) -> Vec<Value> {
    let _ = &*common::PROGRAM;
    let share = ledgers.len().div_ceil(4).max(1);
    thread::scope(|scope| {
        let threads: Vec<_> = ledgers
            .chunks(share)
            .map(|ledgers| scope.spawn(|| ledgers.iter().map(|files| program(files)).collect::<Vec<_>>()))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// Asserts that a verdict is what the program prints. The program names the file of a fault only if there are several,
/// and gives advice if there are no events.
#[track_caller]
fn assert_equal(mut verdict: Value, mut said: Value, files: usize) {
    let fault = &mut verdict["first_fault"];
    if files == 1 && fault.is_object() {
        fault.as_object_mut().unwrap().remove("file");
    }
    if said["first_fault"]["kind"] == "no_events" {
        said["first_fault"]["expected"] = "at least one event".into();
    }
    assert_eq!(verdict, said);
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_damaged_ledgers_in_files_have_the_verdict_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let ledgers = damaged(10_000);
    let files: Vec<_> =
        (0..ledgers.len()).map(|n| vec![path(folder.path(), &format!("{n:05}.ndjson"))]).collect();
    for (lines, file) in ledgers.iter().zip(&files) {
        fs::write(&file[0], lines.concat()).unwrap();
    }
    let sql = format!(
        "SELECT file, ledger_verify(line, file, block, number) AS verdict FROM ledger_lines('{}') GROUP BY file",
        folder.path().display()
    );
    let verdicts: BTreeMap<String, Value> = rows(&context(), &sql)
        .await
        .into_iter()
        .map(|row| (row["file"].as_str().unwrap().to_owned(), row["verdict"].clone()))
        .collect();
    assert_eq!(verdicts.len(), ledgers.len());
    let mut valid = 0;
    for ((file, verdict), said) in verdicts.into_iter().zip(said_by_the_program(&files)) {
        valid += usize::from(verdict["valid"] == true);
        // A ledger without a line has no file in its fault.
        if said["last_event_id"].is_string() && verdict["first_fault"].is_object() {
            assert_eq!(verdict["first_fault"]["file"], file.as_str());
        }
        assert_equal(verdict, said, 1);
    }
    assert!((1_000..9_000).contains(&valid), "{valid} of 10 000 are valid");
}

#[tokio::test(flavor = "multi_thread")]
async fn ledgers_of_several_files_have_the_verdict_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let ledgers = damaged(500);
    let mut files = vec![];
    for (n, lines) in ledgers.iter().enumerate() {
        let ledger = folder.path().join(format!("{n:03}"));
        fs::create_dir(&ledger).unwrap();
        let share = lines.len().div_ceil(n % 4 + 2).max(1);
        let parts = lines.chunks(share).enumerate();
        files.push(
            parts
                .map(|(k, part)| {
                    let mut part = part.concat();
                    if n % 3 == 0 {
                        part.pop();
                    }
                    let file = path(&ledger, &format!("part-{k}.ndjson"));
                    fs::write(&file, part).unwrap();
                    file
                })
                .collect::<Vec<_>>(),
        );
    }
    let expected = said_by_the_program(&files);
    let ctx = context();
    for verify in ["ledger_verify(line, file, block, number)", "ledger_join(summary)"] {
        let sql = format!(
            "WITH parts AS (SELECT regexp_replace(file, '/[^/]*$', '') AS ledger, * FROM ledger_lines('{}')), \
             summaries AS (SELECT ledger, file, ledger_summary(line, file, block, number) AS summary FROM parts \
             GROUP BY ledger, file) \
             SELECT {verify} AS verdict FROM {} GROUP BY ledger ORDER BY ledger",
            folder.path().display(),
            if verify.contains("summary") { "summaries" } else { "parts" },
        );
        let verdicts = rows(&ctx, &sql).await;
        assert_eq!(verdicts.len(), expected.len());
        for ((row, said), files) in verdicts.into_iter().zip(&expected).zip(&files) {
            assert_equal(row["verdict"].clone(), said.clone(), files.len());
        }
    }
}

/// A table with the rows of ledgers, in many partitions and in no order. A row in a hundred has no line.
fn table(ledgers: &[Vec<Vec<u8>>], seed: usize) -> MemTable {
    let mut rows = vec![];
    for (ledger, lines) in ledgers.iter().enumerate() {
        for (number, line) in lines.iter().enumerate() {
            rows.push((ledger as i64, number as i64 - 3, line.strip_suffix(b"\n").unwrap_or(line)));
        }
    }
    // A step that has no factor in common with the length visits each row once.
    let length = rows.len();
    let step = (seed..).find(|&step| (2..=step).all(|d| step % d != 0 || length % d != 0)).unwrap();
    let rows: Vec<_> = (0..length).map(|n| rows[n * step % length]).collect();
    let schema = Arc::new(Schema::new(vec![
        Field::new("ledger", DataType::Int64, false),
        Field::new("number", DataType::Int64, false),
        Field::new("line", DataType::Binary, true),
    ]));
    let batch = |rows: &[(i64, i64, &[u8])]| {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.0))),
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.1))),
            Arc::new(BinaryArray::from_iter_values(rows.iter().map(|row| row.2))),
        ];
        RecordBatch::try_new(Arc::clone(&schema), columns).unwrap()
    };
    let partitions =
        rows.chunks(length.div_ceil(7)).map(|rows| rows.chunks(50).map(batch).collect()).collect();
    MemTable::try_new(Arc::clone(&schema), partitions).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_in_any_order_and_on_any_partition_have_the_verdict_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let ledgers = damaged(300);
    let files: Vec<_> =
        (0..ledgers.len()).map(|n| vec![path(folder.path(), &format!("{n:05}.ndjson"))]).collect();
    for (lines, file) in ledgers.iter().zip(&files) {
        fs::write(&file[0], lines.concat()).unwrap();
    }
    let expected = said_by_the_program(&files);
    for seed in [1, 5, 101, 1_003] {
        let ctx = context();
        ctx.register_table("events", Arc::new(table(&ledgers, seed))).unwrap();
        for line in
            ["line", "arrow_cast(line, 'LargeBinary')", "arrow_cast(line, 'Dictionary(Int32, Binary)')"]
        {
            let sql = format!(
                "SELECT ledger, ledger_verify({line}, number) AS verdict, count(*) AS n FROM events GROUP BY ledger \
                 ORDER BY ledger"
            );
            let mut found = rows(&ctx, &sql).await.into_iter().peekable();
            for (n, said) in expected.iter().enumerate() {
                // A ledger without lines has no row in this table.
                if let Some(row) = found.next_if(|row| row["ledger"] == n) {
                    assert_equal(row["verdict"].clone(), said.clone(), 1);
                } else {
                    assert!(ledgers[n].is_empty());
                }
            }
            assert!(found.next().is_none());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_ledger_of_many_parts_is_verified_in_every_cut() {
    let folder = tempfile::tempdir().unwrap();
    let lines = with_line_ends(&made(Profile::Entities, 3_000));
    let (start, rest) = lines.split_at(1_700);
    let mut changed = rest.to_vec();
    changed.remove(200);
    changed[700] = b"\n".to_vec();
    let files = [start.concat(), changed.concat()].into_iter().enumerate().map(|(n, part)| {
        let file = path(folder.path(), &format!("{n}.ndjson"));
        fs::write(&file, part).unwrap();
        file
    });
    let files: Vec<_> = files.collect();
    let said = program(&files);
    assert_eq!((&said["first_fault"]["line"], &said["faults"]), (&json!(201), &json!(2)));
    for partitions in [1, 2, 3, 7, 16, 61, 400] {
        let ctx = context();
        batches(&ctx, &format!("SET datafusion.execution.target_partitions = {partitions}")).await;
        for batch_size in [1, 100, 8192] {
            batches(&ctx, &format!("SET datafusion.execution.batch_size = {batch_size}")).await;
            let sql = format!(
                "SELECT ledger_verify(line, file, block, number) AS verdict FROM ledger_lines('{}/*.ndjson')",
                folder.path().display()
            );
            let verdict = rows(&ctx, &sql).await.remove(0)["verdict"].take();
            assert_equal(verdict, said.clone(), 2);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_tells_where_a_ledger_became_invalid() {
    let ctx = context();
    let mut ledger = with_line_ends(&lines(CLASSIC));
    ledger.remove(5);
    ctx.register_table("events", Arc::new(table(&[ledger], 7))).unwrap();
    let sql = "SELECT number FROM (SELECT number, ledger_verify(line, number) OVER (ORDER BY number) AS verdict FROM events) \
               WHERE NOT verdict['valid'] ORDER BY number LIMIT 1";
    assert_eq!(rows(&ctx, sql).await, [json!({"number": 2})]);
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b, c, d) = (
        path(folder.path(), "a"),
        path(folder.path(), "b.gz"),
        path(folder.path(), "c"),
        path(folder.path(), "d.zst"),
    );
    fs::write(&a, b"one\n\nthree\r\n\xff").unwrap();
    // Two members, as of two files that were concatenated.
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    fs::write(&b, [gzip("x\ny"), gzip("z\n")].concat()).unwrap();
    fs::write(&c, "").unwrap();
    let _ = d;
    let ctx = context();
    let sql = format!(
        "SELECT file, number, encode(line, 'hex') AS line FROM ledger_lines('{}/') ORDER BY file, block, number",
        folder.path().display()
    );
    let expected = [
        json!({"file": a, "number": 0, "line": "6f6e65"}),
        json!({"file": a, "number": 1, "line": ""}),
        json!({"file": a, "number": 2, "line": "74687265650d"}),
        json!({"file": a, "number": 3, "line": "ff"}),
        json!({"file": b, "number": 0, "line": "78"}),
        json!({"file": b, "number": 1, "line": "797a"}),
        json!({"file": c, "number": 0, "line": null}),
    ];
    batches(&ctx, "SET datafusion.execution.target_partitions = 1").await;
    assert_eq!(rows(&ctx, &sql).await, expected);
    for partitions in 2..20 {
        batches(&ctx, &format!("SET datafusion.execution.target_partitions = {partitions}")).await;
        let lines = |rows: Vec<Value>| {
            rows.into_iter().map(|row| (row["file"].clone(), row["line"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(lines(rows(&ctx, &sql).await), lines(expected.to_vec()), "{partitions}");
    }
    assert_eq!(
        rows(
            &ctx,
            &format!("SELECT count(*) AS rows, count(line) AS lines FROM ledger_lines('{a}', '{c}', '{a}')")
        )
        .await,
        [json!({"rows": 5, "lines": 4})]
    );
    assert_eq!(
        rows(&ctx, &format!("SELECT line IS NULL AS n, number + 1 AS m FROM ledger_lines('{c}') LIMIT 3"))
            .await,
        [json!({"n": true, "m": 1})]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ledger_without_events_is_not_valid() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("empty", ""), ("blank", "\n \n\n"), ("valid", CLASSIC)] {
        fs::write(folder.path().join(name), text).unwrap();
        let file = path(folder.path(), name);
        let sql =
            format!("SELECT ledger_verify(line, file, block, number) AS verdict FROM ledger_lines('{file}')");
        assert_equal(rows(&context(), &sql).await.remove(0)["verdict"].take(), program(&[file]), 1);
    }
    let nothing = rows(&context(), "SELECT ledger_verify('x', 1) AS verdict WHERE false").await;
    assert_eq!(nothing[0]["verdict"]["first_fault"]["kind"], "no_events");
}

fn with_table(columns: Vec<(&str, ArrayRef)>) -> SessionContext {
    let ctx = context();
    ctx.register_batch("t", RecordBatch::try_from_iter(columns).unwrap()).unwrap();
    ctx
}

#[tokio::test(flavor = "multi_thread")]
async fn strict_verification_is_that_of_the_program() {
    let line = lines(CLASSIC)[0].replacen('{', "{\"Data\":1,", 1);
    let ctx = with_table(vec![("line", Arc::new(StringArray::from(vec![line])))]);
    for (function, valid) in [("ledger_verify", true), ("ledger_verify_strict", false)] {
        let found = rows(&ctx, &format!("SELECT {function}(line, 1)['valid'] AS valid FROM t")).await;
        assert_eq!(found, [json!({"valid": valid})]);
    }
    for (function, kind) in
        [("ledger_summary", Value::Null), ("ledger_summary_strict", json!("unknown_member"))]
    {
        let sql = format!(
            "SELECT ledger_join(s)['first_fault']['kind'] AS kind FROM (SELECT {function}(line, 1) AS s FROM t)"
        );
        assert_eq!(rows(&ctx, &sql).await, [json!({"kind": kind})]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_errors_that_say_what_to_do() {
    let ctx = with_table(vec![
        ("line", Arc::new(StringArray::from(vec!["{}", "{}"])) as ArrayRef),
        ("file", Arc::new(StringArray::from(vec!["a", "a"]))),
        ("n", Arc::new(Int64Array::from(vec![7, 7]))),
        ("missing", Arc::new(Int64Array::from(vec![Some(1), None]))),
    ]);
    for (sql, expected) in [
        ("SELECT ledger_verify(line) FROM t", "an example is ledger_verify(line, file, block, number)"),
        ("SELECT ledger_verify(n, line) FROM t", "found (Int64, Utf8)"),
        (
            "SELECT ledger_verify(line, 1.5) FROM t",
            "the number of the line (an integer), found (Utf8, Float64)",
        ),
        (
            "SELECT ledger_verify(line, file, n) FROM t",
            "ledger_verify: expected each position once, found two lines at the position ('a', 7)",
        ),
        ("SELECT ledger_verify(line, missing) FROM t", "expected a position for each line, found NULL"),
        ("SELECT ledger_join(n) FROM t", "expected a summary of ledger_summary"),
        ("SELECT ledger_join(arrow_cast(line, 'Binary')) FROM t", "found the first byte 123"),
        ("SELECT ledger_join(arrow_cast('', 'Binary'))", "found no bytes"),
        (
            "SELECT ledger_join(decode('01ffff', 'hex'))",
            "expected a whole summary that ledger_summary made, found 2 bytes",
        ),
        (
            "SELECT ledger_join(s) FROM (SELECT ledger_summary(line, file, 1) AS s FROM t WHERE n = 7 GROUP BY n UNION ALL \
             SELECT ledger_summary(line, 1) AS s FROM t)",
            "two lines at the position",
        ),
        ("SELECT * FROM ledger_lines()", "expected at least one path or URL, found none"),
        ("SELECT * FROM ledger_lines(7)", "expected the paths or URLs of files as texts, found Int64(7)"),
        (
            "SELECT * FROM ledger_lines('/nowhere/at/all')",
            "expected at least one file at file:///nowhere/at/all, found none",
        ),
        ("SELECT * FROM ledger_lines('s3://bucket/x', '/tmp')", "expected URLs of one object store"),
    ] {
        let found = error(&ctx, sql).await;
        assert!(found.contains(expected), "{sql}\n  found    {found}\n  expected {expected}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ledgers_are_verified_in_an_object_store() {
    let store = Arc::new(object_store::memory::InMemory::new());
    let ctx = context();
    ctx.register_object_store(&"s3://bucket".parse().unwrap(), Arc::clone(&store) as _);
    let lines = with_line_ends(&made(Profile::Classic, 200));
    for (name, part) in
        [("shop/1.ndjson", &lines[..150]), ("shop/2.ndjson", &lines[150..]), ("other/empty", &[])]
    {
        store.put(&name.into(), part.concat().into()).await.unwrap();
    }
    let sql =
        "SELECT ledger_verify(line, file, block, number) AS verdict FROM ledger_lines('s3://bucket/shop/')";
    let verdict = rows(&ctx, sql).await.remove(0)["verdict"].take();
    assert_eq!((&verdict["valid"], &verdict["events"]), (&json!(true), &json!(200)));
    let sql = "SELECT DISTINCT file, ledger_verify(line, file, block, number)['first_fault']['line'] AS line \
               FROM ledger_lines('s3://bucket/shop/2.ndjson', 's3://bucket/other') GROUP BY file ORDER BY file";
    assert_eq!(
        rows(&ctx, sql).await,
        [
            json!({"file": "s3://bucket/other/empty", "line": 0}),
            json!({"file": "s3://bucket/shop/2.ndjson", "line": 1}),
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_thousand_ledgers_in_parquet_are_verified_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let sources = [lines(CLASSIC), lines(ENTITIES)].map(|source| with_line_ends(&source));
    let ledgers: Vec<_> = (0..100_000)
        .map(|n| {
            let mut ledger = sources[n % 2][..2 + n % 3].to_vec();
            if n % 1_000 == 999 {
                ledger.swap(0, 1);
            }
            ledger
        })
        .collect();
    let ctx = context();
    ctx.register_table("made", Arc::new(table(&ledgers, 11))).unwrap();
    let location = folder.path().display();
    batches(&ctx, &format!("COPY made TO '{location}/' STORED AS PARQUET")).await;
    batches(&ctx, &format!("CREATE EXTERNAL TABLE events STORED AS PARQUET LOCATION '{location}/'")).await;
    let sql = "SELECT v['valid'] AS valid, v['first_fault']['line'] AS line, count(*) AS ledgers, sum(v['events']) AS events \
               FROM (SELECT ledger_verify(line, number) AS v FROM events GROUP BY ledger) GROUP BY 1, 2 ORDER BY 1";
    assert_eq!(
        rows(&ctx, sql).await,
        [
            json!({"valid": false, "line": 1, "ledgers": 100, "events": 299}),
            json!({"valid": true, "line": null, "ledgers": 99_900, "events": 299_700}),
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_and_groups_of_one_row_give_the_same() {
    let ctx = context();
    let ledgers = damaged(60);
    ctx.register_table("events", Arc::new(table(&ledgers, 3))).unwrap();
    // Partial aggregates of as many groups as rows pass each row on.
    batches(&ctx, "SET datafusion.execution.skip_partial_aggregation_probe_rows_threshold = 0").await;
    batches(&ctx, "SET datafusion.execution.skip_partial_aggregation_probe_ratio_threshold = 0.0").await;
    let groups = |filter: &str| {
        format!(
            "SELECT ledger, ledger_verify(line, number){filter} AS v FROM events GROUP BY ledger ORDER BY ledger"
        )
    };
    let expected = rows(&ctx, &groups("")).await;
    assert_eq!(rows(&ctx, &groups(" FILTER (WHERE number > -100)")).await, expected);
    let from_second = rows(&ctx, &groups(" FILTER (WHERE number > -3)")).await;
    let tables = "(SELECT * FROM events WHERE number > -3)";
    for row in rows(&ctx, &groups("").replace("events", tables)).await {
        assert!(from_second.contains(&row));
    }
    assert!(from_second.iter().any(|row| !expected.contains(row)));

    let each =
        rows(&ctx, "SELECT ledger, number, ledger_summary(line, number) AS s FROM events GROUP BY 1, 2")
            .await;
    assert_eq!(each.len(), ledgers.iter().map(Vec::len).sum::<usize>());
    let joined = "SELECT ledger, ledger_join(s) AS v FROM (SELECT ledger, ledger_summary(line, number) AS s FROM events \
                  GROUP BY ledger, number) GROUP BY ledger ORDER BY ledger";
    assert_eq!(rows(&ctx, joined).await, expected);
}

/// A text, compressed for the extension of a file.
async fn compressed(extension: &str, text: &str) -> Vec<u8> {
    use async_compression::tokio::write::{BzEncoder, GzipEncoder, XzEncoder, ZstdEncoder};
    use tokio::io::AsyncWriteExt as _;
    macro_rules! encoded {
        ($encoder:ident) => {{
            let mut encoder = $encoder::new(vec![]);
            encoder.write_all(text.as_bytes()).await.unwrap();
            encoder.shutdown().await.unwrap();
            encoder.into_inner()
        }};
    }
    match extension {
        "gz" => encoded!(GzipEncoder),
        "zst" => encoded!(ZstdEncoder),
        "bz2" => encoded!(BzEncoder),
        _ => encoded!(XzEncoder),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn compressed_files_are_read_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let ctx = context();
    for extension in ["gz", "zst", "bz2", "xz"] {
        let file = path(folder.path(), &format!("a.{}", extension.to_uppercase()));
        let lines = |sql: &str| format!("SELECT {sql} FROM ledger_lines('{file}')");
        // Files that were compressed apart, and concatenated.
        let parts = [
            compressed(extension, "a\nb").await,
            compressed(extension, "c\n").await,
            compressed(extension, "").await,
        ];
        fs::write(&file, [parts.concat(), compressed(extension, "d").await].concat()).unwrap();
        let found = rows(&ctx, &lines("number, encode(line, 'hex') AS line")).await;
        let expected = ["61", "6263", "64"].into_iter().enumerate();
        assert_eq!(
            found,
            expected.map(|(n, line)| json!({"number": n, "line": line})).collect::<Vec<_>>(),
            "{extension}"
        );

        fs::write(&file, compressed(extension, "").await).unwrap();
        let found = rows(&ctx, &lines("number, line IS NULL AS empty")).await;
        assert_eq!(found, [json!({"number": 0, "empty": true})], "{extension}");

        let whole = compressed(extension, CLASSIC).await;
        for wrong in [
            [&whole[..], b"garbage of some length"].concat(),
            whole[..whole.len() - 5].to_vec(),
            b"plain\n".to_vec(),
        ] {
            fs::write(&file, wrong).unwrap();
            let error = error(&ctx, &lines("count(line)")).await;
            assert!(error.contains(&format!("ledger_lines: {file}: the file cannot be read")), "{error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn zeros_behind_a_gzip_file_are_no_part_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let ctx = context();
    let file = path(folder.path(), "a.gz");
    let sql = format!("SELECT count(line) AS n FROM ledger_lines('{file}')");
    let members = [compressed("gz", "a\n").await, compressed("gz", "b\n").await].concat();
    for zeros in [1, 7, 512, 300_000] {
        let padded = [members.clone(), vec![0; zeros]].concat();
        fs::write(&file, &padded).unwrap();
        assert_eq!(rows(&ctx, &sql).await, [json!({"n": 2})], "{zeros}");
        fs::write(&file, [&padded[..], b"x"].concat()).unwrap();
        assert!(error(&ctx, &sql).await.contains("something else than zeros follows"), "{zeros}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_has_the_same_limit_as_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let ctx = context();
    let file = path(folder.path(), "a");
    let sql = format!("SELECT count(line) AS n FROM ledger_lines('{file}')");
    for (before, end) in [(0, "\n"), (0, ""), ((1 << 20) - 5, "\nmore\n")] {
        let mut lines = vec![b'\n'; before];
        lines.extend(vec![b' '; LONGEST_LINE]);
        fs::write(&file, [&lines, end.as_bytes()].concat()).unwrap();
        let more = usize::from(end.contains("more"));
        assert_eq!(rows(&ctx, &sql).await, [json!({"n": before + 1 + more})]);
        lines.push(b' ');
        fs::write(&file, [&lines, end.as_bytes()].concat()).unwrap();
        let error = error(&ctx, &sql).await;
        assert!(error.contains(&format!("lines of at most {LONGEST_LINE} bytes")), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_in_the_call_changes_nothing() {
    let ctx = context();
    ctx.register_table("events", Arc::new(table(&[with_line_ends(&lines(CLASSIC))], 7))).unwrap();
    for order in ["", " ORDER BY number", " ORDER BY number DESC, line"] {
        let sql = format!("SELECT ledger_verify(line, number{order})['valid'] AS v FROM events");
        assert_eq!(rows(&ctx, &sql).await, [json!({"v": true})], "{order}");
        let sql = format!(
            "SELECT ledger_join(s{})['events'] AS n FROM (SELECT number % 5 AS g, ledger_summary(line, number{order}) AS s \
             FROM events GROUP BY 1)",
            if order.is_empty() { "" } else { " ORDER BY g" }
        );
        assert_eq!(rows(&ctx, &sql).await, [json!({"n": 64})], "{order}");
    }
}
