//! Connections, and their limits.

use crate::{app::App, broken::Explained, exchange::Exchange};
use axum::{Router, body::Body, extract::Request, serve::Listener};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{pin::pin, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{Semaphore, watch},
    time::{self, MissedTickBehavior},
};
use tower::ServiceExt as _;

/// The limits of connections.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The most connections at a time.
    pub(crate) connections: usize,
    /// How long a connection may take for the head of its next request, from the end of the answer before.
    pub(crate) idle_timeout: Duration,
    /// How long a request may take until its client has read the answer.
    pub(crate) answer_timeout: Duration,
    /// How long open requests may take when the server ends.
    pub(crate) drain: Duration,
}

/// The longest time between two looks whether a client takes too long.
const LOOK: Duration = Duration::from_secs(5);

/// The longest head of a request.
pub(crate) const LONGEST_HEAD: usize = 16 << 10;

/// The most header fields of a request.
pub(crate) const MOST_FIELDS: usize = 64;

/// Serves the connections of a listener until `stop` changes. Connections beyond the limit wait in the queue of the system.
/// Calls `before_close`, and then listens no more. Returns when all requests that were taken have their answers, or after [`drain`](Limits::drain).
pub(crate) async fn serve<L: Listener>(
    mut listener: L,
    (app, router): (Arc<App>, Router),
    limits: Limits,
    mut stop: watch::Receiver<bool>,
    before_close: impl FnOnce(),
) {
    let Limits { connections: most, drain, .. } = limits;
    let places = Arc::new(Semaphore::new(most));
    let stopping = stop.clone();
    let accept = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let (io, _) = listener.accept().await;
            let counted = app.metrics.connection();
            let (app, router, stopping) = (Arc::clone(&app), router.clone(), stopping.clone());
            tokio::spawn(async move {
                connection(io, &app, router, limits, stopping).await;
                drop((counted, place));
            });
        }
    };
    tokio::select! {
        () = accept => {}
        _ = stop.wait_for(|is_set| *is_set) => {}
    }
    before_close();
    drop(listener);
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    if time::timeout(drain, places.acquire_many(all)).await.is_err() {
        tracing::warn!(open = app.metrics.connections.get(), "ended before all requests had their answers");
    }
}

async fn connection<I: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    io: I,
    app: &App,
    router: Router,
    Limits { idle_timeout, answer_timeout, .. }: Limits,
    mut stop: watch::Receiver<bool>,
) {
    let exchange = Arc::new(Exchange::default());
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let open = exchange.begin();
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(Arc::clone(&exchange));
        let router = router.clone();
        async move {
            let response = router.oneshot(request).await;
            drop(open);
            response
        }
    });
    let http = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(idle_timeout)
        .max_header_size(LONGEST_HEAD)
        .max_headers(MOST_FIELDS)
        .max_buf_size(2 * LONGEST_HEAD)
        .serve_connection(TokioIo::new(Explained::new(io)), service);
    let mut http = pin!(http);
    let mut look = time::interval(LOOK.min(answer_timeout / 2).max(Duration::from_millis(10)));
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_told = false;
    loop {
        tokio::select! {
            // Whatever the client did wrong, hyper has answered it.
            _ = http.as_mut() => return,
            _ = look.tick() => {
                if exchange.age().is_some_and(|age| age > answer_timeout) {
                    app.metrics.cut_off.inc();
                    return;
                }
            }
            _ = stop.wait_for(|is_set| *is_set), if !is_told => {
                is_told = true;
                http.as_mut().graceful_shutdown();
                // hyper would wait for a request that may never come.
                if exchange.age().is_none() {
                    return;
                }
            }
        }
    }
}
