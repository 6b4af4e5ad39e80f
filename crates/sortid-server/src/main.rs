//! The program `sortid-server`: gives time-sortable identifiers over HTTP.

#![forbid(unsafe_code)]

mod app;
mod broken;
mod exchange;
mod fleet;
mod listen;
mod log;
mod metrics;
mod openapi;
mod options;
mod problem;
mod query;
mod series;
mod serve;
mod specs;

use app::App;
use clap::Parser as _;
use fleet::Membership;
use listen::Listening;
use log::Log;
use options::Options;
use sortid::Spec;
use specs::Settings;
use std::{
    error::Error,
    future::Future,
    io::{self, Write as _},
    process::ExitCode,
    sync::Arc,
};
use tokio::{sync::watch, task::JoinSet};
use tracing::{error, info};

fn main() -> ExitCode {
    let options = Options::parse();
    let log = match Log::start(&options) {
        Ok(log) => log,
        Err(error) => {
            let _ = writeln!(io::stderr(), "cannot start the log: {error}");
            return ExitCode::from(2);
        }
    };
    let code = match run(&options, &log) {
        Ok(code) => code,
        Err(reason) => {
            error!(%reason, "cannot serve");
            ExitCode::from(2)
        }
    };
    log.end();
    code
}

fn run(options: &Options, log: &Log) -> Result<ExitCode, Box<dyn Error>> {
    let plan = options.plan();
    if let Some(plan) = &plan {
        plan.check()?;
    }
    let files = listen::raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        // Before the join: process 1 of a container ignores signals that have no handler.
        let signals = listen::Signals::new()?;
        let settings = Settings { origin: options.origin };
        let makers = Spec::ALL.iter().map(|&spec| (spec, specs::maker(spec, settings))).collect();
        let app = Arc::new(App::new(makers, Membership::new(plan), options.make_timeout, &log.lost));
        let listening = Listening::open(options.listen.as_ref()).await?;
        info!(address = %listening, "listening");

        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn({
            let (app, stopped) = (Arc::clone(&app), stopped.clone());
            async move { app.membership.keep(&app.makers(), stopped).await }
        });
        let router = app::router(Arc::clone(&app), options.requests, openapi::document);
        let limits = options.limits(files);
        tasks.spawn(listening.serve((Arc::clone(&app), router), limits, stopped));
        let code = watch_over(tasks, signals.next(), &stop).await;
        app.membership.release().await;
        Ok(code)
    });
    // A join that was given up has a thread that still waits for its store.
    runtime.shutdown_background();
    if result.is_ok() {
        info!("ended");
    }
    result
}

/// Waits for a signal, and tells the tasks to end. If a task ends before, all do: a supervisor starts the server again.
async fn watch_over(
    mut tasks: JoinSet<()>,
    signal: impl Future<Output = &'static str>,
    stop: &watch::Sender<bool>,
) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    tokio::select! {
        signal = signal => info!(signal, "ending"),
        _ = tasks.join_next() => {
            error!("ending, because a task of the server has failed");
            code = ExitCode::FAILURE;
        }
    }
    stop.send_replace(true);
    while let Some(ended) = tasks.join_next().await {
        if ended.is_err() {
            code = ExitCode::FAILURE;
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::watch_over;
    use std::{future::pending, process::ExitCode};
    use tokio::{sync::watch, task::JoinSet};

    /// The exit code of a server with a task that works until it is told to end, and this one.
    async fn code(
        task: impl Future<Output = ()> + Send + 'static,
        signal: impl Future<Output = &'static str>,
    ) -> ExitCode {
        let (stop, mut stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { drop(stopped.wait_for(|is_set| *is_set).await) });
        tasks.spawn(task);
        watch_over(tasks, signal, &stop).await
    }

    #[tokio::test]
    async fn a_task_that_dies_ends_the_server_in_order_and_with_an_error() {
        assert_eq!(code(async { panic!("for the test") }, pending()).await, ExitCode::FAILURE);
        assert_eq!(code(async {}, pending()).await, ExitCode::FAILURE);
        let late = async {
            tokio::task::yield_now().await;
            panic!("for the test")
        };
        assert_eq!(code(late, async { "SIGTERM" }).await, ExitCode::FAILURE);
    }
}
