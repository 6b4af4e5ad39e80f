//! The program `sortid-server`: gives time-sortable identifiers over HTTP.

#![forbid(unsafe_code)]

mod app;
mod exchange;
mod fleet;
mod listen;
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
use options::{Log, Options};
use sortid::Spec;
use specs::Settings;
use std::{error::Error, io, process::ExitCode, sync::Arc};
use tokio::sync::watch;
use tracing::info;

fn main() -> ExitCode {
    let options = Options::parse();
    let log = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_target(false)
        .with_max_level(options.log_level);
    match options.log {
        Log::Text => log.with_ansi(false).init(),
        Log::Json => log.json().flatten_event(true).init(),
    }
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            tracing::error!(%reason, "cannot serve");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
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
        let makers = Spec::ALL.iter().map(|&spec| Ok((spec, specs::maker(spec, settings)?)));
        let makers = makers.collect::<Result<Vec<_>, Box<dyn Error>>>()?;
        let app = Arc::new(App::new(makers, Membership::new(plan), options.make_timeout));
        let listening = Listening::open(options.listen.as_ref()).await?;
        info!(address = %listening, "listening");

        let (stop, stopped) = watch::channel(false);
        let keeper = tokio::spawn({
            let (app, stopped) = (Arc::clone(&app), stopped.clone());
            async move { app.membership.keep(&app.makers(), stopped).await }
        });
        let router = app::router(Arc::clone(&app), options.requests);
        let limits = options.limits(files);
        let server = tokio::spawn(listening.serve((Arc::clone(&app), router), limits, stopped));
        let signal = signals.next().await;
        info!(signal, "ending");
        stop.send_replace(true);
        server.await?;
        keeper.await?;
        app.membership.release().await;
        Ok(())
    });
    // A join that was given up has a thread that still waits for its store.
    runtime.shutdown_background();
    if result.is_ok() {
        info!("ended");
    }
    result
}
