//! The rows of `docs/coming-from.md`: each runs, and both sides do the same as far as the page says so.

use euid::{Euid, euid};
use ferroid::{
    generator::BasicSnowflakeGenerator,
    id::SnowflakeTwitterId,
    time::{MonotonicClock, TWITTER_EPOCH},
};
use scru160::Scru160;
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use svix_ksuid::{Ksuid, KsuidLike as _};
use ulid::Ulid;
use ulid_flake::{
    UlidFlake,
    scalable::{self, Scalable},
};
use uuid::{ContextV7, NoContext, Timestamp, Uuid, uuid};

/// The rows of a table that no test has run yet: the code of both sides, without spaces.
struct Rows(BTreeSet<[String; 2]>);

impl Rows {
    fn of(title: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/coming-from.md");
        let page = fs::read_to_string(path).unwrap();
        let (_, section) = page.split_once(&format!("\n## {title}\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let rows = section.lines().filter(|line| line.starts_with('|')).skip(2).map(|line| {
            let mut cells = line.split('|').skip(1).map(|cell| {
                let code = cell.trim().strip_prefix('`').and_then(|cell| cell.strip_suffix('`'));
                without_spaces(code.unwrap_or_else(|| panic!("a cell is not code: {cell}")))
            });
            [cells.next().unwrap(), cells.next().unwrap()]
        });
        Self(rows.collect())
    }

    fn take(&mut self, theirs: &str, ours: &str) {
        let row = [theirs, ours].map(without_spaces);
        assert!(self.0.remove(&row), "the page does not have the row {row:?}, but {:#?}", self.0);
    }

    fn finish(&self) {
        assert!(self.0.is_empty(), "rows without a test: {:#?}", self.0);
    }
}

fn without_spaces(code: &str) -> String {
    code.split_whitespace().collect()
}

/// Runs both sides of a row, and checks that the condition holds for their results.
macro_rules! row {
    ($rows:ident: $theirs:expr => $ours:expr, |$their_result:pat_param, $our_result:pat_param| $holds:expr) => {{
        $rows.take(stringify!($theirs), stringify!($ours));
        match ($theirs, $ours) {
            ($their_result, $our_result) => assert!($holds, "{}", stringify!($ours)),
        }
    }};
}

/// Returns whether two times are within a minute of each other.
fn is_near(one: Duration, other: Duration) -> bool {
    one.abs_diff(other) < Duration::from_secs(60)
}

fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap()
}

fn is_now(millis: u64) -> bool {
    is_near(Duration::from_millis(millis), now())
}

#[test]
fn the_rows_for_uuid_hold() {
    let mut rows = Rows::of("From `uuid` to EUID");
    let millis = |uuid: Uuid| {
        let (seconds, nanos) = uuid.get_timestamp().unwrap().to_unix();
        1000 * seconds + u64::from(nanos) / 1_000_000
    };
    row!(rows: Uuid::now_v7() => euid::new(), |theirs, ours| is_now(millis(theirs)) && is_now(ours.unix_millis()));
    row!(rows: Uuid::new_v4() => euid::new(), |theirs, ours| theirs != Uuid::new_v4() && ours != euid::new());
    let since_1970 = Duration::from_millis(1_717_653_966_666);
    let timestamp = Timestamp::from_unix(NoContext, since_1970.as_secs(), since_1970.subsec_nanos());
    let time = UNIX_EPOCH + since_1970;
    row!(rows: Uuid::new_v7(timestamp) => Euid::at(time), |theirs, ours| {
        Duration::from_millis(millis(theirs)) == since_1970 && ours.unwrap().unix_millis() == millis(theirs)
    });
    row!(rows: ContextV7::new() => euid::Generator::new(), |context, ours| {
        let next = || Uuid::new_v7(Timestamp::now(&context));
        next() < next() && ours.generate().unwrap() < ours.generate().unwrap()
    });
    row!(rows: Uuid::nil() => Euid::MIN, |theirs, ours| theirs.as_bytes() == ours.as_bytes());
    row!(rows: Uuid::max() => Euid::MAX, |theirs, ours| theirs.as_bytes() == ours.as_bytes());

    let ours = Euid::parse("C8EE934SR007G5Q94QKKXFRFV8B").unwrap();
    let int = ours.to_u128();
    let (theirs, bytes) = (Uuid::from_u128(int), int.to_be_bytes());
    row!(rows: Uuid::from_u128(int) => Euid::from_u128(int), |from, to| from == theirs && to == ours);
    row!(rows: theirs.as_u128() => ours.to_u128(), |theirs, ours| theirs == ours);
    row!(rows: Uuid::from_bytes(bytes) => Euid::from_bytes(bytes), |from, to| from == theirs && to == ours);
    let slice = &bytes[..];
    row!(rows: Uuid::from_slice(slice) => Euid::try_from(slice), |from, to| from == Ok(theirs) && to == Ok(ours));
    row!(rows: theirs.into_bytes() => ours.to_bytes(), |theirs, ours| theirs == ours);
    row!(rows: theirs.as_bytes() => ours.as_bytes(), |theirs, ours| theirs == ours);
    row!(rows: Uuid::from(ours) => Euid::from(theirs), |to, from| to == theirs && from == ours);
    row!(rows: theirs.to_string() => ours.to_string(), |theirs, ours| theirs.len() == 36 && ours.len() == 27);
    let mut buffer = Uuid::encode_buffer();
    row!(rows: theirs.hyphenated().encode_lower(&mut buffer) => ours.encode(), |text, code| {
        Uuid::parse_str(text) == Ok(theirs) && Euid::parse(&code) == Ok(ours)
    });
    row!(rows: theirs.simple().to_string() => format!("{ours:x}"), |theirs, ours| theirs == ours);
    let text = "0190-is-neither";
    row!(rows: Uuid::parse_str(text) => Euid::parse(text), |theirs, ours| theirs.is_err() && ours.is_err());
    let bytes = b"\xff";
    row!(rows: Uuid::try_parse_ascii(bytes) => Euid::parse_ascii(bytes), |theirs, ours| {
        theirs.is_err() && ours.is_err()
    });
    let texts = format!("{theirs},nonsense");
    row!(
        rows: texts.split(',').map(Uuid::parse_str).collect::<Result<Vec<_>, _>>()
            => texts.split(',').map(Euid::parse).collect::<Result<Vec<_>, _>>(),
        |theirs, ours| theirs.is_err() && ours.is_err()
    );
    row!(
        rows: uuid!("621ce48c-99c0-0078-16e9-25e73ebf0fda") => euid!("C8EE934SR007G5Q94QKKXFRFV8B"),
        |to, from| to == theirs && from == ours
    );
    let (seconds, nanos) = (1_717_653_966, 666_000_000);
    row!(
        rows: Timestamp::from_unix(NoContext, seconds, nanos) => UNIX_EPOCH + Duration::new(seconds, nanos),
        |theirs, ours| Euid::min_at(ours).unwrap().unix_millis() == millis(Uuid::new_v7(theirs))
    );
    row!(rows: serde_json::to_string(&theirs) => serde_json::to_string(&ours), |to, from| {
        to.unwrap() == format!("\"{theirs}\"") && from.unwrap() == format!("\"{ours}\"")
    });
    {
        #[derive(serde::Serialize)]
        struct Theirs(#[serde(with = "uuid::serde::simple")] Uuid);
        #[derive(serde::Serialize)]
        struct Ours(#[serde(with = "euid::serde::hex")] Euid);
        rows.take(r#"#[serde(with = "uuid::serde::simple")]"#, r#"#[serde(with = "euid::serde::hex")]"#);
        let expected = r#""621ce48c99c0007816e925e73ebf0fda""#;
        assert_eq!(serde_json::to_string(&Theirs(theirs)).unwrap(), expected);
        assert_eq!(serde_json::to_string(&Ours(ours)).unwrap(), expected);
    }
    {
        #[derive(Debug, PartialEq, serde::Deserialize, serde::Serialize)]
        struct Theirs(#[serde(with = "uuid::serde::hyphenated")] Uuid);
        #[derive(Debug, PartialEq, serde::Deserialize, serde::Serialize)]
        struct Ours(#[serde(with = "euid::serde::hyphenated")] Euid);
        rows.take(
            r#"#[serde(with = "uuid::serde::hyphenated")]"#,
            r#"#[serde(with = "euid::serde::hyphenated")]"#,
        );
        let text = r#""621ce48c-99c0-0078-16e9-25e73ebf0fda""#;
        assert_eq!(serde_json::to_string(&Theirs(theirs)).unwrap(), text);
        assert_eq!(serde_json::to_string(&Ours(ours)).unwrap(), text);
        assert_eq!(serde_json::from_str::<Theirs>(text).unwrap(), Theirs(theirs));
        assert_eq!(serde_json::from_str::<Ours>(text).unwrap(), Ours(ours));
    }
    let (theirs, ours) = (Uuid::now_v7(), euid::new());
    row!(rows: theirs.get_timestamp() => ours.unix_millis(), |_, ours| is_now(ours) && is_now(millis(theirs)));
    rows.finish();
}

#[test]
fn the_rows_for_ulid_hold() {
    let mut rows = Rows::of("From `ulid` to EUID");
    row!(rows: Ulid::generate() => euid::new(), |theirs, ours| {
        is_now(theirs.timestamp_ms()) && is_now(ours.unix_millis())
    });
    row!(rows: ulid::Generator::new().generate() => euid::Generator::new().generate(), |theirs, ours| {
        theirs.is_ok() && ours.is_ok()
    });
    row!(rows: Ulid::nil() => Euid::MIN, |theirs, ours| theirs.to_bytes() == ours.to_bytes());
    row!(rows: Ulid::max() => Euid::MAX, |theirs, ours| theirs.to_bytes() == ours.to_bytes());

    let ours = Euid::parse("C8EE934SR007G5Q94QKKXFRFV8B").unwrap();
    let int = ours.to_u128();
    let (theirs, bytes) = (Ulid::from(int), int.to_be_bytes());
    row!(rows: Ulid::from(int) => Euid::from_u128(int), |from, to| from == theirs && to == ours);
    row!(rows: u128::from(theirs) => ours.to_u128(), |theirs, ours| theirs == ours);
    row!(rows: Ulid::from_bytes(bytes) => Euid::from_bytes(bytes), |from, to| from == theirs && to == ours);
    row!(rows: theirs.to_string() => ours.to_string(), |theirs, ours| theirs.len() == 26 && ours.len() == 27);
    let text = "U";
    row!(rows: Ulid::from_string(text) => Euid::parse(text), |theirs, ours| theirs.is_err() && ours.is_err());
    row!(rows: theirs.random() => ours.random_low(), |theirs, ours| theirs as u32 == ours);
    let (millis, random) = (1_717_653_966_666, 9);
    let (upper, high, low) = (0, 0, 9);
    row!(
        rows: Ulid::from_parts(millis, random) => Euid::try_from_fields(millis, upper, None, high, low),
        |theirs, ours| theirs.timestamp_ms() == ours.unwrap().unix_millis()
    );

    let texts = format!("{theirs},nonsense");
    row!(
        rows: texts.split(',').map(Ulid::from_string).collect::<Result<Vec<_>, _>>()
            => texts.split(',').map(Euid::parse).collect::<Result<Vec<_>, _>>(),
        |theirs, ours| theirs.is_err() && ours.is_err()
    );
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    row!(rows: Ulid::from_datetime(time) => Euid::at(time), |theirs, ours| {
        theirs.timestamp_ms() == millis && ours.unwrap().unix_millis() == millis
    });
    row!(rows: serde_json::to_string(&theirs) => serde_json::to_string(&ours), |to, from| {
        to.unwrap() == format!("\"{theirs}\"") && from.unwrap() == format!("\"{ours}\"")
    });
    {
        #[derive(serde::Serialize)]
        struct Theirs(#[serde(with = "ulid::serde::ulid_as_u128")] Ulid);
        #[derive(serde::Serialize)]
        struct Ours(#[serde(with = "euid::serde::integer")] Euid);
        rows.take(
            r#"#[serde(with = "ulid::serde::ulid_as_u128")]"#,
            r#"#[serde(with = "euid::serde::integer")]"#,
        );
        assert_eq!(serde_json::to_string(&Theirs(theirs)).unwrap(), int.to_string());
        assert_eq!(serde_json::to_string(&Ours(ours)).unwrap(), format!("\"{int}\""));
    }
    let (theirs, ours) = (Ulid::generate(), euid::new());
    row!(rows: theirs.timestamp_ms() => ours.unix_millis(), |theirs, ours| is_now(theirs) && is_now(ours));
    row!(rows: theirs.datetime() => ours.time(), |theirs, ours| {
        [theirs, ours].iter().all(|time| is_near(time.duration_since(SystemTime::UNIX_EPOCH).unwrap(), now()))
    });
    row!(rows: theirs.increment() => ours.next_after(), |next, after| {
        next.unwrap() > theirs && after.unwrap() > ours
    });
    rows.finish();
}

#[test]
fn the_rows_for_ksuid_hold() {
    use scru160::Backfill;

    let mut rows = Rows::of("From KSUID to SCRU160");
    row!(rows: Ksuid::now(None) => scru160::new(), |theirs, ours| {
        is_now(theirs.timestamp_seconds() as u64 * 1000) && is_now(ours.unix_millis())
    });
    let ours = Scru160::parse("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6").unwrap();
    let bytes = ours.to_bytes();
    let theirs = Ksuid::from_bytes(bytes);
    row!(rows: Ksuid::from_bytes(bytes) => Scru160::from_bytes(bytes), |from, to| {
        from.bytes() == theirs.bytes() && to == ours
    });
    row!(rows: theirs.bytes() => ours.as_bytes(), |theirs, ours| theirs == ours);
    row!(rows: theirs.to_base62() => ours.encode(), |theirs, ours| theirs.len() == 27 && ours.len() == 32);
    row!(rows: theirs.payload() => ours.random80(), |theirs, ours| theirs.ends_with(&ours));
    let text = "-";
    row!(rows: Ksuid::from_base62(text) => Scru160::parse(text), |theirs, ours| theirs.is_err() && ours.is_err());
    let texts = "-,nonsense";
    row!(
        rows: texts.split(',').map(Ksuid::from_base62).collect::<Result<Vec<_>, _>>()
            => texts.split(',').map(Scru160::parse).collect::<Result<Vec<_>, _>>(),
        |theirs, ours| theirs.is_err() && ours.is_err()
    );
    row!(rows: serde_json::to_string(&theirs) => serde_json::to_string(&ours), |to, from| {
        to.unwrap() == format!("\"{theirs}\"") && from.unwrap() == format!("\"{ours}\"")
    });
    let seconds = 1_717_653_966;
    let time = UNIX_EPOCH + Duration::from_secs(1_717_653_966);
    row!(
        rows: Ksuid::from_seconds(Some(seconds), None)
            => Backfill::default().generate(time),
        |theirs, ours| theirs.timestamp_seconds() as u64 * 1000 == ours.unwrap().unix_millis()
    );
    let (theirs, ours) = (Ksuid::now(None), scru160::new());
    row!(rows: theirs.timestamp_seconds() => ours.unix_millis(), |theirs, ours| {
        is_now(theirs as u64 * 1000) && is_now(ours)
    });
    rows.finish();
}

#[test]
fn the_rows_for_snowflake_hold() {
    let mut rows = Rows::of("From Snowflake to Ulid-Flake");
    let (millis, machine, sequence) = (9_999, 31, 4095);
    let (randomness, node) = (4095, 31);
    row!(
        rows: SnowflakeTwitterId::from_components(millis, machine, sequence)
            => Scalable::try_from_fields(millis, randomness, node),
        |theirs, ours| theirs.timestamp() == ours.unwrap().timestamp()
    );
    let (clock, options) =
        (MonotonicClock::<1>::with_epoch(TWITTER_EPOCH), scalable::Options::new(node).unwrap());
    row!(
        rows: BasicSnowflakeGenerator::new(machine, clock) => options.build(),
        |their_generator, our_generator| {
            let wait = |_| std::thread::yield_now();
            row!(rows: their_generator.next_id(wait) => our_generator.generate(), |theirs, ours| {
                let theirs: SnowflakeTwitterId = theirs;
                theirs.machine_id() == u64::from(ours.unwrap().scalable().scalability())
            });
            true
        }
    );
    let theirs = SnowflakeTwitterId::from_components(millis, machine, sequence);
    let ours = Scalable::try_from_fields(millis, randomness, node).unwrap();
    let (raw, int) = (theirs.to_raw(), ours.to_int());
    row!(rows: SnowflakeTwitterId::from_raw(raw) => UlidFlake::try_from_int(int), |from, to| {
        from == theirs && to == Ok(ours)
    });
    row!(rows: theirs.to_raw() => ours.to_int(), |theirs, ours| i64::try_from(theirs).is_ok() && ours > 0);
    row!(rows: theirs.timestamp() => ours.timestamp(), |theirs, ours| theirs == ours);
    row!(rows: theirs.machine_id() => ours.scalable().scalability(), |theirs, ours| theirs == u64::from(ours));
    row!(rows: theirs.sequence() => ours.scalable().randomness(), |theirs, ours| theirs == u64::from(ours));
    row!(
        rows: serde_json::to_string(&theirs.to_raw()) => serde_json::to_string(&ours.to_int()),
        |theirs, ours| theirs.unwrap() == raw.to_string() && ours.unwrap() == int.to_string()
    );
    assert_eq!(serde_json::to_string(&UlidFlake::MAX).unwrap(), r#""7ZZZZZZZZZZZZ""#);
    rows.finish();
}

euid::typed_id! {
    #[prefix = "user"]
    struct UserId;
}

#[derive(Default, PartialEq)]
struct User;

impl type_safe_id::StaticType for User {
    const TYPE: &'static str = "user";
}

type Theirs = type_safe_id::TypeSafeId<User>;

#[test]
fn the_rows_for_typeid_hold() {
    let mut rows = Rows::of("From TypeID to a typed ID");
    row!(rows: Theirs::new() => UserId::new(), |theirs, ours| theirs != Theirs::new() && ours != UserId::new());
    let (theirs, ours) = (Theirs::new(), UserId::new());
    row!(rows: theirs.to_string() => ours.to_string(), |theirs, ours| {
        theirs.strip_prefix("user_").unwrap().len() == 26 && ours.strip_prefix("user_").unwrap().len() == 27
    });
    row!(rows: theirs.type_prefix() => UserId::PREFIX, |theirs, ours| theirs == ours);
    row!(rows: theirs.uuid() => ours.get(), |uuid, id| {
        theirs == Theirs::from_uuid(uuid) && ours == UserId::from_id(id)
    });
    let (uuid, id) = (theirs.uuid(), ours.get());
    row!(rows: Theirs::from_uuid(uuid) => UserId::from(id), |from, to| from == theirs && to == ours);
    let text = "order_C8EE934SR007G5Q94QKKXFRFV8B";
    row!(rows: text.parse::<Theirs>() => text.parse::<UserId>(), |theirs, ours| theirs.is_err() && ours.is_err());
    row!(rows: serde_json::to_string(&theirs) => serde_json::to_string(&ours), |to, from| {
        to.unwrap() == format!("\"{theirs}\"") && from.unwrap() == format!("\"{ours}\"")
    });
    let texts = "nonsense";
    row!(
        rows: texts.split(',').map(str::parse).collect::<Result<Vec<Theirs>, _>>()
            => texts.split(',').map(str::parse).collect::<Result<Vec<UserId>, _>>(),
        |theirs, ours| theirs.is_err() && ours.is_err()
    );
    rows.finish();
}
