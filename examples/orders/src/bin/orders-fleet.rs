//! The service with several instances: each reserves a node ID, so no two make the same ID.
//!
//! Create the fleet once, by hand. Then start its instances.
//!
//! ```sh
//! sortid nodes init --nodes dir:nodes --space orders
//! cargo run --bin orders-fleet -- orders.db 127.0.0.1:8080 dir:nodes first
//! cargo run --bin orders-fleet -- orders.db 127.0.0.1:8081 dir:nodes second
//! curl -s localhost:8080/orders --json '{"customer": "Ada", "cents": 1250}'
//! curl -s localhost:8081/health
//! ```

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use serde::{Deserialize, Serialize};
use sortid_fleet::{Fleet, Generator, NodeState};
use sqlx::{
    FromRow, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};
use std::{
    env,
    io::{Write as _, stderr, stdout},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::signal::unix::{SignalKind, signal};
use ulid_flake::{Options, UlidFlake};

#[derive(Clone)]
struct Service {
    pool: SqlitePool,
    /// The generator of all requests. Its IDs contain the node ID of this instance.
    ids: Arc<Generator<Options>>,
}

#[derive(Serialize, FromRow)]
struct Order {
    id: UlidFlake,
    customer: String,
    cents: i64,
}

#[derive(Deserialize)]
struct NewOrder {
    customer: String,
    cents: i64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [file, address, nodes, name] = &*args else {
        return Err("usage: orders-fleet FILE ADDRESS NODES NAME".into());
    };
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal);
    // Before the join, which can take a minute. Process 1 of a container ignores SIGTERM if it has no handler.
    let mut terminate = signal(SignalKind::terminate())?;
    let pool = SqlitePool::connect_with(options).await?;
    sqlx::query(
        "CREATE TABLE IF NOT EXISTS orders (
            id INTEGER PRIMARY KEY, customer TEXT NOT NULL, cents INTEGER NOT NULL
        )",
    )
    .execute(&pool)
    .await?;

    // An instance that restarts after a crash gets its node ID back by its name. A window may pass first, 15 s.
    let fleet =
        Fleet::new(sortid_fleet::open(nodes)?).space("orders")?.name(name)?.wait(Duration::from_secs(60));
    let node = tokio::select! {
        node = fleet.join_async() => node?,
        _ = terminate.recv() => return Ok(()),
    };
    let ids = Arc::new(node.generator(Options::new())?);

    let service = Router::new()
        .route("/orders", get(all).post(place))
        .route("/health", get(health))
        .with_state(Service { pool, ids: Arc::clone(&ids) });
    let listener = tokio::net::TcpListener::bind(address).await?;
    // `println!` panics if nobody reads.
    let _ = writeln!(stdout(), "listening on {} with node ID {}", listener.local_addr()?, node.id());
    let end = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            () = lost(&ids) => {}
        }
    };
    axum::serve(listener, service).with_graceful_shutdown(end).await?;
    let status = node.status();
    // The next instance can have the node ID at once. If the store does not answer, it waits for the end of the reservation.
    if let Err(error) = node.release() {
        let _ = writeln!(stderr(), "did not release the node ID: {error}");
    }
    match status.state {
        NodeState::Holding => Ok(()),
        state => Err(format!("{state:?}: {}", status.last_error.unwrap_or_default()).into()),
    }
}

/// Waits until this instance does not have the node ID any more, for example after a repair of the store. Then the instance
/// ends, and the service manager starts it again.
async fn lost(ids: &Generator<Options>) {
    while ids.status().state == NodeState::Holding {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Waits for up to 10 s if the reservation has to be renewed first.
async fn generate(ids: &Generator<Options>) -> Result<UlidFlake, Failure> {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        match ids.try_generate() {
            Ok(id) => return Ok(id),
            Err(error) => match error.retry_after().filter(|_| Instant::now() < end) {
                Some(left) => tokio::time::sleep(left).await,
                None => return Err(Failure::unavailable(error)),
            },
        }
    }
}

async fn place(
    State(Service { pool, ids }): State<Service>,
    Json(NewOrder { customer, cents }): Json<NewOrder>,
) -> Result<(StatusCode, Json<Order>), Failure> {
    let id = generate(&ids).await?;
    let order = Order { id, customer, cents };
    sqlx::query("INSERT INTO orders VALUES (?, ?, ?)")
        .bind(order.id)
        .bind(&order.customer)
        .bind(order.cents)
        .execute(&pool)
        .await?;
    Ok((StatusCode::CREATED, Json(order)))
}

async fn all(State(Service { pool, .. }): State<Service>) -> Result<Json<Vec<Order>>, Failure> {
    Ok(Json(sqlx::query_as("SELECT * FROM orders ORDER BY id").fetch_all(&pool).await?))
}

async fn health(State(Service { ids, .. }): State<Service>) -> Result<String, Failure> {
    let status = ids.status();
    match status.state {
        NodeState::Holding => Ok(format!("node ID {}\n", status.node_id)),
        state => Err(Failure::unavailable(format!("the node ID is {state:?}"))),
    }
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

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, self.1 + "\n").into_response()
    }
}
