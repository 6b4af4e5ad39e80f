use crate::{
    Error, Extensions, progress,
    recovery::{self, Record},
    signal::Signals,
};
use ballista_scheduler::{
    cluster::BallistaCluster,
    config::{SchedulerConfig, TaskDistributionPolicy},
    scheduler_process::{create_scheduler, start_grpc_service_with_listener},
};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::net::TcpListener;

/// The options of a [`Scheduler`].
#[derive(Clone, Debug)]
pub struct SchedulerOptions {
    /// The address to listen on. The scheduler has no authentication, so the default is `127.0.0.1`.
    pub bind: IpAddr,
    /// The port to listen on. 0 takes a free one. By default 50050.
    pub port: u16,
    /// The name or address at which executors reach the scheduler. By default the address of `bind`.
    ///
    /// Needed if `bind` stands for all addresses (`0.0.0.0`).
    pub advertise: Option<String>,
    /// How long an executor may be silent before its tasks start again elsewhere. By default 35 s.
    ///
    /// Should be longer than three [heartbeats](crate::ExecutorOptions::heartbeat).
    pub executor_timeout: Duration,
    /// How often the scheduler looks for silent executors. By default 5 s.
    pub check_interval: Duration,
    /// How long a query may make no progress before it fails. By default 120 s.
    ///
    /// A query makes progress while an executor runs one of its tasks, however long the task takes, and while it waits
    /// for executors that work for others. It makes none if no executor is registered.
    pub progress_timeout: Duration,
    /// Functions and object stores.
    pub extensions: Extensions,
}

impl Default for SchedulerOptions {
    fn default() -> Self {
        Self {
            bind: Ipv4Addr::LOCALHOST.into(),
            port: 50050,
            advertise: None,
            executor_timeout: Duration::from_secs(35),
            check_interval: Duration::from_secs(5),
            progress_timeout: Duration::from_secs(120),
            extensions: Extensions::default(),
        }
    }
}

/// A scheduler that listens.
///
/// [`scheduler`] is shorter if the port is known.
///
/// ```no_run
/// # async fn run() -> Result<(), sortid_ballista::Error> {
/// use sortid_ballista::{Scheduler, SchedulerOptions};
///
/// let scheduler = Scheduler::bind(SchedulerOptions { port: 0, ..Default::default() }).await?;
/// println!("listening on {}", scheduler.address());
/// scheduler.run().await
/// # }
/// ```
pub struct Scheduler {
    listener: TcpListener,
    address: SocketAddr,
    config: Arc<SchedulerConfig>,
    progress_timeout: Duration,
    executor_timeout: Duration,
}

impl Scheduler {
    /// Listens. Executors and clients can connect once [`run`](Self::run) is called.
    ///
    /// # Errors
    ///
    /// If the address is in use, or other machines cannot reach it.
    pub async fn bind(options: SchedulerOptions) -> Result<Self, Error> {
        let SchedulerOptions {
            bind,
            port,
            advertise,
            executor_timeout,
            check_interval,
            progress_timeout,
            extensions,
        } = options;
        let wanted = SocketAddr::new(bind, port);
        let external_host = host(wanted, advertise)?;
        let failed = |source| Error::Bind { bind: wanted, purpose: "the scheduler", source };
        let listener = TcpListener::bind(wanted).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;

        let config = SchedulerConfig {
            bind_host: text_of(bind),
            bind_port: address.port(),
            external_host,
            task_distribution: TaskDistributionPolicy::RoundRobin,
            executor_timeout_seconds: seconds(executor_timeout),
            no_executors_grace_period_seconds: seconds(executor_timeout),
            expire_dead_executor_interval_seconds: seconds(check_interval),
            // An executor that ends by a signal may finish its tasks.
            executor_termination_grace_period: 30,
            override_session_builder: Some(extensions.session_builder()),
            override_logical_codec: Some(extensions.logical_codec()),
            override_physical_codec: Some(extensions.physical_codec()),
            ..SchedulerConfig::default()
        };
        Ok(Self { listener, address, config: Arc::new(config), progress_timeout, executor_timeout })
    }

    /// The address that the scheduler listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Plans queries and hands out their tasks, until Ctrl-C or SIGTERM.
    ///
    /// Queries that run then fail at their clients.
    ///
    /// # Errors
    ///
    /// If Ballista does not start.
    pub async fn run(self) -> Result<(), Error> {
        let failed = |error: ballista_core::error::BallistaError| Error::Ballista(error.to_string());
        let mut signals = Signals::listen().map_err(|e| Error::Ballista(e.to_string()))?;
        self.config.validate().map_err(failed)?;
        let cluster = BallistaCluster::new_from_config(&self.config).await.map_err(failed)?;
        let record = Arc::new(Record::default());
        let cluster = recovery::correct(&cluster, &record);
        let server = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, self.config)
            .await
            .map_err(failed)?;
        let watch = progress::watch(server.clone(), record, self.progress_timeout, self.executor_timeout);
        tokio::select! {
            result = start_grpc_service_with_listener(self.listener, server) => result.map_err(failed),
            () = watch => Ok(()),
            () = signals.received() => Ok(()),
        }
    }
}

/// Runs a scheduler until Ctrl-C or SIGTERM.
///
/// ```no_run
/// # async fn run() -> Result<(), sortid_ballista::Error> {
/// sortid_ballista::scheduler(Default::default()).await
/// # }
/// ```
///
/// # Errors
///
/// Those of [`Scheduler::bind`] and [`Scheduler::run`].
pub async fn scheduler(options: SchedulerOptions) -> Result<(), Error> {
    Scheduler::bind(options).await?.run().await
}

/// The host that others connect to.
fn host(bind: SocketAddr, advertise: Option<String>) -> Result<String, Error> {
    match advertise {
        Some(host) => Ok(host),
        None if bind.ip().is_unspecified() => Err(Error::Advertise { bind }),
        None => Ok(text_of(bind.ip())),
    }
}

/// An address as in `ADDRESS:PORT`.
pub(crate) fn text_of(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Whole seconds, at least 1: Ballista takes 0 for "never" or "at once".
pub(crate) fn seconds(duration: Duration) -> u64 {
    duration.as_secs().max(1)
}
