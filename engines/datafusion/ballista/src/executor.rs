use crate::{
    Error, Extensions,
    client::reach,
    scheduler::{seconds, text_of},
    signal::Signals,
};
use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::{
    RuntimeProducer,
    error::BallistaError,
    utils::{GrpcServerConfig, create_grpc_server, create_grpc_server_incoming},
};
use ballista_executor::{
    ArrowFlightServerProvider,
    executor_process::{ExecutorProcessConfig, start_executor_process},
    flight_service::BallistaFlightService,
};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    num::NonZero,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};
use tempfile::TempDir;

/// The options of an [`Executor`].
#[derive(Clone, Debug)]
pub struct ExecutorOptions {
    /// The address of the scheduler, `HOST:PORT`. By default `localhost:50050`.
    pub scheduler: String,
    /// How long to try to connect to the scheduler at the start. By default 10 s.
    pub scheduler_timeout: Duration,
    /// The address to listen on. The executor has no authentication, so the default is `127.0.0.1`.
    pub bind: IpAddr,
    /// The port from which other executors and clients read results. 0 takes a free one. By default 50051.
    pub port: u16,
    /// The port at which the scheduler hands out tasks. 0 takes a free one. By default 50052.
    pub grpc_port: u16,
    /// The name or address at which other machines reach the executor.
    ///
    /// By default the address from which the executor connects to the scheduler.
    pub advertise: Option<String>,
    /// How many tasks run at once. By default one for each core.
    pub slots: Option<NonZero<usize>>,
    /// The memory of all tasks together, in bytes. By default 70 % of the memory of the machine or container.
    ///
    /// An operator that needs more writes to the disk, or fails.
    pub memory: Option<u64>,
    /// Where to make the directory for intermediate results. By default the temporary directory of the system.
    ///
    /// The executor makes a directory of its own there, and removes it when a signal ends it.
    pub work_dir: Option<PathBuf>,
    /// How often the executor reports to the scheduler. By default 10 s.
    ///
    /// The executor stops after five reports without an answer. A scheduler takes a silent executor for dead after
    /// [`executor_timeout`](crate::SchedulerOptions::executor_timeout).
    pub heartbeat: Duration,
    /// Functions and object stores.
    pub extensions: Extensions,
}

impl Default for ExecutorOptions {
    fn default() -> Self {
        Self {
            scheduler: "localhost:50050".into(),
            scheduler_timeout: Duration::from_secs(10),
            bind: Ipv4Addr::LOCALHOST.into(),
            port: 50051,
            grpc_port: 50052,
            advertise: None,
            slots: None,
            memory: None,
            work_dir: None,
            heartbeat: Duration::from_secs(10),
            extensions: Extensions::default(),
        }
    }
}

/// An executor that can reach its scheduler, and has its ports and its directory.
///
/// [`executor`] is shorter if the ports are known. A process can run one executor.
///
/// ```no_run
/// # async fn run() -> Result<(), sortid_ballista::Error> {
/// use sortid_ballista::{Executor, ExecutorOptions};
///
/// let options = ExecutorOptions { port: 0, grpc_port: 0, ..Default::default() };
/// let executor = Executor::bind(options).await?;
/// println!("results at {}", executor.address());
/// executor.run().await
/// # }
/// ```
pub struct Executor {
    scheduler: String,
    address: SocketAddr,
    config: ExecutorProcessConfig,
    /// Removed when it is dropped.
    _work_dir: TempDir,
}

impl Executor {
    /// Connects to the scheduler and takes the ports.
    ///
    /// # Errors
    ///
    /// If no scheduler answers, a port is in use, or the directory cannot be written.
    pub async fn bind(options: ExecutorOptions) -> Result<Self, Error> {
        let (scheduler_host, scheduler_port) = split(&options.scheduler).ok_or_else(|| Error::Address {
            expected: "HOST:PORT, for example localhost:50050",
            found: options.scheduler.clone(),
        })?;
        reach(&options.scheduler, options.scheduler_timeout).await?;

        let work_dir = match &options.work_dir {
            Some(path) => tempfile::Builder::new().prefix("sortid-executor-").tempdir_in(path),
            None => tempfile::Builder::new().prefix("sortid-executor-").tempdir(),
        };
        let work_dir = work_dir.map_err(|source| Error::WorkDir {
            path: options.work_dir.clone().unwrap_or_else(std::env::temp_dir),
            source,
        })?;

        let grpc_config = GrpcServerConfig::default();
        let wanted = SocketAddr::new(options.bind, options.port);
        let failed = |source| Error::Bind { bind: wanted, purpose: "results", source };
        // Ballista does not take the port: its process would end without an error, and the number of a free port would
        // not be known.
        let incoming = create_grpc_server_incoming(wanted, &grpc_config)
            .map_err(|error| failed(io::Error::other(error.to_string())))?;
        let address = incoming.local_addr().map_err(failed)?;
        let grpc_port = free_port(SocketAddr::new(options.bind, options.grpc_port))?;

        let incoming = Mutex::new(Some(incoming));
        let defaults = ExecutorProcessConfig::default();
        let (encoded, decoded) = (
            defaults.grpc_max_encoding_message_size as usize,
            defaults.grpc_max_decoding_message_size as usize,
        );
        let flight: Arc<ArrowFlightServerProvider> = Arc::new(move |work_dir, _, mut shutdown, config| {
            let incoming = incoming.lock().ok().and_then(|mut incoming| incoming.take());
            tokio::spawn(async move {
                let incoming = incoming.ok_or_else(|| BallistaError::Internal("started twice".into()))?;
                let service = FlightServiceServer::new(BallistaFlightService::new(work_dir))
                    .max_encoding_message_size(encoded)
                    .max_decoding_message_size(decoded);
                create_grpc_server(&config)
                    .add_service(service)
                    .serve_with_incoming_shutdown(incoming, shutdown.recv())
                    .await
                    .map_err(BallistaError::TonicError)
            })
        });

        let config = ExecutorProcessConfig {
            bind_host: text_of(options.bind),
            external_host: options.advertise,
            port: address.port(),
            grpc_port,
            scheduler_host,
            scheduler_port,
            vcores: options.slots.map_or(defaults.vcores, NonZero::get),
            work_dir: Some(work_dir.path().display().to_string()),
            memory_pool_size: options.memory,
            executor_heartbeat_interval_seconds: seconds(options.heartbeat),
            // The scheduler asks for the removal of the data of a job. This removes the data that the scheduler
            // forgets.
            job_data_clean_up_interval_seconds: 3600,
            grpc_server_config: grpc_config,
            override_function_registry: Some(Arc::new(options.extensions.function_registry())),
            override_runtime_producer: options
                .extensions
                .runtime_producer()
                .map(|runtime| spill_to(work_dir.path(), runtime)),
            override_logical_codec: Some(options.extensions.logical_codec()),
            override_physical_codec: Some(options.extensions.physical_codec()),
            override_arrow_flight_service: Some(flight),
            ..defaults
        };
        Ok(Self { scheduler: options.scheduler, address, config, _work_dir: work_dir })
    }

    /// The address from which other executors and clients read results.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Runs tasks until Ctrl-C or SIGTERM. Running tasks end first; a second signal does not wait for them.
    ///
    /// # Errors
    ///
    /// If the scheduler does not accept the executor, or the executor stops without a signal.
    pub async fn run(self) -> Result<(), Error> {
        let mut signals = Signals::listen().map_err(|e| Error::Ballista(e.to_string()))?;
        let health = self.config.health.clone();
        let process = start_executor_process(Arc::new(self.config));
        tokio::pin!(process);
        tokio::select! {
            result = &mut process => return Err(match result {
                Ok(()) => Error::Stopped { scheduler: self.scheduler, connected: health.is_ready() },
                Err(error) => Error::Refused { scheduler: self.scheduler, reason: error.to_string() },
            }),
            () = signals.received() => {}
        }
        // Ballista listens to the same signal, and ends the tasks.
        tokio::select! {
            result = &mut process => result.map_err(|error| Error::Ballista(error.to_string())),
            () = signals.received() => Ok(()),
        }
    }
}

/// Runs an executor until Ctrl-C or SIGTERM.
///
/// ```no_run
/// # async fn run() -> Result<(), sortid_ballista::Error> {
/// use sortid_ballista::ExecutorOptions;
///
/// sortid_ballista::executor(ExecutorOptions { scheduler: "10.0.0.1:50050".into(), ..Default::default() }).await
/// # }
/// ```
///
/// # Errors
///
/// Those of [`Executor::bind`] and [`Executor::run`].
pub async fn executor(options: ExecutorOptions) -> Result<(), Error> {
    Executor::bind(options).await?.run().await
}

/// `HOST:PORT` in parts.
fn split(address: &str) -> Option<(String, u16)> {
    let (host, port) = address.rsplit_once(':')?;
    let port = port.parse().ok()?;
    (!host.is_empty() && !host.contains('/')).then(|| (host.to_owned(), port))
}

/// Operators that run out of memory write to `dir`.
fn spill_to(dir: &Path, runtime: RuntimeProducer) -> RuntimeProducer {
    let dir = dir.to_owned();
    Arc::new(move |config| {
        let base = runtime(config)?;
        RuntimeEnvBuilder::from_runtime_env(&base).with_temp_file_path(dir.clone()).build_arc()
    })
}

/// A port that is free now. Ballista takes it when the executor runs.
fn free_port(bind: SocketAddr) -> Result<u16, Error> {
    std::net::TcpListener::bind(bind)
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|source| Error::Bind { bind, purpose: "tasks", source })
}
