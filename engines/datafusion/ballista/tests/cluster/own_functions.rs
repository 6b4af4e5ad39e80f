//! Functions that only some members of a cluster have.

use crate::{engine, process::Process, start_executor, start_scheduler};
use datafusion::{
    arrow::{
        array::{AsArray, Int64Array},
        datatypes::{DataType, Int64Type},
        util::pretty::pretty_format_batches,
    },
    error::Result,
    execution::context::SessionContext,
    logical_expr::{
        Accumulator, AggregateUDF, ColumnarValue, ScalarUDF, Volatility, create_udaf, create_udf,
    },
    scalar::ScalarValue,
};
use sortid_ballista::{Executor, ExecutorOptions, Extensions, Scheduler, SchedulerOptions};
use std::{env, path::Path, process::Command, sync::Arc};

/// Set for a process that is a member of a cluster with `own()`: `scheduler`, or the address of one.
const MEMBER: &str = "SORTID_TEST_MEMBER";

/// The functions `own_twice` and `own_total`.
fn own() -> Extensions {
    Extensions::default().with_scalar(twice()).with_aggregate(total())
}

fn twice() -> ScalarUDF {
    let twice = |args: &[ColumnarValue]| {
        let numbers = args[0].to_array(1)?;
        let twice: Int64Array = numbers.as_primitive::<Int64Type>().unary(|number| 2 * number);
        Ok(ColumnarValue::Array(Arc::new(twice)))
    };
    create_udf("own_twice", vec![DataType::Int64], DataType::Int64, Volatility::Immutable, Arc::new(twice))
}

fn total() -> AggregateUDF {
    create_udaf(
        "own_total",
        vec![DataType::Int64],
        Arc::new(DataType::Int64),
        Volatility::Immutable,
        Arc::new(|_| Ok(Box::new(Total(0)))),
        Arc::new(vec![DataType::Int64]),
    )
}

#[derive(Debug)]
struct Total(i64);

impl Accumulator for Total {
    fn update_batch(&mut self, values: &[datafusion::arrow::array::ArrayRef]) -> Result<()> {
        self.0 += values[0].as_primitive::<Int64Type>().iter().flatten().sum::<i64>();
        Ok(())
    }

    fn merge_batch(&mut self, states: &[datafusion::arrow::array::ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(self.0.into())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.0.into()])
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// A user's own binary: the tests below start it as a process, with the role in an environment variable.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the process of a scheduler or an executor of other tests"]
async fn a_member_with_own_functions_runs() {
    let Ok(member) = env::var(MEMBER) else { return };
    if member == "scheduler" {
        let options = SchedulerOptions { port: 0, extensions: own(), ..Default::default() };
        let scheduler = Scheduler::bind(options).await.expect("binds");
        println!("listening on {}", scheduler.address());
        scheduler.run().await.expect("runs");
    } else {
        let options = ExecutorOptions {
            scheduler: member,
            port: 0,
            grpc_port: 0,
            extensions: own(),
            ..Default::default()
        };
        let executor = Executor::bind(options).await.expect("binds");
        println!("listening on {}", executor.address());
        executor.run().await.expect("runs");
    }
}

fn start_member(dir: &Path, member: &str) -> Process {
    let mut command = Command::new(env::current_exe().expect("path"));
    command
        .args(["--ignored", "--exact", "own_functions::a_member_with_own_functions_runs", "--nocapture"])
        .env(MEMBER, member);
    Process::start(&mut command, dir, if member == "scheduler" { member } else { "executor" })
}

async fn query(context: &SessionContext, dir: &Path) -> Result<String> {
    let file = dir.join("numbers.csv");
    std::fs::write(&file, "a\n1\n2\n3\n").expect("file");
    let statement = format!("CREATE EXTERNAL TABLE numbers STORED AS CSV LOCATION '{}'", file.display());
    context.sql(&statement).await?;
    let query = "SELECT own_total(own_twice(a)) AS total FROM numbers WHERE own_twice(a) > 2";
    Ok(pretty_format_batches(&context.sql(query).await?.collect().await?)?.to_string())
}

#[tokio::test]
async fn functions_of_a_user_run_on_a_cluster() {
    let dir = tempfile::tempdir().expect("directory");
    let mut scheduler = start_member(dir.path(), "scheduler");
    let port = scheduler.port();
    let mut executor = start_member(dir.path(), &format!("localhost:{port}"));
    executor.port();

    let local = query(&own().local().expect("context"), dir.path()).await.expect("result");
    assert!(local.contains("| 10 "), "{local}");
    let context = own().connect(&format!("df://localhost:{port}")).await.expect("connects");
    assert_eq!(query(&context, dir.path()).await.expect("result"), local);
}

#[tokio::test]
async fn the_error_of_a_query_names_the_functions_that_an_executor_lacks() {
    let dir = tempfile::tempdir().expect("directory");
    let mut scheduler = start_member(dir.path(), "scheduler");
    let port = scheduler.port();
    let executor = start_executor(dir.path(), "executor", port);

    let context = own().connect(&format!("df://localhost:{port}")).await.expect("connects");
    let error = query(&context, dir.path()).await.expect_err("unknown function").to_string();
    assert!(
        error.contains("an executor could not decode the query. The query uses own_total, own_twice"),
        "{error}"
    );
    assert!(error.contains("Start all executors"), "{error}");
    // As the error says.
    assert!(executor.log().contains("failed to decode tasks"), "{}", executor.log());
}

#[tokio::test]
async fn the_error_of_a_query_names_the_functions_that_the_scheduler_lacks() {
    let dir = tempfile::tempdir().expect("directory");
    let (_scheduler, port) = start_scheduler(dir.path());
    let context = own().connect(&format!("df://localhost:{port}")).await.expect("connects");
    let error = query(&context, dir.path()).await.expect_err("unknown function").to_string();
    assert!(
        error.contains(&format!("the scheduler at localhost:{port} or an executor lacks a function")),
        "{error}"
    );
    assert!(error.contains("uses own_total, own_twice"), "{error}");
}

#[tokio::test]
async fn the_error_of_a_query_says_that_the_scheduler_is_gone() {
    let dir = tempfile::tempdir().expect("directory");
    let (scheduler, port) = start_scheduler(dir.path());
    let context = own().connect(&format!("df://localhost:{port}")).await.expect("connects");
    drop(scheduler);
    let error = query(&context, dir.path()).await.expect_err("no scheduler").to_string();
    assert!(error.contains(&format!("expected a scheduler at localhost:{port}")), "{error}");
}

#[test]
fn a_client_without_a_function_fails_at_once() {
    let output = engine(&["sql", "SELECT own_twice(1)"]).output().expect("runs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("Invalid function 'own_twice'"));
}
