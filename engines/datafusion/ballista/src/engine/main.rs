//! SQL over columns of IDs and over ledgers: on this machine, or on a cluster of Ballista.
#![forbid(unsafe_code)]

mod args;
mod output;
mod sql;

use args::{Args, Command, ExecutorArgs, SchedulerArgs};
use clap::Parser;
use sortid_ballista::{Executor, ExecutorOptions, Extensions, Scheduler, SchedulerOptions};
use std::{process::ExitCode, time::Duration};

fn main() -> ExitCode {
    let args = Args::parse();
    // The client reports its errors itself.
    let level = if matches!(args.command, Command::Sql(_)) { "off" } else { "warn" };
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level)).init();

    let result = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(text);
    let result = result.and_then(|runtime| {
        let result = runtime.block_on(run(args.command));
        // A second signal does not wait for tasks.
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> Result<(), String> {
    let extensions = Extensions::default();
    #[cfg(feature = "s3")]
    let extensions = extensions.with_s3();
    match command {
        Command::Sql(args) => sql::run(args, &extensions).await,
        Command::Scheduler(args) => scheduler(args, extensions).await,
        Command::Executor(args) => executor(args, extensions).await,
    }
}

async fn scheduler(args: SchedulerArgs, extensions: Extensions) -> Result<(), String> {
    let options = SchedulerOptions {
        bind: args.bind,
        port: args.port,
        advertise: args.advertise,
        executor_timeout: Duration::from_secs(args.executor_timeout),
        check_interval: Duration::from_secs(args.check_interval),
        progress_timeout: Duration::from_secs(args.progress_timeout),
        extensions: if args.adaptive { extensions.with_adaptive_planning() } else { extensions },
    };
    let scheduler = Scheduler::bind(options).await.map_err(text)?;
    println!("scheduler listening on {}", scheduler.address());
    scheduler.run().await.map_err(text)?;
    println!("scheduler stopped");
    Ok(())
}

async fn executor(args: ExecutorArgs, extensions: Extensions) -> Result<(), String> {
    let scheduler = args.scheduler.clone();
    let options = ExecutorOptions {
        scheduler: args.scheduler,
        scheduler_timeout: Duration::from_secs(args.scheduler_timeout),
        bind: args.bind,
        port: args.port,
        grpc_port: args.grpc_port,
        advertise: args.advertise,
        slots: args.slots,
        memory: args.memory,
        work_dir: args.work_dir,
        heartbeat: Duration::from_secs(args.heartbeat),
        extensions,
    };
    let executor = Executor::bind(options).await.map_err(text)?;
    println!("executor listening on {}, for the scheduler at {scheduler}", executor.address());
    executor.run().await.map_err(text)?;
    println!("executor stopped");
    Ok(())
}

/// The text of an error.
fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
