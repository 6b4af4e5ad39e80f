use clap::{Parser, Subcommand, ValueEnum, value_parser};
use std::{net::IpAddr, num::NonZero, path::PathBuf};

/// SQL over columns of IDs and over ledgers, on this machine or on a cluster
///
/// The queries can call the functions of sortid. A cluster has a scheduler and one or more executors. None of them
/// checks who connects, so they listen on the loopback address by default.
///
/// The environment variable `RUST_LOG` sets what is logged to standard error: error, warn (the default of a scheduler
/// and an executor), info or debug.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Sql(SqlArgs),
    Scheduler(SchedulerArgs),
    Executor(ExecutorArgs),
}

/// Runs SQL and prints the results
///
/// A semicolon ends a statement. Without QUERY and --file, the statements come from standard input. Tables are files:
///
///   CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION 'dir/'; SELECT count(*) FROM t
///
/// On a cluster, the scheduler and the executors read the files too: they need the same path on all machines.
///
/// The exit code is 1 if a statement fails; later statements do not run. It is 2 for wrong options.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SqlArgs {
    /// The statements.
    #[arg(value_name = "QUERY")]
    pub(crate) queries: Vec<String>,
    /// The address of the scheduler of a cluster. Without it, queries run on this machine.
    #[arg(long, value_name = "df://HOST:PORT")]
    pub(crate) cluster: Option<String>,
    /// A file with the statements.
    #[arg(long, conflicts_with = "queries")]
    pub(crate) file: Option<PathBuf>,
    /// How to print results. csv and json print rows as they come, but hold back the first 64 MB of a cluster's result.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

/// How to print results.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// A table for people.
    Table,
    /// Comma-separated values, with a header.
    Csv,
    /// One JSON object a line.
    Json,
}

/// Runs the scheduler of a cluster, until Ctrl-C or SIGTERM
///
/// A scheduler has no authentication and no encryption. Whoever connects can run queries, read all files that the
/// executors can read, and join as an executor. Listen on other addresses than the loopback address only in a network
/// that you trust.
#[derive(Debug, clap::Args)]
pub(crate) struct SchedulerArgs {
    /// The address to listen on. 0.0.0.0 stands for all addresses of this machine.
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,
    /// The port to listen on. 0 takes a free one.
    #[arg(long, default_value_t = 50050)]
    pub(crate) port: u16,
    /// The name or address at which executors reach the scheduler. By default the address of --bind.
    #[arg(long, value_name = "HOST")]
    pub(crate) advertise: Option<String>,
    /// How long an executor may be silent before its tasks start again elsewhere. Choose more than three heartbeats.
    #[arg(long, value_name = "SECONDS", default_value_t = 35, value_parser = value_parser!(u64).range(1..))]
    pub(crate) executor_timeout: u64,
    /// How often to look for silent executors.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = value_parser!(u64).range(1..))]
    pub(crate) check_interval: u64,
    /// How long a query may make no progress before it fails. A task that runs is progress, however long it takes.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = value_parser!(u64).range(1..))]
    pub(crate) progress_timeout: u64,
    /// Let clients turn on Ballista's adaptive planning. Such a query does not survive the loss of an executor.
    #[arg(long)]
    pub(crate) adaptive: bool,
}

/// Runs an executor of a cluster, until Ctrl-C or SIGTERM
///
/// Running tasks end first; a second signal does not wait for them.
///
/// An executor has no authentication and no encryption. Whoever connects can run tasks and read results. Listen on
/// other addresses than the loopback address only in a network that you trust.
#[derive(Debug, clap::Args)]
pub(crate) struct ExecutorArgs {
    /// The address of the scheduler.
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:50050")]
    pub(crate) scheduler: String,
    /// How long to try to connect to the scheduler at the start.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = value_parser!(u64).range(1..))]
    pub(crate) scheduler_timeout: u64,
    /// The address to listen on. 0.0.0.0 stands for all addresses of this machine.
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,
    /// The port from which other executors and clients read results. 0 takes a free one.
    #[arg(long, default_value_t = 50051)]
    pub(crate) port: u16,
    /// The port at which the scheduler hands out tasks. 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 50052)]
    pub(crate) grpc_port: u16,
    /// The name or address at which the others reach the executor. By default the address from which it connects.
    #[arg(long, value_name = "HOST")]
    pub(crate) advertise: Option<String>,
    /// How many tasks run at once. By default one for each core.
    #[arg(long, value_name = "N")]
    pub(crate) slots: Option<NonZero<usize>>,
    /// The memory of all tasks together. By default 70 % of the memory of the machine or container.
    #[arg(long, value_name = "BYTES", value_parser = value_parser!(u64).range(1..))]
    pub(crate) memory: Option<u64>,
    /// Where to make the directory for intermediate results. By default the temporary directory of the system.
    #[arg(long, value_name = "DIR")]
    pub(crate) work_dir: Option<PathBuf>,
    /// How often to report to the scheduler. The executor stops after five reports without an answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = value_parser!(u64).range(1..))]
    pub(crate) heartbeat: u64,
}
