//! What several test files use.
#![allow(dead_code, reason = "each test file uses a part of it")]

#[path = "../../../../crates/evently-ledger/tests/it/common/damage.rs"]
pub(crate) mod damage;
#[path = "../../../../crates/evently-ledger/tests/it/common/ledger.rs"]
pub(crate) mod ledger;

use datafusion::{
    arrow::{
        array::RecordBatch,
        json::{WriterBuilder, writer::LineDelimited},
    },
    prelude::{SessionConfig, SessionContext},
};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// A session with all functions, which cuts every file.
pub(crate) fn context() -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(4).with_repartition_file_min_size(1);
    let ctx = SessionContext::new_with_config(config);
    sortid_datafusion::register_all(&ctx);
    ctx
}

pub(crate) async fn batches(ctx: &SessionContext, sql: &str) -> Vec<RecordBatch> {
    let frame = ctx.sql(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    frame.collect().await.unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The rows as JSON objects.
pub(crate) async fn rows(ctx: &SessionContext, sql: &str) -> Vec<Value> {
    let mut writer = WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(vec![]);
    for batch in batches(ctx, sql).await {
        writer.write(&batch).unwrap();
    }
    writer.finish().unwrap();
    let text = String::from_utf8(writer.into_inner()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) async fn error(ctx: &SessionContext, sql: &str) -> String {
    match ctx.sql(sql).await {
        Err(error) => error.to_string(),
        Ok(frame) => frame.collect().await.expect_err(sql).to_string(),
    }
}

/// The program `sortid`, built from the same tree.
pub(crate) static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--locked", "--package", "sortid-cli"]).current_dir(&root);
    // These variables are about this workspace, not about the other one.
    build.env_remove("CARGO_TARGET_DIR").env_remove("RUSTC_WORKSPACE_WRAPPER");
    assert!(build.status().unwrap().success());
    root.join("target/debug/sortid")
});

/// What the program prints about a ledger in these files.
pub(crate) fn program(files: &[impl AsRef<std::ffi::OsStr>]) -> Value {
    let output = Command::new(&*PROGRAM)
        .args(["ledger", "verify", "--json", "--all-faults", "--"])
        .args(files)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}
