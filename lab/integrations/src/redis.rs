//! Redis, through the crate of that name.

use crate::common::{SINCE, UNTIL, between, generated, refused, server, shuffled};
use redis::{Commands, Connection, FromRedisValue, ToRedisArgs, Value};
use std::collections::{BTreeMap, HashMap};

/// The environment variable with the URL of the server.
const SERVER: &str = "SORTID_REDIS";

/// Values that are not the text of any ID.
fn no_ids() -> Vec<(Value, &'static str)> {
    vec![
        (Value::Nil, "found nil"),
        (Value::Int(0), "found an integer"),
        (Value::Double(1.5), "found a double"),
        (Value::Boolean(true), "found a boolean"),
        (Value::Okay, "found the status OK"),
        (Value::Array(vec![]), "found a collection"),
        (Value::Map(vec![]), "found a collection"),
        (Value::BulkString(vec![]), "expected"),
        (Value::BulkString(vec![0xff; 16]), "expected"),
        (Value::SimpleString("?".to_owned()), "expected"),
    ]
}

macro_rules! tests {
    ($module:ident, $id:ty, $rules:expr, $kind:ident, $postgres:literal, $mysql:literal, $sqlite:literal) => {
        mod $module {
            use super::*;

            type Id = $id;

            #[test]
            fn a_value_is_the_text() {
                for id in generated($rules).into_iter().take(100).chain([Id::MIN, Id::MAX]) {
                    let text = id.to_string();
                    assert_eq!(id.to_redis_args(), [text.as_bytes()]);
                    let value = Value::BulkString(text.into_bytes());
                    assert_eq!(Id::from_redis_value_ref(&value), Ok(id));
                    let value = Value::Attribute { data: Box::new(value), attributes: vec![] };
                    assert_eq!(Id::from_redis_value(value), Ok(id));
                }
                for (value, words) in no_ids() {
                    let message = refused("a value", Id::from_redis_value_ref(&value));
                    assert!(
                        message.contains(words) || message.contains(" is not a "),
                        "{value:?}: {message}"
                    );
                }
                // 16 bytes can be the text of a RON UID. So bytes are never read as an ID.
                let bytes = Value::BulkString(Id::MIN.to_bytes().to_vec());
                assert!(Id::from_redis_value_ref(&bytes).is_err());
            }

            #[test]
            fn keys_members_and_values() {
                let Some(url) = server(SERVER, concat!(stringify!($module), " with redis")) else { return };
                let mut db = redis::Client::open(url).unwrap().get_connection().unwrap();
                run(&mut db);
            }

            fn run(db: &mut Connection) {
                let name = |name: &str| format!("{}:{name}", module_path!());
                let ids = generated($rules);

                // A key, a value, and many keys at once.
                let () = db.set(ids[0], ids[1]).unwrap();
                assert_eq!(db.get::<_, Id>(ids[0]).unwrap(), ids[1]);
                assert_eq!(db.get::<_, String>(ids[0].to_string()).unwrap(), ids[1].to_string());
                assert_eq!(db.mget::<_, Vec<Option<Id>>>(&[ids[0], ids[2]]).unwrap(), [Some(ids[1]), None]);
                assert_eq!(db.del::<_, i64>(ids[0]).unwrap(), 1);
                says_nil(&refused("no key", db.get::<_, Id>(ids[0])));
                assert_eq!(db.get::<_, Option<Id>>(ids[0]).unwrap(), None);

                // A list, a set and a hash.
                let (list, set, hash) = (name("list"), name("set"), name("hash"));
                let _: i64 = db.del(&[&list, &set, &hash]).unwrap();
                assert_eq!(db.rpush::<_, _, usize>(&list, &ids).unwrap(), ids.len());
                assert_eq!(db.lrange::<_, Vec<Id>>(&list, 0, -1).unwrap(), ids);
                assert_eq!(db.sadd::<_, _, usize>(&set, &ids[..9]).unwrap(), 9);
                assert!(db.sismember::<_, _, bool>(&set, ids[8]).unwrap());
                assert!(!db.sismember::<_, _, bool>(&set, ids[9]).unwrap());
                let fields: Vec<(Id, Id)> = ids.windows(2).take(50).map(|pair| (pair[0], pair[1])).collect();
                let () = db.hset_multiple(&hash, &fields).unwrap();
                let read: HashMap<Id, Id> = db.hgetall(&hash).unwrap();
                assert!(read.into_iter().collect::<BTreeMap<_, _>>().into_iter().eq(fields));

                // A stranger's value.
                let () = db.set(name("stranger"), "?").unwrap();
                assert!(db.get::<_, Id>(name("stranger")).is_err());

                // A sorted set whose members have one score is in the order of their texts.
                let sorted = name("sorted");
                let _: i64 = db.del(&sorted).unwrap();
                let (half, rest) = shuffled(&ids);
                for ids in [half, rest] {
                    let members: Vec<_> = ids.into_iter().map(|id| (0, id)).collect();
                    assert_eq!(db.zadd_multiple::<_, _, _, usize>(&sorted, &members).unwrap(), 5000);
                }
                assert_eq!(db.zrange::<_, Vec<Id>>(&sorted, 0, -1).unwrap(), ids);
                let (least, greatest) = (Id::min_at(SINCE).unwrap(), Id::max_at(UNTIL).unwrap());
                let read: Vec<Id> =
                    db.zrangebylex(&sorted, format!("[{least}"), format!("[{greatest}")).unwrap();
                assert_eq!(read, between(&ids, least, greatest));
            }
        }
    };
}

fn says_nil(message: &str) {
    assert!(message.contains("expected the text of a") && message.contains("found nil"), "{message}");
}

for_every_id!(tests);
