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
use euid::{Euid, Generator, UnixMillis};
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, SqlitePool, sqlite::SqliteConnectOptions};
use std::{
    env,
    io::{Write as _, stderr, stdout},
};

/// The generator of all requests: a later order has a greater ID, unless the clock was set back by more than 10 s.
static IDS: Generator = Generator::new();

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
    create_table(&pool).await?;

    let service = Router::new()
        .route("/orders", get(page).post(place))
        .route("/orders/{id}", get(one))
        .with_state(pool);
    let listener = tokio::net::TcpListener::bind(address).await?;
    // `println!` panics if nobody reads.
    let _ = writeln!(stdout(), "listening on {}", listener.local_addr()?);
    Ok(axum::serve(listener, service).await?)
}

/// The bytes of an EUID sort by time, so the primary key is also an index by time.
async fn create_table(pool: &SqlitePool) -> sqlx::Result<()> {
    sqlx::query(
        "CREATE TABLE IF NOT EXISTS orders (
            id BLOB PRIMARY KEY, customer TEXT NOT NULL, cents INTEGER NOT NULL
        ) WITHOUT ROWID",
    )
    .execute(pool)
    .await?;
    Ok(())
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

// The query has one lower bound, the greater of two IDs. With two, SQLite would seek the one of the time, and read all
// rows from there to `after`.
async fn page(State(pool): State<SqlitePool>, Query(page): Query<Page>) -> Result<Json<Vec<Order>>, Failure> {
    let at_most = |millis: u64| Euid::max_at(UnixMillis(millis.into()));
    let before = page.since.and_then(|since| since.checked_sub(1)).map(at_most).transpose()?;
    let last = page.until.map(at_most).transpose()?;
    let orders = sqlx::query_as("SELECT * FROM orders WHERE id > ? AND id <= ? ORDER BY id LIMIT ?")
        .bind(page.after.max(before).unwrap_or(Euid::MIN))
        .bind(last.unwrap_or(Euid::MAX))
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
        // Clients do not see what the database says.
        let _ = writeln!(stderr(), "the database: {error}");
        Self(StatusCode::INTERNAL_SERVER_ERROR, "the database failed: try again".to_owned())
    }
}

/// A time out of the range of IDs.
impl From<euid::RangeError> for Failure {
    fn from(error: euid::RangeError) -> Self {
        Self(StatusCode::BAD_REQUEST, error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, self.1 + "\n").into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use euid::Backfill;
    use sqlx::sqlite::SqlitePoolOptions;
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    };

    /// Counts the steps of SQLite's virtual machine.
    #[tokio::test]
    async fn the_last_page_costs_as_much_as_the_first() {
        let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap();
        create_table(&pool).await.unwrap();
        let mut ids = Backfill::default().ascending();
        let mut transaction = pool.begin().await.unwrap();
        for millis in 0..3000 {
            let id = ids.generate(UnixMillis(millis)).unwrap();
            let insert = sqlx::query("INSERT INTO orders VALUES (?, 'Ada', 1250)").bind(id);
            insert.execute(&mut *transaction).await.unwrap();
        }
        transaction.commit().await.unwrap();

        let steps = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&steps);
        let count = move || {
            counter.fetch_add(1, Relaxed);
            true // to continue
        };
        pool.acquire().await.unwrap().lock_handle().await.unwrap().set_progress_handler(1, count);
        let (mut orders, mut costs, mut after) = (0, vec![], None);
        loop {
            let query = Page { after, since: Some(1000), until: Some(1999), limit: None };
            let Json(found) = page(State(pool.clone()), Query(query)).await.map_err(|it| it.1).unwrap();
            let Some(last) = found.last() else { break };
            (orders, after) = (orders + found.len(), Some(last.id));
            costs.push(steps.swap(0, Relaxed));
        }
        assert_eq!((orders, costs.len()), (1000, 10));
        assert!(costs[0] > 100 && costs[9] < 2 * costs[0], "{costs:?}");
    }
}
