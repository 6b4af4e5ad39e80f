//! The handlers, with a clock that only the test moves and a store of the fleet in memory.

use axum::{
    body::{Body, to_bytes},
    http::{Request, StatusCode},
};
use euid::{Extension, testing::ManualClock};
use serde_json::{Value, json};
use service::{OrderId, Shop, router};
use sortid_fleet::{Fleet, Generate as _, Node, init, testing::MemoryStore};
use sqlx::postgres::PgPoolOptions;
use std::{env, process::Command, sync::Arc, time::Duration};
use tower::ServiceExt as _;

/// 2024-06-06T06:06:06.666Z
const NOW: Duration = Duration::from_millis(1_717_653_966_666);

const USER: &str = "user_C8EE934SR007G5Q94QKKXFRFV8B";

struct Test {
    clock: Arc<ManualClock>,
    store: Arc<MemoryStore>,
    node: Node,
    shop: Shop,
}

/// A shop whose process has node ID 5 of 256. Without a database, handlers that need it fail.
fn test(database: Option<&str>) -> Test {
    let clock = Arc::new(ManualClock::new(NOW));
    let store = Arc::new(MemoryStore::with_clock(Arc::clone(&clock)));
    init(&*store, "orders", 256).unwrap();
    let fleet = Fleet::new(Arc::clone(&store)).space("orders").unwrap();
    let node = fleet.clock(Arc::clone(&clock)).join_as(5).unwrap();
    let ids = node.generator(euid::Options::new()).unwrap();
    let pool = PgPoolOptions::new().acquire_timeout(Duration::from_millis(500));
    let db = pool.connect_lazy(database.unwrap_or("postgres://nobody@127.0.0.1:1/none")).unwrap();
    Test { clock, store, node, shop: Shop { db, order_ids: Arc::new(ids.typed()) } }
}

async fn post(shop: &Shop, path: &str, body: &Value) -> (StatusCode, String) {
    let request = Request::post(path).header("content-type", "application/json");
    let request = request.body(Body::from(body.to_string())).unwrap();
    let answer = router(shop.clone()).oneshot(request).await.unwrap();
    let status = answer.status();
    let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    (status, String::from_utf8(body.into()).unwrap())
}

#[tokio::test]
async fn an_order_has_the_time_of_the_clock_and_the_node_id_of_the_process() {
    let Ok(database) = env::var("SORTID_POSTGRES") else {
        eprintln!("left out, because SORTID_POSTGRES is not set");
        return;
    };
    let Test { clock, shop, .. } = test(Some(&database));
    // It makes the table.
    let init = Command::new(env!("CARGO_BIN_EXE_service")).arg("init").env("DATABASE_URL", database).status();
    assert!(init.unwrap().success());
    for second in 0..3 {
        let (status, body) = post(&shop, "/orders", &json!({ "customer": USER, "item": "tea" })).await;
        assert_eq!(status, 200, "{body}");
        let order: Value = serde_json::from_str(&body).unwrap();
        let id: OrderId = serde_json::from_value(order["id"].clone()).unwrap();
        assert_eq!(id.get().unix_millis(), 1_717_653_966_666 + 1000 * second);
        assert_eq!(id.get().extension(), Some(Extension::with_bits(5, 8).unwrap()));
        clock.advance(Duration::from_secs(1));
    }
}

#[tokio::test]
async fn a_process_without_a_reservation_answers_that_it_is_unavailable() {
    let Test { clock, store, shop, .. } = test(None);
    store.set_down(true);
    clock.advance(Duration::from_secs(60));
    let (status, body) = post(&shop, "/orders", &json!({ "customer": USER, "item": "tea" })).await;
    assert_eq!(status, 503);
    assert!(body.contains("reservation"), "{body}");
}

#[tokio::test]
async fn a_client_does_not_see_what_the_database_says() {
    let shop = test(None).shop;
    for (path, body) in [
        ("/orders", json!({ "customer": USER, "item": "tea" })),
        ("/orders/find", json!([shop.order_ids.generate().unwrap()])),
    ] {
        let (status, body) = post(&shop, path, &body).await;
        assert_eq!((status.as_u16(), &*body), (500, "the database failed: try again"), "{path}");
    }
}

#[tokio::test]
async fn a_process_that_has_released_its_node_id_makes_no_order() {
    let Test { node, shop, .. } = test(None);
    node.release().unwrap();
    let (status, body) = post(&shop, "/orders", &json!({ "customer": USER, "item": "tea" })).await;
    assert_eq!(status, 503);
    assert!(body.contains("released"), "{body}");
}

#[tokio::test]
async fn an_id_of_another_type_is_not_one_of_a_user() {
    let shop = test(None).shop;
    let order = shop.order_ids.generate().unwrap();
    let (status, body) = post(&shop, "/orders", &json!({ "customer": order, "item": "tea" })).await;
    assert_eq!(status, 422);
    assert!(body.contains("user_"), "{body}");
}
