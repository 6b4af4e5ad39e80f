//! A user's crate with one version of sqlx.

#![cfg(test)]

use euid::{AsText, Euid};
use sqlx::{Connection, FromRow, Row, SqliteConnection};

euid::typed_id! {
    #[prefix = "user"]
    pub struct UserId;
}

#[derive(Debug, PartialEq, FromRow)]
struct Order {
    id: Euid,
    buyer: Option<UserId>,
    text: AsText<Euid>,
    note: Option<AsText<UserId>>,
}

async fn database() -> SqliteConnection {
    SqliteConnection::connect("sqlite::memory:").await.unwrap()
}

#[sqlx::test]
async fn a_row_has_the_bytes_and_the_texts_that_were_written() {
    let mut db = database().await;
    let create = "CREATE TABLE orders (id BLOB PRIMARY KEY, buyer BLOB, text TEXT, note TEXT)";
    sqlx::query(create).execute(&mut db).await.unwrap();
    for user in [Some(UserId::new()), None] {
        let id = euid::new();
        let order = Order { id, buyer: user, text: AsText(id), note: user.map(AsText) };
        let insert = sqlx::query("INSERT INTO orders VALUES (?, ?, ?, ?)");
        let insert = insert.bind(order.id).bind(order.buyer).bind(order.text).bind(order.note);
        insert.execute(&mut db).await.unwrap();
        let select = sqlx::query_as::<_, Order>("SELECT * FROM orders WHERE id = ? AND text = ?");
        assert_eq!(select.bind(id).bind(AsText(id)).fetch_all(&mut db).await.unwrap(), [order]);
        let row = sqlx::query("SELECT id, text FROM orders WHERE id = ?")
            .bind(id)
            .fetch_one(&mut db)
            .await
            .unwrap();
        assert_eq!(row.get::<Vec<u8>, _>(0), id.as_bytes());
        assert_eq!(row.get::<String, _>(1), id.to_string());
    }
}

#[sqlx::test]
async fn null_and_values_of_other_types_are_refused() {
    let mut db = database().await;
    let values = "SELECT NULL, 'C8EE934SR007G5Q9', x'', 1, 1.5, 'C8EE934SR007G5Q94QKKXFRFV8B'";
    let row = sqlx::query(values).fetch_one(&mut db).await.unwrap();
    for column in 0..6 {
        assert!(row.try_get::<Euid, _>(column).is_err(), "{column}");
        assert_eq!(row.try_get::<AsText<Euid>, _>(column).is_ok(), column == 5, "{column}");
    }
    assert_eq!(row.try_get::<Option<Euid>, _>(0).unwrap(), None);
}
