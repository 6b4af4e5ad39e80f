//! PostgreSQL, through `postgres-types`, sqlx and diesel.

use crate::common::{SINCE, UNTIL, between, generated, refused, says_both, server, shuffled};
use diesel::prelude::*;
use sortid_core::AsText;

/// The environment variable with the URL of the server, which all libraries read.
const SERVER: &str = "SORTID_POSTGRES";

/// User-defined types whose values can have as many bytes as an ID. The tests run side by side, and each may be the first.
const TYPES: &str = "
    DO $$ BEGIN
        PERFORM pg_advisory_xact_lock(1);
        CREATE EXTENSION IF NOT EXISTS citext;
        IF to_regtype('label') IS NULL THEN
            CREATE TYPE label AS ENUM ('00000000', '0000000000000000', '00000000000000000000');
            CREATE TYPE pair AS (a int4);
            CREATE DOMAIN uuid_domain AS uuid;
            CREATE DOMAIN bytea_domain AS bytea;
            CREATE DOMAIN bigint_domain AS bigint;
            CREATE DOMAIN text_domain AS text;
        END IF;
    END $$";

/// Values that are not an ID: of another type or size, or with a bit that must be 0.
const NO_IDS: [&str; 30] = [
    "'\\x00'::bytea",
    "decode(repeat('00', 21), 'hex')",
    "decode(repeat('ff', 16), 'hex')",
    "'nonsense'::text",
    "repeat('0', 8)::text",
    "repeat('0', 16)::text",
    "repeat('0', 20)::text",
    "1::int4",
    "-1::bigint",
    "'2024-06-06'::timestamptz",
    // User-defined types, and a record of one or two integers: 16 or 20 bytes.
    "repeat('0', 8)::citext",
    "repeat('0', 16)::citext",
    "repeat('0', 20)::citext",
    "'00000000'::label",
    "'0000000000000000'::label",
    "'00000000000000000000'::label",
    "ROW(1::int4)",
    "ROW(1)::pair",
    "ROW(1::int8)",
    "ROW(''::text)",
    "ROW(NULL)",
    // Built-in types of 8, 16 and 20 bytes.
    "1.0::float8",
    "1::money",
    "'12:00'::time",
    "'1 day'::interval",
    "'(1,2)'::point",
    "'1/2'::pg_lsn",
    "jsonb '123456'",
    "'{}'::int4[]",
    "to_json(repeat('0', 14))",
];

/// The plan reads an index.
fn uses_index(plan: &[String]) {
    let plan = plan.join("\n");
    assert!(plan.contains("Index") && !plan.contains("Seq Scan"), "{plan}");
}

/// SQL for these bytes as a value of the column.
fn hex_literal(bytes: &[u8], column: &str) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    match column {
        "bytea" => format!("'\\x{hex}'::bytea"),
        "bigint" => format!("x'{hex}'::bigint"),
        _ => format!("'{hex}'::{column}"),
    }
}

/// A line of a query plan.
#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = diesel::sql_types::Text)]
    #[diesel(column_name = "QUERY PLAN")]
    line: String,
}

macro_rules! tests {
    ($module:ident, $id:ty, $rules:expr, $kind:ident, $column:literal, $mysql:literal, $sqlite:literal) => {
        mod $module {
            use super::*;

            type Id = $id;

            /// A temporary table, because the tests of an ID type with a prefix have a table of the same name.
            fn create(table: &str) -> String {
                format!(
                    r#"CREATE TEMPORARY TABLE {table} (id {0} PRIMARY KEY, other {0}, text text COLLATE "C");"#,
                    $column
                )
            }

            #[test]
            fn postgres_types() {
                let Some(url) = server(SERVER, concat!(stringify!($module), " with postgres-types")) else {
                    return;
                };
                let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
                let table = concat!(stringify!($module), "_postgres");
                client.batch_execute(TYPES).unwrap();
                client.batch_execute(&create(table)).unwrap();
                let ids: Vec<Id> = generated($rules);

                // Half of the IDs as an array, half by a binary COPY.
                let (half, rest) = shuffled(&ids);
                let insert = format!("INSERT INTO {table} (id) SELECT unnest($1::{}[])", $column);
                assert_eq!(client.execute(&insert, &[&half]).unwrap(), 5000);
                let ty =
                    client.prepare(&format!("SELECT id FROM {table}")).unwrap().columns()[0].type_().clone();
                let sink = client.copy_in(&format!("COPY {table} (id) FROM STDIN BINARY")).unwrap();
                let mut writer =
                    postgres::binary_copy::BinaryCopyInWriter::new(sink, std::slice::from_ref(&ty));
                for id in &rest {
                    writer.write(&[id]).unwrap();
                }
                assert_eq!(writer.finish().unwrap(), 5000);
                client.batch_execute(&format!("VACUUM ANALYZE {table}")).unwrap();

                let mut read = |query: &str, values: &[&(dyn postgres::types::ToSql + Sync)]| -> Vec<Id> {
                    let rows = client.query(&format!("SELECT id FROM {table} {query}"), values).unwrap();
                    rows.iter().map(|row| row.get(0)).collect()
                };
                assert_eq!(read("ORDER BY id", &[]), ids);
                assert_eq!(read("WHERE id = $1", &[&ids[5000]]), [ids[5000]]);
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let range = "WHERE id BETWEEN $1 AND $2 ORDER BY id";
                assert_eq!(read(range, &[&least, &greatest]), between(&ids, least, greatest));
                let some = vec![ids[3], ids[30], ids[300]];
                assert_eq!(read("WHERE id = ANY($1) ORDER BY id", &[&some]), some);
                let plan =
                    client.query(&format!("EXPLAIN SELECT id FROM {table} {range}"), &[&least, &greatest]);
                uses_index(&plan.unwrap().iter().map(|row| row.get(0)).collect::<Vec<_>>());

                let array =
                    client.query_one(&format!("SELECT array_agg(id ORDER BY id) FROM {table}"), &[]).unwrap();
                assert_eq!(array.get::<_, Vec<Id>>(0), ids);
                let out =
                    client.copy_out(&format!("COPY (SELECT id FROM {table} ORDER BY id) TO STDOUT BINARY"));
                let mut copied = postgres::binary_copy::BinaryCopyOutIter::new(out.unwrap(), &[ty]);
                let mut seen = Vec::new();
                while let Some(row) =
                    postgres::fallible_iterator::FallibleIterator::next(&mut copied).unwrap()
                {
                    seen.push(row.get::<Id>(0));
                }
                assert_eq!(seen, ids);
                drop(copied);

                let update =
                    format!("UPDATE {table} SET other = $1, text = $2 WHERE id = $3 RETURNING other, text");
                let row = client.query_one(&update, &[&ids[1], &AsText(ids[1]), &ids[0]]).unwrap();
                assert_eq!((row.get(0), row.get(1)), (Some(ids[1]), Some(AsText(ids[1]))));
                assert_eq!(row.get::<_, String>(1), ids[1].to_string());
                let row = client.query_one(&update, &[&None::<Id>, &None::<AsText<Id>>, &ids[0]]).unwrap();
                assert_eq!((row.get(0), row.get(1)), (None::<Id>, None::<AsText<Id>>));
                says_both(&refused("NULL", row.try_get::<_, Id>(0)));

                for no_id in NO_IDS {
                    let row = client.query_one(&format!("SELECT {no_id}"), &[]).unwrap();
                    says_both(&refused(no_id, row.try_get::<_, Id>(0)));
                }
                let row = client.query_one("SELECT '?'::text, '\\x00'::bytea", &[]).unwrap();
                says_both(&refused("a text", row.try_get::<_, AsText<Id>>(0)));
                says_both(&refused("bytes", row.try_get::<_, AsText<Id>>(1)));
                says_both(&refused(
                    "a parameter",
                    client.query("SELECT 1 WHERE 1::int4 = $1", &[&ids[0]]).map(|_| ()),
                ));
            }

            #[test]
            fn sqlx() {
                let Some(url) = server(SERVER, concat!(stringify!($module), " with sqlx")) else { return };
                tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .unwrap()
                    .block_on(sqlx_async(&url));
            }

            async fn sqlx_async(url: &str) {
                use sqlx::{AssertSqlSafe as Safe, Connection, Executor, Row};

                let mut db = sqlx::PgConnection::connect(url).await.unwrap();
                let table = concat!(stringify!($module), "_sqlx");
                db.execute(sqlx::raw_sql(TYPES)).await.unwrap();
                db.execute(sqlx::raw_sql(Safe(create(table)))).await.unwrap();
                let ids: Vec<Id> = generated($rules);

                // Half of the IDs as an array, half by a binary COPY.
                let (half, rest) = shuffled(&ids);
                let insert = format!("INSERT INTO {table} (id) SELECT unnest($1::{}[])", $column);
                sqlx::query(Safe(insert)).bind(half).execute(&mut db).await.unwrap();
                let mut copy = db.copy_in_raw(&format!("COPY {table} (id) FROM STDIN BINARY")).await.unwrap();
                let mut data = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".to_vec();
                for id in &rest {
                    let bytes: &[u8] = id.as_bytes();
                    data.extend(
                        [&1_i16.to_be_bytes()[..], &(bytes.len() as i32).to_be_bytes(), bytes].concat(),
                    );
                }
                data.extend((-1_i16).to_be_bytes());
                copy.send(data).await.unwrap();
                assert_eq!(copy.finish().await.unwrap(), 5000);
                db.execute(sqlx::raw_sql(Safe(format!("VACUUM ANALYZE {table}")))).await.unwrap();

                let select = |query: &str| Safe(format!("SELECT id FROM {table} {query}"));
                let read: Vec<Id> =
                    sqlx::query_scalar(select("ORDER BY id")).fetch_all(&mut db).await.unwrap();
                assert_eq!(read, ids);
                let one: Id = sqlx::query_scalar(select("WHERE id = $1"))
                    .bind(ids[5000])
                    .fetch_one(&mut db)
                    .await
                    .unwrap();
                assert_eq!(one, ids[5000]);
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let range = "WHERE id BETWEEN $1 AND $2 ORDER BY id";
                let read: Vec<Id> = sqlx::query_scalar(select(range))
                    .bind(least)
                    .bind(greatest)
                    .fetch_all(&mut db)
                    .await
                    .unwrap();
                assert_eq!(read, between(&ids, least, greatest));
                let some = vec![ids[3], ids[30], ids[300]];
                let any = select("WHERE id = ANY($1) ORDER BY id");
                let read: Vec<Id> = sqlx::query_scalar(any).bind(&some).fetch_all(&mut db).await.unwrap();
                assert_eq!(read, some);
                let explain = Safe(format!("EXPLAIN SELECT id FROM {table} {range}"));
                let plan = sqlx::query_scalar(explain).bind(least).bind(greatest).fetch_all(&mut db).await;
                uses_index(&plan.unwrap());
                let array = Safe(format!("SELECT array_agg(id ORDER BY id) FROM {table}"));
                assert_eq!(sqlx::query_scalar::<_, Vec<Id>>(array).fetch_one(&mut db).await.unwrap(), ids);
                // The simple protocol returns texts.
                let row = (&mut db).fetch_one(sqlx::raw_sql(select("ORDER BY id LIMIT 1"))).await.unwrap();
                assert_eq!(row.get::<Id, _>(0), ids[0]);

                let update =
                    format!("UPDATE {table} SET other = $1, text = $2 WHERE id = $3 RETURNING other, text");
                let update = || sqlx::query(Safe(update.clone()));
                let row =
                    update().bind(ids[1]).bind(AsText(ids[1])).bind(ids[0]).fetch_one(&mut db).await.unwrap();
                assert_eq!((row.get(0), row.get(1)), (Some(ids[1]), Some(AsText(ids[1]))));
                assert_eq!(row.get::<String, _>(1), ids[1].to_string());
                let row =
                    update().bind(None::<Id>).bind(None::<AsText<Id>>).bind(ids[0]).fetch_one(&mut db).await;
                let row = row.unwrap();
                assert_eq!((row.get(0), row.get(1)), (None::<Id>, None::<AsText<Id>>));
                says_both(&refused("NULL", row.try_get::<Id, _>(0)));
                let texts = Safe("SELECT $1::text[]");
                let texts =
                    sqlx::query_scalar::<_, Vec<AsText<Id>>>(texts).bind([AsText(ids[0])]).fetch_one(&mut db);
                assert_eq!(texts.await.unwrap(), [AsText(ids[0])]);

                for no_id in NO_IDS {
                    let row = sqlx::query(Safe(format!("SELECT {no_id}"))).fetch_one(&mut db).await.unwrap();
                    says_both(&refused(no_id, row.try_get::<Id, _>(0)));
                }
                let row = sqlx::query("SELECT '?'::text, '\\x00'::bytea").fetch_one(&mut db).await.unwrap();
                says_both(&refused("a text", row.try_get::<AsText<Id>, _>(0)));
                says_both(&refused("bytes", row.try_get::<AsText<Id>, _>(1)));
            }

            #[test]
            fn diesel() {
                use ::diesel::{dsl, sql_types};

                let Some(url) = server(SERVER, concat!(stringify!($module), " with diesel")) else { return };
                let db = &mut PgConnection::establish(&url).unwrap();
                ::diesel::connection::SimpleConnection::batch_execute(db, TYPES).unwrap();
                ::diesel::connection::SimpleConnection::batch_execute(db, &create(stringify!($module)))
                    .unwrap();
                let ids: Vec<Id> = generated($rules);

                // Half of the IDs by a binary COPY.
                let (half, rest) = shuffled(&ids);
                let rows: Vec<_> = half.iter().map(|id| rows::id.eq(id)).collect();
                assert_eq!(::diesel::insert_into(rows::table).values(&rows).execute(db), Ok(5000));
                let rows: Vec<_> = rest.iter().map(|&id| Row { id, other: Some(id) }).collect();
                let copied = ::diesel::copy_from(rows::table).from_insertable(&rows).execute(db);
                assert_eq!(copied, Ok(5000));
                ::diesel::sql_query(concat!("ANALYZE ", stringify!($module))).execute(db).unwrap();

                let ordered = rows::table.select(rows::id).order(rows::id);
                assert_eq!(ordered.load::<Id>(db).unwrap(), ids);
                let one = rows::table.select(Row::as_select()).find(ids[5000]).first(db).unwrap();
                assert_eq!(one.id, ids[5000]);
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let range = ordered.filter(rows::id.between(least, greatest));
                assert_eq!(range.load::<Id>(db).unwrap(), between(&ids, least, greatest));
                let explain =
                    concat!("EXPLAIN SELECT id FROM ", stringify!($module), " WHERE id BETWEEN $1 AND $2");
                let explain = ::diesel::sql_query(explain)
                    .bind::<crate::postgres::columns::$kind, _>(least)
                    .bind::<crate::postgres::columns::$kind, _>(greatest);
                let plan: Vec<_> =
                    explain.load::<Plan>(db).unwrap().into_iter().map(|plan| plan.line).collect();
                uses_index(&plan);
                let some = vec![ids[3], ids[30], ids[300]];
                assert_eq!(ordered.filter(rows::id.eq_any(&some)).load::<Id>(db).unwrap(), some);
                let array = dsl::sql::<sql_types::Array<crate::postgres::columns::$kind>>(
                    "SELECT array_agg(id ORDER BY id) FROM ",
                )
                .sql(stringify!($module));
                assert_eq!(array.get_result::<Vec<Id>>(db).unwrap(), ids);

                for (id, text) in [(Some(ids[1]), Some(AsText(ids[1]))), (None, None)] {
                    let changed = ::diesel::update(rows::table.find(ids[0]))
                        .set((rows::other.eq(id), rows::text.eq(text)))
                        .returning((rows::other, rows::text))
                        .get_result::<(Option<Id>, Option<AsText<Id>>)>(db);
                    assert_eq!(changed, Ok((id, text)));
                }
                for no_id in NO_IDS {
                    let read = ::diesel::select(dsl::sql::<crate::postgres::columns::$kind>(no_id))
                        .get_result::<Id>(db);
                    says_both(&refused(no_id, read));
                }
                let null =
                    ::diesel::select(dsl::sql::<crate::postgres::columns::$kind>(concat!("NULL::", $column)));
                says_both(&refused("NULL", null.get_result::<Id>(db)));
                // A domain is its base type, but a type of its own in a record or an array.
                let id = hex_literal(ids[0].as_bytes(), $column);
                let domain =
                    dsl::sql::<crate::postgres::columns::$kind>(&format!("{id}::{}_domain", $column));
                assert_eq!(::diesel::select(domain).get_result::<Id>(db), Ok(ids[0]));
                let record =
                    dsl::sql::<sql_types::Record<(crate::postgres::columns::$kind, sql_types::Text)>>("ROW(")
                        .sql(&format!("{id}, 'x'::text)"));
                let record = ::diesel::select(record).get_result::<(Id, String)>(db);
                assert_eq!(record.unwrap(), (ids[0], "x".to_owned()));
                for other in ["'0000000000000000'::citext".to_owned(), format!("{id}::{}_domain", $column)] {
                    let record = dsl::sql::<sql_types::Record<(crate::postgres::columns::$kind,)>>("ROW(")
                        .sql(&other)
                        .sql(")");
                    says_both(&refused("a record", ::diesel::select(record).get_result::<(Id,)>(db)));
                    let array = dsl::sql::<sql_types::Array<crate::postgres::columns::$kind>>("ARRAY[")
                        .sql(&other)
                        .sql("]");
                    says_both(&refused("an array", ::diesel::select(array).get_result::<Vec<Id>>(db)));
                }
                let array = dsl::sql::<sql_types::Array<crate::postgres::columns::$kind>>(&format!(
                    "ARRAY[{id}::{0}_domain]::{0}[]",
                    $column
                ));
                assert_eq!(::diesel::select(array).get_result::<Vec<Id>>(db), Ok(vec![ids[0]]));

                let text = ids[0].to_string();
                let char = format!("char({})", text.len());
                for of in ["text", "varchar", "name", "text_domain", &char] {
                    let value = dsl::sql::<sql_types::Text>(&format!("'{text}'::{of}"));
                    assert_eq!(
                        ::diesel::select(value).get_result::<AsText<Id>>(db),
                        Ok(AsText(ids[0])),
                        "{of}"
                    );
                }
                for no_text in [
                    "'?'".to_owned(),
                    format!("'{text}'::bytea"),
                    format!("'{text}'::citext"),
                    format!("'{text}'::xml"),
                    "'00000000'::label".to_owned(),
                    // The bytes of the RON UID `ABCDEFGH`.
                    "4702394921427289928::bigint".to_owned(),
                ] {
                    let read =
                        ::diesel::select(dsl::sql::<sql_types::Text>(&no_text)).get_result::<AsText<Id>>(db);
                    says_both(&refused(&no_text, read));
                }
            }

            ::diesel::table! {
                $module (id) {
                    id -> crate::postgres::columns::$kind,
                    other -> Nullable<crate::postgres::columns::$kind>,
                    text -> Nullable<Text>,
                }
            }

            use self::$module as rows;

            #[derive(Clone, Copy, Debug, Insertable, Queryable, Selectable)]
            #[diesel(table_name = rows, treat_none_as_default_value = false)]
            struct Row {
                id: Id,
                other: Option<Id>,
            }
        }
    };
}

/// Diesel's names of the column types.
#[allow(non_camel_case_types, reason = "the words that for_every_id! uses")]
mod columns {
    pub(crate) type bytes = diesel::sql_types::Binary;
    pub(crate) type integer = diesel::sql_types::BigInt;
    pub(crate) type uuid = diesel::sql_types::Uuid;
}

for_every_id!(tests);
