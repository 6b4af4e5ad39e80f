//! Row groups of Parquet files that cannot have rows of a query are not read.

use crate::{
    arrays::{id_arrays, text_arrays},
    specs::{Tested, every_specification},
};
use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, Int64Array, RecordBatch},
        datatypes::{DataType, Field, Int64Type, Schema},
        util::pretty::pretty_format_batches,
    },
    parquet::{arrow::ArrowWriter, file::properties::WriterProperties},
    prelude::{ParquetReadOptions, SessionContext},
};
use sortid::UnixMicros;
use sortid::scru160::Scru160;
use sortid_columns::Column as _;
use std::{fs::File, sync::Arc};
use tempfile::TempDir;

/// The number of row groups, each of one day, and of the rows in a group, one for each minute.
pub(crate) const DAYS: usize = 10;
const MINUTES: usize = 1440;

/// 2024-06-01T00:00:00Z
const START: i128 = 1_717_200_000_000_000;

/// A table of a Parquet file with the columns `n` and `id`.
pub(crate) async fn table(ids: ArrayRef, group: usize) -> (SessionContext, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let n = Int64Array::from_iter_values(0..ids.len() as i64);
    let schema = Arc::new(Schema::new(vec![
        Field::new("n", DataType::Int64, false),
        Field::new("id", ids.data_type().clone(), true),
    ]));
    let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(n), ids]).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group)).build();
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), schema, Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let ctx = SessionContext::new();
    sortid_datafusion::register_all(&ctx);
    ctx.register_parquet("t", path.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
    (ctx, folder)
}

pub(crate) async fn explain(ctx: &SessionContext, query: &str) -> String {
    let plan = ctx.sql(query).await.unwrap().collect().await.unwrap();
    pretty_format_batches(&plan).unwrap().to_string()
}

/// The number of rows, and the number of row groups that the statistics of the file leave.
async fn run(ctx: &SessionContext, condition: &str) -> (i64, String) {
    let query = format!("SELECT count(*) FROM t WHERE {condition}");
    let rows = ctx.sql(&query).await.unwrap().collect().await.unwrap();
    let rows = rows[0].column(0).as_primitive::<Int64Type>().value(0);
    let plan = explain(ctx, &format!("EXPLAIN ANALYZE {query}")).await;
    let pruned = plan.split("row_groups_pruned_statistics=").nth(1).unwrap_or_else(|| panic!("{plan}"));
    (rows, pruned.split(" matched").next().unwrap().to_owned())
}

fn ids<I: Tested>() -> Vec<Option<I>> {
    let at = |minute: usize| I::max_at(UnixMicros(START + minute as i128 * 60_000_000)).unwrap();
    (0..DAYS * MINUTES).map(|minute| Some(at(minute))).collect()
}

#[tokio::test]
async fn bounds_of_times_prune_row_groups_of_every_type_of_column() {
    async fn check<I: Tested>() {
        let ids = ids::<I>();
        let day = |text: bool| {
            let bound = |name: &str, time: &str| match text {
                false => format!("{}_{name}('{time}')", I::PREFIX),
                true => format!("{0}_text({0}_{name}('{time}'))", I::PREFIX),
            };
            let [since, until] = [bound("min_at", "2024-06-04"), bound("min_at", "2024-06-05")];
            let last = bound("max_at", "2024-06-04T23:59:00Z");
            [format!("id >= {since} AND id < {until}"), format!("id BETWEEN {since} AND {last}")]
        };
        for (arrays, is_text) in [(id_arrays(&ids), false), (text_arrays(&ids), true)] {
            for array in arrays {
                // A bound of Ulid-Flakes is an integer, which the engine does not compare with a column of bytes.
                if array.data_type() != &DataType::Int64 && !is_text && I::PREFIX == "ulid_flake" {
                    continue;
                }
                let found = array.data_type().clone();
                let (ctx, _folder) = table(array, MINUTES).await;
                for condition in day(is_text) {
                    let (rows, groups) = run(&ctx, &condition).await;
                    assert_eq!(rows, MINUTES as i64, "{condition} of {found}");
                    assert_eq!(groups, "10 total → 1", "{condition} of {found}");
                }
                let plan = explain(&ctx, &format!("EXPLAIN SELECT n FROM t WHERE {}", day(is_text)[0])).await;
                assert!(!plan.contains("CAST"), "the column is not cast: {plan}");
                assert!(!plan.contains("_at("), "the bounds are literals: {plan}");
            }
        }
    }
    every_specification!(Id => check::<Id>().await);
}

#[tokio::test]
async fn a_comparison_of_a_time_prunes_row_groups() {
    async fn check<I: Tested>() {
        let ids = ids::<I>();
        let conditions = [
            format!("{0}_time(id) >= '2024-06-04' AND {0}_time(id) < '2024-06-05'", I::PREFIX),
            format!("{}_time(id) BETWEEN '2024-06-04' AND '2024-06-04T23:59:00Z'", I::PREFIX),
            format!("{0}_time(id) >= TIMESTAMP '2024-06-04' AND {0}_time(id) < DATE '2024-06-05'", I::PREFIX),
        ];
        for array in id_arrays(&ids) {
            let found = array.data_type().clone();
            let (ctx, _folder) = table(array, MINUTES).await;
            for condition in &conditions {
                let (rows, groups) = run(&ctx, condition).await;
                assert_eq!(rows, MINUTES as i64, "{condition} of {found}");
                assert_eq!(groups, "10 total → 1", "{condition} of {found}");
            }
        }
    }
    every_specification!(Id => if Id::IN_TIME_ORDER {
        check::<Id>().await;
    });
}

#[tokio::test]
async fn an_id_of_a_text_prunes_row_groups() {
    let ids = ids::<Scru160>();
    let text = ids[3 * MINUTES].unwrap().to_string();
    for array in id_arrays(&ids) {
        let (ctx, _folder) = table(array, MINUTES).await;
        let (rows, groups) = run(&ctx, &format!("id = scru160_parse('{text}')")).await;
        assert_eq!((rows, groups.as_str()), (1, "10 total → 1"));
    }
}
