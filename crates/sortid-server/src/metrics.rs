//! Metrics for Prometheus.

use crate::fleet::State;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::{Registry, Unit},
};
use std::{
    sync::atomic::AtomicU64,
    time::{Duration, SystemTime},
};

/// The media type of the metrics.
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answer {
    path: String,
    code: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Spec {
    spec: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Path {
    path: String,
}

type Seconds = Gauge<f64, AtomicU64>;

/// A connection that is counted as open.
pub(crate) struct Connection(Gauge);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answer, Counter>,
    seconds: Family<Path, Histogram>,
    ids: Family<Spec, Counter>,
    pub(crate) connections: Gauge,
    accepted: Counter,
    pub(crate) cut_off: Counter,
    ready: Gauge,
    node_id: Gauge,
    generation: Gauge,
    left: Seconds,
    skew: Seconds,
    renewals: Gauge,
    failures: Gauge,
}

impl Metrics {
    /// The metrics of a server whose log counts here how many lines it has lost.
    pub(crate) fn new(lost_lines: &Counter) -> Self {
        let mut registry = Registry::with_prefix("sortid");
        let requests = Family::default();
        let seconds: Family<Path, Histogram> =
            Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.000_05, 4.0, 9)));
        let (ids, accepted, cut_off) = (Family::default(), Counter::default(), Counter::default());
        let [connections, ready, node_id, generation, renewals, failures] =
            std::array::from_fn(|_| Gauge::default());
        let (left, skew) = (Seconds::default(), Seconds::default());
        registry.register("requests", "Requests that were answered", requests.clone());
        registry.register_with_unit(
            "request",
            "How long a request took until its answer",
            Unit::Seconds,
            seconds.clone(),
        );
        registry.register("ids", "IDs that were answered", ids.clone());
        registry.register("connections", "Open connections", connections.clone());
        registry.register("connections_accepted", "Connections that were accepted", accepted.clone());
        registry.register(
            "connections_cut_off",
            "Connections whose client read an answer too slowly",
            cut_off.clone(),
        );
        registry.register("log_lines_lost", "Lines that could not be written to the log", lost_lines.clone());
        registry.register("ready", "1 if the server is ready, as /readyz says", ready.clone());
        registry.register("node_id", "The node ID; -1 if the server has none", node_id.clone());
        registry.register("node_generation", "How many holders the node ID has had", generation.clone());
        registry.register_with_unit(
            "reservation_left",
            "Until the reservation ends; 0 if there is none",
            Unit::Seconds,
            left.clone(),
        );
        registry.register_with_unit(
            "clock_skew",
            "How far the clock is ahead of the store's",
            Unit::Seconds,
            skew.clone(),
        );
        registry.register(
            "reservation_renewals",
            "Renewals of the reservation of this node ID",
            renewals.clone(),
        );
        registry.register(
            "store_failures",
            "Failures of the store since the server has this node ID",
            failures.clone(),
        );
        Self {
            registry,
            requests,
            seconds,
            ids,
            connections,
            accepted,
            cut_off,
            ready,
            node_id,
            generation,
            left,
            skew,
            renewals,
            failures,
        }
    }

    /// Counts an open connection until the value is dropped.
    pub(crate) fn connection(&self) -> Connection {
        self.accepted.inc();
        self.connections.inc();
        Connection(self.connections.clone())
    }

    pub(crate) fn answered(&self, path: String, code: u16, took: Duration) {
        self.requests.get_or_create(&Answer { path: path.clone(), code }).inc();
        self.seconds.get_or_create(&Path { path }).observe(took.as_secs_f64());
    }

    pub(crate) fn made(&self, spec: &'static str, count: usize) {
        self.ids.get_or_create(&Spec { spec }).inc_by(count as u64);
    }

    /// Writes all metrics.
    pub(crate) fn text(&self, is_ready: bool, fleet: &State) -> String {
        self.ready.set(is_ready.into());
        let (mut node_id, mut generation, mut renewals, mut failures) = (-1, 0, 0, 0);
        let (mut left, mut skew) = (0.0, 0.0);
        if let State::Holding(status) = fleet {
            let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
            node_id = status.node_id.into();
            generation = count(status.generation);
            renewals = count(status.renewals);
            failures = count(status.failures);
            left = status.until.duration_since(SystemTime::now()).unwrap_or_default().as_secs_f64();
            skew = status.skew.unwrap_or_default() as f64 / 1000.0;
        }
        self.node_id.set(node_id);
        self.generation.set(generation);
        self.renewals.set(renewals);
        self.failures.set(failures);
        self.left.set(left);
        self.skew.set(skew);
        let mut text = String::new();
        // Writing to a String does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
