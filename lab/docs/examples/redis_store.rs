//! The store of `docs/fleet.md` that keeps the records in Redis.

use redis::{Client, FromRedisValue, RedisResult};
use sortid_fleet::StoreErrorKind::{self, Shape, Unavailable};
use sortid_fleet::{Record, Snapshot, Store, StoreError, Swapped};
use std::{collections::BTreeMap, error::Error, time::Duration};

type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Keeps the records of a space in a hash, as JSON.
pub struct RedisStore(pub Client);

const READ: &str = "
    local time = redis.call('TIME')
    return {time[1], time[2], redis.call('HGETALL', KEYS[1])}";

/// A node ID without a record has the text ''.
const SWAP: &str = "
    local time = redis.call('TIME')
    local is_expected = (redis.call('HGET', KEYS[1], ARGV[1]) or '') == ARGV[2]
    if is_expected then redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
    return {time[1], time[2], is_expected and 1 or 0}";

const LIMIT: Duration = Duration::from_secs(2);

fn failed(kind: StoreErrorKind, error: impl Error + Send + Sync + 'static) -> StoreError {
    StoreError::new(kind, format!("Redis: {error}")).with_source(error)
}

impl RedisStore {
    /// Runs a script on a new connection: a node needs one every few seconds. Returns the time and the answer.
    fn run<T: FromRedisValue>(&self, script: &str, space: &str, args: &[String]) -> Result<(u64, T)> {
        let run = || -> RedisResult<(u64, u64, T)> {
            let mut connection = self.0.get_connection_with_timeout(LIMIT)?;
            connection.set_read_timeout(Some(LIMIT))?;
            connection.set_write_timeout(Some(LIMIT))?;
            let key = format!("sortid:nodes:{space}");
            redis::cmd("EVAL").arg(script).arg(1).arg(key).arg(args).query(&mut connection)
        };
        let (seconds, micros, answer) = run().map_err(|error| failed(Unavailable, error))?;
        Ok((seconds * 1000 + micros / 1000, answer))
    }
}

impl Store for RedisStore {
    fn read(&self, space: &str) -> Result<Snapshot> {
        let (time, texts): (_, BTreeMap<u32, String>) = self.run(READ, space, &[])?;
        let records = texts.into_iter().map(|(number, text)| Ok((number, serde_json::from_str(&text)?)));
        let records = records.collect::<serde_json::Result<_>>().map_err(|error| failed(Shape, error))?;
        Ok(Snapshot::new(records, Some(time)))
    }

    fn swap(&self, space: &str, number: u32, expected: Option<&Record>, next: &Record) -> Result<Swapped> {
        let text = |record: &Record| serde_json::to_string(record).map_err(|error| failed(Shape, error));
        let expected = expected.map(text).transpose()?.unwrap_or_default();
        let (time, swapped) = self.run(SWAP, space, &[number.to_string(), expected, text(next)?])?;
        Ok(Swapped::new(swapped, Some(time)))
    }
}

/// Creates the fleet: run it once. A node calls `Fleet::new(store).space("orders")?.join()`.
fn main() -> Result<(), Box<dyn Error>> {
    let store = RedisStore(Client::open("redis://localhost:6379")?);
    sortid_fleet::init(&store, "orders", 32)?;
    Ok(())
}
