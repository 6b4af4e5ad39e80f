//! The end of queries that make no progress.

use crate::recovery::Record;
use ballista_core::{
    JobId, error::Result, extension::SessionConfigExt, serde::protobuf::task_status::Status as Task,
};
use ballista_scheduler::{
    scheduler_server::SchedulerServer,
    state::{execution_graph::ExecutionGraphBox, execution_stage::ExecutionStage},
};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

/// How often the queries are looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// Ends each query that makes no progress within `limit`. An executor that is silent for `executor_timeout` is dead.
pub(crate) async fn watch(
    server: SchedulerServer<LogicalPlanNode, PhysicalPlanNode>,
    record: Arc<Record>,
    limit: Duration,
    executor_timeout: Duration,
) {
    let mut queries: HashMap<JobId, (State, Instant)> = HashMap::new();
    loop {
        tokio::time::sleep(INTERVAL).await;
        if let Err(error) = look(&server, &record, limit, executor_timeout, &mut queries).await {
            log::warn!("the progress of the queries is not known: {error}");
        }
    }
}

async fn look(
    server: &SchedulerServer<LogicalPlanNode, PhysicalPlanNode>,
    record: &Record,
    limit: Duration,
    executor_timeout: Duration,
    queries: &mut HashMap<JobId, (State, Instant)>,
) -> Result<()> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let executors = server.state.executor_manager.get_executors_state().await?;
    let alive: HashSet<String> = executors
        .into_iter()
        .filter(|(_, seen, _)| seen.is_some_and(|seen| now.saturating_sub(seen) < executor_timeout))
        .map(|(executor, ..)| executor.id)
        .collect();

    let jobs = server.state.task_manager.get_running_job_cache();
    let mut found = vec![];
    for (job, info) in jobs.iter() {
        let graph = info.execution_graph.read().await;
        let error = error(&graph, limit, alive.is_empty());
        found.push((job.clone(), state(&graph), works(&graph, &alive), graph.available_tasks() > 0, error));
    }
    queries.retain(|job, _| jobs.contains_key(job));
    let cluster_works = found.iter().any(|(_, _, works, ..)| *works);
    for (job, state, works, has_tasks, error) in found {
        // A query with tasks that wait for a slot makes progress when others do.
        let moves =
            works || (has_tasks && cluster_works) || queries.get(&job).is_none_or(|(last, _)| *last != state);
        if moves {
            queries.insert(job, (state, Instant::now()));
        } else if queries.get(&job).is_some_and(|(_, since)| since.elapsed() >= limit) {
            log::error!("{job}: {error}");
            record.end(&job, error);
            server.cancel_job(job).await?;
        }
    }
    Ok(())
}

/// What changes when a query makes progress: for each stage its state, and how many of its tasks run, are done, or failed.
type State = BTreeMap<usize, (String, [usize; 3])>;

fn state(graph: &ExecutionGraphBox) -> State {
    let tasks = |stage: &ExecutionStage| {
        let mut counts = [0; 3];
        for task in stage.task_infos().unwrap_or_default() {
            counts[match task.task_status {
                Task::Running(_) => 0,
                Task::Successful(_) => 1,
                Task::Failed(_) => 2,
            }] += 1;
        }
        counts
    };
    graph.stages().iter().map(|(id, stage)| (*id, (stage.variant_name().to_owned(), tasks(stage)))).collect()
}

/// Whether an executor that is alive runs a task of the query. The task may take any time.
fn works(graph: &ExecutionGraphBox, alive: &HashSet<String>) -> bool {
    graph.stages().values().any(|stage| {
        matches!(stage, ExecutionStage::Running(_))
            && stage.task_infos().unwrap_or_default().iter().any(
                |task| matches!(&task.task_status, Task::Running(running) if alive.contains(&running.executor_id)),
            )
    })
}

/// Why a query that makes no progress is ended.
fn error(graph: &ExecutionGraphBox, limit: Duration, is_alone: bool) -> String {
    let open: Vec<_> = state(graph)
        .into_iter()
        .filter(|(_, (state, _))| state != "Successful")
        .map(|(id, _)| id.to_string())
        .collect();
    let what = if is_alone {
        "No executor is registered. Start one with `sortid-engine executor`, and run the query again"
    } else if graph.session_config().ballista_adaptive_query_planner_enabled() {
        "Ballista's adaptive planning cannot continue when an executor is lost. Run the query again after `SET \
         ballista.planner.adaptive.enabled = false`"
    } else {
        "Run the query again. The log of the scheduler has the reason (RUST_LOG=info)"
    };
    format!(
        "no progress for {} s (--progress-timeout): no executor works on the query, and {} of {} stages are not done ({}). \
         {what}",
        limit.as_secs(),
        open.len(),
        graph.stage_count(),
        open.join(", "),
    )
}
