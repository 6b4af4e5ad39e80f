//! MariaDB's type `UUID` neither sorts EUIDs by time nor keeps them all, as `docs/integrations.md` says.

use sortid::euid::Euid;
use sqlx::{Connection, MySqlConnection, Row};

/// EUIDs in order. The first has no version, the second looks like a UUID of version 1.
const IN_ORDER: [&str; 2] = ["0d7e88c4-a000-0000-0000-000000000001", "0d7e88c4-a001-1000-8000-000000000001"];

/// Bytes 6 and 8 of an EUID, and whether the type keeps it.
const KEPT: [(u8, u8, bool); 5] =
    [(0x7f, 0x40, true), (0x80, 0x00, true), (0x80, 0x01, false), (0xff, 0x80, false), (0x80, 0x81, true)];

#[test]
fn only_the_binary_column_of_mariadb_keeps_and_sorts_euids() {
    let Some(url) =
        crate::common::server("SORTID_MYSQL", "only_the_binary_column_of_mariadb_keeps_and_sorts_euids")
    else {
        return;
    };
    let [first, second] = IN_ORDER.map(|hex| {
        let int = u128::from_str_radix(&hex.replace('-', ""), 16).unwrap();
        Euid::from_u128(int)
    });
    assert!(first < second);
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let mut db = MySqlConnection::connect(&url).await.unwrap();
        let version: String = sqlx::query("SELECT VERSION()").fetch_one(&mut db).await.unwrap().get(0);
        if !version.contains("MariaDB") {
            return;
        }
        sqlx::raw_sql("CREATE TEMPORARY TABLE euids (id BINARY(16) PRIMARY KEY, of_type UUID UNIQUE)")
            .execute(&mut db)
            .await
            .unwrap();
        for (id, hex) in [(first, IN_ORDER[0]), (second, IN_ORDER[1])] {
            let insert = sqlx::query("INSERT INTO euids VALUES (?, ?)").bind(id).bind(hex);
            insert.execute(&mut db).await.unwrap();
        }
        for (query, expected) in [
            ("SELECT id FROM euids ORDER BY id", [first, second]),
            ("SELECT id FROM euids ORDER BY of_type", [second, first]),
        ] {
            let rows = sqlx::query(query).fetch_all(&mut db).await.unwrap();
            assert_eq!(rows.iter().map(|row| row.get(0)).collect::<Vec<Euid>>(), expected, "{query}");
        }
        for (sixth, eighth, is_kept) in KEPT {
            let hex = format!("0d7e88c4-a002-{sixth:02x}00-{eighth:02x}00-000000000001");
            let id = Euid::from_u128(u128::from_str_radix(&hex.replace('-', ""), 16).unwrap());
            let of_text = sqlx::query("SELECT CAST(? AS UUID)").bind(&hex).fetch_one(&mut db).await;
            let of_bytes = sqlx::query("INSERT INTO euids VALUES (?, ?)").bind(id).bind(id);
            of_bytes.execute(&mut db).await.unwrap();
            let query = "SELECT CAST(of_type AS CHAR) FROM euids WHERE id = ?";
            let read: String = sqlx::query(query).bind(id).fetch_one(&mut db).await.unwrap().get(0);
            assert_eq!(
                (of_text.is_ok_and(|row| row.get::<Option<String>, _>(0).is_some()), read == hex),
                (is_kept, is_kept),
                "{hex}"
            );
        }
    });
}
