//! PostgreSQL with each setting that its users can have.

use crate::stores::{
    conformance::{held, records, space, swap},
    postgres::{PLAIN, opened},
    refused, server, with,
};
use postgres::{Client, NoTls};
use sortid_fleet::{Holder, Record, Snapshot, Store, StoreError, StoreErrorKind::*};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    thread,
};

/// A setting, and a value as `SET` takes it.
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Whether only the options of a connection can have it.
    is_of_connections: bool,
}

impl Setting {
    /// What the message of an error has, if the store has to refuse this setting.
    fn demanded_refusal(&self) -> Option<&'static str> {
        match (&*self.name, &*self.value) {
            ("zero_damaged_pages" | "ignore_checksum_failure", "'on'") => Some("expected in PostgreSQL at"),
            _ => None,
        }
    }

    /// What the message of an error has, if the server may refuse this setting, or end connections.
    fn known_refusal(&self) -> Option<&'static str> {
        match &*self.name {
            "role" | "session_authorization" => Some("permission denied"),
            "local_preload_libraries" | "session_preload_libraries" => Some("could not access file"),
            "ignore_system_indexes" => Some("despite IgnoreSystemIndexes"),
            "statement_timeout" => Some("canceling statement"),
            "idle_session_timeout" => Some("PostgreSQL at"),
            _ => None,
        }
    }

    /// Checks whether a store has to refuse this setting, or may.
    #[track_caller]
    fn check(&self, outcome: Result<(), StoreError>) {
        let demanded = self.demanded_refusal();
        match outcome {
            Ok(()) => assert_eq!(demanded, None, "{self} was not refused"),
            Err(error) => {
                let known = demanded.or_else(|| self.known_refusal());
                assert!(known.is_some_and(|known| error.to_string().contains(known)), "{self}: {error}");
            }
        }
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

/// All settings that a user can have. A number has its least and greatest value, 0 and 1; a text has some values.
fn settings(admin: &mut Client, schema: &str) -> Vec<Setting> {
    let texts = |name: &str| -> Vec<String> {
        let texts: &[&str] = match name {
            "search_path" => &[
                "''",
                "SCHEMA",
                "SCHEMA, pg_catalog",
                "pg_temp, SCHEMA, pg_catalog",
                "pg_catalog, SCHEMA",
                "pg_temp",
                "nowhere",
            ],
            "DateStyle" => &["German", "'SQL, DMY'", "'Postgres, YMD'"],
            "TimeZone" => &["'Asia/Kathmandu'", "'America/New_York'", "-13"],
            "client_encoding" => &["LATIN1", "SQL_ASCII", "SJIS", "GB18030"],
            "restrict_nonsystem_relation_kind" => &["'view, foreign-table'"],
            "wal_consistency_checking" => &["'all'"],
            // What `pg_settings` does not have.
            "role" | "session_authorization" => &["none", "postgres"],
            "seed" => &["0.5"],
            _ => &["''", "nonsense", "'C'"],
        };
        texts.iter().map(|text| text.replace("SCHEMA", schema)).collect()
    };
    let query = "SELECT name, context = 'backend', vartype, enumvals, min_val, max_val FROM pg_settings \
         WHERE context IN ('user', 'superuser', 'backend') \
         UNION ALL SELECT name, false, 'string', NULL, NULL, NULL \
         FROM unnest(ARRAY['role', 'session_authorization', 'seed']) name";
    let rows = admin.query(query, &[]).unwrap();
    let settings = rows.iter().flat_map(|row| {
        let name: String = row.get(0);
        let of_number = |at: usize| row.get::<_, Option<String>>(at);
        let values = match row.get(2) {
            "bool" => ["on", "off"].map(|value| format!("'{value}'")).into(),
            "enum" => row.get::<_, Vec<String>>(3).iter().map(|value| format!("'{value}'")).collect(),
            "string" => texts(&name),
            // The server sleeps that many seconds.
            _ if name == "post_auth_delay" => vec!["1".to_owned()],
            _ => [of_number(4), of_number(5), Some("0".to_owned()), Some("1".to_owned())]
                .into_iter()
                .flatten()
                .collect(),
        };
        let is_of_connections = row.get(1);
        values.into_iter().map(move |value| Setting { name: name.clone(), value, is_of_connections })
    });
    settings.collect()
}

/// Calls `test` with each setting, and with the URL of a user who has it. An error of `test` has to say why the setting is
/// refused.
pub(crate) fn each_setting(
    url: &str,
    schema: &str,
    test: impl Fn(&Setting, &str) -> Result<(), StoreError> + Sync,
) {
    const THREADS: usize = 4;
    let test = |setting: &Setting, url: &str| setting.check(patiently(|| test(setting, url)));
    let connect = || {
        let mut admin = Client::connect(url, NoTls).unwrap();
        // There may be a standby that is down.
        admin.batch_execute("SET synchronous_commit = off").unwrap();
        admin
    };
    let mut admin = connect();
    let (settings, next, tried) = (settings(&mut admin, schema), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            // Not in the threads: the server refuses rights to a table that change at the same time.
            let role = user(&mut admin, schema);
            let (settings, next, tried, test) = (&settings, &next, &tried, &test);
            scope.spawn(move || {
                let mut admin = connect();
                let url =
                    with(url, &format!("table={schema}.nodes")).replace("postgres@", &format!("{role}@"));
                while let Some(setting) = settings.get(next.fetch_add(1, SeqCst)) {
                    if setting.is_of_connections {
                        let value = setting.value.trim_matches('\'');
                        test(setting, &with(&url, &format!("options=-c%20{}%3D{value}", setting.name)));
                    } else {
                        // Some values are out of range, or only for a connection that is open.
                        let set = format!("ALTER ROLE {role} SET {setting}");
                        if admin.batch_execute(&set).is_err() {
                            continue;
                        }
                        test(setting, &url);
                        admin.batch_execute(&format!("ALTER ROLE {role} RESET ALL")).unwrap();
                    }
                    tried.fetch_add(1, SeqCst);
                }
            });
        }
    });
    let tried = tried.into_inner();
    // With PostgreSQL 15 there are 547.
    assert!(tried > 400, "only {tried} settings were tried");
    eprintln!("{tried} of {} settings were tried", settings.len());
}

/// Calls until there is an answer: a store gives up after some seconds, which may not be enough for a server on a machine
/// with a high load.
pub(crate) fn patiently<T>(mut call: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let is_late = |error: &StoreError| error.to_string().contains("does not answer in time");
    let mut answers = (0..50).map(|_| call()).filter(|answer| !answer.as_ref().is_err_and(is_late));
    answers.next().expect("one of 50 calls has an answer")
}

/// Creates a user of the table in this schema.
fn user(admin: &mut Client, schema: &str) -> String {
    let role = space("role").replace('-', "_");
    let create = format!(
        "CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA {schema} TO {role}; \
         GRANT SELECT, INSERT, UPDATE ON {schema}.nodes TO {role}"
    );
    admin.batch_execute(&create).unwrap();
    role
}

/// Makes the table `nodes` in this schema.
pub(crate) fn make_table(url: &str, schema: &str) {
    patiently(|| opened(&with(url, &format!("table={schema}.nodes"))).prepare("s")).unwrap();
}

/// A record whose texts need care.
fn record(generation: u64) -> Record {
    let holder = Holder::new("it's \\ a \"знак\" 🦀", "\\'; --");
    held(generation, 10).changed(|it| it.holder = Some(holder))
}

/// Makes a schema with the table `nodes`, and with things of the names that the store uses, which are not what they seem.
fn deceptive_schema(url: &str) -> String {
    let schema = space("deceptive").replace('-', "_");
    let mut admin = Client::connect(url, NoTls).unwrap();
    admin.batch_execute(&format!("CREATE SCHEMA {schema}")).unwrap();
    make_table(url, &schema);
    let mut statements = format!("SET search_path = {schema};");
    for (function, answer) in [
        ("current_setting(text)", "text AS 'SELECT ''on''::text'"),
        ("set_config(text, text, boolean)", "text AS 'SELECT ''on''::text'"),
        ("format(text, text, text, text)", "text AS 'SELECT ''on''::text'"),
        ("quote_ident(text)", "text AS 'SELECT ''nowhere''::text'"),
        ("current_schema()", "name AS 'SELECT ''nowhere''::name'"),
        ("to_regclass(text)", "regclass AS 'SELECT NULL::regclass'"),
        ("pg_is_in_recovery()", "boolean AS 'SELECT true'"),
        ("pg_logical_emit_message(boolean, text, text)", "pg_lsn AS 'SELECT ''0/0''::pg_lsn'"),
        ("clock_timestamp()", "timestamptz AS 'SELECT timestamptz ''epoch'''"),
        ("floor(numeric)", "numeric AS 'SELECT 7.0'"),
        ("floor(double precision)", "double precision AS 'SELECT 7::double precision'"),
        ("times(numeric, integer)", "numeric AS 'SELECT 7.0'"),
        ("equal(text, text)", "boolean AS 'SELECT false'"),
        ("equal(bigint, bigint)", "boolean AS 'SELECT false'"),
        ("equal(bigint, integer)", "boolean AS 'SELECT false'"),
    ] {
        statements += &format!("CREATE FUNCTION {function} RETURNS {answer} LANGUAGE sql;");
    }
    for (left, name, right, function) in [
        ("numeric", "*", "integer", "times"),
        ("text", "=", "text", "equal"),
        ("bigint", "=", "bigint", "equal"),
        ("bigint", "=", "integer", "equal"),
    ] {
        let operator = format!("FUNCTION = {function}, LEFTARG = {left}, RIGHTARG = {right}");
        statements += &format!("CREATE OPERATOR {schema}.{name} ({operator});");
    }
    for view in ["pg_class", "pg_index", "pg_namespace"] {
        statements += &format!("CREATE VIEW {schema}.{view} AS SELECT * FROM pg_catalog.{view} WHERE false;");
    }
    statements += "CREATE AGGREGATE count(*) (SFUNC = int8inc, STYPE = bigint, INITCOND = '7');";
    statements += &format!("CREATE DOMAIN {schema}.text AS varchar(1)");
    admin.batch_execute(&statements).unwrap();
    schema
}

#[test]
fn no_setting_of_a_user_changes_an_answer() {
    let Some(url) = server(PLAIN) else { return };
    let schema = deceptive_schema(&url);
    // The server's own user, who has no settings.
    let plain = opened(&with(&url, &format!("table={schema}.nodes")));
    let (old, new, count) = (record(1), record(2), AtomicUsize::new(0));
    each_setting(&url, &schema, |setting, url| {
        let space = format!("it's \\ {}", count.fetch_add(1, SeqCst));
        let plainly = || patiently(|| plain.read(&space)).unwrap();
        let before = plainly().time;
        patiently(|| plain.swap(&space, 0, None, &old)).unwrap();
        assert_eq!(plainly().records, BTreeMap::from([(0, old.clone())]));
        let store = opened(url);
        let answers = || -> Result<(), StoreError> {
            let Snapshot { records, time, .. } = store.read(&space)?;
            assert_eq!(records, BTreeMap::from([(0, old.clone())]), "{setting}");
            let after = plainly().time;
            assert!(before <= time && time <= after, "{setting}: {before:?} {time:?} {after:?}");
            assert!(!store.swap(&space, 0, None, &new)?.swapped, "{setting}: there is a record");
            assert!(!store.swap(&space, 0, Some(&new), &new)?.swapped, "{setting}: the record is another");
            assert!(!store.swap(&space, 1, Some(&old), &new)?.swapped, "{setting}: there is no record");
            assert!(store.swap(&space, 0, Some(&old), &new)?.swapped, "{setting}: it is the record");
            assert!(store.swap(&space, 1, None, &old)?.swapped, "{setting}: there was no record");
            assert_eq!(records_of(&store, &space)?, BTreeMap::from([(0, new.clone()), (1, old.clone())]));
            Ok(())
        };
        let outcome = answers();
        let mut found = plainly().records;
        if outcome.is_ok() {
            assert_eq!(found, BTreeMap::from([(0, new.clone()), (1, old.clone())]), "{setting}");
        } else {
            // The error may come from any step.
            let first = found.remove(&0).unwrap();
            assert!(first == old || first == new, "{setting}: {first:?}");
            assert!(found.remove(&1).is_none_or(|second| second == old), "{setting}");
            assert!(found.is_empty(), "{setting}: {found:?}");
        }
        outcome
    });
}

fn records_of(store: &dyn Store, space: &str) -> Result<BTreeMap<u32, Record>, StoreError> {
    store.read(space).map(|snapshot| snapshot.records)
}

#[test]
fn settings_in_the_url_change_no_answer_either() {
    let Some(url) = server(PLAIN) else { return };
    let schema = deceptive_schema(&url);
    let url = with(&url, &format!("table={schema}.nodes"));
    for options in [
        format!("-c search_path={schema},pg_catalog"),
        "-c client_min_messages=error -c quote_all_identifiers=on".to_owned(),
        "-c client_encoding=LATIN1 -c standard_conforming_strings=off".to_owned(),
        "-c default_transaction_read_only=on -c transform_null_equals=on -c session_replication_role=replica"
            .to_owned(),
    ] {
        let encoded: String = options.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let (store, space) = (opened(&with(&url, &format!("options={encoded}"))), space("options"));
        assert!(swap(&store, &space, 0, None, &record(1)), "{options}");
        assert!(!swap(&store, &space, 0, Some(&record(2)), &record(3)), "{options}");
        assert!(swap(&store, &space, 0, Some(&record(1)), &record(2)), "{options}");
        assert_eq!(records(&store, &space), BTreeMap::from([(0, record(2))]), "{options}");
    }
    let damaged = with(&url, "options=-c%20zero_damaged_pages%3Don");
    refused(opened(&damaged).read("s"), Config, &["zero_damaged_pages = off", "zero_damaged_pages = on"]);
}

#[test]
fn a_table_whose_rows_a_policy_can_hide_is_refused() {
    let Some(url) = server(PLAIN) else { return };
    let schema = space("policy").replace('-', "_");
    let mut admin = Client::connect(&url, NoTls).unwrap();
    admin.batch_execute(&format!("CREATE SCHEMA {schema}")).unwrap();
    make_table(&url, &schema);
    let url = with(&url, &format!("table={schema}.nodes"));
    assert!(swap(&opened(&url), "s", 0, None, &held(1, 1)));
    let role = user(&mut admin, &schema);
    let policy = format!(
        "CREATE POLICY seen ON {schema}.nodes USING (current_setting('app.sees', true) = 'all'); \
         ALTER TABLE {schema}.nodes ENABLE ROW LEVEL SECURITY; ALTER ROLE {role} SET row_security = on"
    );
    admin.batch_execute(&policy).unwrap();
    let store = opened(&url.replace("postgres@", &format!("{role}@")));
    refused(store.read("s"), Denied, &["row-level security policy", "BYPASSRLS"]);
    refused(store.swap("s", 0, Some(&held(1, 1)), &held(2, 1)), Denied, &["row-level security policy"]);
    admin.batch_execute(&format!("ALTER ROLE {role} BYPASSRLS")).unwrap();
    assert_eq!(records(&store, "s"), BTreeMap::from([(0, held(1, 1))]));
}

#[test]
fn a_store_keeps_to_the_table_that_it_has_found() {
    let Some(url) = server(PLAIN) else { return };
    let schemas = ["first", "second"].map(|name| format!("\"{} {name}\"", space("the")));
    let (role, name) = (space("role").replace('-', "_"), space("nodes").replace('-', "_"));
    let mut admin = Client::connect(&url, NoTls).unwrap();
    admin.batch_execute(&format!("CREATE ROLE {role} LOGIN")).unwrap();
    let url = with(&url, &format!("table={name}")).replace("postgres@", &format!("{role}@"));
    let mut set_path = |schema: &str| {
        admin.batch_execute(&format!("ALTER ROLE {role} SET search_path = {schema}")).unwrap();
    };
    set_path("nowhere");
    let [first, second] = &schemas;
    let mut other = Client::connect(&server(PLAIN).unwrap(), NoTls).unwrap();
    for schema in &schemas {
        let create = format!("CREATE SCHEMA {schema} AUTHORIZATION {role}");
        other.batch_execute(&create).unwrap();
    }
    set_path(first);
    let store = opened(&url);
    assert!(swap(&store, "s", 0, None, &held(1, 1)));
    set_path(second);
    assert!(swap(&opened(&url), "s", 0, None, &held(7, 7)), "the path decides for a new store");
    let end = "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE usename = $1";
    // The connection of the second store may not have ended yet.
    assert!(other.query_one(end, &[&role]).unwrap().get::<_, i64>(0) >= 1);
    assert_eq!(records(&store, "s"), BTreeMap::from([(0, held(1, 1))]), "not for one that connects again");
}

#[test]
fn a_search_path_without_a_schema_is_told() {
    let Some(url) = server(PLAIN) else { return };
    for path in ["nowhere", "pg_temp"] {
        let store = opened(&with(&url, &format!("options=-c%20search_path%3D{path}&table=no_such_nodes")));
        let texts = ["expected a schema for tables on the search path", "?table=SCHEMA.NAME"];
        refused(store.read("s"), Config, &texts);
    }
}
