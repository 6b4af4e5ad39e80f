//! SeaORM, with PostgreSQL, MariaDB and SQLite.

use crate::common::{SINCE, UNTIL, between, generated, refused, says_both, server, shuffled};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ConnectionTrait, Database, DatabaseConnection, DbBackend, QueryOrder, Schema, Statement, TryFromU64,
    Value,
    entity::prelude::*,
    sea_query::{Nullable, ValueType},
};
use sortid_core::AsText;

/// Values that are not an ID in any of the databases: of another type or size, or with a bit that must be 0.
const NO_IDS: [&str; 8] = [
    "'nonsense'",
    "'00000000'",
    "'0000000000000000'",
    "'00000000000000000000'",
    "-1",
    "1.5",
    "NULL",
    "CURRENT_TIMESTAMP",
];

/// Byte strings that are not an ID.
fn no_bytes(backend: DbBackend) -> [String; 4] {
    // The last are the text of a UUID.
    let uuid = "30".repeat(32);
    ["", "000000000000000000", "ffffffffffffffffffffffffffffffffff", &uuid].map(|hex| match backend {
        DbBackend::Postgres => format!("'\\x{hex}'::bytea"),
        _ => format!("x'{hex}'"),
    })
}

async fn connect(url: &str) -> DatabaseConnection {
    let mut options = sea_orm::ConnectOptions::new(url);
    // Each connection to SQLite in memory would have a database of its own.
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options).await.unwrap()
}

macro_rules! tests {
    ($module:ident, $id:ty, $rules:expr, $kind:ident, $postgres:literal, $mysql:literal, $sqlite:literal) => {
        mod $module {
            use super::*;

            type Id = $id;

            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
            #[sea_orm(table_name = "sea_orm")]
            pub(crate) struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                id: Id,
                other: Option<Id>,
                text: Option<AsText<Id>>,
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub(crate) enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}

            #[test]
            fn a_value_is_that_of_the_column() {
                for id in generated($rules).into_iter().take(100).chain([Id::MIN, Id::MAX]) {
                    assert_eq!(<Id as ValueType>::try_from(Value::from(id)).unwrap(), id);
                    assert_eq!(<Option<Id> as ValueType>::try_from(Value::from(Some(id))).unwrap(), Some(id));
                    assert_eq!(<AsText<Id> as ValueType>::try_from(AsText(id).into()).unwrap(), AsText(id));
                    assert_eq!(Value::from(AsText(id)), Value::from(id.to_string()));
                }
                assert_eq!(<Option<Id> as ValueType>::try_from(Id::null()).unwrap(), None);
                for value in [Id::null(), Value::from("?"), Value::from(1.5), Value::from(vec![0_u8; 7])] {
                    assert!(<Id as ValueType>::try_from(value).is_err());
                }
                for value in [Value::from("?"), Value::from(1), Value::from(vec![0_u8; 7])] {
                    assert!(<AsText<Id> as ValueType>::try_from(value).is_err());
                }
                let ones = [0xff; size_of::<Id>()];
                let value = Value::from(ones.to_vec());
                if stringify!($kind) == "bytes" {
                    assert_eq!(
                        <Id as ValueType>::try_from(value).is_ok(),
                        TryInto::<Id>::try_into(&ones[..]).is_ok()
                    );
                }
                refused("a number", Id::try_from_u64(1));
                refused("a number", AsText::<Id>::try_from_u64(1));
            }

            #[test]
            fn postgres() {
                let Some(url) = server("SORTID_POSTGRES", concat!(stringify!($module), " with SeaORM"))
                else {
                    return;
                };
                run(&url, $postgres);
            }

            #[test]
            fn mysql() {
                let Some(url) = server("SORTID_MYSQL", concat!(stringify!($module), " with SeaORM")) else {
                    return;
                };
                run(&url, $mysql);
            }

            #[test]
            fn sqlite() {
                run("sqlite::memory:", $sqlite);
            }

            fn run(url: &str, column: &str) {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.unwrap().block_on(run_async(url, column));
            }

            async fn run_async(url: &str, column: &str) {
                let db = &connect(url).await;
                let backend = db.get_database_backend();
                // Tables of one connection: the tests share a database.
                let mut create = Schema::new(backend).create_table_from_entity(Entity);
                create.temporary();
                let sql = backend.build(&create).to_string();
                assert!(
                    sql.to_lowercase().contains(&column.to_lowercase()) || url.starts_with("sqlite"),
                    "{sql}"
                );
                db.execute_unprepared(&sql).await.unwrap();
                let ids = generated($rules);

                let (half, rest) = shuffled(&ids);
                for ids in [half, rest].iter().flat_map(|half| half.chunks(1000)) {
                    let rows = ids.iter().map(|&id| ActiveModel {
                        id: Set(id),
                        other: NotSet,
                        text: Set(Some(AsText(id))),
                    });
                    Entity::insert_many(rows).exec_without_returning(db).await.unwrap();
                }
                let read = Entity::find().order_by_asc(Column::Id).all(db).await.unwrap();
                assert!(read.iter().map(|row| row.id).eq(ids.iter().copied()));
                assert!(read.iter().all(|row| row.other.is_none() && row.text == Some(AsText(row.id))));
                let one = Entity::find_by_id(ids[5000]).one(db).await.unwrap().unwrap();
                assert_eq!(one.id, ids[5000]);
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let range =
                    Entity::find().filter(Column::Id.between(least, greatest)).order_by_asc(Column::Id);
                let read: Vec<_> = range.all(db).await.unwrap().iter().map(|row| row.id).collect();
                assert_eq!(read, between(&ids, least, greatest));
                let some = [ids[3], ids[30], ids[300]];
                let any = Entity::find().filter(Column::Id.is_in(some)).order_by_asc(Column::Id);
                assert!(any.all(db).await.unwrap().iter().map(|row| row.id).eq(some));
                let text = Entity::find().filter(Column::Text.eq(AsText(ids[7])));
                assert_eq!(text.one(db).await.unwrap().unwrap().id, ids[7]);

                // An active model: insert, update to an ID and to NULL, delete.
                let mut row: ActiveModel = one.into();
                for (id, text) in [(Some(ids[1]), Some(AsText(ids[1]))), (None, None)] {
                    row.other = Set(id);
                    row.text = Set(text);
                    let changed = row.clone().update(db).await.unwrap();
                    assert_eq!((changed.id, changed.other, changed.text), (ids[5000], id, text));
                }
                assert_eq!(row.clone().delete(db).await.unwrap().rows_affected, 1);
                let inserted = Entity::insert(row.reset_all()).exec(db).await.unwrap();
                assert_eq!(inserted.last_insert_id, ids[5000]);

                let select = |what: &str| {
                    let query = Statement::from_string(backend, format!("SELECT {what} AS id"));
                    async move { db.query_one_raw(query).await.unwrap().unwrap() }
                };
                for no_id in NO_IDS.map(str::to_owned).iter().chain(&no_bytes(backend)) {
                    says_both(&refused(no_id, select(no_id).await.try_get::<Id>("", "id")));
                }
                for no_text in ["'?'", "1", "NULL"] {
                    says_both(&refused(no_text, select(no_text).await.try_get::<AsText<Id>>("", "id")));
                }
                if backend == DbBackend::Postgres {
                    let texts = some.map(AsText).to_vec();
                    let values = [Value::from(some.to_vec()), Value::from(texts.clone())];
                    let query =
                        Statement::from_sql_and_values(backend, "SELECT $1 AS ids, $2 AS texts", values);
                    let row = db.query_one_raw(query).await.unwrap().unwrap();
                    assert_eq!(row.try_get::<Vec<Id>>("", "ids").unwrap(), some);
                    assert_eq!(row.try_get::<Vec<AsText<Id>>>("", "texts").unwrap(), texts);
                    says_both(&refused("texts", row.try_get::<Vec<Id>>("", "texts")));
                }
            }
        }
    };
}

for_every_id!(tests);
