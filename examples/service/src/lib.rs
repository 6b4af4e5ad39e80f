use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use sortid_fleet::{Generate, GenerateError};
use sqlx::{FromRow, PgPool};
use std::{
    io::{Write as _, stderr},
    sync::Arc,
};

euid::typed_id! {
    /// The ID of an order: a `uuid` in PostgreSQL, and 27 characters in JSON and in URLs.
    #[no_new]
    pub struct OrderId;

    /// The ID of a user: a `uuid` in PostgreSQL, and `user_` with 27 characters in JSON and in URLs.
    #[no_new]
    #[prefix = "user"]
    pub struct UserId;
}

/// What the handlers share.
#[derive(Clone)]
pub struct Shop {
    pub db: PgPool,
    pub order_ids: Arc<dyn Generate<Id = OrderId> + Send + Sync>,
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

/// Clients do not see what the database says.
fn failed(error: sqlx::Error) -> (StatusCode, String) {
    let _ = writeln!(stderr(), "the database: {error}");
    (StatusCode::INTERNAL_SERVER_ERROR, "the database failed: try again".to_owned())
}

async fn place(State(shop): State<Shop>, Json(NewOrder { customer, item }): Json<NewOrder>) -> Answer<Order> {
    // `try_generate` never waits for the store of the fleet. After an error, a later request may succeed.
    let unavailable = |error: GenerateError| (StatusCode::SERVICE_UNAVAILABLE, error.to_string());
    let id = shop.order_ids.try_generate().map_err(unavailable)?;
    let order = sqlx::query("INSERT INTO orders VALUES ($1, $2, $3)").bind(id).bind(customer).bind(&item);
    order.execute(&shop.db).await.map_err(failed)?;
    Ok(Json(Order { id, customer, item }))
}

/// The orders of a user, in the order of their IDs.
async fn orders(State(shop): State<Shop>, Path(user): Path<UserId>) -> Answer<Vec<Order>> {
    let orders = sqlx::query_as("SELECT * FROM orders WHERE customer = $1 ORDER BY id").bind(user);
    orders.fetch_all(&shop.db).await.map(Json).map_err(failed)
}

/// The orders with these IDs.
async fn find(State(shop): State<Shop>, Json(ids): Json<Vec<OrderId>>) -> Answer<Vec<Order>> {
    let orders = sqlx::query_as("SELECT * FROM orders WHERE id = ANY($1) ORDER BY id").bind(ids);
    orders.fetch_all(&shop.db).await.map(Json).map_err(failed)
}

pub fn router(shop: Shop) -> Router {
    Router::new()
        .route("/orders", post(place))
        .route("/orders/find", post(find))
        .route("/users/{user}/orders", get(orders))
        .with_state(shop)
}
