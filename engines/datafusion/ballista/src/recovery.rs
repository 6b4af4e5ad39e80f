//! What Ballista's scheduler keeps of executors and queries, corrected where the loss of an executor leaves it wrong.
//!
//! Ballista takes back a stage whose input is lost, and runs it again. It then
//!
//! - keeps what the tasks of the first run have written as part of the result, so rows occur twice,
//! - never gives back the slots of the tasks that it cancels, so a query waits for ever for a free one.

use ballista_core::{
    JobId, JobStatusSubscriber,
    error::Result,
    serde::{
        protobuf::{
            ExecutorHeartbeat, FailedJob, FailedTask, JobStatus, ResultLost, SuccessfulJob,
            failed_task::FailedReason, job_status::Status as Job, task_status::Status as Task,
        },
        scheduler::{ExecutorData, ExecutorMetadata},
    },
};
use ballista_scheduler::{
    cluster::{
        BallistaCluster, BoundTask, ClusterState, ClusterStateEventStream, ExecutorSlot, JobState,
        JobStateEventStream,
    },
    config::TaskDistributionPolicy,
    planner::{remove_unresolved_shuffles, rollback_resolved_shuffles},
    state::{
        execution_graph::{ExecutionGraphBox, create_task_info},
        execution_stage::{ExecutionStage, TaskInfo},
        task_manager::JobInfoCache,
    },
};
use datafusion::execution::context::{SessionConfig, SessionContext};
use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

/// The state of `cluster`, corrected.
pub(crate) fn correct(cluster: &BallistaCluster, record: &Arc<Record>) -> BallistaCluster {
    let executors =
        Executors { inner: cluster.cluster_state(), slots: Default::default(), record: Arc::clone(record) };
    let jobs = Jobs { inner: cluster.job_state(), record: Arc::clone(record) };
    BallistaCluster::new(Arc::new(executors), Arc::new(jobs))
}

/// How many lost executors are recorded.
const RECORDED: usize = 100;

/// What the errors of queries explain.
#[derive(Default)]
pub(crate) struct Record {
    lost: Mutex<Vec<Lost>>,
    /// Why a query was ended.
    ended: Mutex<HashMap<JobId, String>>,
}

/// An executor that is no longer there.
struct Lost {
    id: String,
    address: String,
    at: SystemTime,
}

impl Record {
    fn lose(&self, executor: &ExecutorMetadata) {
        let lost = Lost {
            id: executor.id.clone(),
            address: format!("{}:{}", executor.host, executor.port),
            at: SystemTime::now(),
        };
        let mut all = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == RECORDED {
            all.remove(0);
        }
        all.push(lost);
    }

    /// Sets the reason that the client of a query that is cancelled reads.
    pub(crate) fn end(&self, job: &JobId, reason: String) {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).insert(job.clone(), reason);
    }

    /// `error`, or why the scheduler ended the query, and the executors that were lost since `start`, in milliseconds.
    fn explain(&self, job: &JobId, error: &str, start: u64) -> String {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).remove(job);
        let mut text = ended.unwrap_or_else(|| error.trim_end().to_owned());
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        for lost in lost.iter().filter(|lost| milliseconds(lost.at) >= start) {
            // A text has room.
            let _ =
                write!(text, "\nThe executor at {} was lost while the query ran ({})", lost.address, lost.id);
        }
        text
    }
}

fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The executors, and the slots that are free.
struct Executors {
    inner: Arc<dyn ClusterState>,
    slots: tokio::sync::Mutex<Slots>,
    record: Arc<Record>,
}

#[derive(Default)]
struct Slots {
    /// What `Executors::inner` counts.
    executors: HashMap<String, Free>,
    /// For each stage of the running queries, the number that no task has had.
    next_task: HashMap<(JobId, usize), usize>,
}

struct Free {
    total: u32,
    free: u32,
}

#[async_trait::async_trait]
impl ClusterState for Executors {
    async fn bind_schedulable_tasks(
        &self,
        distribution: TaskDistributionPolicy,
        active_jobs: Arc<HashMap<JobId, JobInfoCache>>,
        executors: Option<HashSet<String>>,
    ) -> Result<Vec<BoundTask>> {
        let mut slots = self.slots.lock().await;
        slots.next_task.retain(|(job, _), _| active_jobs.contains_key(job));
        let mut used: HashMap<String, u32> = HashMap::new();
        for (job, info) in active_jobs.iter() {
            let mut graph = info.execution_graph.write().await;
            prepare_stages_that_run_again(job, &mut graph, &slots.next_task)?;
            for task in graph.stages().values().filter_map(ExecutionStage::task_infos).flatten() {
                if let Task::Running(running) = &task.task_status {
                    *used.entry(running.executor_id.clone()).or_default() += task.vcores_consumed;
                }
            }
        }
        let mut forgotten = vec![];
        for (id, executor) in &mut slots.executors {
            let free = executor.total.saturating_sub(used.get(id).copied().unwrap_or_default());
            if free > executor.free {
                forgotten.push((id.clone(), free - executor.free));
                executor.free = free;
            }
        }
        self.inner.unbind_tasks(forgotten).await?;

        let bound = self.inner.bind_schedulable_tasks(distribution, active_jobs, executors).await?;
        for (id, task) in &bound {
            if let Some(executor) = slots.executors.get_mut(id) {
                executor.free = executor.free.saturating_sub(task.vcores_consumed);
            }
            let next = slots.next_task.entry((task.key.job_id.clone(), task.key.stage_id)).or_default();
            *next = (*next).max(task.key.task_id + 1);
        }
        Ok(bound)
    }

    async fn unbind_tasks(&self, executor_slots: Vec<ExecutorSlot>) -> Result<()> {
        let mut slots = self.slots.lock().await;
        let mut given_back = vec![];
        for (id, count) in executor_slots {
            if let Some(executor) = slots.executors.get_mut(&id) {
                let count = count.min(executor.total - executor.free);
                executor.free += count;
                given_back.push((id, count));
            }
        }
        self.inner.unbind_tasks(given_back).await
    }

    async fn register_executor(&self, metadata: ExecutorMetadata, data: ExecutorData) -> Result<()> {
        let mut slots = self.slots.lock().await;
        let free = Free { total: data.total_vcores, free: data.available_vcores };
        let id = metadata.id.clone();
        self.inner.register_executor(metadata, data).await?;
        slots.executors.insert(id, free);
        Ok(())
    }

    async fn remove_executor(&self, executor_id: &str) -> Result<()> {
        self.slots.lock().await.executors.remove(executor_id);
        if let Ok(executor) = self.inner.get_executor_metadata(executor_id).await {
            self.record.lose(&executor);
        }
        self.inner.remove_executor(executor_id).await
    }

    async fn init(&self) -> Result<()> {
        self.inner.init().await
    }

    async fn save_executor_metadata(&self, metadata: ExecutorMetadata) -> Result<()> {
        self.inner.save_executor_metadata(metadata).await
    }

    async fn get_executor_metadata(&self, executor_id: &str) -> Result<ExecutorMetadata> {
        self.inner.get_executor_metadata(executor_id).await
    }

    async fn registered_executor_metadata(&self) -> Vec<ExecutorMetadata> {
        self.inner.registered_executor_metadata().await
    }

    async fn save_executor_heartbeat(&self, heartbeat: ExecutorHeartbeat) -> Result<()> {
        self.inner.save_executor_heartbeat(heartbeat).await
    }

    fn executor_heartbeats(&self) -> HashMap<String, ExecutorHeartbeat> {
        self.inner.executor_heartbeats()
    }

    fn get_executor_heartbeat(&self, executor_id: &str) -> Option<ExecutorHeartbeat> {
        self.inner.get_executor_heartbeat(executor_id)
    }

    async fn cluster_state_events(&self) -> Result<ClusterStateEventStream> {
        self.inner.cluster_state_events().await
    }
}

/// The queries.
struct Jobs {
    inner: Arc<dyn JobState>,
    record: Arc<Record>,
}

impl Jobs {
    /// The status of a query that has ended, if it has to differ from Ballista's.
    fn status(&self, job: &JobId, graph: &ExecutionGraphBox) -> Option<JobStatus> {
        let mut status = graph.status().clone();
        match &mut status.status {
            Some(Job::Successful(SuccessfulJob { partition_location, .. })) if ran_again(graph) => {
                let last = graph.stages().values().find(|stage| stage.output_links().is_empty())?;
                let written = written(last.task_infos()?);
                partition_location.retain(|location| {
                    location.partition_id.as_ref().zip(location.executor_meta.as_ref()).is_some_and(
                        |(id, executor)| {
                            let part = (
                                location.map_partition_id as usize,
                                executor.id.as_str(),
                                id.partition_id as usize,
                            );
                            written.contains(&part)
                        },
                    )
                });
            }
            Some(Job::Failed(FailedJob { error, started_at, .. })) => {
                *error = self.record.explain(job, error, *started_at);
            }
            _ => return None,
        }
        Some(status)
    }
}

#[async_trait::async_trait]
impl JobState for Jobs {
    async fn save_job(&self, job_id: &JobId, graph: &ExecutionGraphBox) -> Result<()> {
        let Some(status) = self.status(job_id, graph) else {
            return self.inner.save_job(job_id, graph).await;
        };
        let mut graph = graph.cloned();
        graph.update_status(status);
        self.inner.save_job(job_id, &graph).await
    }

    fn accept_job(&self, job_id: &JobId, job_name: &str, queued_at: u64) -> Result<()> {
        self.inner.accept_job(job_id, job_name, queued_at)
    }

    fn pending_job_number(&self) -> usize {
        self.inner.pending_job_number()
    }

    async fn submit_job(
        &self,
        job_id: JobId,
        graph: &ExecutionGraphBox,
        subscriber: Option<JobStatusSubscriber>,
    ) -> Result<()> {
        self.inner.submit_job(job_id, graph, subscriber).await
    }

    async fn get_jobs(&self) -> Result<HashSet<JobId>> {
        self.inner.get_jobs().await
    }

    async fn get_all_jobs(&self) -> Result<HashSet<JobId>> {
        self.inner.get_all_jobs().await
    }

    async fn get_job_status(&self, job_id: &JobId) -> Result<Option<JobStatus>> {
        self.inner.get_job_status(job_id).await
    }

    async fn get_execution_graph(&self, job_id: &JobId) -> Result<Option<ExecutionGraphBox>> {
        self.inner.get_execution_graph(job_id).await
    }

    async fn fail_unscheduled_job(&self, job_id: &JobId, reason: String) -> Result<()> {
        self.inner.fail_unscheduled_job(job_id, reason).await
    }

    async fn remove_job(&self, job_id: &JobId) -> Result<()> {
        self.inner.remove_job(job_id).await
    }

    async fn try_acquire_job(&self, job_id: &JobId) -> Result<Option<ExecutionGraphBox>> {
        self.inner.try_acquire_job(job_id).await
    }

    async fn job_state_events(&self) -> Result<JobStateEventStream> {
        self.inner.job_state_events().await
    }

    async fn create_or_update_session(
        &self,
        session_id: &str,
        config: &SessionConfig,
    ) -> Result<Arc<SessionContext>> {
        self.inner.create_or_update_session(session_id, config).await
    }

    async fn remove_session(&self, session_id: &str) -> Result<()> {
        self.inner.remove_session(session_id).await
    }

    fn produce_config(&self) -> SessionConfig {
        self.inner.produce_config()
    }
}

/// A partition that a task has written: the task, its executor, and the partition.
type Part<'a> = (usize, &'a str, usize);

/// The parts that the tasks of a stage have written and that are not lost.
fn written(tasks: &[TaskInfo]) -> HashSet<Part<'_>> {
    let mut parts = HashSet::new();
    for task in tasks {
        if let Task::Successful(done) = &task.task_status {
            parts.extend(
                done.partitions
                    .iter()
                    .map(|part| (task.task_id, done.executor_id.as_str(), part.partition_id as usize)),
            );
        }
    }
    parts
}

/// Whether tasks of a query ran more than once.
fn ran_again(graph: &ExecutionGraphBox) -> bool {
    graph.stages().values().any(|stage| {
        let attempt = match stage {
            ExecutionStage::UnResolved(stage) => stage.stage_attempt_num,
            ExecutionStage::Resolved(stage) => stage.stage_attempt_num,
            ExecutionStage::Running(stage) => stage.stage_attempt_num,
            ExecutionStage::Successful(stage) => stage.stage_attempt_num,
            ExecutionStage::Failed(stage) => stage.stage_attempt_num,
        };
        let failed = |task: &TaskInfo| matches!(task.task_status, Task::Failed(_));
        attempt > 0 || stage.task_infos().is_some_and(|tasks| tasks.iter().any(failed))
    })
}

/// Prepares the stages that begin again: their tasks read what the stages before them have written last, and have
/// numbers that no task has had, because files are named by these numbers.
fn prepare_stages_that_run_again(
    job: &JobId,
    graph: &mut ExecutionGraphBox,
    next_task: &HashMap<(JobId, usize), usize>,
) -> Result<()> {
    let begins = |stage: &ExecutionStage| match stage {
        ExecutionStage::Resolved(_) => true,
        ExecutionStage::Running(stage) => stage.task_infos.is_empty(),
        _ => false,
    };
    if !ran_again(graph) || !graph.stages().values().any(begins) {
        return Ok(());
    }
    let before = graph.cloned();
    let mut seen = vec![];
    while let Some(stage) = graph.fetch_running_stage(&seen) {
        seen.push(stage.stage_id);
        if !stage.task_infos.is_empty() {
            continue;
        }
        let taken = next_task.get(&(job.clone(), stage.stage_id)).copied().unwrap_or_default();
        stage.task_infos.extend((0..taken).map(lost_task));

        let mut changed = false;
        for (input, output) in &mut stage.inputs {
            let Some(ExecutionStage::Successful(input)) = before.stages().get(input) else { continue };
            let written = written(&input.task_infos);
            for (partition, locations) in &mut output.partition_locations {
                let count = locations.len();
                locations.retain(|location| {
                    written.contains(&(location.map_partition_id, &location.executor_meta.id, *partition))
                });
                changed |= locations.len() < count;
            }
        }
        if changed {
            let locations =
                stage.inputs.iter().map(|(id, output)| (*id, output.partition_locations.clone())).collect();
            stage.plan =
                remove_unresolved_shuffles(rollback_resolved_shuffles(stage.plan.clone())?, &locations)?;
        }
    }
    Ok(())
}

/// Stands for a task of an earlier run of its stage.
fn lost_task(task_id: usize) -> TaskInfo {
    let status = FailedTask {
        error: "its stage ran again".into(),
        retryable: true,
        count_to_failures: false,
        failed_reason: Some(FailedReason::ResultLost(ResultLost {})),
    };
    TaskInfo { task_status: Task::Failed(status), ..create_task_info(String::new(), task_id) }
}
