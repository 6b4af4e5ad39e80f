//! `ledger_lines` travels in a plan.

use datafusion::{
    arrow::util::pretty::pretty_format_batches, physical_plan::collect, prelude::SessionContext,
};
use datafusion_proto::bytes::{
    logical_plan_from_bytes_with_extension_codec, logical_plan_to_bytes_with_extension_codec,
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use sortid_ballista::Extensions;
use std::fs;

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_with_ledger_lines_gives_the_same_after_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.ndjson", "{}\n[]\n"), ("b c.ndjson", "x"), ("d.txt", "y"), ("empty.ndjson", "")]
    {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let ctx = SessionContext::new();
    sortid_datafusion::register_all(&ctx);
    let folder = folder.path().display();
    let (logical, physical) = (Extensions::default().logical_codec(), Extensions::default().physical_codec());
    for sql in [
        format!("SELECT * FROM ledger_lines('{folder}/*.ndjson') ORDER BY file, number"),
        format!(
            "SELECT number + 1, line FROM ledger_lines('{folder}/d.txt', '{folder}/b c.ndjson') ORDER BY 2"
        ),
        format!("SELECT count(*) FROM ledger_lines('{folder}')"),
        format!(
            "SELECT file, ledger_verify(line, file, block, number) FROM ledger_lines('{folder}') GROUP BY file ORDER BY file"
        ),
    ] {
        let plan = ctx.sql(&sql).await.unwrap().into_unoptimized_plan();
        let task = ctx.task_ctx();
        let bytes = logical_plan_to_bytes_with_extension_codec(&plan, logical.as_ref()).unwrap();
        let travelled =
            logical_plan_from_bytes_with_extension_codec(&bytes, &task, logical.as_ref()).unwrap();
        let mut results = vec![];
        for plan in [plan, travelled] {
            let plan = ctx.state().create_physical_plan(&plan).await.unwrap();
            let bytes = physical_plan_to_bytes_with_extension_codec(plan.clone(), physical.as_ref()).unwrap();
            let travelled =
                physical_plan_from_bytes_with_extension_codec(&bytes, &task, physical.as_ref()).unwrap();
            for plan in [plan, travelled] {
                let batches = collect(plan, task.clone()).await.unwrap();
                results.push(pretty_format_batches(&batches).unwrap().to_string());
            }
        }
        assert!(results[0].lines().count() > 3, "{}", results[0]);
        assert!(results.iter().all(|result| *result == results[0]), "{sql}\n{}", results.join("\n"));
    }
}
