use crate::{Error, Extensions, query::Planner};
use ballista_core::{
    config::BALLISTA_CLIENT_PULL,
    extension::{SessionConfigExt, SessionStateExt},
};
use datafusion::execution::context::{SessionConfig, SessionContext};
use std::{io, sync::Arc, time::Duration};
use tokio::net::TcpStream;
use url::Url;

/// How long a client tries to connect.
const CONNECT: Duration = Duration::from_secs(5);

/// How long an executor may be silent while a client reads a result.
const SILENCE: Duration = Duration::from_secs(20);

/// A context that runs queries on a cluster, with the functions of sortid.
///
/// `url` is `df://HOST:PORT`, the address of the scheduler. A query whose result is dropped before its end is
/// cancelled.
///
/// ```no_run
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let context = sortid_ballista::connect("df://localhost:50050").await?;
/// context.sql("SELECT 1").await?.show().await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If `url` is malformed, or no scheduler answers within 5 s.
pub async fn connect(url: &str) -> Result<SessionContext, Error> {
    Extensions::default().connect(url).await
}

impl Extensions {
    /// A context that runs queries on a cluster, with these functions. See [`connect`].
    ///
    /// # Errors
    ///
    /// If `url` is malformed, or no scheduler answers within 5 s.
    pub async fn connect(&self, url: &str) -> Result<SessionContext, Error> {
        let scheduler = address(url).ok_or_else(|| Error::Address {
            expected: "df://HOST:PORT, for example df://localhost:50050",
            found: url.to_owned(),
        })?;
        reach(&scheduler, CONNECT).await?;

        let failed = |error: datafusion::error::DataFusionError| Error::Ballista(error.to_string());
        let config = SessionConfig::new_with_ballista()
            // Otherwise the client learns the number of a query only at its end, and cannot cancel the query.
            .set_bool(BALLISTA_CLIENT_PULL, true)
            // See `Extensions::with_adaptive_planning`.
            .with_ballista_adaptive_query_planner(false)
            // Otherwise the client waits for ever for a machine that is gone.
            .with_ballista_override_create_grpc_client_endpoint(Arc::new(|endpoint| {
                Ok(endpoint
                    .connect_timeout(SILENCE)
                    .http2_keep_alive_interval(SILENCE / 2)
                    .keep_alive_timeout(SILENCE / 2)
                    .keep_alive_while_idle(true))
            }))
            .with_ballista_logical_extension_codec(self.logical_codec())
            .with_ballista_physical_extension_codec(self.physical_codec())
            .with_ballista_query_planner(Arc::new(Planner::new(&scheduler, self.logical_codec())));
        let state = self.session_state(config).map_err(failed)?;
        let state = state.upgrade_for_ballista(format!("http://{scheduler}")).map_err(failed)?;
        let context = SessionContext::new_with_state(state);
        // Ballista removes them from the state.
        self.register(&context);
        Ok(context)
    }
}

/// `HOST:PORT` of `df://HOST:PORT`. The port is 50050 by default.
fn address(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| url.scheme() == "df" && matches!(url.path(), "" | "/"))?;
    let host = url.host_str().filter(|host| !host.is_empty())?;
    Some(format!("{host}:{}", url.port().unwrap_or(50050)))
}

/// Waits until something listens at `scheduler`, `HOST:PORT`.
pub(crate) async fn reach(scheduler: &str, within: Duration) -> Result<(), Error> {
    let mut last = io::Error::from(io::ErrorKind::TimedOut);
    let tries = async {
        loop {
            match TcpStream::connect(scheduler).await {
                Ok(_) => return,
                Err(error) => last = error,
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    match tokio::time::timeout(within, tries).await {
        Ok(()) => Ok(()),
        Err(_) => Err(Error::Unreachable { scheduler: scheduler.to_owned(), tried: within, source: last }),
    }
}
