//! SQLite, in memory, through rusqlite, sqlx and diesel.

use crate::common::{SINCE, UNTIL, between, generated, refused, says_both, shuffled};
use diesel::prelude::*;
use sortid_core::AsText;

/// Values that are not an ID: of another type or size, or with a bit that must be 0.
const NO_IDS: [&str; 10] = [
    "x''",
    "zeroblob(21)",
    "x'ffffffffffffffffffffffffffffffffff'",
    "'nonsense'",
    "'00000000'",
    "'0000000000000000'",
    "'00000000000000000000'",
    "-1",
    "1.5",
    "NULL",
];

/// The plan reads an index.
fn uses_index(plan: &str) {
    assert!(plan.contains("SEARCH") && !plan.contains("SCAN"), "{plan}");
}

/// A line of a query plan.
#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = diesel::sql_types::Text)]
    detail: String,
}

macro_rules! tests {
    ($module:ident, $id:ty, $rules:expr, $kind:ident, $postgres:literal, $mysql:literal, $column:literal) => {
        mod $module {
            use super::*;

            type Id = $id;

            const CREATE: &str = concat!(
                "CREATE TABLE ",
                stringify!($module),
                " (id ",
                $column,
                " PRIMARY KEY, other ",
                $column,
                ", text TEXT)"
            );
            const INSERT: &str = concat!("INSERT INTO ", stringify!($module), " (id, text) VALUES (?, ?)");
            const ORDERED: &str = concat!("SELECT id FROM ", stringify!($module), " ORDER BY id");
            const ORDERED_TEXTS: &str = concat!("SELECT text FROM ", stringify!($module), " ORDER BY text");
            const ONE: &str = concat!("SELECT id FROM ", stringify!($module), " WHERE id = ?");
            const RANGE: &str =
                concat!("SELECT id FROM ", stringify!($module), " WHERE id BETWEEN ? AND ? ORDER BY id");
            const EXPLAIN: &str = concat!(
                "EXPLAIN QUERY PLAN SELECT id FROM ",
                stringify!($module),
                " WHERE id BETWEEN ? AND ? ORDER BY id"
            );
            const UPDATE: &str = concat!(
                "UPDATE ",
                stringify!($module),
                " SET other = ?, text = ? WHERE id = ? RETURNING other, text"
            );

            #[test]
            fn rusqlite() {
                let db = ::rusqlite::Connection::open_in_memory().unwrap();
                db.execute(CREATE, ()).unwrap();
                let ids: Vec<Id> = generated($rules);

                let (half, rest) = shuffled(&ids);
                let mut insert = db.prepare(INSERT).unwrap();
                for id in half.into_iter().chain(rest) {
                    insert.execute((id, AsText(id))).unwrap();
                }
                let read = |query, values: &[&dyn ::rusqlite::ToSql]| -> Vec<Id> {
                    let mut query = db.prepare(query).unwrap();
                    query.query_map(values, |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
                };
                assert_eq!(read(ORDERED, &[]), ids);
                let mut texts = db.prepare(ORDERED_TEXTS).unwrap();
                let texts = texts
                    .query_map((), |row| row.get(0))
                    .unwrap()
                    .map(|text: Result<AsText<Id>, _>| text.unwrap().0);
                assert!(texts.eq(ids.iter().copied()));
                assert_eq!(read(ONE, &[&ids[5000]]), [ids[5000]]);
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                assert_eq!(read(RANGE, &[&least, &greatest]), between(&ids, least, greatest));
                let plan = db.query_row(EXPLAIN, (least, greatest), |row| row.get::<_, String>("detail"));
                uses_index(&plan.unwrap());

                for (id, text) in [(Some(ids[1]), Some(AsText(ids[1]))), (None, None)] {
                    let read = db.query_row(UPDATE, (id, text, ids[0]), |row| Ok((row.get(0)?, row.get(1)?)));
                    assert_eq!(read, Ok((id, text)));
                }
                for no_id in NO_IDS {
                    let read = db.query_row(&format!("SELECT {no_id}"), (), |row| row.get::<_, Id>(0));
                    says_both(&refused(no_id, read));
                }
                for no_text in ["'?'", "x''", "1", "NULL"] {
                    let read =
                        db.query_row(&format!("SELECT {no_text}"), (), |row| row.get::<_, AsText<Id>>(0));
                    says_both(&refused(no_text, read));
                }
            }

            #[test]
            fn sqlx() {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.unwrap().block_on(sqlx_async());
            }

            async fn sqlx_async() {
                use ::sqlx::{AssertSqlSafe as Safe, Connection, Row};

                let mut db = ::sqlx::SqliteConnection::connect("sqlite::memory:").await.unwrap();
                ::sqlx::query(CREATE).execute(&mut db).await.unwrap();
                let ids: Vec<Id> = generated($rules);

                let (half, rest) = shuffled(&ids);
                for id in half.into_iter().chain(rest) {
                    ::sqlx::query(INSERT).bind(id).bind(AsText(id)).execute(&mut db).await.unwrap();
                }
                let read: Vec<Id> = ::sqlx::query_scalar(ORDERED).fetch_all(&mut db).await.unwrap();
                assert_eq!(read, ids);
                let texts: Vec<AsText<Id>> =
                    ::sqlx::query_scalar(ORDERED_TEXTS).fetch_all(&mut db).await.unwrap();
                assert!(texts.iter().map(|text| text.0).eq(ids.iter().copied()));
                let one: Id = ::sqlx::query_scalar(ONE).bind(ids[5000]).fetch_one(&mut db).await.unwrap();
                assert_eq!(one, ids[5000]);
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let read: Vec<Id> =
                    ::sqlx::query_scalar(RANGE).bind(least).bind(greatest).fetch_all(&mut db).await.unwrap();
                assert_eq!(read, between(&ids, least, greatest));
                let plan =
                    ::sqlx::query(EXPLAIN).bind(least).bind(greatest).fetch_one(&mut db).await.unwrap();
                uses_index(plan.get("detail"));

                for (id, text) in [(Some(ids[1]), Some(AsText(ids[1]))), (None, None)] {
                    let row = ::sqlx::query(UPDATE)
                        .bind(id)
                        .bind(text)
                        .bind(ids[0])
                        .fetch_one(&mut db)
                        .await
                        .unwrap();
                    assert_eq!((row.get(0), row.get(1)), (id, text));
                }
                for no_id in NO_IDS {
                    let row =
                        ::sqlx::query(Safe(format!("SELECT {no_id}"))).fetch_one(&mut db).await.unwrap();
                    says_both(&refused(no_id, row.try_get::<Id, _>(0)));
                }
                for no_text in ["'?'", "x''", "1", "NULL"] {
                    let row =
                        ::sqlx::query(Safe(format!("SELECT {no_text}"))).fetch_one(&mut db).await.unwrap();
                    says_both(&refused(no_text, row.try_get::<AsText<Id>, _>(0)));
                }
            }

            #[test]
            fn diesel() {
                use crate::sqlite::columns::$kind as Column;
                use ::diesel::{dsl, sql_types};

                let db = &mut SqliteConnection::establish(":memory:").unwrap();
                ::diesel::sql_query(CREATE).execute(db).unwrap();
                let ids: Vec<Id> = generated($rules);

                let (half, rest) = shuffled(&ids);
                let rows: Vec<_> = half
                    .iter()
                    .chain(&rest)
                    .map(|&id| (rows::id.eq(id), rows::text.eq(AsText(id))))
                    .collect();
                assert_eq!(::diesel::insert_into(rows::table).values(&rows).execute(db), Ok(10_000));

                let ordered = rows::table.select(rows::id).order(rows::id);
                assert_eq!(ordered.load::<Id>(db).unwrap(), ids);
                let texts =
                    rows::table.select(rows::text).order(rows::text).load::<Option<AsText<Id>>>(db).unwrap();
                assert!(texts.iter().map(|text| text.unwrap().0).eq(ids.iter().copied()));
                let one = rows::table.select(Row::as_select()).find(ids[5000]).first(db).unwrap();
                assert_eq!((one.id, one.other), (ids[5000], None));
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let range = ordered.filter(rows::id.between(least, greatest));
                assert_eq!(range.load::<Id>(db).unwrap(), between(&ids, least, greatest));
                let explain =
                    ::diesel::sql_query(EXPLAIN).bind::<Column, _>(least).bind::<Column, _>(greatest);
                uses_index(&explain.get_result::<Plan>(db).unwrap().detail);

                for (id, text) in [(Some(ids[1]), Some(AsText(ids[1]))), (None, None)] {
                    let set = (rows::other.eq(id), rows::text.eq(text));
                    ::diesel::update(rows::table.find(ids[0])).set(set).execute(db).unwrap();
                    let read = rows::table.find(ids[0]).select((rows::other, rows::text));
                    assert_eq!(read.first::<(Option<Id>, Option<AsText<Id>>)>(db), Ok((id, text)));
                }
                for no_id in NO_IDS {
                    let read = ::diesel::select(dsl::sql::<Column>(no_id)).get_result::<Id>(db);
                    says_both(&refused(no_id, read));
                }
                for no_text in ["'?'", "x''", "1", "NULL"] {
                    let read =
                        ::diesel::select(dsl::sql::<sql_types::Text>(no_text)).get_result::<AsText<Id>>(db);
                    says_both(&refused(no_text, read));
                }
            }

            ::diesel::table! {
                $module (id) {
                    id -> crate::sqlite::columns::$kind,
                    other -> Nullable<crate::sqlite::columns::$kind>,
                    text -> Nullable<Text>,
                }
            }

            use self::$module as rows;

            #[derive(Clone, Copy, Debug, Insertable, Queryable, Selectable)]
            #[diesel(table_name = rows)]
            struct Row {
                id: Id,
                other: Option<Id>,
            }
        }
    };
}

/// Diesel's names of the column types. SQLite has no type for UUIDs.
#[allow(non_camel_case_types, reason = "the words that for_every_id! uses")]
mod columns {
    pub(crate) type bytes = diesel::sql_types::Binary;
    pub(crate) type integer = diesel::sql_types::BigInt;
    pub(crate) type uuid = diesel::sql_types::Binary;
}

for_every_id!(tests);
