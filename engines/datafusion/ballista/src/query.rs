//! Queries on a cluster: their errors name the reason, and a query whose result is dropped is cancelled.

use ballista_core::{
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
    collections::BTreeSet,
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
        Ok(Arc::new(Query { inner, reasons }))
    }
}

/// A query on the cluster.
#[derive(Debug)]
struct Query {
    inner: Arc<dyn ExecutionPlan>,
    reasons: Arc<Reasons>,
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
        let stream = self.inner.execute(partition, context).map_err(|error| self.reasons.explain(error))?;
        let (query, reasons) = (Arc::clone(&self.inner), Arc::clone(&self.reasons));
        Ok(Box::pin(Rows { stream, query, reasons, ended: false }))
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
    ended: bool,
}

impl Stream for Rows {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(self.stream.poll_next_unpin(context));
        self.ended = !matches!(next, Some(Ok(_)));
        Poll::Ready(next.map(|batch| batch.map_err(|error| self.reasons.explain(error))))
    }
}

impl RecordBatchStream for Rows {
    fn schema(&self) -> SchemaRef {
        self.stream.schema()
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        let (false, Ok(runtime)) = (self.ended, Handle::try_current()) else { return };
        let empty = Box::pin(EmptyRecordBatchStream::new(self.schema()));
        let mut stream = std::mem::replace(&mut self.stream, empty);
        let (query, scheduler) = (Arc::clone(&self.query), format!("http://{}", self.reasons.scheduler));
        let under_way = UnderWay::new();
        runtime.spawn(async move {
            let _under_way = under_way;
            let Some(query) = query.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>() else { return };
            // The query may be on its way to the scheduler, which then answers with a number.
            loop {
                if let Some(job) = query.job_id() {
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

/// Waits until the scheduler knows of all queries whose results were dropped before their end, or cannot be told.
///
/// A program that ends before does not cancel them.
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
