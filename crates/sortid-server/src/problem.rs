//! Problem details (RFC 9457), the answers to requests without a result.

use crate::serve::{LONGEST_HEAD, MOST_FIELDS};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::fmt;

/// The media type of problem details.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// The reason why a request has no result.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// A name for programs, which does not change.
    pub(crate) code: &'static str,
    pub(crate) detail: String,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, detail: impl fmt::Display) -> Self {
        Self { status, code, detail: detail.to_string() }
    }

    /// A parameter of the query, or its value, is wrong.
    pub(crate) fn parameter(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "wrong-parameter", detail)
    }

    /// The request has something that no request may have.
    pub(crate) fn request(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "wrong-request", detail)
    }

    pub(crate) fn unknown_path(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, "unknown-path", detail)
    }

    pub(crate) fn unknown_spec(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, "unknown-specification", detail)
    }

    /// The server does not make IDs of this specification, and waiting does not help.
    pub(crate) fn not_made(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-made", detail)
    }

    pub(crate) fn method(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", detail)
    }

    /// The request cannot be read as HTTP, which has this status.
    pub(crate) fn broken(status: StatusCode) -> Self {
        match status {
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Self::new(
                status,
                "long-head",
                format_args!(
                    "expected at most {MOST_FIELDS} header fields, and a head of at most {LONGEST_HEAD} bytes, found more: leave some out"
                ),
            ),
            StatusCode::URI_TOO_LONG => Self::long_url("expected a shorter URL: ask for less in one request"),
            _ => Self::new(
                status,
                "wrong-request",
                "expected a request of HTTP/1.1, found a method, a URL, a version or a header field that HTTP does not have",
            ),
        }
    }

    pub(crate) fn long_url(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::URI_TOO_LONG, "long-url", detail)
    }

    /// What makes the answer has panicked.
    pub(crate) fn fault() -> Self {
        let detail = "the server has a fault: its log says which. Other requests may succeed";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", detail)
    }

    /// The server has too much to do.
    pub(crate) fn busy(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
    }

    /// The server cannot make the IDs now.
    pub(crate) fn unavailable(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail)
    }
}

/// The members of RFC 9457, and `code`. `type` is left out: it is `about:blank`.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Problem, description = "Problem details (RFC 9457). The type is about:blank.")]
pub(crate) struct Body<'a> {
    /// What the status means.
    #[schema(example = "Bad Request")]
    title: &'a str,
    /// The status of the response.
    #[schema(example = 400)]
    status: u16,
    /// A name of the problem, for programs.
    #[schema(example = "wrong-parameter")]
    code: &'a str,
    /// What was expected, what was found, and what to do.
    #[schema(example = "n: expected a number from 1 to 10000, found \"0\"")]
    detail: &'a str,
}

impl Problem {
    /// The problem details.
    pub(crate) fn body(&self) -> Vec<u8> {
        let Self { status, code, detail } = self;
        let title = status.canonical_reason().unwrap_or_default();
        let mut text =
            serde_json::to_vec(&Body { title, status: status.as_u16(), code, detail }).unwrap_or_default();
        text.push(b'\n');
        text
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, text) = (self.status, self.body());
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        let mut response = (status, headers, text).into_response();
        let more = match status {
            StatusCode::SERVICE_UNAVAILABLE => Some((header::RETRY_AFTER, "1")),
            StatusCode::METHOD_NOT_ALLOWED => Some((header::ALLOW, "GET, HEAD")),
            _ => None,
        };
        response.headers_mut().extend(more.map(|(name, value)| (name, HeaderValue::from_static(value))));
        response
    }
}
