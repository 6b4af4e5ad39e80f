//! A column of UUIDs that becomes one of EUIDs, as docs/migrate.md says, with two versions of a service on one PostgreSQL.

use crate::common::server;
use sortid::euid::{self, EuidOrUuid};
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use std::ops::RangeInclusive;
use uuid::Uuid;

/// The version that knows only UUIDs.
struct Old(PgConnection);

/// The version that reads both. It writes EUIDs once it is told to.
struct New {
    db: PgConnection,
    writes_euids: bool,
}

impl Old {
    async fn insert(&mut self) -> Uuid {
        let insert = sqlx::query("INSERT INTO migrated VALUES ($1) RETURNING id").bind(Uuid::now_v7());
        insert.fetch_one(&mut self.0).await.unwrap().get(0)
    }

    /// The rows after a cursor, which is one ID.
    async fn after(&mut self, cursor: Uuid) -> Vec<Uuid> {
        let rows = sqlx::query_scalar("SELECT id FROM migrated WHERE id > $1 ORDER BY id").bind(cursor);
        rows.fetch_all(&mut self.0).await.unwrap()
    }
}

impl New {
    async fn insert(&mut self) -> EuidOrUuid {
        let id = if self.writes_euids { euid::new().into() } else { EuidOrUuid::from(Uuid::now_v7()) };
        let insert = sqlx::query("INSERT INTO migrated VALUES ($1) RETURNING id").bind(id);
        insert.fetch_one(&mut self.db).await.unwrap().get(0)
    }

    /// The rows after a cursor, which has the last ID of each range.
    async fn after(&mut self, cursor: &mut [RangeInclusive<EuidOrUuid>; 2]) -> Vec<EuidOrUuid> {
        let query = "SELECT id FROM migrated WHERE id > $1 AND id <= $2 OR id > $3 AND id <= $4 ORDER BY id";
        let mut rows = sqlx::query_scalar(query);
        for range in &*cursor {
            rows = rows.bind(*range.start()).bind(*range.end());
        }
        let rows: Vec<EuidOrUuid> = rows.fetch_all(&mut self.db).await.unwrap();
        for range in cursor {
            if let Some(last) = rows.iter().rfind(|id| range.contains(id)) {
                *range = *last..=*range.end();
            }
        }
        rows
    }
}

#[test]
fn no_reader_misses_a_row_while_versions_change_and_change_back() {
    let Some(url) = server("SORTID_POSTGRES", "a migration from UUIDs") else { return };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(migrate(&url));
}

async fn migrate(url: &str) {
    let connect = || PgConnection::connect(url);
    let mut old = Old(connect().await.unwrap());
    old.0
        .execute("DROP TABLE IF EXISTS migrated; CREATE TABLE migrated (id uuid PRIMARY KEY)")
        .await
        .unwrap();
    let (mut first, mut second) = (
        New { db: connect().await.unwrap(), writes_euids: false },
        New { db: connect().await.unwrap(), writes_euids: false },
    );
    let all = || EuidOrUuid::ranges::<euid::UnixMillis>(..).unwrap();
    let (mut cursor, mut seen, mut made) = (all(), vec![], vec![]);

    // Both versions write UUIDs. Then the new one writes EUIDs, and the old one is still there, as after a rollback.
    for writes_euids in [false, true, false, true] {
        second.writes_euids = writes_euids;
        for _ in 0..10 {
            made.push(EuidOrUuid::from(old.insert().await));
            made.push(second.insert().await);
            seen.extend(first.after(&mut cursor).await);
        }
    }
    assert_eq!(seen, made, "in the order in which they were made, because each call saw all before");
    let kinds = made.iter().filter(|id| matches!(id.get(), euid::UuidOr::Id(_))).count();
    assert_eq!((kinds, made.len()), (20, 80));

    // What the page warns of: with one ID as its cursor, the old version misses each UUID after the first EUID.
    let cursor = old.after(Uuid::nil()).await.pop().unwrap();
    let late = old.insert().await;
    assert!(!old.after(cursor).await.contains(&late));
}
