//! A service that stores orders, and pages through them by their EUIDs.
//!
//! ```sh
//! cargo run -- orders.db 127.0.0.1:8080
//! curl -s localhost:8080/orders --json '{"customer": "Ada", "cents": 1250}'
//! curl -s 'localhost:8080/orders?limit=10'
//! ```

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use euid::{Euid, SharedGenerator};
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, SqlitePool, sqlite::SqliteConnectOptions};
use std::{env, time::Duration};

/// The generator of all requests: a later order has a greater ID.
static IDS: SharedGenerator = SharedGenerator::new();

#[derive(Serialize, FromRow)]
struct Order {
    id: Euid,
    customer: String,
    cents: i64,
}

#[derive(Deserialize)]
struct NewOrder {
    customer: String,
    cents: i64,
}

#[derive(Deserialize)]
struct Page {
    /// The last ID of the page before.
    after: Option<Euid>,
    /// The first time of the page, in Unix milliseconds.
    since: Option<u64>,
    /// The last time of the page, in Unix milliseconds.
    until: Option<u64>,
    limit: Option<u16>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = env::args().skip(1);
    let (Some(file), Some(address)) = (args.next(), args.next()) else {
        return Err("usage: orders FILE ADDRESS".into());
    };
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let pool = SqlitePool::connect_with(options).await?;
    // The bytes of an EUID sort by time, so the primary key is also an index by time.
    sqlx::query(
        "CREATE TABLE IF NOT EXISTS orders (
            id BLOB PRIMARY KEY, customer TEXT NOT NULL, cents INTEGER NOT NULL
        ) WITHOUT ROWID",
    )
    .execute(&pool)
    .await?;

    let service = Router::new()
        .route("/orders", get(page).post(place))
        .route("/orders/{id}", get(one))
        .with_state(pool);
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    Ok(axum::serve(listener, service).await?)
}

async fn place(
    State(pool): State<SqlitePool>,
    Json(NewOrder { customer, cents }): Json<NewOrder>,
) -> Result<(StatusCode, Json<Order>), Failure> {
    let order = Order { id: IDS.try_generate().map_err(Failure::unavailable)?, customer, cents };
    sqlx::query("INSERT INTO orders VALUES (?, ?, ?)")
        .bind(order.id)
        .bind(&order.customer)
        .bind(order.cents)
        .execute(&pool)
        .await?;
    Ok((StatusCode::CREATED, Json(order)))
}

/// The check of an EUID refuses most IDs with a wrong character before the service asks the database.
async fn one(State(pool): State<SqlitePool>, Path(id): Path<Euid>) -> Result<Json<Order>, Failure> {
    let order = sqlx::query_as("SELECT * FROM orders WHERE id = ?").bind(id).fetch_optional(&pool).await?;
    order.map(Json).ok_or_else(|| Failure(StatusCode::NOT_FOUND, format!("there is no order {id}")))
}

async fn page(State(pool): State<SqlitePool>, Query(page): Query<Page>) -> Result<Json<Vec<Order>>, Failure> {
    let least = page.since.map(|since| Euid::min_at(Duration::from_millis(since))).transpose()?;
    let greatest = page.until.map(|until| Euid::max_at(Duration::from_millis(until))).transpose()?;
    let orders =
        sqlx::query_as("SELECT * FROM orders WHERE id > ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?")
            .bind(page.after.unwrap_or(Euid::MIN))
            .bind(least.unwrap_or(Euid::MIN))
            .bind(greatest.unwrap_or(Euid::MAX))
            .bind(page.limit.unwrap_or(100))
            .fetch_all(&pool)
            .await?;
    Ok(Json(orders))
}

struct Failure(StatusCode, String);

impl Failure {
    fn unavailable(error: impl ToString) -> Self {
        Self(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

/// A time out of the range of IDs.
impl From<euid::ParseError> for Failure {
    fn from(error: euid::ParseError) -> Self {
        Self(StatusCode::BAD_REQUEST, error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, self.1 + "\n").into_response()
    }
}
