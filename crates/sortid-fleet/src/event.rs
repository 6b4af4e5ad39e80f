use crate::Status;

/// What happened to a node ID: what an operator wants to see in a log.
///
/// [`Fleet::on_event`](crate::Fleet::on_event) sets who hears of it. With the feature `tracing`, each event is also one of the crate
/// `tracing`, with the target `sortid_fleet`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The space.
    pub space: String,
    /// The reservation after it. [`last_error`](Status::last_error) says why the store failed or the node ID was lost.
    pub status: Status,
}

/// The kind of an [`Event`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind {
    /// The process has a node ID.
    Joined,
    /// A renewal failed, the first one since the last that succeeded. [`Status::failures`] counts those that follow.
    Failed,
    /// The first renewal that succeeded after a failure.
    Recovered,
    /// A renewal came when less than a third of the window was left, as after a pause of the process.
    RenewedLate,
    /// The clock differs from the store's by a second or more. The next such event comes after they agreed again.
    Skewed,
    /// The process does not have the node ID any more: see [`NodeState::Lost`](crate::NodeState::Lost).
    Lost,
    /// The node ID was released. If the store did not hear of it, `last_error` says why, and another process can take the
    /// node ID when the reservation ends.
    Released,
}

impl Event {
    /// Hands the event to the crate `tracing`.
    #[cfg(feature = "tracing")]
    pub(crate) fn trace(&self) {
        let Self { kind, space, status } = self;
        let Status { node_id, generation, renewals, failures, skew, .. } = *status;
        let left_ms = status.left().as_millis() as u64;
        let error = status.last_error.as_deref();
        macro_rules! trace {
            ($level:ident, $message:literal) => {{
                tracing::$level!(
                    target: "sortid_fleet",
                    space, node_id, generation, left_ms, renewals, failures, skew_ms = skew, error, $message
                );
            }};
        }
        match kind {
            EventKind::Joined => trace!(info, "joined the fleet"),
            EventKind::Failed => trace!(warn, "the reservation was not renewed"),
            EventKind::Recovered => trace!(info, "the reservation is renewed again"),
            EventKind::RenewedLate => trace!(warn, "the reservation was renewed late"),
            EventKind::Skewed => trace!(warn, "the clock differs from the store's"),
            EventKind::Lost => trace!(error, "lost the node ID"),
            EventKind::Released if error.is_some() => {
                trace!(warn, "released the node ID, but the store did not hear of it");
            }
            EventKind::Released => trace!(info, "released the node ID"),
        }
    }
}
