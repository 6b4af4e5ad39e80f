//! The rows of `docs/coming-from.md`: each runs, and both sides do the same as far as the page says so.

use euid::{Euid, euid};
use ferroid::{
    generator::BasicSnowflakeGenerator,
    id::SnowflakeTwitterId,
    time::{MonotonicClock, TWITTER_EPOCH},
};
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use ulid::Ulid;
use ulid_flake::{
    UlidFlake,
    scalable::{self, Scalable},
};
use uuid::{NoContext, Timestamp, Uuid, uuid};

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

    let ours = Euid::parse("C8EE934SR007G5Q94QKKXFRFV8B").unwrap();
    let int = ours.to_u128();
    let theirs = Uuid::from_u128(int);
    row!(rows: Uuid::from(ours) => Euid::from(theirs), |to, from| to == theirs && from == ours);
    let mut buffer = Uuid::encode_buffer();
    row!(rows: theirs.hyphenated().encode_lower(&mut buffer) => ours.encode(), |text, code| {
        Uuid::parse_str(text) == Ok(theirs) && Euid::parse(&code) == Ok(ours)
    });
    let text = "0190-is-neither";
    row!(rows: Uuid::parse_str(text) => Euid::parse(text), |theirs, ours| theirs.is_err() && ours.is_err());
    row!(
        rows: uuid!("621ce48c-99c0-0078-16e9-25e73ebf0fda") => euid!("C8EE934SR007G5Q94QKKXFRFV8B"),
        |to, from| to == theirs && from == ours
    );
    row!(rows: serde_json::to_string(&theirs) => serde_json::to_string(&ours), |to, from| {
        to.unwrap() == format!("\"{theirs}\"") && from.unwrap() == format!("\"{ours}\"")
    });
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

    let ours = Euid::parse("C8EE934SR007G5Q94QKKXFRFV8B").unwrap();
    let int = ours.to_u128();
    let theirs = Ulid::from(int);
    let text = "U";
    row!(rows: Ulid::from_string(text) => Euid::parse(text), |theirs, ours| theirs.is_err() && ours.is_err());
    let millis = 1_717_653_966_666;
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    row!(rows: Ulid::from_datetime(time) => Euid::at(time), |theirs, ours| {
        theirs.timestamp_ms() == millis && ours.unwrap().unix_millis() == millis
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
    row!(rows: theirs.increment() => ours.next_after(), |next, after| {
        next.unwrap() > theirs && after.unwrap() > ours
    });
    rows.finish();
}

#[test]
fn the_rows_for_snowflake_hold() {
    let mut rows = Rows::of("From Snowflake to Ulid-Flake");
    let (machine, node) = (31, 31);
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
    let theirs = SnowflakeTwitterId::from_components(9_999, machine, 4095);
    let ours = Scalable::try_from_fields(9_999, 4095, node).unwrap();
    let (raw, int) = (theirs.to_raw(), ours.to_int());
    row!(rows: SnowflakeTwitterId::from_raw(raw) => UlidFlake::try_from_int(int), |from, to| {
        from == theirs && to == Ok(ours)
    });
    row!(rows: theirs.to_raw() => ours.to_int(), |theirs, ours| i64::try_from(theirs).is_ok() && ours > 0);
    row!(rows: theirs.timestamp() => ours.timestamp(), |theirs, ours| theirs == ours);
    row!(rows: theirs.machine_id() => ours.scalable().scalability(), |theirs, ours| theirs == u64::from(ours));
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
    row!(rows: theirs.uuid() => ours.get(), |uuid, id| {
        theirs == Theirs::from_uuid(uuid) && ours == UserId::from_id(id)
    });
    let text = "order_C8EE934SR007G5Q94QKKXFRFV8B";
    row!(rows: text.parse::<Theirs>() => text.parse::<UserId>(), |theirs, ours| theirs.is_err() && ours.is_err());
    rows.finish();
}
