//! PostgreSQL, at the address of `SORTID_POSTGRES`: a socket at which everyone is trusted.

use crate::stores::{
    closed_port,
    conformance::{self, held, records, space, swap},
    refused, server, with,
};
use postgres::{Client, NoTls};
use sortid_fleet::{Fleet, Holder, Init, JoinErrorKind, PostgresStore, Store, StoreErrorKind::*, init};
use std::{net::TcpListener, sync::Arc, thread, time::Duration};

pub(crate) const PLAIN: &str = "SORTID_POSTGRES";

/// A server that is a replica.
const REPLICA: &str = "SORTID_POSTGRES_REPLICA";

pub(crate) fn opened(url: &str) -> PostgresStore {
    PostgresStore::open(url).unwrap()
}

/// A name for a schema or a role, which no earlier test has used.
fn name(base: &str) -> String {
    space(base).replace('-', "_")
}

/// A schema of one test, with an administrator's connection.
struct Schema {
    url: String,
    name: String,
    admin: Client,
}

impl Schema {
    fn new() -> Option<Self> {
        let url = server(PLAIN)?;
        let mut admin = Client::connect(&url, NoTls).unwrap();
        let name = name("fleet");
        admin.batch_execute(&format!("CREATE SCHEMA {name}; SET search_path = {name}")).unwrap();
        Some(Self { url, name, admin })
    }

    /// The URL of a table in the schema.
    fn url(&self, table: &str) -> String {
        with(&self.url, &format!("table={}.{table}", self.name))
    }

    /// Creates a role, and returns the URL of a table for it.
    fn url_as(&mut self, table: &str, settings: &str) -> (String, String) {
        let role = name("role");
        let create = format!("CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA {} TO {role};", self.name);
        self.admin.batch_execute(&create).unwrap();
        for setting in settings.split(';').filter(|setting| !setting.is_empty()) {
            self.admin.batch_execute(&format!("ALTER ROLE {role} SET {setting}")).unwrap();
        }
        (self.url(table).replace("postgres@", &format!("{role}@")), role)
    }

    fn run(&mut self, statements: &str) {
        self.admin.batch_execute(statements).unwrap();
    }
}

#[test]
fn postgresql_is_a_store() {
    let Some(url) = server(PLAIN) else { return };
    conformance::check(&(Arc::new(opened(&url)) as Arc<dyn Store>));
    conformance::check(&sortid_fleet::open(&url).unwrap());
    conformance::check_any_space(&opened(&url));
}

#[test]
fn processes_may_create_the_table_at_the_same_time() {
    let Some(schema) = Schema::new() else { return };
    let url = &schema.url("nodes");
    thread::scope(|scope| {
        for node_id in 0..12 {
            scope.spawn(move || assert!(swap(&opened(url), "race", node_id, None, &held(1, 1))));
        }
    });
    assert_eq!(records(&opened(url), "race").len(), 12);
}

#[test]
fn only_the_beginning_of_a_fleet_creates_the_table() {
    let Some(mut schema) = Schema::new() else { return };
    let url = schema.url("typo");
    let store = opened(&url);
    refused(store.read("s"), Missing, &["has no table", "typo"]);
    refused(store.swap("s", 0, None, &held(1, 1)), Missing, &["has no table"]);
    let error = Fleet::new(opened(&url)).wait(Duration::from_secs(3600)).join().unwrap_err();
    assert_eq!(error.kind(), JoinErrorKind::NoFleet, "{error}");
    assert!(error.to_string().contains("\"typo\" of database "), "{error}");
    let tables = "SELECT count(*) FROM pg_class WHERE relnamespace::regnamespace::text = $1";
    assert_eq!(schema.admin.query_one(tables, &[&schema.name]).unwrap().get::<_, i64>(0), 0);
    assert_eq!(init(&store, "default", 4).unwrap(), Init::Begun);
    Fleet::new(opened(&url)).join().unwrap().release().unwrap();
    // A table that somebody drops is missing again, and stays so.
    schema.run("DROP TABLE typo");
    refused(store.read("s"), Missing, &["typo"]);
    refused(store.read("s"), Missing, &["has no table"]);
}

#[test]
fn a_table_may_have_any_name() {
    let Some(mut schema) = Schema::new() else { return };
    for name in ["Nodes", "the nodes", "it's", "select", "a\"b", "знак"] {
        let encoded: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let store = opened(&schema.url(&encoded));
        assert!(swap(&store, "s", 0, None, &held(1, 1)), "{name}");
        let query =
            "SELECT count(*) FROM pg_class WHERE relname = $1 AND relnamespace::regnamespace::text = $2";
        let found = schema.admin.query_one(query, &[&name, &schema.name]).unwrap();
        assert_eq!(found.get::<_, i64>(0), 1, "{name}");
    }
}

#[test]
fn a_table_of_another_shape_is_refused() {
    let Some(mut schema) = Schema::new() else { return };
    let columns = "space text, number bigint, size bigint NOT NULL, generation bigint NOT NULL, holder text, \
         instance text, until_ms bigint NOT NULL";
    let key = "PRIMARY KEY (space, number)";
    for (table, create, found) in [
        ("other", "TABLE other (id int PRIMARY KEY)".to_owned(), "the columns id integer not null"),
        ("keyless", format!("TABLE keyless ({columns})"), "the primary key (none)"),
        ("half_key", format!("TABLE half_key ({columns}, PRIMARY KEY (space))"), "the primary key space."),
        ("more", format!("TABLE more ({columns}, more text NOT NULL, {key})"), "more text not null"),
        (
            "small",
            format!("TABLE small ({}, {key})", columns.replace("until_ms bigint", "until_ms int")),
            "until_ms integer not null",
        ),
        ("unlogged", format!("UNLOGGED TABLE unlogged ({columns}, {key})"), "an unlogged table"),
        ("view", "VIEW view AS SELECT 1".to_owned(), "a view"),
    ] {
        schema.run(&format!("CREATE {create}"));
        let store = opened(&schema.url(table));
        for error in [store.read("s").map(drop), store.swap("s", 0, None, &held(1, 1)).map(drop)] {
            refused(error, Shape, &["expected in PostgreSQL at", table, found, "?table="]);
        }
    }
    schema.run(&format!("CREATE TABLE by_hand ({columns}, PRIMARY KEY (number, space))"));
    assert!(
        swap(&opened(&schema.url("by_hand")), "s", 0, None, &held(1, 1)),
        "a table that others made is one"
    );
}

#[test]
fn columns_of_a_later_version_are_kept() {
    let Some(mut schema) = Schema::new() else { return };
    let store = opened(&schema.url("nodes"));
    assert!(swap(&store, "s", 0, None, &held(1, 1)));
    schema.run(
        "ALTER TABLE nodes ADD zone text, ADD format int NOT NULL DEFAULT 1, \
         ADD serial bigint NOT NULL GENERATED ALWAYS AS IDENTITY; UPDATE nodes SET zone = 'a', format = 7",
    );
    // A process of before goes on, and one that starts joins.
    for (store, generation) in [(store, 1), (opened(&schema.url("nodes")), 2)] {
        let next = held(generation + 1, 2);
        assert!(swap(&store, "s", 0, Some(&records(&store, "s")[&0]), &next));
        assert!(swap(&store, "s", generation as u32, None, &held(1, 1)));
        let row = schema.admin.query_one("SELECT zone, format FROM nodes WHERE number = 0", &[]).unwrap();
        assert_eq!((row.get::<_, &str>(0), row.get::<_, i32>(1)), ("a", 7));
    }
}

#[test]
fn rows_that_are_not_records_are_refused() {
    let Some(mut schema) = Schema::new() else { return };
    let url = schema.url("nodes");
    let store = opened(&url);
    assert!(swap(&store, "s", 0, None, &held(1, 1)));
    for change in [
        "number = -1",
        "number = 4294967296",
        "size = -32",
        "generation = -1",
        "until_ms = -1",
        "holder = NULL",
        "instance = NULL",
    ] {
        schema.run(&format!("BEGIN; UPDATE nodes SET {change}; COMMIT"));
        let found = &["expected records in the table", "found the row"];
        if change.starts_with("number") {
            refused(store.read("s"), Shape, found);
        } else {
            // The other rows are read, and a repair replaces this one.
            let snapshot = store.read("s").unwrap();
            assert!(found.iter().all(|found| snapshot.damaged[&0].contains(found)), "{snapshot:?}");
            assert!(!swap(&store, "s", 0, None, &held(1, 1)));
            let for_repair = store.for_repair().unwrap();
            assert!(swap(&*for_repair, "s", 0, None, &held(2, 2)), "{change}");
            assert!(!swap(&*for_repair, "s", 0, None, &held(3, 3)), "{change}");
            assert_eq!(records(&store, "s")[&0], held(2, 2));
        }
        schema.run("DELETE FROM nodes");
        assert!(swap(&store, "s", 0, None, &held(1, 1)));
    }
}

#[test]
fn a_user_without_the_right_to_create_tables_is_told_what_to_create() {
    let Some(mut schema) = Schema::new() else { return };
    let (url, role) = schema.url_as("nodes", "");
    let store = opened(&url);
    refused(store.read("s"), Missing, &["has no table", "nodes"]);
    let message = refused(
        store.prepare("s"),
        Denied,
        &["cannot create it", "ERROR: permission denied", "CREATE TABLE", "GRANT"],
    );
    let (_, create) = message.split_once("run ").unwrap();
    schema.run(&create.replace("this user", &role));
    assert!(swap(&store, "s", 0, None, &held(1, 1)), "the statements of the message are all that is needed");
    conformance::check(&(Arc::new(opened(&url)) as Arc<dyn Store>));
}

#[test]
fn a_user_who_may_only_read_is_refused() {
    let Some(mut schema) = Schema::new() else { return };
    assert!(swap(&opened(&schema.url("nodes")), "s", 0, None, &held(1, 1)));
    let (url, role) = schema.url_as("nodes", "");
    let store = opened(&url);
    refused(store.read("s"), Denied, &["permission denied for table nodes", "SELECT, INSERT and UPDATE"]);
    schema.run(&format!("GRANT SELECT ON nodes TO {role}"));
    assert_eq!(records(&store, "s").len(), 1);
    refused(
        store.swap("s", 0, Some(&held(1, 1)), &held(2, 2)),
        Denied,
        &["permission denied for table nodes"],
    );
    refused(store.swap("s", 1, None, &held(1, 1)), Denied, &["permission denied for table nodes"]);
    schema.run(&format!("REVOKE USAGE ON SCHEMA {0} FROM {role}", schema.name.clone()));
    refused(opened(&url).read("s"), Denied, &["permission denied for schema"]);
}

#[test]
fn settings_of_the_user_do_not_weaken_records() {
    let Some(mut schema) = Schema::new() else { return };
    assert!(swap(&opened(&schema.url("nodes")), "s", 0, None, &held(1, 1)));
    for setting in ["off", "local", "remote_write", "remote_apply"] {
        let others = "default_transaction_read_only = on; default_transaction_isolation = serializable; \
             statement_timeout = 60000; standard_conforming_strings = off; search_path = pg_catalog";
        let (url, role) = schema.url_as("nodes", &format!("synchronous_commit = {setting}; {others}"));
        schema.run(&format!(
            "GRANT SELECT, INSERT, UPDATE ON nodes TO {role};
             CREATE TABLE seen_{role} (setting text);
             GRANT INSERT ON seen_{role} TO {role};
             CREATE FUNCTION note_{role}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO {0}.seen_{role} VALUES (current_setting('statement_timeout')); RETURN NEW;
             END $$;
             CREATE TRIGGER note_{role} BEFORE INSERT ON nodes FOR EACH ROW WHEN (NEW.space = '{role}')
                 EXECUTE FUNCTION note_{role}()",
            schema.name.clone()
        ));
        assert!(swap(&opened(&url), &role, 0, None, &held(1, 1)));
        let seen = schema.admin.query_one(&format!("SELECT setting FROM seen_{role}"), &[]).unwrap();
        assert_eq!(seen.get::<_, &str>(0), "0");
        let holder = Holder::new("\\'", "\\");
        let record = held(2, 2).changed(|it| it.holder = Some(holder));
        assert!(swap(&opened(&url), &role, 0, Some(&held(1, 1)), &record));
        assert_eq!(records(&opened(&url), &role)[&0], record);
    }
}

/// Lets a trigger run these statements of PL/pgSQL.
fn trigger(schema: &mut Schema, when: &str, statements: &str) {
    let name = name("trigger");
    schema.run(&format!(
        "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {statements} END $$;
         CREATE {when} FOR EACH ROW EXECUTE FUNCTION {name}()"
    ));
}

#[test]
fn a_record_that_the_table_changes_or_keeps_is_not_acknowledged() {
    let Some(mut schema) = Schema::new() else { return };
    let changed = "A trigger or a rule of the table may have changed it: remove that";
    let before = "TRIGGER it BEFORE UPDATE ON nodes";
    let after = "TRIGGER it AFTER UPDATE ON nodes";
    let at_the_end = "CONSTRAINT TRIGGER it AFTER UPDATE ON nodes DEFERRABLE INITIALLY DEFERRED";
    let lower = "UPDATE SCHEMA.nodes SET until_ms = 0 WHERE until_ms > 0; RETURN NEW;";
    for (when, statements) in [
        (before, "NEW.until_ms := 0; RETURN NEW;"),
        (before, "NEW.holder := 'somebody'; RETURN NEW;"),
        (before, "NEW.number := 7; RETURN NEW;"),
        (after, lower),
        (at_the_end, lower),
        (after, "DELETE FROM SCHEMA.nodes; RETURN NEW;"),
    ] {
        let store = opened(&schema.url("nodes"));
        assert!(swap(&store, "s", 0, None, &held(1, 1)));
        let statements = statements.replace("SCHEMA", &schema.name);
        trigger(&mut schema, when, &statements);
        refused(store.swap("s", 0, Some(&held(1, 1)), &held(2, 2)), Unavailable, &[changed]);
        schema.run("DROP TABLE nodes");
    }

    let store = opened(&schema.url("nodes"));
    assert_eq!(init(&store, "default", 1).unwrap(), Init::Begun);
    trigger(&mut schema, before, "RETURN NULL;");
    let error = Fleet::new(store).wait(Duration::ZERO).join().unwrap_err();
    assert!(error.to_string().contains("something keeps it as it is, such as a trigger"), "{error}");
}

#[test]
fn a_table_with_rules_is_not_taken_for_a_replica() {
    let Some(mut schema) = Schema::new() else { return };
    schema.run("CREATE TABLE other (until_ms bigint); INSERT INTO other VALUES (1)");
    for (rule, kind, found) in [
        ("DO INSTEAD NOTHING", Shape, "DROP RULE"),
        ("DO ALSO INSERT INTO other VALUES (1)", Shape, "DROP RULE"),
        (
            "DO INSTEAD UPDATE other SET until_ms = 2 RETURNING ''::text, 1::bigint, 1::bigint, 1::bigint, ''::text, ''::text, \
             until_ms",
            Unavailable,
            "A trigger or a rule of the table may have changed it",
        ),
    ] {
        let store = opened(&schema.url("nodes"));
        assert!(swap(&store, "s", 0, None, &held(1, 1)));
        schema.run(&format!(
            "SET search_path = {}; CREATE RULE it AS ON UPDATE TO nodes {rule}",
            schema.name.clone()
        ));
        let answer = store.swap("s", 0, Some(&held(1, 1)), &held(2, 2));
        let message = refused(answer, kind, &["PostgreSQL at", found]);
        assert!(!message.contains("replica"), "{message}");
        schema.run("DROP TABLE nodes");
    }
}

#[test]
fn a_warning_is_told_as_it_is_and_a_notice_is_not_one() {
    let Some(mut schema) = Schema::new() else { return };
    let store = opened(&schema.url("nodes"));
    assert!(swap(&store, "s", 0, None, &held(1, 1)));
    trigger(&mut schema, "TRIGGER it AFTER UPDATE ON nodes", "RAISE NOTICE 'a notice'; RETURN NEW;");
    assert!(swap(&store, "s", 0, Some(&held(1, 1)), &held(2, 2)));
    trigger(&mut schema, "TRIGGER other AFTER UPDATE ON nodes", "RAISE WARNING 'a warning'; RETURN NEW;");
    let answer = store.swap("s", 0, Some(&held(2, 2)), &held(3, 3));
    let message =
        refused(answer, Unavailable, &["warned while it used the table", "a warning. Remove the cause"]);
    assert!(!message.contains("durable"), "{message}");
}

/// With another version of a collation, an index may not find each row.
#[test]
fn a_collation_of_another_version_is_told() {
    let Some(mut schema) = Schema::new() else { return };
    let icu = "SELECT count(*) FROM pg_collation WHERE collprovider = 'i'";
    if schema.admin.query_one(icu, &[]).unwrap().get::<_, i64>(0) == 0 {
        eprintln!("left out, because this PostgreSQL has no ICU");
        return;
    }
    schema.run(
        "CREATE COLLATION german (provider = icu, locale = 'de');
         CREATE TABLE nodes (space text COLLATE german, number bigint, size bigint NOT NULL, generation bigint NOT NULL,
             holder text, instance text, until_ms bigint NOT NULL, PRIMARY KEY (space, number));",
    );
    assert!(swap(&opened(&schema.url("nodes")), "s", 0, None, &held(1, 1)));
    schema.run("UPDATE pg_collation SET collversion = '0' WHERE oid = 'german'::regcollation");
    let store = opened(&schema.url("nodes"));
    let texts = ["warned while it used the table", "version mismatch", "REFRESH VERSION"];
    for answer in [store.read("s").map(drop), store.swap("s", 0, Some(&held(1, 1)), &held(2, 2)).map(drop)] {
        let message = refused(answer, Unavailable, &texts);
        assert!(!message.contains("durable"), "{message}");
    }
    schema.run("ALTER COLLATION german REFRESH VERSION");
    assert_eq!(records(&store, "s").len(), 1);
}

#[test]
fn a_connection_that_the_server_ends_is_made_again() {
    let Some(mut schema) = Schema::new() else { return };
    let url = with(&schema.url("nodes"), &format!("application_name={}", schema.name));
    let store = opened(&url);
    assert!(swap(&store, "s", 0, None, &held(1, 1)));
    for generation in 1..4 {
        // Waits until the connection has ended, because a connection that is about to end is still listed.
        let ended = schema.admin.query_one(
            "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE application_name = $1",
            &[&schema.name],
        );
        assert_eq!(ended.unwrap().get::<_, i64>(0), 1, "a store has one connection");
        assert!(swap(&store, "s", 0, Some(&held(generation, 1)), &held(generation + 1, 1)));
    }
    assert_eq!(records(&store, "s")[&0], held(4, 1));
}

#[test]
fn a_locked_table_is_not_waited_for_without_end() {
    let Some(mut schema) = Schema::new() else { return };
    let store = opened(&schema.url("nodes"));
    assert!(swap(&store, "s", 0, None, &held(1, 1)));
    schema.run("BEGIN; LOCK TABLE nodes");
    refused(store.swap("s", 0, Some(&held(1, 1)), &held(2, 2)), Unavailable, &["lock timeout"]);
    schema.run("ROLLBACK");
    assert!(
        swap(&store, "s", 0, Some(&held(1, 1)), &held(2, 2)),
        "the swap that failed was not carried out later"
    );
}

#[test]
fn a_store_works_within_an_asynchronous_runtime() {
    let Some(url) = server(PLAIN) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let space = space("async");
    let store = runtime.block_on(async {
        let store = sortid_fleet::open(&url).unwrap();
        assert!(swap(&*store, &space, 0, None, &held(1, 1)));
        drop(sortid_fleet::open(&url).map(|store| store.read("")));
        store
    });
    drop(runtime);
    assert_eq!(records(&*store, &space).len(), 1, "the store does not depend on the runtime");
}

#[test]
fn what_postgresql_cannot_keep_is_refused() {
    let Some(url) = server(PLAIN) else { return };
    let (store, space) = (opened(&url), space("limits"));
    let holder = |name: &str, instance: &str| Some(Holder::new(name, instance));
    for record in [
        held(1, 1).changed(|it| it.generation = u64::MAX),
        held(1, 1).changed(|it| it.until = 1 << 63),
        held(1, 1).changed(|it| it.holder = holder("a\0b", "i")),
        held(1, 1).changed(|it| it.holder = holder("a", "\0")),
    ] {
        refused(store.swap(&space, 0, None, &record), Config, &["PostgreSQL"]);
        refused(store.swap(&space, 0, Some(&record), &held(1, 1)), Config, &["PostgreSQL"]);
    }
    refused(store.read("a\0b"), Config, &["U+0000"]);
    assert_eq!(records(&store, &space).len(), 0);
}

#[test]
fn a_server_that_can_lose_records_is_warned_of() {
    let Some(url) = server(PLAIN) else { return };
    let store = opened(&url);
    assert_eq!(store.warning(), None, "there was no connection yet");
    store.read("s").unwrap();
    // The servers of these tests run without fsync, to be fast.
    let warning = store.warning().unwrap();
    assert!(warning.contains("runs with fsync off"), "{warning}");
}

#[test]
fn a_replica_is_refused() {
    let (Some(replica), Some(url)) = (server(REPLICA), server(PLAIN)) else { return };
    let store = opened(&replica);
    refused(
        store.read("s"),
        Unavailable,
        &["expected a primary server of PostgreSQL, found a read-only replica"],
    );
    refused(store.swap("s", 0, None, &held(1, 1)), Unavailable, &["give the address of the primary"]);
    // The primary is found among several hosts.
    let host = |url: &str| url.split_once('@').unwrap().1.split_once('/').unwrap().0.to_owned();
    let both = url.replace(&host(&url), &format!("{},{}", host(&replica), host(&url)));
    assert!(swap(&opened(&both), &space("primary"), 0, None, &held(1, 1)));
}

#[test]
fn a_server_that_is_not_there_is_unavailable() {
    let port = closed_port();
    let store = opened(&format!("postgres://me:secret@127.0.0.1:{port}/db"));
    refused(store.read("s"), Unavailable, &[&format!("PostgreSQL at 127.0.0.1:{port}"), "refused"]);
    refused(store.swap("s", 0, None, &held(1, 1)), Unavailable, &["refused"]);
    refused(opened("postgres://me:secret@nodes.invalid/db").read("s"), Unavailable, &["nodes.invalid:5432"]);
    refused(
        opened("postgres://me@%2Fno%2Fsuch%2Ffolder/db").read("s"),
        Unavailable,
        &["/no/such/folder:5432"],
    );
}

#[test]
fn a_server_that_does_not_answer_is_unavailable() {
    // The system accepts connections for it.
    let silent = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = silent.local_addr().unwrap().port();
    let store = opened(&format!("postgres://me:secret@127.0.0.1:{port}/db"));
    refused(store.read("s"), Unavailable, &["does not answer in time"]);
    let Some(url) = server(PLAIN) else { return };
    // Neither a silent host nor a closed port keeps the store from the third host.
    let several = url.replace('@', &format!("@127.0.0.1:{port},127.0.0.1:{},", closed_port()));
    assert!(swap(&opened(&several), &space("several"), 0, None, &held(1, 1)));
}

#[test]
fn a_database_that_is_not_there_is_a_wrong_address() {
    let Some(url) = server(PLAIN) else { return };
    let other = format!("{}nothing", url.strip_suffix("postgres").unwrap());
    refused(
        opened(&other).read("s"),
        Config,
        &["database \"nothing\" does not exist", "Check the name of the database"],
    );
    let schema = with(&url, "table=nothing.nodes");
    refused(opened(&schema).read("s"), Missing, &["has no table"]);
    refused(opened(&schema).prepare("s"), Config, &["schema \"nothing\" does not exist", "?table="]);
    let stranger = url.replace("postgres@", "nobody@");
    refused(opened(&stranger).read("s"), Denied, &["role \"nobody\" does not exist", "Check the user"]);
}

#[test]
fn a_wrong_url_of_postgresql_is_refused() {
    for (url, found) in [
        ("postgres:orders", "expected a URL of PostgreSQL"),
        ("postgres://u:secret@/db", "expected a host"),
        ("postgres://u:secret@h:port/db", "port"),
        ("postgres://u:secret@h/db?nodes=32", "unknown option `nodes`"),
        ("postgres://u:secret@h/db?connect_timeout=soon", "connect_timeout"),
        ("postgres://u:secret@h/db?sslmode", "NAME=VALUE"),
        ("postgres://u:secret@h/db?sslmode=yes", "found \"yes\""),
        ("postgres://u:secret@h/db?sslmode=require&sslrootcert=system", "sslmode=verify-full"),
        ("postgres://u:secret@h/db?sslrootcert=/none.pem&sslmode=verify-ca", "/none.pem"),
        ("postgres://u:secret@h/db?sslcert=/none.pem", "sslcert needs sslkey"),
        ("postgres://u:secret@h/db?sslkey=/none.pem", "sslkey needs sslcert"),
        ("postgres://u:secret@h/db?table=%FF", "UTF-8"),
    ] {
        refused(PostgresStore::open(url), Config, &[found]);
        refused(sortid_fleet::open(url).map(drop), Config, &[found]);
    }
    let shown =
        format!("{:?}", opened("postgres://u:secret@h,[::1]:5433/db?sslmode=disable&password=secret"));
    assert_eq!(shown, "PostgresStore(\"sortid_nodes\" in h:5432, [::1]:5433)");
}
