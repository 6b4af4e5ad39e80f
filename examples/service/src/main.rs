//! An order service of several processes, which share a PostgreSQL database.
//!
//! `service init` makes the tables and the fleet, once. `service` is a process of the fleet.

use axum::routing::get;
use service::{Shop, router};
use sortid_fleet::{Fleet, Generate as _, NodeState, PostgresStore, Status};
use sqlx::PgPool;
use std::{
    env,
    error::Error,
    io::{Write as _, stderr, stdout},
    sync::Arc,
    time::Duration,
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::oneshot,
    time::{sleep, timeout},
};

const ORDERS: &str =
    "CREATE TABLE IF NOT EXISTS orders (id uuid PRIMARY KEY, customer uuid NOT NULL, item text NOT NULL)";

/// What to watch, as Prometheus reads it.
fn metrics(status: &Status) -> String {
    let is_ready = u8::from(status.state == NodeState::Holding);
    let (left, failures) = (status.left().as_secs_f64(), status.failures);
    let skew = status.skew.unwrap_or(0) as f64 / 1000.0;
    format!(
        "sortid_ready {is_ready}\nsortid_reservation_left_seconds {left}\nsortid_store_failures {failures}\n\
         sortid_clock_skew_seconds {skew}\n"
    )
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = env::var("DATABASE_URL")
        .map_err(|_| "DATABASE_URL is not set: expected postgres://USER@HOST/DATABASE")?;
    let db = PgPool::connect(&url).await?;
    let nodes = PostgresStore::open(&url)?;
    match env::args().nth(1).as_deref() {
        Some("init") => {
            sqlx::query(ORDERS).execute(&db).await?;
            sortid_fleet::init(&nodes, "orders", 256)?;
            return Ok(());
        }
        Some(other) => return Err(format!("expected init or no argument, found {other:?}").into()),
        None => {}
    }

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?; // Ctrl-C
    // Without this, an outage of the store would be silent until the reservation ends.
    let fleet = Fleet::new(nodes).space("orders")?.on_event(|event| {
        let (status, error) = (&event.status, event.status.last_error.as_deref().unwrap_or(""));
        let (id, left) = (status.node_id, status.left().as_secs());
        let _ = writeln!(stderr(), "node ID {id}: {:?}, {left} s left {error}", event.kind);
    });
    let node = tokio::select! {
        node = fleet.join_async() => node?,
        _ = terminate.recv() => return Ok(()),
        _ = interrupt.recv() => return Ok(()),
    };
    let ids = Arc::new(node.generator(euid::Options::new())?);
    let shop = Shop { db, order_ids: Arc::new(Arc::clone(&ids).typed()) };

    let address = env::var("ADDRESS").unwrap_or("127.0.0.1:8080".to_owned());
    let listener = TcpListener::bind(address).await?;
    // `println!` and `eprintln!` panic if nobody reads.
    let _ = writeln!(stdout(), "listening on {} with node ID {}", listener.local_addr()?, node.id());
    let (stop, stopped) = oneshot::channel::<()>();
    let status = Arc::clone(&ids);
    let metrics = get(move || async move { metrics(&status.status()) });
    let app = router(shop).route("/metrics", metrics);
    let server = axum::serve(listener, app).with_graceful_shutdown(async { drop(stopped.await) });
    let server = tokio::spawn(server.into_future());
    // The process also ends if it loses its node ID, for example to an administrator. A supervisor starts it again.
    while ids.status().state == NodeState::Holding {
        tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            () = sleep(Duration::from_secs(1)) => {}
        }
    }
    let state = ids.status().state;
    drop(stop);
    match timeout(Duration::from_secs(20), server).await {
        Ok(served) => served??,
        Err(_) => drop(writeln!(stderr(), "requests that did not end within 20 s get no answer")),
    }
    // Frees the node ID for others. If the store does not answer within 5 s, it is free when the reservation ends.
    if let Err(error) = node.release() {
        let _ = writeln!(stderr(), "did not release the node ID: {error}");
    }
    if state == NodeState::Holding { Ok(()) } else { Err(format!("the node ID is {state:?}").into()) }
}
