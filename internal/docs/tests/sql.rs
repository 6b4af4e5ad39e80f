//! Runs the SQL of `docs/` on PostgreSQL. The lines below a statement that begin with `-->` are its answer, a row each.

use euid::Euid;
use evently_id::EventId;
use postgres::{
    Client, NoTls, SimpleQueryMessage, Transaction,
    types::{FromSqlOwned, ToSql},
};
use ron_uid::RonUid;
use scru160::Scru160;
use sortid::SortableId;
use std::{
    fs,
    io::Write,
    time::{Duration, SystemTime},
};
use ulid_flake::UlidFlake;

/// The statements of the SQL blocks of a page, each with its answer.
fn statements(page: &str) -> Vec<(String, Vec<String>)> {
    let (mut statements, mut is_sql, mut statement) = (vec![], false, String::new());
    for line in page.lines() {
        if line.starts_with("```") {
            assert!(statement.is_empty(), "no end: {statement}");
            is_sql = line == "```sql";
        } else if !is_sql {
        } else if let Some(answer) = line.strip_prefix("--> ") {
            let (_, answers): &mut (_, Vec<String>) = statements.last_mut().expect("a statement above");
            answers.push(answer.to_owned());
        } else {
            statement += line;
            statement.push('\n');
            if line.ends_with(';') {
                statements.push((std::mem::take(&mut statement), vec![]));
            }
        }
    }
    statements
}

/// Returns a connection to the server, or `None` after a note that there is none.
fn server() -> Option<Client> {
    let Ok(url) = std::env::var("SORTID_POSTGRES") else {
        let _ = writeln!(
            std::io::stderr(),
            "left out: SQL of the documentation, because SORTID_POSTGRES is not set"
        );
        return None;
    };
    Some(Client::connect(&url, NoTls).unwrap())
}

/// Begins a transaction in a schema of its own. The transaction is never committed, so the database stays as it was.
fn scratch<'a>(db: &'a mut Client, name: &str) -> Transaction<'a> {
    let mut transaction = db.transaction().unwrap();
    transaction.batch_execute(&format!("CREATE SCHEMA {name}; SET LOCAL search_path TO {name}")).unwrap();
    transaction
}

#[test]
fn statements_have_the_answers_that_the_pages_show() {
    let (mut ran, mut compared) = (0, 0);
    for page in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).unwrap() {
        let path = page.unwrap().path();
        let Ok(page) = fs::read_to_string(&path) else { continue };
        let Some(mut db) = server() else { return };
        let mut db = scratch(&mut db, "statements");
        for (statement, answer) in statements(&page) {
            let messages = db
                .simple_query(&statement)
                .unwrap_or_else(|error| panic!("{}: {statement}{error:?}", path.display()));
            let rows = messages.iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => {
                    let columns = (0..row.len()).map(|column| row.get(column).unwrap_or("NULL"));
                    Some(columns.collect::<Vec<_>>().join(" | "))
                }
                _ => None,
            });
            assert_eq!(rows.collect::<Vec<_>>(), answer, "{}: {statement}", path.display());
            ran += 1;
            compared += usize::from(!answer.is_empty());
        }
    }
    assert!(ran > 5 && compared > 3, "{ran} statements, {compared} answers");
}

/// Bits that are the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// The last microsecond that the events of a ledger can have, in the year 9999.
const LAST_OF_LEDGERS: u64 = 253_402_300_799_999_999;

/// Compares the functions of the cookbook with the library, for random IDs and times, and for the first and the last.
fn compare<I: SortableId + ToSql + FromSqlOwned>(db: &mut Transaction<'_>, name: &str, last: u64) {
    let first = *I::TIMES.start();
    let mut random = Random(1);
    let mut ids = vec![I::MIN, I::MAX];
    let mut bytes = I::MIN.as_bytes().to_vec();
    for _ in 0..1000 {
        bytes.fill_with(|| random.next() as u8);
        ids.extend(I::try_from_bytes(&bytes));
        // A Ulid-Flake has a 0 at the top, and a RON UID six.
        bytes[0] &= 0x0f;
        bytes[8.min(I::BYTES - 1)] &= 0x3f;
        ids.extend(I::try_from_bytes(&bytes));
    }
    let mut times = vec![first, first + 999, first + 1000, last - 1000, last];
    for _ in 0..1000 {
        times.push(first + random.next() % (last - first));
        // Of 2024 to 2032.
        times.push(1_704_067_200_000_000 + random.next() % (1 << 48));
    }

    let least = db.prepare(&format!("SELECT {name}_min($1)")).unwrap();
    let least = |db: &mut Transaction<'_>, micros: u64| -> I {
        let time = SystemTime::UNIX_EPOCH + Duration::from_micros(micros);
        db.query_one(&least, &[&time]).unwrap().get(0)
    };
    for &micros in &times {
        let time = Duration::from_micros(micros);
        let id = I::min_at(time).unwrap();
        assert_eq!(least(db, micros), id, "{name}: {micros}");
        ids.extend([id, I::max_at(time).unwrap()]);
    }
    assert_eq!(least(db, 0), I::min_at(Duration::from_micros(first)).unwrap());
    assert_eq!(
        least(db, LAST_OF_LEDGERS + 1),
        I::min_at(Duration::from_micros(last.min(LAST_OF_LEDGERS + 1))).unwrap()
    );
    for (infinity, end) in [("-infinity", first), ("infinity", last)] {
        let id: I = db.query_one(&format!("SELECT {name}_min('{infinity}')"), &[]).unwrap().get(0);
        assert_eq!(id, I::min_at(Duration::from_micros(end)).unwrap(), "{name}: {infinity}");
    }

    let time =
        db.prepare(&format!("SELECT (extract(epoch FROM {name}_time($1)) * 1000000)::bigint")).unwrap();
    let mut with_time = 0;
    for id in ids {
        let expected = id.unix_micros().filter(|&micros| micros <= last).map(|micros| micros as i64);
        assert_eq!(db.query_one(&time, &[&id]).unwrap().get::<_, Option<i64>>(0), expected, "{name}: {id}");
        with_time += u32::from(expected.is_some());
    }
    assert!(with_time > 4000, "{name}: {with_time}");
}

#[test]
fn the_functions_of_the_cookbook_have_the_times_and_bounds_of_the_library() {
    let Some(mut db) = server() else { return };
    let mut db = scratch(&mut db, "functions");
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cookbook.md")).unwrap();
    let (_, section) = page.split_once("\n## Times in PostgreSQL\n").unwrap();
    let functions = section.split_once("```sql\n").unwrap().1.split_once("```").unwrap().0;
    db.batch_execute(functions).unwrap();
    // Times do not depend on the time zone of the session, nor on its daylight saving time.
    db.batch_execute("SET LOCAL timezone = 'Australia/Lord_Howe'").unwrap();
    compare::<Euid>(&mut db, "euid", *Euid::TIMES.end());
    compare::<UlidFlake>(&mut db, "ulid_flake", *UlidFlake::TIMES.end());
    compare::<Scru160>(&mut db, "scru160", *Scru160::TIMES.end());
    compare::<RonUid>(&mut db, "ron_uid", *RonUid::TIMES.end());
    compare::<EventId>(&mut db, "event_id", LAST_OF_LEDGERS);

    let unstable = "SELECT count(*) FROM pg_proc WHERE proname ~ '_(min|time)$' AND pronamespace = 'functions'::regnamespace
        AND provolatile = 'i' AND proparallel = 's' AND proisstrict";
    assert_eq!(db.query_one(unstable, &[]).unwrap().get::<_, i64>(0), 10);
}
