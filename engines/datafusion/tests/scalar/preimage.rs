//! A comparison of a time becomes a comparison of the ID. Both have the same results.

use crate::{
    arrays::{expected_times, id_arrays},
    pruning::{explain, table},
    specs::{Tested, every_specification, ids},
};
use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, RecordBatch},
        compute::cast,
        datatypes::{DataType, Field, Schema},
    },
    datasource::MemTable,
    prelude::SessionContext,
};
use sortid::UnixMicros;
use sortid::{ron_uid::RonUid, scru160::Scru160};
use sortid_columns::Column as _;
use std::sync::Arc;

/// A table with the columns `id` and `time`, where `time` is the time that the library returns.
fn memory<I: Tested>(ids: ArrayRef, times: ArrayRef) -> SessionContext {
    let ctx = SessionContext::new();
    sortid_datafusion::register_all(&ctx);
    let schema = Arc::new(Schema::new(vec![
        Field::new("id", ids.data_type().clone(), true),
        Field::new("time", times.data_type().clone(), true),
    ]));
    let batch = RecordBatch::try_new(schema.clone(), vec![ids, times]).unwrap();
    ctx.register_table("t", Arc::new(MemTable::try_new(schema, vec![vec![batch]]).unwrap())).unwrap();
    ctx
}

/// The number of rows for which a comparison of `time(id)` and the same comparison of `time` differ.
async fn differences(ctx: &SessionContext, function: &str, time: &str) -> usize {
    let operators = ["<", "<=", ">", ">=", "=", "<>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"];
    let differs = operators.map(|operator| {
        format!(
            "({function}(id) {operator} {time}) IS DISTINCT FROM (time {operator} {time})
            OR (NOT ({time} {operator} {function}(id))) IS DISTINCT FROM (NOT ({time} {operator} time))"
        )
    });
    let query = format!("SELECT * FROM t WHERE {}", differs.join(" OR "));
    ctx.sql(&query).await.unwrap().count().await.unwrap()
}

/// The first and the last ticks of the specification, ticks outside of it, and a few inside.
fn ticks<I: Tested>() -> Vec<i64> {
    let first = *I::TIMES.start() as i64 / I::MICROS;
    let last = i64::try_from(*I::TIMES.end()).unwrap_or(i64::MAX) / I::MICROS;
    let inside = (1_717_653_966_666_000 / I::MICROS).max(first);
    let mut ticks = vec![first, first + 1, inside - 1, inside, inside + 1, last - 1, last];
    ticks.extend(
        [first.checked_sub(1), last.checked_add(1), Some(i64::MIN), Some(i64::MAX), Some(-1)]
            .into_iter()
            .flatten(),
    );
    ticks
}

#[tokio::test]
async fn comparisons_of_times_have_the_results_of_the_times() {
    async fn check<I: Tested>() {
        let mut rows: Vec<Option<I>> = ids::<I>().into_iter().rev().take(200).map(Some).collect();
        for tick in ticks::<I>() {
            let micros = UnixMicros(i128::from(tick) * i128::from(I::MICROS));
            rows.extend([I::min_at(micros), I::max_at(micros)].into_iter().map(Result::ok));
        }
        rows.push(None);
        let unit = if I::MICROS == 1 { "Microsecond" } else { "Millisecond" };
        for array in id_arrays(&rows) {
            let found = array.data_type().clone();
            let ctx = memory::<I>(array, expected_times(&rows));
            for tick in ticks::<I>() {
                let time = format!("arrow_cast({tick}, 'Timestamp({unit}, \"+00:00\")')");
                let function = format!("{}_time", I::PREFIX);
                assert_eq!(differences(&ctx, &function, &time).await, 0, "{time} of {found}");
            }
        }
    }
    every_specification!(Id => check::<Id>().await);
}

#[tokio::test]
async fn only_columns_in_the_order_of_times_are_compared_as_ids() {
    let rows: Vec<Option<Scru160>> = ids().into_iter().rev().take(9).map(Some).collect();
    let fixed = id_arrays(&rows).swap_remove(0);
    let text: ArrayRef = crate::arrays::text_arrays(&rows).swap_remove(0);
    let dictionary =
        cast(&fixed, &DataType::Dictionary(DataType::Int32.into(), fixed.data_type().clone().into()));
    for (array, is_rewritten) in [(fixed, true), (text, false), (dictionary.unwrap(), false)] {
        let ctx = memory::<Scru160>(array, expected_times(&rows));
        let plan = explain(&ctx, "EXPLAIN SELECT * FROM t WHERE scru160_time(id) >= '2024-06-01'").await;
        assert_eq!(!plan.contains("scru160_time"), is_rewritten, "{plan}");
    }
    // No ID is after the last time, so the last time has no range with an end.
    for (millis, is_rewritten) in [(-1, true), (0, true), ((1_i64 << 48) - 1, false)] {
        let time = format!("arrow_cast({millis}, 'Timestamp(Millisecond, \"+00:00\")')");
        let ctx = memory::<Scru160>(id_arrays(&[rows[0]]).swap_remove(0), expected_times(&[rows[0]]));
        let plan = explain(&ctx, &format!("EXPLAIN SELECT * FROM t WHERE scru160_time(id) >= {time}")).await;
        assert_eq!(!plan.contains("scru160_time"), is_rewritten, "{plan}");
    }
    let rows: Vec<Option<RonUid>> = ids().into_iter().rev().take(9).map(Some).collect();
    let ctx = memory::<RonUid>(id_arrays(&rows).swap_remove(0), expected_times(&rows));
    let plan = explain(&ctx, "EXPLAIN SELECT * FROM t WHERE ron_uid_time(id) >= '2024-06-01'").await;
    assert!(plan.contains("ron_uid_time"), "{plan}");
}

#[tokio::test]
async fn times_of_ids_in_order_are_not_sorted() {
    async fn check<I: Tested>(is_ordered: bool) {
        let mut ids: Vec<I> = ids::<I>().into_iter().rev().take(200).collect();
        ids.sort_by_key(|id| id.as_bytes().to_vec());
        let ids: Vec<_> = ids.into_iter().map(Some).collect();
        let arrays = id_arrays(&ids).into_iter().map(|array| (array, is_ordered));
        for (array, is_ordered) in arrays.chain([(crate::arrays::text_arrays(&ids).swap_remove(0), false)]) {
            let (ctx, folder) = table(array, 1000).await;
            let create = format!(
                "CREATE EXTERNAL TABLE o STORED AS PARQUET WITH ORDER (id ASC) LOCATION '{}'",
                folder.path().join("t.parquet").display()
            );
            ctx.sql(&create).await.unwrap();
            let query = format!("SELECT {0}_time(id) AS time FROM o ORDER BY {0}_time(id)", I::PREFIX);
            let plan = explain(&ctx, &format!("EXPLAIN {query}")).await;
            assert_eq!(!plan.contains("SortExec"), is_ordered, "{plan}");
            let sorted = ctx.sql(&query).await.unwrap().collect().await.unwrap();
            let times: Vec<_> = sorted
                .iter()
                .map(|batch| cast(batch.column(0), &DataType::Int64).unwrap())
                .flat_map(|times| {
                    times
                        .as_primitive::<datafusion::arrow::datatypes::Int64Type>()
                        .iter()
                        .flatten()
                        .collect::<Vec<_>>()
                })
                .collect();
            assert!(times.is_sorted());
        }
    }
    every_specification!(Id => check::<Id>(Id::IN_TIME_ORDER).await);
}

#[tokio::test]
async fn bounds_compare_with_columns_of_every_type_in_memory() {
    let mut rows: Vec<Option<Scru160>> = ids().into_iter().rev().take(9).map(Some).collect();
    rows.sort();
    let bound = format!("scru160_parse('{}')", rows[4].unwrap());
    let mut arrays = id_arrays(&rows);
    let fixed = arrays[0].data_type().clone();
    arrays.push(cast(&arrays[0], &DataType::Dictionary(DataType::Int32.into(), fixed.into())).unwrap());
    for array in arrays {
        // The engine does not compare this type with a `FixedSizeBinary`.
        let bound = match array.data_type() {
            DataType::LargeBinary => format!("arrow_cast({bound}, 'LargeBinary')"),
            _ => bound.clone(),
        };
        let ctx = memory::<Scru160>(array, expected_times(&rows));
        let found =
            ctx.sql(&format!("SELECT * FROM t WHERE id >= {bound}")).await.unwrap().count().await.unwrap();
        assert_eq!(found, 5, "{bound}");
    }
}
