//! The functions in SQL: rows a second on one core, beside DataFusion's own functions and DuckDB.

use super::{Result, kernels::ids, output, path};
use datafusion::{
    arrow::{
        array::{ArrayRef, FixedSizeBinaryArray, Int64Array, RecordBatch, StringViewArray},
        datatypes::Schema,
    },
    datasource::MemTable,
    prelude::{SessionConfig, SessionContext},
};
use sortid::{
    SortableId, euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake,
};
use sortid_columns::Column;
use std::{fmt::Write as _, fs, path::Path, process::Command, sync::Arc, time::Duration};

const ROWS: usize = 4_000_000;

/// A function of sortid, the same in DataFusion's own functions, and the same in DuckDB. A column of IDs has the name
/// `PREFIX`, and a column of texts `PREFIX_t`.
const EXPRESSIONS: [(&str, Option<&str>, &str); 20] = [
    ("scru160_time(scru160)", None, "scru160_time(scru160)"),
    ("scru160_text(scru160)", None, "scru160_text(scru160)"),
    ("scru160_parse(scru160_t)", None, "scru160_parse(scru160_t)"),
    ("scru160_is_valid(scru160_t)", None, "scru160_is_valid(scru160_t)"),
    ("euid_time(euid)", None, "euid_time(euid::uuid)"),
    ("euid_text(euid)", None, "euid_text(euid::uuid)"),
    ("euid_parse(euid_t)", None, "euid_parse(euid_t)"),
    ("euid_is_valid(euid_t)", None, "euid_is_valid(euid_t)"),
    (
        "ulid_flake_time(ulid_flake)",
        Some("to_timestamp_millis((ulid_flake >> 20) + 1704067200000)"),
        "ulid_flake_time(ulid_flake)",
    ),
    ("ulid_flake_text(ulid_flake)", None, "ulid_flake_text(ulid_flake)"),
    ("ulid_flake_parse(ulid_flake_t)", None, "ulid_flake_parse(ulid_flake_t)"),
    ("ulid_flake_is_valid(ulid_flake_t)", None, "ulid_flake_is_valid(ulid_flake_t)"),
    ("ron_uid_time(ron_uid)", None, "ron_uid_time(ron_uid)"),
    ("ron_uid_text(ron_uid)", None, "ron_uid_text(ron_uid)"),
    ("ron_uid_parse(ron_uid_t)", None, "ron_uid_parse(ron_uid_t)"),
    ("ron_uid_is_valid(ron_uid_t)", None, "ron_uid_is_valid(ron_uid_t)"),
    ("event_id_time(event_id)", None, "event_id_time(event_id::uuid)"),
    ("event_id_text(event_id)", Some("encode(event_id, 'hex')"), "event_id_text(event_id::uuid)"),
    ("event_id_parse(event_id_t)", Some("decode(event_id_t, 'hex')"), "event_id_parse(event_id_t)"),
    ("event_id_is_valid(event_id_t)", None, "event_id_is_valid(event_id_t)"),
];

/// Times the queries of standard input in DuckDB.
const DUCKDB: &str = "
import duckdb, sys, time
db = duckdb.connect()
db.execute('SET threads = 1')
db.execute('SET enable_progress_bar = false')
db.execute(open(sys.argv[1]).read())
db.execute(f\"CREATE TABLE ids AS SELECT * REPLACE ({sys.argv[3]}) FROM '{sys.argv[2]}'\")
for line in sys.stdin:
    times = []
    for _ in range(2):
        start = time.perf_counter()
        db.execute(f'SELECT count({line.strip()}) FROM ids').fetchall()
        times.append(time.perf_counter() - start)
    print(min(times))
";

/// Adds a column of IDs and one of their texts.
fn add<I: Column>(
    columns: &mut Vec<(String, ArrayRef)>,
    name: &str,
    array: impl Fn(&[I]) -> Result<ArrayRef>,
) -> Result {
    let ids = ids::<I>(ROWS);
    columns.push((name.to_owned(), array(&ids)?));
    let texts = StringViewArray::from_iter_values(ids.iter().map(SortableId::encode));
    columns.push((format!("{name}_t"), Arc::new(texts)));
    Ok(())
}

fn fixed<const N: usize, I: Copy>(ids: &[I], bytes: impl Fn(I) -> [u8; N]) -> Result<ArrayRef> {
    Ok(Arc::new(FixedSizeBinaryArray::try_from_iter(ids.iter().map(|id| bytes(*id)))?))
}

pub(crate) fn table(folder: &Path) -> Result<String> {
    let mut columns = vec![];
    add(&mut columns, "scru160", |ids| fixed(ids, Scru160::to_bytes))?;
    add(&mut columns, "euid", |ids| fixed(ids, Euid::to_bytes))?;
    add(&mut columns, "ulid_flake", |ids: &[UlidFlake]| {
        Ok(Arc::new(Int64Array::from_iter_values(ids.iter().map(|id| Column::to_value(*id)))))
    })?;
    add(&mut columns, "ron_uid", |ids| fixed(ids, RonUid::to_bytes))?;
    add(&mut columns, "event_id", |ids| fixed(ids, EventId::to_bytes))?;
    let all = RecordBatch::try_from_iter(columns)?;
    let batches = (0..ROWS).step_by(8192).map(|at| all.slice(at, 8192.min(ROWS - at))).collect::<Vec<_>>();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ours = runtime.block_on(in_datafusion(all.schema(), batches, folder))?;
    let theirs = in_duckdb(folder)?;

    let mut table = format!(
        "### In SQL\n\nMillions of rows a second, on one core: `SELECT count(EXPRESSION)` of {} million rows in memory.\n\n| \
         expression | sortid-datafusion | DataFusion's own | DuckDB, functions of `sortid sql duckdb` |\n|---|---|---|---|\n",
        ROWS / 1_000_000
    );
    let rate = |time: Duration| {
        let rate = ROWS as f64 / 1e6 / time.as_secs_f64();
        format!("{rate:.*}", if rate < 10.0 { 2 } else { 0 })
    };
    for (((expression, own, _), (ours, own_time)), theirs) in EXPRESSIONS.iter().zip(ours).zip(theirs) {
        let own = match (own, own_time) {
            (Some(own), Some(time)) => format!("{} (`{own}`)", rate(time)),
            _ => "–".to_owned(),
        };
        writeln!(table, "| `{expression}` | {} | {own} | {} |", rate(ours), rate(theirs))?;
    }
    Ok(table)
}

async fn in_datafusion(
    schema: Arc<Schema>,
    batches: Vec<RecordBatch>,
    folder: &Path,
) -> Result<Vec<(Duration, Option<Duration>)>> {
    let ctx = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    sortid_datafusion::register_all(&ctx);
    ctx.register_table("ids", Arc::new(MemTable::try_new(schema, vec![batches])?))?;
    let file = folder.join("ids.parquet");
    ctx.sql(&format!("COPY ids TO '{}' STORED AS PARQUET", file.display())).await?.collect().await?;
    let mut times = vec![];
    for (expression, own, _) in EXPRESSIONS {
        let mut found = vec![];
        for expression in [Some(expression), own].into_iter().flatten() {
            let plan = ctx
                .sql(&format!("SELECT count({expression}) FROM ids"))
                .await?
                .create_physical_plan()
                .await?;
            let mut best = Duration::MAX;
            for _ in 0..3 {
                let start = std::time::Instant::now();
                datafusion::physical_plan::collect(Arc::clone(&plan), ctx.task_ctx()).await?;
                best = best.min(start.elapsed());
            }
            found.push(best);
        }
        times.push((found[0], found.get(1).copied()));
    }
    Ok(times)
}

fn in_duckdb(folder: &Path) -> Result<Vec<Duration>> {
    let (pack, queries) = (folder.join("duckdb.sql"), folder.join("queries"));
    fs::write(&pack, output(Command::new(path("SORTID")?).args(["sql", "duckdb"]))?)?;
    fs::write(&queries, EXPRESSIONS.map(|(_, _, expression)| expression).join("\n"))?;
    // Parquet has no UUID that DataFusion writes.
    let uuids = ["euid", "event_id"].map(|id| format!("hex({id})::uuid AS {id}")).join(", ");
    let mut python = Command::new(path("SORTID_PYTHON")?);
    python.args(["-c", DUCKDB]).arg(pack).arg(folder.join("ids.parquet")).arg(uuids);
    let times = output(python.stdin(fs::File::open(queries)?))?;
    let seconds = |time: &str| -> Result<f64> {
        time.parse().map_err(|_| format!("expected seconds, found {time:?}").into())
    };
    times.lines().map(|time| -> Result<_> { Ok(Duration::from_secs_f64(seconds(time)?)) }).collect()
}
