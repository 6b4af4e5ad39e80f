use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgPool};

euid::typed_id! {
    /// The ID of an order: a `uuid` in PostgreSQL, 27 characters in JSON and in URLs.
    pub struct OrderId;

    /// The ID of a user: the same, and in JSON and in URLs it begins with `user_`.
    #[prefix = "user"]
    pub struct UserId;
}

#[derive(Serialize, FromRow)]
struct Order {
    id: OrderId,
    customer: UserId,
    item: String,
}

#[derive(Deserialize)]
struct NewOrder {
    customer: UserId,
    item: String,
}

type Answer<T> = Result<Json<T>, (StatusCode, String)>;

fn failure(error: sqlx::Error) -> (StatusCode, String) {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

async fn place(State(db): State<PgPool>, Json(NewOrder { customer, item }): Json<NewOrder>) -> Answer<Order> {
    let order = Order { id: OrderId::new(), customer, item };
    sqlx::query("INSERT INTO orders VALUES ($1, $2, $3)")
        .bind(order.id)
        .bind(order.customer)
        .bind(&order.item)
        .execute(&db)
        .await
        .map_err(failure)?;
    Ok(Json(order))
}

/// The orders of a user, the oldest first.
async fn orders(State(db): State<PgPool>, Path(user): Path<UserId>) -> Answer<Vec<Order>> {
    let orders = sqlx::query_as("SELECT * FROM orders WHERE customer = $1 ORDER BY id").bind(user);
    orders.fetch_all(&db).await.map(Json).map_err(failure)
}

/// The orders with these IDs.
async fn find(State(db): State<PgPool>, Json(ids): Json<Vec<OrderId>>) -> Answer<Vec<Order>> {
    let orders = sqlx::query_as("SELECT * FROM orders WHERE id = ANY($1) ORDER BY id").bind(ids);
    orders.fetch_all(&db).await.map(Json).map_err(failure)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("DATABASE_URL")
        .map_err(|_| "DATABASE_URL is not set: expected postgres://USER@HOST/DATABASE")?;
    let db = PgPool::connect(&url).await?;
    sqlx::query("CREATE TABLE IF NOT EXISTS orders (id uuid PRIMARY KEY, customer uuid NOT NULL, item text NOT NULL)")
        .execute(&db)
        .await?;
    let service = Router::new()
        .route("/orders", post(place))
        .route("/orders/find", post(find))
        .route("/users/{user}/orders", get(orders))
        .with_state(db);
    let address = std::env::var("ADDRESS").unwrap_or("127.0.0.1:8080".to_owned());
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    Ok(axum::serve(listener, service).await?)
}
