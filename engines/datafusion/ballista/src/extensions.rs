use crate::codec::{LogicalCodec, PhysicalCodec};
use ballista_core::{
    RuntimeProducer,
    extension::{
        SessionConfigExt, ballista_aggregate_functions, ballista_scalar_functions, ballista_window_functions,
    },
    registry::BallistaFunctionRegistry,
    serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec},
};
use ballista_scheduler::scheduler_server::SessionBuilder;
use datafusion::{
    common::Result,
    execution::{
        SessionState, SessionStateBuilder,
        context::{SessionConfig, SessionContext},
        runtime_env::{RuntimeEnv, RuntimeEnvBuilder},
    },
    logical_expr::{AggregateUDF, ScalarUDF, WindowUDF},
};
use datafusion_proto::{logical_plan::LogicalExtensionCodec, physical_plan::PhysicalExtensionCodec};
use std::{fmt, sync::Arc};

/// What the client, the scheduler and the executors of a cluster have in common: functions, codecs and object stores.
///
/// The default has the functions of sortid. Add functions of your own on all members of the cluster alike:
///
/// ```
/// use datafusion::{
///     arrow::datatypes::DataType,
///     logical_expr::{ColumnarValue, Volatility, create_udf},
/// };
/// use sortid_ballista::{ExecutorOptions, Extensions, SchedulerOptions};
/// use std::sync::Arc;
///
/// let same = create_udf(
///     "same",
///     vec![DataType::Utf8],
///     DataType::Utf8,
///     Volatility::Immutable,
///     Arc::new(|args: &[ColumnarValue]| Ok(args[0].clone())),
/// );
/// let extensions = Extensions::default().with_scalar(same);
///
/// let scheduler = SchedulerOptions { extensions: extensions.clone(), ..Default::default() };
/// let executor = ExecutorOptions { extensions: extensions.clone(), ..Default::default() };
/// // The client: extensions.connect("df://localhost:50050").await?
/// # let _ = (scheduler, executor);
/// ```
#[derive(Clone, Default)]
pub struct Extensions {
    scalar: Vec<Arc<ScalarUDF>>,
    aggregate: Vec<Arc<AggregateUDF>>,
    window: Vec<Arc<WindowUDF>>,
    runtime: Option<RuntimeProducer>,
    adaptive: bool,
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extensions")
            .field("scalar", &self.scalar.iter().map(|f| f.name()).collect::<Vec<_>>())
            .field("aggregate", &self.aggregate.iter().map(|f| f.name()).collect::<Vec<_>>())
            .field("window", &self.window.iter().map(|f| f.name()).collect::<Vec<_>>())
            .field("runtime", &self.runtime.is_some())
            .field("adaptive", &self.adaptive)
            .finish()
    }
}

impl Extensions {
    /// Adds a function of a row.
    #[must_use]
    pub fn with_scalar(mut self, function: ScalarUDF) -> Self {
        self.scalar.push(Arc::new(function));
        self
    }

    /// Adds an aggregate function.
    #[must_use]
    pub fn with_aggregate(mut self, function: AggregateUDF) -> Self {
        self.aggregate.push(Arc::new(function));
        self
    }

    /// Adds a window function.
    #[must_use]
    pub fn with_window(mut self, function: WindowUDF) -> Self {
        self.window.push(Arc::new(function));
        self
    }

    /// Sets what makes the environment of a session, for example with object stores.
    ///
    /// All members of the cluster call `runtime`: the client reads the schema of a file, the scheduler lists files, and
    /// executors read them.
    #[must_use]
    pub fn with_runtime(
        mut self,
        runtime: impl Fn(&SessionConfig) -> Result<Arc<RuntimeEnv>> + Send + Sync + 'static,
    ) -> Self {
        self.runtime = Some(Arc::new(runtime));
        self
    }

    /// Lets clients turn on Ballista's adaptive planning (`SET ballista.planner.adaptive.enabled = true`).
    ///
    /// Only the scheduler's extensions decide. By default, a scheduler plans without it, whatever a client sets:
    /// Ballista 55 cannot continue a query with adaptive planning when an executor is lost, and clients of Ballista
    /// turn it on by default. Such a query fails after [`progress_timeout`](crate::SchedulerOptions::progress_timeout).
    #[must_use]
    pub fn with_adaptive_planning(mut self) -> Self {
        self.adaptive = true;
        self
    }

    /// What encodes the tables and operators of a logical plan. The client, the scheduler and executors share it.
    #[must_use]
    pub fn logical_codec(&self) -> Arc<dyn LogicalExtensionCodec> {
        Arc::new(LogicalCodec(Arc::new(BallistaLogicalExtensionCodec::default())))
    }

    /// What encodes the operators of a physical plan. The client, the scheduler and executors share it.
    #[must_use]
    pub fn physical_codec(&self) -> Arc<dyn PhysicalExtensionCodec> {
        Arc::new(PhysicalCodec(Arc::new(BallistaPhysicalExtensionCodec::default())))
    }

    /// The functions as an executor takes them
    /// ([`ExecutorProcessConfig`](ballista_executor::executor_process::ExecutorProcessConfig)).
    #[must_use]
    pub fn function_registry(&self) -> BallistaFunctionRegistry {
        let mut registry = BallistaFunctionRegistry::default();
        // The defaults lack the functions of arrays.
        for function in ballista_scalar_functions().into_iter().chain(self.scalar_functions()) {
            registry.scalar_functions.insert(function.name().to_owned(), function);
        }
        for function in self.aggregate_functions() {
            registry.aggregate_functions.insert(function.name().to_owned(), function);
        }
        for function in &self.window {
            registry.window_functions.insert(function.name().to_owned(), Arc::clone(function));
        }
        registry
    }

    /// What makes the session of a query, as a scheduler takes it
    /// ([`SchedulerConfig`](ballista_scheduler::config::SchedulerConfig)).
    #[must_use]
    pub fn session_builder(&self) -> SessionBuilder {
        let extensions = self.clone();
        Arc::new(move |config: SessionConfig| {
            let adaptive = extensions.adaptive && config.ballista_adaptive_query_planner_enabled();
            extensions.session_state(config.with_ballista_adaptive_query_planner(adaptive))
        })
    }

    /// What makes the environment of a session. `None` stands for Ballista's own.
    #[must_use]
    pub fn runtime_producer(&self) -> Option<RuntimeProducer> {
        self.runtime.clone()
    }

    /// A context that runs queries on this machine.
    ///
    /// # Errors
    ///
    /// If the environment cannot be made.
    pub fn local(&self) -> Result<SessionContext> {
        let config = SessionConfig::new().with_information_schema(true);
        let state = SessionStateBuilder::new()
            .with_default_features()
            .with_runtime_env(self.runtime_env(&config)?)
            .with_config(config)
            .build();
        let context = SessionContext::new_with_state(state);
        self.register(&context);
        Ok(context)
    }

    pub(crate) fn session_state(&self, config: SessionConfig) -> Result<SessionState> {
        let runtime = self.runtime_env(&config)?;
        let scalar = ballista_scalar_functions().into_iter().chain(self.scalar_functions());
        let aggregate = ballista_aggregate_functions().into_iter().chain(self.aggregate_functions());
        let window = ballista_window_functions().into_iter().chain(self.window.iter().cloned());
        Ok(SessionStateBuilder::new()
            .with_default_features()
            .with_config(config)
            .with_runtime_env(runtime)
            .with_optimizer_rules(ballista_core::optimizer::ballista_default_optimizer_rules())
            .with_scalar_functions(scalar.collect())
            .with_aggregate_functions(aggregate.collect())
            .with_window_functions(window.collect())
            .build())
    }

    pub(crate) fn register(&self, context: &SessionContext) {
        sortid_datafusion::register_all(context);
        for function in &self.scalar {
            context.register_udf(function.as_ref().clone());
        }
        for function in &self.aggregate {
            context.register_udaf(function.as_ref().clone());
        }
        for function in &self.window {
            context.register_udwf(function.as_ref().clone());
        }
    }

    fn scalar_functions(&self) -> impl Iterator<Item = Arc<ScalarUDF>> {
        sortid_datafusion::scalar_functions().into_iter().chain(self.scalar.iter().cloned())
    }

    fn aggregate_functions(&self) -> impl Iterator<Item = Arc<AggregateUDF>> {
        sortid_datafusion::aggregate_functions().into_iter().chain(self.aggregate.iter().cloned())
    }

    fn runtime_env(&self, config: &SessionConfig) -> Result<Arc<RuntimeEnv>> {
        match &self.runtime {
            Some(runtime) => runtime(config),
            None => RuntimeEnvBuilder::new().build_arc(),
        }
    }
}
