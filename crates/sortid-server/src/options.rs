//! The options of the command line.

use crate::{fleet::Plan, listen::Address, serve::Limits};
use clap::{Parser, ValueEnum};
use sortid::ron_uid::Base64x64;
use sortid_inspect::__private::program::time::parse_duration;
use std::time::Duration;
use tracing::level_filters::LevelFilter;

/// Serves time-sortable identifiers over HTTP.
///
/// GET /v1/euid returns an EUID, and GET /v1/euid?n=1000 a thousand. /openapi.json lists all paths. SCRU160s and EUIDs need no
/// store. Ulid-Flakes and RON UIDs need a node ID of a fleet, which `sortid nodes init` creates. SIGTERM, SIGINT and SIGHUP end
/// the server: it answers the requests that it has taken, and releases its node ID. The exit code is 0 then, 1 if a part of the
/// server failed, and 2 if the server cannot start.
#[derive(Parser)]
#[command(name = "sortid-server", version)]
pub(crate) struct Options {
    /// Where to listen: an address and a port, or unix: and the path of a socket. Port 0 is any free port. If systemd passes a
    /// socket, the server listens there [default: 127.0.0.1:7160]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<Address>,

    /// The store of a fleet: dir:PATH, `postgres://USER@HOST/DATABASE` or `etcd://HOST:PORT`. Give a URL with a password in the
    /// environment variable, because other users can read command lines
    #[arg(long, value_name = "URL", env = "SORTID_NODES", hide_env_values = true)]
    nodes: Option<String>,

    /// The space in the store
    #[arg(long, value_name = "NAME", default_value = "default")]
    space: String,

    /// A name of this server, such as the name of its pod: after a crash, the server gets back its last node ID [default: host
    /// and process ID]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Reserve this node ID, instead of any free one
    #[arg(long, value_name = "N")]
    node_id: Option<u32>,

    /// How far ahead to reserve, 1s to 10m
    #[arg(long, value_name = "DURATION", default_value = "15s", value_parser = parse_duration)]
    window: Duration,

    /// The first digits of the origin of RON UIDs, the same for all servers of the fleet. The node ID is the last digits
    #[arg(long, value_name = "ORIGIN", default_value = "0", hide_default_value = true, value_parser = Base64x64::parse)]
    pub(crate) origin: Base64x64,

    /// The most connections at a time; others wait
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = one_or_more)]
    connections: usize,

    /// The most requests for IDs that the server answers at a time; others get the status 503
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = one_or_more)]
    pub(crate) requests: usize,

    /// How long the server may take to make the IDs of a request; then it answers 503
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = parse_duration)]
    pub(crate) make_timeout: Duration,

    /// How long a connection may take for the head of its next request; then the server closes it
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = parse_duration)]
    idle_timeout: Duration,

    /// How long an answer may take, from the head of its request until the client has read it; then the server closes the
    /// connection
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = parse_duration)]
    answer_timeout: Duration,

    /// How long the server waits for open requests when it ends
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = parse_duration)]
    drain: Duration,

    /// The form of the log on standard error: text, or a JSON object in each line
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Log::Text)]
    pub(crate) log: Log,

    /// The least important messages of the log: off, error, warn, info or debug, which has a line for each request
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = level)]
    pub(crate) log_level: LevelFilter,
}

/// The form of the log.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Log {
    /// A line with names and values
    Text,
    /// A JSON object in each line
    Json,
}

impl Options {
    /// How the server joins a fleet, if it has a store.
    pub(crate) fn plan(&self) -> Option<Plan> {
        let url = self.nodes.clone().filter(|url| !url.is_empty())?;
        let Self { space, name, node_id, window, .. } = self;
        Some(Plan { url, space: space.clone(), name: name.clone(), node_id: *node_id, window: *window })
    }

    /// The limits of connections. `files` is how many files the process may open.
    pub(crate) fn limits(&self, files: usize) -> Limits {
        let Self { idle_timeout, answer_timeout, drain, .. } = *self;
        // The store, the log and the runtime need files, too.
        let connections = self.connections.min(files.saturating_sub(32)).max(1);
        Limits { connections, idle_timeout, answer_timeout, drain }
    }
}

fn one_or_more(text: &str) -> Result<usize, String> {
    const MOST: usize = 1_000_000;
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

fn level(text: &str) -> Result<LevelFilter, String> {
    let level = text.parse().ok().filter(|_| ["off", "error", "warn", "info", "debug"].contains(&text));
    level.ok_or_else(|| "expected off, error, warn, info or debug".to_owned())
}
