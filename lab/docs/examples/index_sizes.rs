//! Measures a primary key of each kind in PostgreSQL: the size of its index, the write-ahead log, and the time. Prints the
//! table of `docs/choosing.md`: `cargo xtask index-sizes`.

use postgres::{Client, NoTls};
use scru160::{
    Clock, Entropy, GenerateError,
    testing::{ManualClock, SeededEntropy},
};
use std::{
    error::Error,
    fmt::Display,
    io::Write,
    time::{Duration, Instant},
};

const ROWS: u64 = 1_000_000;

/// How often each key is inserted. The shortest time counts.
const ROUNDS: usize = 7;

/// 2024-06-06T06:06:06.666Z, the time of the first ID. Each millisecond has one ID.
const START: u64 = 1_717_653_966_666;

/// A kind of key, and the function that makes its texts with a clock and a source of random bytes.
struct Key {
    name: &'static str,
    column: &'static str,
    texts: fn(&Source) -> Vec<String>,
}

struct Source {
    clock: ManualClock,
    entropy: SeededEntropy,
}

impl Source {
    fn new() -> Self {
        Self { clock: ManualClock::new(Duration::from_millis(START)), entropy: SeededEntropy::new(42) }
    }

    /// One text for each millisecond, in order.
    fn each<T: Display>(&self, next: impl Fn(u64) -> T) -> Vec<String> {
        let texts = (0..ROWS).map(|_| {
            let text = next(self.clock.unix_micros().expect("a time") / 1000).to_string();
            self.clock.advance(Duration::from_millis(1));
            text
        });
        texts.collect()
    }

    fn draw<const N: usize>(&self) -> [u8; N] {
        self.entropy.draw().expect("a seeded source does not fail")
    }
}

/// The texts of the IDs of a generator, as `$text` makes them.
macro_rules! generated {
    ($options:expr, $text:expr) => {
        |source: &Source| {
            let ids = $options.build_with(&source.clock, &source.entropy);
            source
                .each(|_| $text(ids.try_generate().unwrap_or_else(|error: GenerateError| panic!("{error}"))))
        }
    };
}

fn bytea(bytes: impl AsRef<[u8]>) -> String {
    let hex: String = bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    // One backslash is for COPY, the other one for the text of a bytea.
    format!(r"\\x{hex}")
}

fn uuid_v7(source: &Source, millis: u64) -> uuid::Uuid {
    uuid::Builder::from_unix_timestamp_millis(millis, &source.draw()).into_uuid()
}

fn ulid(source: &Source, millis: u64) -> ulid::Ulid {
    ulid::Ulid::from_parts(millis, u128::from_be_bytes(source.draw()) >> 48)
}

/// 41 bits of milliseconds since November 2010, 10 bits of a worker, 12 bits of a sequence.
fn snowflake(millis: u64) -> u64 {
    (millis - 1_288_834_974_657) << 22 | 7 << 12
}

fn ksuid(source: &Source, millis: u64) -> svix_ksuid::Ksuid {
    use svix_ksuid::KsuidLike;
    let seconds = (millis / 1000 - 1_400_000_000) as u32;
    let payload: [u8; 16] = source.draw();
    let mut bytes = [0; 20];
    bytes[..4].copy_from_slice(&seconds.to_be_bytes());
    bytes[4..].copy_from_slice(&payload);
    svix_ksuid::Ksuid::from_bytes(bytes)
}

/// The keys, first the key with which the times of the others are compared.
const KEYS: &[Key] = &[
    Key { name: "UUIDv7", column: "uuid", texts: |source| source.each(|millis| uuid_v7(source, millis)) },
    Key {
        name: "UUIDv4",
        column: "uuid",
        texts: |source| source.each(|_| uuid::Builder::from_random_bytes(source.draw()).into_uuid()),
    },
    Key {
        name: "ULID",
        column: "bytea",
        texts: |source| source.each(|millis| bytea(ulid(source, millis).to_bytes())),
    },
    Key {
        name: "ULID",
        column: "text",
        texts: |source| source.each(|millis| ulid(source, millis).to_string()),
    },
    Key { name: "Snowflake", column: "bigint", texts: |source| source.each(snowflake) },
    Key {
        name: "KSUID",
        column: "bytea",
        texts: |source| source.each(|millis| bytea(svix_ksuid::KsuidLike::bytes(&ksuid(source, millis)))),
    },
    Key {
        name: "Ulid-Flake",
        column: "bigint",
        texts: generated!(ulid_flake::Options::new(), |id: ulid_flake::UlidFlake| id.to_int()),
    },
    Key { name: "Ulid-Flake", column: "text", texts: generated!(ulid_flake::Options::new(), |id| id) },
    Key {
        name: "EUID",
        column: "uuid",
        texts: generated!(euid::Options::new(), |id: euid::Euid| uuid::Uuid::from_bytes(id.to_bytes())),
    },
    Key { name: "EUID", column: "text", texts: generated!(euid::Options::new(), |id| id) },
    Key {
        name: "Event ID",
        column: "uuid",
        texts: generated!(evently_id::Options::new(evently_id::LedgerId::MAX), |id: evently_id::EventId| {
            uuid::Uuid::from_bytes(id.to_bytes())
        }),
    },
    Key {
        name: "RON UID",
        column: "bytea",
        texts: generated!(
            ron_uid::Options::new(ron_uid::ron_uid!("Xgritzk0_D").value()),
            |id: ron_uid::RonUid| bytea(id.to_bytes())
        ),
    },
    Key {
        name: "RON UID",
        column: "text",
        texts: generated!(ron_uid::Options::new(ron_uid::ron_uid!("Xgritzk0_D").value()), |id| id),
    },
    Key {
        name: "SCRU160",
        column: "bytea",
        texts: generated!(scru160::Options::new(), |id: scru160::Scru160| bytea(id.to_bytes())),
    },
    Key { name: "SCRU160", column: "text", texts: generated!(scru160::Options::new(), |id| id) },
];

struct Measured {
    index_bytes: i64,
    log_bytes: i64,
    took: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::var("SORTID_POSTGRES").map_err(|_| "SORTID_POSTGRES is to name a server")?;
    let mut db = Client::connect(&url, NoTls)?;
    // Reads the staged IDs in the order of their generation.
    db.batch_execute("SET synchronize_seqscans = off; SET max_parallel_workers_per_gather = 0")?;
    for (index, key) in KEYS.iter().enumerate() {
        eprintln!("{} as {}", key.name, key.column);
        stage(&mut db, index, key)?;
    }
    let mut all: Vec<Option<Measured>> = KEYS.iter().map(|_| None).collect();
    for round in 1..=ROUNDS {
        eprintln!("round {round} of {ROUNDS}");
        for (index, key) in KEYS.iter().enumerate() {
            let measured = insert(&mut db, index, key)?;
            let best = &mut all[index];
            if best.as_ref().is_none_or(|best| measured.took < best.took) {
                *best = Some(measured);
            }
        }
    }
    let all: Vec<_> = all.into_iter().flatten().collect();
    let version: String = db.query_one("SHOW server_version", &[])?.get(0);
    println!("PostgreSQL {version}; {} took {:.1} s.\n", KEYS[0].name, all[0].took.as_secs_f64());
    println!("| key | column | index, bytes a row | log, bytes a row | time |");
    println!("|---|---|---|---|---|");
    for (key, Measured { index_bytes, log_bytes, took }) in KEYS.iter().zip(&all) {
        println!(
            "| {} | `{}` | {:.1} | {:.0} | {:.1} |",
            key.name,
            key.column,
            *index_bytes as f64 / ROWS as f64,
            *log_bytes as f64 / ROWS as f64,
            took.as_secs_f64() / all[0].took.as_secs_f64()
        );
    }
    Ok(())
}

/// Copies the texts, in the order of generation, to a table without an index.
fn stage(db: &mut Client, index: usize, key: &Key) -> Result<(), Box<dyn Error>> {
    db.batch_execute(&format!("CREATE UNLOGGED TABLE staged_{index} (id {})", key.column))?;
    let mut rows = db.copy_in(&format!("COPY staged_{index} FROM STDIN"))?;
    for text in (key.texts)(&Source::new()) {
        writeln!(rows, "{text}")?;
    }
    let rows = rows.finish()?;
    db.batch_execute(&format!("VACUUM ANALYZE staged_{index}"))?;
    if rows == ROWS { Ok(()) } else { Err(format!("{rows} rows of {ROWS}").into()) }
}

/// Inserts the texts into a table with a primary key, one row after another.
fn insert(db: &mut Client, index: usize, key: &Key) -> Result<Measured, Box<dyn Error>> {
    db.batch_execute(&format!(
        "DROP TABLE IF EXISTS kept; CREATE TABLE kept (id {} PRIMARY KEY, amount integer NOT NULL); CHECKPOINT",
        key.column
    ))?;
    let before: String = db.query_one("SELECT pg_current_wal_lsn()::text", &[])?.get(0);
    let started = Instant::now();
    db.execute(&format!("INSERT INTO kept SELECT id, 7 FROM staged_{index}"), &[])?;
    let took = started.elapsed();
    let row = db.query_one(
        "SELECT pg_relation_size('kept_pkey'), (pg_current_wal_lsn() - $1::text::pg_lsn)::bigint",
        &[&before],
    )?;
    Ok(Measured { index_bytes: row.get(0), log_bytes: row.get(1), took })
}
