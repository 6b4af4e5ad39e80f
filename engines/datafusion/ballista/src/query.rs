//! Queries on a cluster: their errors name the reason, a query whose result is lost runs again, and a query whose result
//! is dropped is cancelled.

use ballista_core::{
    JobId,
    execution_plans::DistributedQueryExec,
    extension::SessionConfigExt,
    planner::BallistaQueryPlanner,
    registry::BallistaFunctionRegistry,
    serde::protobuf::{CancelJobParams, scheduler_grpc_client::SchedulerGrpcClient},
};
use datafusion::{
    arrow::{array::RecordBatch, datatypes::SchemaRef},
    catalog::Session,
    common::tree_node::{TreeNode, TreeNodeRecursion},
    error::{DataFusionError, Result},
    execution::{RecordBatchStream, TaskContext, context::QueryPlanner},
    logical_expr::{Expr, LogicalPlan},
    physical_expr::PhysicalExpr,
    physical_plan::{
        DisplayAs, DisplayFormatType, EmptyRecordBatchStream, ExecutionPlan, PlanProperties,
        SendableRecordBatchStream, metrics::MetricsSet,
    },
};
use datafusion_proto::{logical_plan::LogicalExtensionCodec, protobuf::LogicalPlanNode};
use futures::{Stream, StreamExt, ready};
use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};
use tokio::runtime::Handle;

/// Ballista's planner, for [`Query`].
#[derive(Debug)]
pub(crate) struct Planner {
    scheduler: String,
    codec: Arc<dyn LogicalExtensionCodec>,
}

impl Planner {
    /// `scheduler` is `HOST:PORT`.
    pub(crate) fn new(scheduler: &str, codec: Arc<dyn LogicalExtensionCodec>) -> Self {
        Self { scheduler: scheduler.to_owned(), codec }
    }
}

#[async_trait::async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let planner = BallistaQueryPlanner::<LogicalPlanNode>::with_extension(
            format!("http://{}", self.scheduler),
            session.config().ballista_config(),
            Arc::clone(&self.codec),
        );
        let inner = planner.create_physical_plan(plan, session).await?;
        // Other plans are about the catalog, and run here.
        if !inner.name().starts_with("Distributed") {
            return Ok(inner);
        }
        let reasons = Arc::new(Reasons { scheduler: self.scheduler.clone(), functions: functions(plan)? });
        let writes = matches!(plan, LogicalPlan::Copy(_) | LogicalPlan::Dml(_) | LogicalPlan::Ddl(_));
        Ok(Arc::new(Query { inner, reasons, attempts: if writes { 1 } else { ATTEMPTS } }))
    }
}

/// How often a query runs that only reads, if executors are lost before its first row is given out.
const ATTEMPTS: usize = 4;

/// How many bytes of a result are held back, so that the query can run again.
const HELD: usize = 64 << 20;

/// A query on the cluster.
#[derive(Debug)]
struct Query {
    inner: Arc<dyn ExecutionPlan>,
    reasons: Arc<Reasons>,
    attempts: usize,
}

impl DisplayAs for Query {
    fn fmt_as(&self, t: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt_as(t, f)
    }
}

impl ExecutionPlan for Query {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.inner.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![]
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.inner.apply_expressions(f)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let stream = self.inner.execute(partition, Arc::clone(&context));
        Ok(Box::pin(Rows {
            stream: stream.map_err(|error| self.reasons.explain(error))?,
            query: Arc::clone(&self.inner),
            reasons: Arc::clone(&self.reasons),
            partition,
            context,
            attempts: self.attempts - 1,
            earlier: None,
            held: VecDeque::new(),
            bytes: 0,
            state: State::Held,
        }))
    }

    fn downcast_delegate(&self) -> Option<&dyn ExecutionPlan> {
        Some(self.inner.as_ref())
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.inner.metrics()
    }
}

/// The result of a query. The query is cancelled if the result is dropped before its end.
struct Rows {
    stream: SendableRecordBatchStream,
    query: Arc<dyn ExecutionPlan>,
    reasons: Arc<Reasons>,
    partition: usize,
    context: Arc<TaskContext>,
    /// How often the query can run again.
    attempts: usize,
    /// The number of the run before.
    earlier: Option<JobId>,
    /// Rows that are not given out.
    held: VecDeque<RecordBatch>,
    bytes: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// No row was given out.
    Held,
    Given,
    Ended,
}

impl Rows {
    fn number(&self) -> Option<JobId> {
        self.query.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>()?.job_id()
    }

    /// Runs the query again if `error` is about an executor that is lost, and nobody has seen a row.
    fn again(&mut self, error: DataFusionError) -> Result<()> {
        let text = error.to_string();
        if !is_lost(&text) {
            return Err(self.reasons.explain(error));
        }
        if self.state == State::Given {
            return Err(DataFusionError::Execution(format!(
                "an executor was lost, and with it the rest of the result. Rows were given out before, so run the \
                 query again.\nThe cluster says: {text}"
            )));
        }
        if self.attempts == 0 {
            return Err(self.reasons.explain(error));
        }
        log::warn!("the query runs again: {text}");
        self.attempts -= 1;
        self.earlier = self.number();
        self.held.clear();
        self.bytes = 0;
        self.stream = self.query.execute(self.partition, Arc::clone(&self.context))?;
        Ok(())
    }
}

impl Stream for Rows {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if self.state != State::Held
                && let Some(batch) = self.held.pop_front()
            {
                return Poll::Ready(Some(Ok(batch)));
            }
            if self.state == State::Ended {
                return Poll::Ready(None);
            }
            match ready!(self.stream.poll_next_unpin(context)) {
                Some(Ok(batch)) => {
                    self.bytes += batch.get_array_memory_size();
                    self.held.push_back(batch);
                    if self.bytes > HELD {
                        self.state = State::Given;
                    }
                }
                Some(Err(error)) => {
                    if let Err(error) = self.again(error) {
                        self.held.clear();
                        self.state = State::Ended;
                        return Poll::Ready(Some(Err(error)));
                    }
                }
                None => self.state = State::Ended,
            }
        }
    }
}

impl RecordBatchStream for Rows {
    fn schema(&self) -> SchemaRef {
        self.stream.schema()
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        if self.state == State::Ended {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return };
        let empty = Box::pin(EmptyRecordBatchStream::new(self.schema()));
        let mut stream = std::mem::replace(&mut self.stream, empty);
        let (query, scheduler) = (Arc::clone(&self.query), format!("http://{}", self.reasons.scheduler));
        let earlier = self.earlier.take();
        let under_way = UnderWay::new();
        runtime.spawn(async move {
            let _under_way = under_way;
            let Some(query) = query.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>() else { return };
            // The query may be on its way to the scheduler, which then answers with a number.
            loop {
                if let Some(job) = query.job_id().filter(|job| Some(job) != earlier.as_ref()) {
                    return cancel(scheduler, job.to_string()).await;
                }
                match tokio::time::timeout(Duration::from_millis(10), stream.next()).await {
                    Ok(Some(Ok(_))) | Err(_) => {}
                    Ok(_) => return,
                }
            }
        });
    }
}

/// How many queries are being cancelled.
static CANCELLING: AtomicUsize = AtomicUsize::new(0);

/// A query that is being cancelled.
struct UnderWay;

impl UnderWay {
    fn new() -> Self {
        CANCELLING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        CANCELLING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Waits until the scheduler knows of all queries whose results were dropped before their end, or cannot be reached.
///
/// A program that ends earlier does not cancel these queries.
pub async fn cancellations() {
    while CANCELLING.load(Ordering::SeqCst) > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn cancel(scheduler: String, job_id: String) {
    let cancelled = match SchedulerGrpcClient::connect(scheduler).await {
        Ok(mut client) => client.cancel_job(CancelJobParams { job_id }).await.map_err(|e| e.to_string()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = cancelled {
        log::warn!("the query was not cancelled on the cluster: {error}");
    }
}

/// Whether the text of an error is about a connection to an executor or to the scheduler.
fn is_lost(text: &str) -> bool {
    [
        "transport error",
        "transport::Error",
        "FetchFailed",
        "GrpcConnectionError",
        "GrpcActionError",
        "h2 protocol error",
    ]
    .iter()
    .any(|part| text.contains(part))
}

/// What an error of this query may be about.
#[derive(Debug)]
struct Reasons {
    scheduler: String,
    /// Functions that Ballista lacks.
    functions: BTreeSet<String>,
}

impl Reasons {
    fn explain(&self, error: DataFusionError) -> DataFusionError {
        let text = error.to_string();
        let functions = || self.functions.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let explanation = if text.contains("rejected by executor") {
            if self.functions.is_empty() {
                "an executor could not decode the query. Its log has the reason (`failed to decode tasks`). Start all \
                 executors from the same program"
                    .to_owned()
            } else {
                format!(
                    "an executor could not decode the query. The query uses {}, which Ballista does not have, so the \
                     executor probably lacks these functions. Start all executors with `sortid-engine executor`, or \
                     from a program that adds the same functions. The log of the executor has the name \
                     (`failed to decode tasks`)",
                    functions()
                )
            }
        } else if (text.contains("There is no UD") || text.contains("is not provided for"))
            && !self.functions.is_empty()
        {
            format!(
                "the scheduler at {} or an executor lacks a function. The query uses {}, which Ballista does not have. \
                 Start the scheduler with `sortid-engine scheduler` and all executors with `sortid-engine executor`, \
                 or from a program that adds the same functions",
                self.scheduler,
                functions()
            )
        } else if text.contains("transport::Error") {
            format!(
                "expected a scheduler at {} and executors that this machine can connect to. Start them, or correct \
                 their addresses (--advertise)",
                self.scheduler
            )
        } else {
            return error;
        };
        DataFusionError::Execution(format!("{explanation}.\nThe cluster says: {text}"))
    }
}

/// The functions of a query that Ballista lacks.
fn functions(plan: &LogicalPlan) -> Result<BTreeSet<String>> {
    let known = BallistaFunctionRegistry::default();
    let mut found = BTreeSet::new();
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expression| {
            expression.apply(|expression| {
                match expression {
                    Expr::ScalarFunction(f) if !known.scalar_functions.contains_key(f.func.name()) => {
                        found.insert(f.func.name().to_owned());
                    }
                    Expr::AggregateFunction(f) if !known.aggregate_functions.contains_key(f.func.name()) => {
                        found.insert(f.func.name().to_owned());
                    }
                    Expr::WindowFunction(f)
                        if !known.window_functions.contains_key(f.fun.name())
                            && !known.aggregate_functions.contains_key(f.fun.name()) =>
                    {
                        found.insert(f.fun.name().to_owned());
                    }
                    _ => {}
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(found)
}
