//! MySQL or MariaDB, through sqlx, mysql and `mysql_async`.

use crate::common::{SINCE, UNTIL, between, generated, refused, says_both, server, shuffled};
use sortid_core::AsText;
use sqlx::{AssertSqlSafe as Safe, Connection, Executor, MySql, MySqlConnection, QueryBuilder, Row};

/// The environment variable with the URL of the server.
const SERVER: &str = "SORTID_MYSQL";

/// Values that are not an ID: of another type or size, or with a bit that must be 0.
const NO_IDS: [&str; 24] = [
    "CAST('' AS BINARY)",
    "UNHEX(REPEAT('00', 21))",
    "UNHEX(REPEAT('ff', 17))",
    "'nonsense'",
    "REPEAT('0', 8)",
    "REPEAT('0', 16)",
    "REPEAT('0', 20)",
    "-1",
    "NULL",
    // The name of the type of such a text is that of bytes.
    "CAST(REPEAT('0', 8) AS CHAR(8) CHARACTER SET ascii) COLLATE ascii_bin",
    "CAST(REPEAT('0', 16) AS CHAR(16) CHARACTER SET ascii) COLLATE ascii_bin",
    "CAST(REPEAT('0', 20) AS CHAR(20) CHARACTER SET ascii) COLLATE ascii_bin",
    "(SELECT c8 FROM binary_texts)",
    "(SELECT c16 FROM binary_texts)",
    "(SELECT c20 FROM binary_texts)",
    "(SELECT text16 FROM binary_texts)",
    "(SELECT json16 FROM binary_texts)",
    "(SELECT label16 FROM binary_texts)",
    "(SELECT set16 FROM binary_texts)",
    // Integers that are not a BIGINT, which an ID never fits.
    "(SELECT small FROM binary_texts)",
    "(SELECT medium FROM binary_texts)",
    "(SELECT truth FROM binary_texts)",
    "CAST(1 AS UNSIGNED)",
    "1.0",
];

/// Values that `mysql` and `mysql_async` refuse. They cannot refuse text with as many bytes as an ID, because a value does
/// not contain the type of its column.
const NO_VALUES: [&str; 14] = [
    "CAST('' AS BINARY)",
    "UNHEX(REPEAT('00', 7))",
    "UNHEX(REPEAT('00', 21))",
    "UNHEX(REPEAT('ff', 17))",
    "'nonsense'",
    "REPEAT('0', 8)",
    "'+1'",
    "-1",
    "NULL",
    "1.0",
    "1.5e0",
    "CAST('9223372036854775808' AS UNSIGNED)",
    "DATE '2024-06-06'",
    "TIME '06:06:06'",
];

/// A table of texts whose collation is binary, and of integers.
const BINARY_TEXTS: &str = "
    CREATE TABLE IF NOT EXISTS binary_texts (
        c8 CHAR(8) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        c16 VARCHAR(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
        c20 CHAR(20) CHARACTER SET latin1 COLLATE latin1_bin,
        text16 TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
        json16 JSON,
        label16 ENUM('0000000000000000') CHARACTER SET ascii COLLATE ascii_bin,
        set16 SET('0000000000000000') CHARACTER SET ascii COLLATE ascii_bin,
        small SMALLINT, medium INT, truth BOOLEAN
    );
    INSERT IGNORE INTO binary_texts VALUES (
        '00000000', '0000000000000000', '00000000000000000000', '0000000000000000', '\"00000000000000\"',
        '0000000000000000', '0000000000000000', 1, 1, TRUE
    );";

macro_rules! tests {
    ($module:ident, $id:ty, $rules:expr, $kind:ident, $postgres:literal, $column:literal, $sqlite:literal) => {
        mod $module {
            use super::*;

            type Id = $id;

            #[test]
            fn sqlx() {
                let Some(url) = server(SERVER, concat!(stringify!($module), " with sqlx")) else { return };
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.unwrap().block_on(sqlx_async(&url));
            }

            /// The table of a library. An ID type with a prefix has a table of its own, because tests run side by side.
            fn table(library: &str) -> String {
                format!("{}_{library}", module_path!().replace("::", "_"))
            }

            /// Queries for the tables of the two libraries.
            fn create(table: &str) -> [String; 2] {
                [
                    format!("DROP TABLE IF EXISTS {table}"),
                    format!(
                        "CREATE TABLE {table} (
                            id {0} PRIMARY KEY, other {0}, text VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin
                        )",
                        $column
                    ),
                ]
            }

            #[test]
            fn mysql() {
                use ::mysql::{Conn, Opts, Value, from_value_opt, prelude::*};

                let Some(url) = server(SERVER, concat!(stringify!($module), " with mysql")) else { return };
                let mut db = Conn::new(Opts::from_url(&url).unwrap()).unwrap();
                let table = &table("mysql");
                create(table).iter().for_each(|query| db.query_drop(query).unwrap());
                let ids = generated($rules);

                let (half, rest) = shuffled(&ids);
                db.query_drop("START TRANSACTION").unwrap();
                let insert = format!("INSERT INTO {table} (id, text) VALUES (?, ?)");
                db.exec_batch(insert, half.into_iter().chain(rest).map(|id| (id, AsText(id)))).unwrap();
                db.query_drop("COMMIT").unwrap();

                // The text protocol, and the binary protocol.
                let ordered = format!("SELECT id FROM {table} ORDER BY id");
                assert_eq!(db.query::<Id, _>(&ordered).unwrap(), ids);
                assert_eq!(db.exec::<Id, _, _>(&ordered, ()).unwrap(), ids);
                let texts = format!("SELECT text FROM {table} ORDER BY text");
                let texts: Vec<AsText<Id>> = db.query(texts).unwrap();
                assert!(texts.iter().map(|text| text.0).eq(ids.iter().copied()));
                let one = format!("SELECT id FROM {table} WHERE id = ?");
                assert_eq!(db.exec_first::<Id, _, _>(one, (ids[5000],)).unwrap(), Some(ids[5000]));
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let range = format!("SELECT id FROM {table} WHERE id BETWEEN ? AND ? ORDER BY id");
                let read: Vec<Id> = db.exec(range, (least, greatest)).unwrap();
                assert_eq!(read, between(&ids, least, greatest));

                for (id, text) in [(Some(ids[1]), Some(AsText(ids[1]))), (None, None)] {
                    let update = format!("UPDATE {table} SET other = ?, text = ? WHERE id = ?");
                    db.exec_drop(update, (id, text, ids[0])).unwrap();
                    let read = format!("SELECT other, text, text FROM {table} WHERE id = ?");
                    let row: (Option<Id>, Option<AsText<Id>>, Option<String>) =
                        db.exec_first(read, (ids[0],)).unwrap().unwrap();
                    assert_eq!(row, (id, text, id.map(|id| id.to_string())));
                }
                for no_id in NO_VALUES {
                    let query = format!("SELECT {no_id}");
                    for value in [db.query_first(&query).unwrap(), db.exec_first(&query, ()).unwrap()] {
                        let value: Value = value.unwrap();
                        refused(no_id, from_value_opt::<Id>(value));
                    }
                }
                let ones = [0xff; size_of::<Id>()];
                assert_eq!(from_value_opt::<Id>(ones.to_vec().into()).is_ok(), {
                    stringify!($kind) != "integer" && Id::try_from(&ones[..]).is_ok()
                });
                for no_text in ["'?'", "CAST('' AS BINARY)", "1", "NULL"] {
                    let value: Option<Value> = db.exec_first(format!("SELECT {no_text}"), ()).unwrap();
                    refused(no_text, from_value_opt::<AsText<Id>>(value.unwrap()));
                }
                // The values of a row are kept if one of them is not an ID.
                let row: ::mysql::Row =
                    db.exec_first(format!("SELECT id, 'no ID' FROM {table}"), ()).unwrap().unwrap();
                let ::mysql::FromRowError(row) = ::mysql::from_row_opt::<(Id, Id)>(row).unwrap_err();
                assert_eq!(row.get::<Id, _>(0), Some(ids[0]));
            }

            #[test]
            fn mysql_async() {
                let Some(url) = server(SERVER, concat!(stringify!($module), " with mysql_async")) else {
                    return;
                };
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.unwrap().block_on(mysql_async_async(&url));
            }

            async fn mysql_async_async(url: &str) {
                use ::mysql_async::{Conn, prelude::*};

                let mut db = Conn::from_url(url).await.unwrap();
                let table = &table("mysql_async");
                for query in create(table) {
                    db.query_drop(query).await.unwrap();
                }
                let ids: Vec<Id> = generated($rules).into_iter().take(1000).collect();
                let insert = format!("INSERT INTO {table} (id, other, text) VALUES (?, ?, ?)");
                let rows = ids.iter().rev().map(|&id| (id, Some(id), AsText(id)));
                db.exec_batch(insert, rows).await.unwrap();
                let ordered = format!("SELECT id, other, text FROM {table} ORDER BY id");
                let read: Vec<(Id, Option<Id>, AsText<Id>)> = db.query(&ordered).await.unwrap();
                assert!(read.into_iter().eq(ids.iter().map(|&id| (id, Some(id), AsText(id)))));
                let least = format!("SELECT id FROM {table} WHERE id >= ? ORDER BY id");
                let read: Vec<Id> = db.exec(least, (ids[500],)).await.unwrap();
                assert_eq!(read, ids[500..]);
                db.disconnect().await.unwrap();
            }

            async fn sqlx_async(url: &str) {
                let mut db = MySqlConnection::connect(url).await.unwrap();
                db.execute(sqlx::raw_sql(BINARY_TEXTS)).await.unwrap();
                let table = &table("sqlx");
                let create = format!(
                    "CREATE OR REPLACE TABLE {table} (
                        id {0} PRIMARY KEY, other {0}, text VARCHAR(50) CHARACTER SET ascii COLLATE ascii_bin
                    )",
                    $column
                );
                db.execute(sqlx::raw_sql(Safe(create))).await.unwrap();
                let ids: Vec<Id> = generated($rules);

                let (half, rest) = shuffled(&ids);
                for ids in [half, rest] {
                    let mut insert = QueryBuilder::<MySql>::new(format!("INSERT INTO {table} (id, text) "));
                    insert.push_values(&ids, |mut row, id| {
                        row.push_bind(id).push_bind(AsText(*id));
                    });
                    assert_eq!(insert.build().execute(&mut db).await.unwrap().rows_affected(), 5000);
                }
                db.execute(sqlx::raw_sql(Safe(format!("ANALYZE TABLE {table}")))).await.unwrap();

                let select = |query: &str| Safe(format!("SELECT id FROM {table} {query}"));
                let read: Vec<Id> = sqlx::query_scalar(select("ORDER BY id")).fetch_all(&mut db).await.unwrap();
                assert_eq!(read, ids);
                let read: Vec<AsText<Id>> =
                    sqlx::query_scalar(Safe(format!("SELECT text FROM {table} ORDER BY text")))
                        .fetch_all(&mut db)
                        .await
                        .unwrap();
                assert!(read.iter().map(|text| text.0).eq(ids.iter().copied()));
                let one = sqlx::query_scalar::<_, Id>(select("WHERE id = ?")).bind(ids[5000]).fetch_one(&mut db);
                assert_eq!(one.await.unwrap(), ids[5000]);
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let range = "WHERE id BETWEEN ? AND ? ORDER BY id";
                let read: Vec<Id> =
                    sqlx::query_scalar(select(range)).bind(least).bind(greatest).fetch_all(&mut db).await.unwrap();
                assert_eq!(read, between(&ids, least, greatest));
                let explain = Safe(format!("EXPLAIN SELECT id FROM {table} {range}"));
                let plan = sqlx::query(explain).bind(least).bind(greatest).fetch_one(&mut db).await.unwrap();
                assert_eq!((plan.get("type"), plan.get("key")), ("range", "PRIMARY"));
                // The simple protocol returns texts.
                let row = (&mut db).fetch_one(sqlx::raw_sql(select("ORDER BY id LIMIT 1"))).await.unwrap();
                assert_eq!(row.get::<Id, _>(0), ids[0]);

                for (id, text) in [(Some(ids[1]), Some(AsText(ids[1]))), (None, None)] {
                    let update = Safe(format!("UPDATE {table} SET other = ?, text = ? WHERE id = ?"));
                    sqlx::query(update).bind(id).bind(text).bind(ids[0]).execute(&mut db).await.unwrap();
                    let read = Safe(format!("SELECT other, text, text FROM {table} WHERE id = ?"));
                    let row = sqlx::query(read).bind(ids[0]).fetch_one(&mut db).await.unwrap();
                    assert_eq!((row.get(0), row.get(1)), (id, text));
                    assert_eq!(row.get::<Option<String>, _>(2), id.map(|id| id.to_string()));
                }
                for no_id in NO_IDS {
                    let row = sqlx::query(Safe(format!("SELECT {no_id}"))).fetch_one(&mut db).await.unwrap();
                    says_both(&refused(no_id, row.try_get::<Id, _>(0)));
                }
                let row = sqlx::query("SELECT '?', CAST('' AS BINARY), 1").fetch_one(&mut db).await.unwrap();
                says_both(&refused("a text", row.try_get::<AsText<Id>, _>(0)));
                says_both(&refused("bytes", row.try_get::<AsText<Id>, _>(1)));
                says_both(&refused("a number", row.try_get::<AsText<Id>, _>(2)));
            }
        }
    };
}

for_every_id!(tests);
