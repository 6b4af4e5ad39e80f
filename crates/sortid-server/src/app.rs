//! The paths, and what answers their requests.

use crate::{
    exchange::Exchange,
    fleet::Membership,
    metrics::{self, Metrics},
    problem::Problem,
    query::{FORMAT, FROM, N, Parameter, Query, SINCE, UNTIL, listed, quoted},
    series::{ALLOWANCE, Shape, set_back},
    specs::{self, Maker},
};
use axum::{
    Extension, Router,
    body::{Body, HttpBody as _},
    error_handling::HandleErrorLayer,
    extract::{MatchedPath, Path, Request, State, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use futures_util::FutureExt as _;
use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use serde::Serialize;
use sortid::{AnyId, Spec};
use sortid_inspect::{
    __private::program::{Format, Span, json, time::Role},
    Form, Input, Options as DescribeOptions, inspect_as,
};
use std::{
    borrow::Cow,
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::Semaphore;
use tower::{
    BoxError, ServiceBuilder,
    limit::GlobalConcurrencyLimitLayer,
    load_shed::{LoadShedLayer, error::Overloaded},
    timeout::{TimeoutLayer, error::Elapsed},
};

/// The longest path and query of a URL.
const LONGEST_URL: usize = 2048;

/// How many bytes of answers may wait for their clients to read them.
const ANSWERS: usize = 64 << 20;

/// The bytes of a permit.
const PERMIT: usize = 1024;

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const JSON_LINES: &str = "application/x-ndjson";
const BYTES: &str = "application/octet-stream";

/// What the requests share.
pub(crate) struct App {
    /// In the order of [`Spec::ALL`].
    makers: Vec<(Spec, Arc<dyn Maker>)>,
    pub(crate) membership: Membership,
    pub(crate) metrics: Metrics,
    answers: Arc<Semaphore>,
    timeout: Duration,
}

impl App {
    pub(crate) fn new(
        makers: Vec<(Spec, Arc<dyn Maker>)>,
        membership: Membership,
        timeout: Duration,
        lost_lines: &Counter,
    ) -> Self {
        let answers = Arc::new(Semaphore::new(ANSWERS / PERMIT));
        Self { makers, membership, metrics: Metrics::new(lost_lines), answers, timeout }
    }

    pub(crate) fn makers(&self) -> Vec<&dyn Maker> {
        self.makers.iter().map(|(_, maker)| &**maker).collect()
    }

    /// Why the server should get no requests. Empty if it is ready.
    pub(crate) fn doubts(&self) -> Vec<String> {
        let mut doubts: Vec<_> = self.membership.doubt().into_iter().collect();
        let mut ahead = Duration::ZERO;
        for series in self.makers.iter().flat_map(|(_, maker)| maker.watched()) {
            match series.ahead() {
                Some(Ok(by)) => ahead = ahead.max(by),
                Some(Err(error)) => doubts.push(error.to_string()),
                None => {}
            }
        }
        if ahead > ALLOWANCE {
            doubts.push(set_back(ahead));
        }
        doubts.dedup();
        doubts
    }
}

type Shared = State<Arc<App>>;
type Answer = Result<Response, Problem>;

/// The service that answers requests, at most `most` of them at a time. `openapi` is the document that describes it.
pub(crate) fn router(app: Arc<App>, most: usize, openapi: fn() -> &'static str) -> Router {
    let mut ids = Router::new();
    for (spec, maker) in &app.makers {
        let of_spec = Router::new()
            .route(&format!("/v1/{spec}"), get(make))
            .route(&format!("/v1/{spec}/range"), get(range))
            .route(&format!("/v1/{spec}/inspect/{{*id}}"), get(inspect));
        ids = ids.merge(of_spec.layer(Extension(*spec)).layer(Extension(Arc::clone(maker))));
    }
    let limits = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(move |error: BoxError| async move { refused(&error, most) }))
        .layer(LoadShedLayer::new())
        .layer(GlobalConcurrencyLimitLayer::new(most))
        .layer(TimeoutLayer::new(app.timeout));
    ids.layer(limits)
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(move || async move { (no_store(JSON), openapi()) }))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), observe))
        .with_state(app)
}

/// Checks what all requests have to keep, and counts the answer.
async fn observe(State(app): Shared, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    // Not the path of the URL, so that the labels of metrics are few.
    let path = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let uri = request.uri().clone();
    let response = match check(&request) {
        Ok(()) => {
            // Nothing reads it.
            *request.body_mut() = Body::empty();
            let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
            answer.await.unwrap_or_else(|_| Problem::fault().into_response())
        }
        Err(problem) => problem.into_response(),
    };
    let (status, took) = (response.status(), started.elapsed());
    app.metrics.answered(path, status.as_u16(), took);
    tracing::debug!(%method, %uri, status = status.as_u16(), took_us = took.as_micros() as u64, "answered");
    response
}

fn check(request: &Request) -> Result<(), Problem> {
    let length = request.uri().path_and_query().map_or(0, |it| it.as_str().len());
    if length > LONGEST_URL {
        return Err(Problem::long_url(format_args!(
            "expected a path and a query of at most {LONGEST_URL} bytes, found {length}: ask for less in one request"
        )));
    }
    if !request.body().is_end_stream() {
        return Err(Problem::request("expected a request without a body, found one: leave it out"));
    }
    Ok(())
}

fn refused(error: &BoxError, most: usize) -> Problem {
    if error.is::<Overloaded>() {
        return Problem::busy(format_args!(
            "the server answers {most} requests already, as many as it may at a time: try again, or start another server"
        ));
    }
    if error.is::<Elapsed>() {
        return Problem::unavailable(
            "the server could not make the IDs in time: ask for fewer, or try again",
        );
    }
    Problem::unavailable(error)
}

/// Answers IDs.
async fn make(
    State(app): Shared,
    Extension(spec): Extension<Spec>,
    Extension(maker): Extension<Arc<dyn Maker>>,
    exchange: Option<Extension<Arc<Exchange>>>,
    uri: Uri,
    headers: HeaderMap,
) -> Answer {
    let query = Query::read(uri.query(), &make_parameters(spec))?;
    let count = query.count()?;
    let format = query.format()?.unwrap_or(Format::TEXT);
    let (series, options) = maker.series(&query)?;
    format
        .suits(spec.name(), spec.bytes())
        .map_err(|why| Problem::parameter(format_args!("format: {why}")))?;
    let is_array = wants_json(&headers);
    if is_array && format == Format::Bytes {
        return Err(Problem::parameter(
            "format: expected a form that JSON can have, found \"bytes\": leave out the header Accept, or the format",
        ));
    }
    if maker.needs_node() {
        app.membership.check()?;
    }
    let shape = Shape { format, is_array };
    let permits = (count * shape.most_bytes()).div_ceil(PERMIT);
    let permits = Arc::clone(&app.answers).try_acquire_many_owned(permits as u32).map_err(|_| {
        Problem::busy(
            "the clients of the server have not read 64 MiB of its answers, as many as it keeps: try again, or ask for fewer",
        )
    })?;
    let text = series.make(count, shape, options).await?;
    app.metrics.made(spec.name(), count);
    let media_type = match (is_array, format) {
        (true, _) => JSON,
        (_, Format::Json) => JSON_LINES,
        (_, Format::Bytes) => BYTES,
        (_, Format::Form(_)) => TEXT,
    };
    let body = match exchange {
        Some(Extension(exchange)) => exchange.hold(text, permits),
        None => text.into(),
    };
    Ok((no_store(media_type), body).into_response())
}

/// The parameters of a request for IDs.
pub(crate) fn make_parameters(spec: Spec) -> Vec<&'static Parameter> {
    [&[N, FORMAT], specs::parameters(spec).make].concat()
}

/// The parameters of a request that inspects an ID.
pub(crate) fn inspect_parameters(spec: Spec) -> Vec<&'static Parameter> {
    [&[FROM], specs::parameters(spec).inspect].concat()
}

/// The parameters of a request for the bounds of a time span.
pub(crate) fn range_parameters(spec: Spec) -> Vec<&'static Parameter> {
    [&[SINCE, UNTIL, FORMAT], specs::parameters(spec).range].concat()
}

/// Answers what `sortid inspect --json --spec SPEC` prints.
async fn inspect(
    Extension(spec): Extension<Spec>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Answer {
    let Path(id) = path.map_err(|_| Problem::request("expected UTF-8 in the percent signs of the path"))?;
    let query = Query::read(uri.query(), &inspect_parameters(spec))?;
    let from: Option<Form> = query.form()?;
    if let Some(from) = from {
        from.suits(spec.name(), spec.bytes())
            .map_err(|why| Problem::parameter(format_args!("from: {why}")))?;
    }
    let options = DescribeOptions {
        scalable: query.flag(crate::query::INSPECT_SCALABLE)?.unwrap_or_default(),
        epoch: query.epoch()?.unwrap_or_default(),
        replica_scheme: query.scheme()?,
        ..DescribeOptions::default()
    };
    let input = Input::from(&*id);
    let inspection = inspect_as(input, Some(spec), from, &options);
    let mut out = vec![];
    json::push_inspection(input, Some(spec), &inspection, &mut out).map_err(Problem::unavailable)?;
    Ok((no_store(JSON), out).into_response())
}

/// Answers the least and the greatest ID of a time span.
async fn range(Extension(spec): Extension<Spec>, uri: Uri, headers: HeaderMap) -> Answer {
    let query = Query::read(uri.query(), &range_parameters(spec))?;
    let now = Timestamp::now();
    let (since, until) = (query.time(SINCE, Role::Since, now)?, query.time(UNTIL, Role::Until, now)?);
    let epoch = query.epoch()?;
    let span = Span { spec, since, until, epoch, dashes: "" };
    span.check().map_err(Problem::parameter)?;
    let format = query.format()?;
    let format =
        if wants_json(&headers) && format.is_none() { Format::Json } else { format.unwrap_or(Format::TEXT) };
    format
        .suits(spec.name(), spec.bytes())
        .map_err(|why| Problem::parameter(format_args!("format: {why}")))?;
    let [least, greatest] = span.bounds().map_err(Problem::parameter)?;
    let bounds = [least.unwrap_or(AnyId::min(spec)), greatest.unwrap_or(AnyId::max(spec))];
    let options = DescribeOptions { epoch: epoch.unwrap_or_default(), ..DescribeOptions::default() };
    let mut out = vec![];
    format.push_range(bounds, &options, &mut out);
    let media_type = match format {
        Format::Json => JSON,
        Format::Bytes => BYTES,
        Format::Form(_) => TEXT,
    };
    Ok((no_store(media_type), out).into_response())
}

/// Whether the client asks for JSON: its header `Accept` names it.
fn wants_json(headers: &HeaderMap) -> bool {
    headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).any(|value| {
        value.split(',').any(|range| {
            let mut parts = range.split(';').map(str::trim);
            parts.next().is_some_and(|media_type| media_type.eq_ignore_ascii_case(JSON))
                && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
    })
}

/// The headers of an answer that nobody may give to a second client.
fn no_store(media_type: &'static str) -> [(header::HeaderName, HeaderValue); 3] {
    [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::VARY, HeaderValue::from_static("accept")),
    ]
}

/// Answers that the process works.
async fn healthz() -> Response {
    (no_store(TEXT), "ok\n").into_response()
}

/// Whether the server is ready.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct Readiness {
    /// Whether the server can make all IDs that it offers.
    ready: bool,
    /// What became of the reservation: `alone` without a store, else `waiting`, `holding` or `released`.
    fleet: &'static str,
    /// The node ID.
    node_id: Option<u32>,
    /// The end of the reservation, in RFC 3339.
    until: Option<String>,
}

async fn readyz(State(app): Shared) -> Answer {
    let doubts = app.doubts();
    if !doubts.is_empty() {
        return Err(Problem::unavailable(doubts.join("; ")));
    }
    let state = app.membership.state();
    let (node_id, until) = match &state {
        crate::fleet::State::Holding(status) => {
            let until = sortid_inspect::__private::program::time::Time::from_system_time(status.until);
            (Some(status.node_id), Some(until.to_string()))
        }
        _ => (None, None),
    };
    let readiness = Readiness { ready: true, fleet: state.name(), node_id, until };
    let mut text = serde_json::to_vec(&readiness).map_err(Problem::unavailable)?;
    text.push(b'\n');
    Ok((no_store(JSON), text).into_response())
}

async fn metrics(State(app): Shared) -> Response {
    let text = app.metrics.text(app.doubts().is_empty(), &app.membership.state());
    (no_store(metrics::MEDIA_TYPE), text).into_response()
}

/// Answers what is wrong with a path.
async fn unknown(uri: Uri) -> Problem {
    let path = uri.path();
    let names: Vec<_> = Spec::ALL.iter().map(|spec| spec.name()).collect();
    if let Some(rest) = path.strip_prefix("/v1/").filter(|rest| !rest.is_empty()) {
        let (name, rest) = rest.split_once('/').map_or((rest, None), |(name, rest)| (name, Some(rest)));
        if !names.contains(&name) {
            let advice: Cow<'_, str> = match name.parse::<Spec>() {
                Ok(spec) => format!(": write /v1/{spec}").into(),
                Err(_) => "".into(),
            };
            return Problem::unknown_spec(format_args!(
                "expected the name of a specification after /v1/, {}, found {}{advice}",
                listed(&names, "or"),
                quoted(name)
            ));
        }
        return Problem::unknown_path(format_args!(
            "expected /v1/{name}, /v1/{name}/range or /v1/{name}/inspect/ID, found {}{}",
            quoted(path),
            if rest == Some("inspect/") || rest == Some("inspect") { ": write the ID after it" } else { "" }
        ));
    }
    Problem::unknown_path(format_args!(
        "expected one of the paths that /openapi.json lists, such as /v1/{}, found {}",
        Spec::Euid,
        quoted(path)
    ))
}

async fn wrong_method(method: Method, uri: Uri) -> Problem {
    Problem::method(format_args!(
        "expected the method GET, or HEAD, for {}, found {}",
        quoted(uri.path()),
        quoted(method.as_str())
    ))
}

/// The status of an answer without a problem, for the OpenAPI document.
pub(crate) const GOOD: StatusCode = StatusCode::OK;

/// The media types of the answers, for the OpenAPI document.
pub(crate) const MEDIA_TYPES: [&str; 4] = [TEXT, JSON, JSON_LINES, BYTES];

#[cfg(test)]
mod tests {
    use super::{App, router};
    use crate::{
        fleet::Membership,
        problem::Problem,
        query::Query,
        series::{Alone, AnySeries, Latest, Series},
        specs::{self, Maker, Settings},
    };
    use axum::{body::Body, extract::Request};
    use prometheus_client::metrics::counter::Counter;
    use sortid::{Spec, ron_uid::Base64x64, testing::ManualClock};
    use sortid_inspect::Options as DescribeOptions;
    use std::{sync::Arc, time::Duration};
    use tower::ServiceExt as _;

    struct Broken(Vec<Arc<dyn AnySeries>>);

    impl Maker for Broken {
        fn series(&self, _: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
            panic!("for the test")
        }

        fn watched(&self) -> Vec<Arc<dyn AnySeries>> {
            self.0.clone()
        }
    }

    fn app(makers: Vec<(Spec, Arc<dyn Maker>)>) -> Arc<App> {
        Arc::new(App::new(makers, Membership::new(None), Duration::from_secs(5), &Counter::default()))
    }

    #[test]
    fn a_server_whose_clock_is_out_of_range_is_not_ready() {
        let clock = Arc::new(ManualClock::new(Duration::from_millis(1_717_653_966_666)));
        let options = sortid::scru160::Options::new();
        let ids = Alone::from_parts(options, Arc::clone(&clock), sortid::ThreadEntropy);
        let watched: Vec<Arc<dyn AnySeries>> = vec![Arc::new(Series::new(ids, &Latest::default()))];
        let app = app(vec![(Spec::Scru160, Arc::new(Broken(watched)))]);
        assert_eq!(app.doubts(), [""; 0]);
        clock.set(Duration::from_secs(1 << 40));
        let [doubt] = &app.doubts()[..] else { panic!("expected a doubt") };
        assert!(doubt.starts_with("the time is ") && doubt.ends_with(": correct the time"), "{doubt}");
    }

    #[tokio::test]
    async fn a_panic_is_the_end_of_its_request_only() {
        let good = specs::maker(Spec::Euid, Settings { origin: Base64x64::ZERO });
        let app = app(vec![(Spec::Scru160, Arc::new(Broken(vec![]))), (Spec::Euid, good)]);
        let router = router(Arc::clone(&app), 1, || "");
        for (path, status) in
            [("/v1/scru160", 500), ("/v1/scru160", 500), ("/v1/euid", 200), ("/healthz", 200)]
        {
            let request = Request::get(path).body(Body::empty()).unwrap();
            assert_eq!(router.clone().oneshot(request).await.unwrap().status(), status, "{path}");
        }
        let metrics = app.metrics.text(true, &app.membership.state());
        assert!(metrics.contains(r#"sortid_requests_total{path="/v1/scru160",code="500"} 2"#), "{metrics}");
    }
}
