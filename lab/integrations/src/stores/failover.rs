//! Servers of PostgreSQL of these tests' own, one of which takes over from the other. They are of the version and the user
//! of the server at `SORTID_POSTGRES`.

use crate::stores::{
    conformance::{held, space},
    postgres::{PLAIN, opened},
    server,
    settings::{each_setting, make_table, patiently},
    with,
};
use postgres::{Client, NoTls};
use sortid_fleet::{Store, StoreError, StoreErrorKind::*, Swapped};
use std::{
    fs, io,
    io::{Read, Write},
    os::unix::{
        fs::{MetadataExt, chown},
        net::{UnixListener, UnixStream},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Where the programs of PostgreSQL are, and who runs them: they refuse to run as root.
struct Programs {
    folder: PathBuf,
    user: (u32, u32),
}

impl Programs {
    fn find() -> Option<Self> {
        let mut admin = Client::connect(&server(PLAIN)?, NoTls).unwrap();
        let mut text =
            |query: &str| -> PathBuf { admin.query_one(query, &[]).unwrap().get::<_, String>(0).into() };
        let folder = text("SELECT setting FROM pg_config WHERE name = 'BINDIR'");
        let data = fs::metadata(text("SHOW data_directory")).unwrap();
        Some(Self { folder, user: (data.uid(), data.gid()) })
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join(name));
        command.uid(self.user.0).gid(self.user.1).current_dir("/").stdin(Stdio::null());
        command
    }

    fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        chown(folder.path(), Some(self.user.0), Some(self.user.1)).unwrap();
        folder
    }

    fn run(&self, name: &str, set: impl FnOnce(&mut Command)) {
        let mut command = self.command(name);
        set(&mut command);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A server with its data and its socket in a folder.
struct Server<'a> {
    programs: &'a Programs,
    folder: TempDir,
    process: Option<Child>,
}

impl<'a> Server<'a> {
    fn primary(programs: &'a Programs) -> Self {
        let folder = programs.folder();
        let data = folder.path().join("data");
        programs.run("initdb", |initdb| {
            initdb.args([
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
            ]);
            initdb.arg("--pgdata").arg(&data);
        });
        // A standby has the same file. Arguments of the program would override `ALTER SYSTEM`.
        let file = data.join("postgresql.conf");
        let settings = "listen_addresses = ''\nfsync = off\ndynamic_shared_memory_type = mmap\n";
        fs::write(&file, fs::read_to_string(&file).unwrap() + settings).unwrap();
        let mut server = Self { programs, folder, process: None };
        server.start();
        server
    }

    /// A copy of this server that follows it.
    fn standby(&self) -> Self {
        let folder = self.programs.folder();
        self.programs.run("pg_basebackup", |backup| {
            backup.args(["--username=postgres", "--checkpoint=fast", "--write-recovery-conf", "--no-sync"]);
            backup.arg("--host").arg(self.folder.path()).arg("--pgdata").arg(folder.path().join("data"));
        });
        let mut server = Self { programs: self.programs, folder, process: None };
        server.start();
        server
    }

    fn start(&mut self) {
        let folder = self.folder.path();
        let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
        let mut command = self.programs.command("postgres");
        command.arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
        self.process = Some(command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap());
        let started = Instant::now();
        while let Err(error) = Client::connect(&self.url(), NoTls) {
            assert!(started.elapsed() < Duration::from_secs(120), "{error}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends the server: with `-INT` in order, with `-QUIT` at once, as in a crash.
    fn end(&mut self, signal: &str) {
        if let Some(mut process) = self.process.take() {
            let _ = Command::new("kill").args([signal, &process.id().to_string()]).status();
            let _ = process.wait();
        }
    }

    fn url(&self) -> String {
        url(self.folder.path())
    }

    fn admin(&self) -> Client {
        Client::connect(&self.url(), NoTls).unwrap()
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.end("-QUIT");
    }
}

/// The URL of a server whose socket is in this folder.
fn url(folder: &Path) -> String {
    format!("postgresql://postgres@{}/postgres?sslmode=disable", folder.to_str().unwrap().replace('/', "%2F"))
}

/// Waits until a query answers true.
fn wait_for(admin: &mut Client, query: &str) {
    let started = Instant::now();
    while !admin.query_one(query, &[]).unwrap().get::<_, bool>(0) {
        assert!(started.elapsed() < Duration::from_secs(120), "{query}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Changes a setting of the server.
fn set(admin: &mut Client, name: &str, value: &str) {
    admin.batch_execute(&format!("ALTER SYSTEM SET {name} = '{value}'")).unwrap();
    admin.batch_execute("SELECT pg_reload_conf()").unwrap();
    wait_for(admin, &format!("SELECT current_setting('{name}') = '{value}'"));
}

/// Runs `work` while all commits that wait for a standby are cancelled.
fn while_waits_are_cancelled<T>(server: &Server<'_>, work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    let mut admin = server.admin();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(SeqCst) {
                let cancel =
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
                admin.query(cancel, &[]).unwrap();
                thread::sleep(Duration::from_millis(2));
            }
        });
        let _end = OnDrop(&is_over);
        work()
    })
}

/// Ends the thread, even after a panic.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// A pool of connections that does not pass on what the server says besides its answers. Returns the folder of its socket.
fn pool_without_notices(server: &Server<'_>) -> TempDir {
    const SOCKET: &str = ".s.PGSQL.5432";
    let (folder, target) = (tempfile::tempdir().unwrap(), server.folder.path().join(SOCKET));
    let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
    let pass_on = |mut from: UnixStream, mut to: UnixStream| -> io::Result<()> {
        loop {
            let mut head = [0; 5];
            from.read_exact(&mut head)?;
            let [kind, length @ ..] = head;
            let mut body = vec![0; u32::from_be_bytes(length) as usize - length.len()];
            from.read_exact(&mut body)?;
            if kind != b'N' {
                to.write_all(&[&head, &*body].concat())?;
            }
        }
    };
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = UnixStream::connect(&target) else { continue };
            let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            thread::spawn(move || io::copy(&mut from, &mut to));
            thread::spawn(move || pass_on(server, client));
        }
    });
    folder
}

#[test]
fn a_failover_loses_no_acknowledged_record_whatever_hides_the_servers_warning() {
    const HIDE: &str = "client_min_messages = error";
    let Some(programs) = Programs::find() else { return };
    let mut primary = Server::primary(&programs);
    let mut admin = primary.admin();
    admin.batch_execute("CREATE DATABASE hiding").unwrap();
    admin.batch_execute(&format!("ALTER DATABASE hiding SET {HIDE}")).unwrap();
    admin.batch_execute("CREATE ROLE hiding LOGIN SUPERUSER").unwrap();
    admin.batch_execute(&format!("ALTER ROLE hiding SET {HIDE}")).unwrap();
    make_table(&primary.url(), "public");
    make_table(&primary.url().replace("/postgres?", "/hiding?"), "public");
    admin.batch_execute("CREATE TABLE triggered (LIKE nodes INCLUDING ALL)").unwrap();
    admin.batch_execute(&weakening("triggered", WEAKENINGS[0].1)).unwrap();
    let mut standby = primary.standby();
    set(&mut admin, "synchronous_standby_names", "*");
    wait_for(&mut admin, "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')");

    let pool = pool_without_notices(&primary);
    // The URL of the primary, for the server in this folder.
    let ways = |folder: &Path| {
        let url = url(folder);
        [
            ("nothing", url.clone()),
            ("role", url.replace("postgres@", "hiding@")),
            ("database", url.replace("/postgres?", "/hiding?")),
            ("trigger", with(&url, "table=public.triggered")),
            ("URL", with(&url, "options=-c%20client_min_messages%3Derror")),
            ("pool", url.clone()),
            ("server", url),
        ]
    };
    let mut stores = ways(primary.folder.path()).map(|(way, url)| (way, opened(&url)));
    for (way, store) in &stores {
        patiently(|| store.prepare(way)).unwrap();
        patiently(|| store.swap(way, 0, None, &held(1, 1))).unwrap();
        let found = patiently(|| store.read(way)).unwrap().records;
        assert_eq!(found[&0], held(1, 1), "{way}: with the standby");
    }
    for (way, store) in &mut stores {
        if *way == "pool" {
            *store = opened(&url(pool.path()));
        }
    }

    standby.end("-INT");
    let answers = while_waits_are_cancelled(&primary, || {
        stores.each_ref().map(|(way, store)| {
            if *way == "server" {
                set(&mut admin, "client_min_messages", "error");
            }
            let swapped = store.swap(way, 0, Some(&held(1, 1)), &held(2, 2));
            let read = store.read(way).map(drop);
            (*way, swapped, read)
        })
    });
    primary.end("-QUIT");
    standby.start();
    let mut admin = standby.admin();
    admin.batch_execute("SELECT pg_promote()").unwrap();
    wait_for(&mut admin, "SELECT NOT pg_is_in_recovery()");

    for ((way, swapped, read), (_, url)) in answers.into_iter().zip(ways(standby.folder.path())) {
        let found = patiently(|| opened(&url).read(way)).unwrap().records;
        assert_eq!(found[&0], held(1, 1), "{way}: the standby has what it had");
        let refused = |error: StoreError| match error.kind() {
            // On a machine with a high load, the store may have given up before the wait was cancelled.
            Unavailable => assert!(
                ["may not be durable", "does not answer in time"]
                    .iter()
                    .any(|&text| error.to_string().contains(text)),
                "{way}: {error}"
            ),
            _ => assert!(way == "pool" && error.to_string().contains("drops notices"), "{way}: {error}"),
        };
        match swapped {
            Ok(Swapped { swapped, .. }) => {
                panic!("{way}: a record that is lost was acknowledged, or denied: {swapped}")
            }
            Err(error) => refused(error),
        }
        refused(read.expect_err("a record that is lost was read"));
    }
}

/// What the owner of a table can let run in the transaction of a swap: a call of `weaken`, which sets what commits rest on.
const WEAKENINGS: [(&str, &str); 4] = [
    (
        "trigger",
        "CREATE TRIGGER it AFTER INSERT OR UPDATE ON TABLE FOR EACH ROW EXECUTE FUNCTION weaken_row()",
    ),
    ("statement", "CREATE TRIGGER it BEFORE INSERT OR UPDATE ON TABLE EXECUTE FUNCTION weaken_row()"),
    (
        "commit",
        "CREATE CONSTRAINT TRIGGER it AFTER INSERT OR UPDATE ON TABLE DEFERRABLE INITIALLY DEFERRED \
         FOR EACH ROW EXECUTE FUNCTION weaken_row()",
    ),
    ("constraint", "ALTER TABLE TABLE ADD CHECK (weaken())"),
];

/// The statements of one of them, for a table.
fn weakening(table: &str, statement: &str) -> String {
    format!(
        "CREATE OR REPLACE FUNCTION weaken() RETURNS boolean LANGUAGE plpgsql AS $$
         DECLARE is_local boolean;
         BEGIN
             RAISE NOTICE 'a notice of the table';
             FOREACH is_local IN ARRAY ARRAY[true, false] LOOP
                 PERFORM set_config('synchronous_commit', 'off', is_local);
                 PERFORM set_config('client_min_messages', 'error', is_local);
             END LOOP;
             RETURN true;
         END $$;
         CREATE OR REPLACE FUNCTION weaken_row() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM public.weaken(); RETURN NEW; END $$;
         {}",
        statement
            .replace("ON TABLE", &format!("ON {table}"))
            .replace("TABLE TABLE", &format!("TABLE {table}"))
    )
}

#[test]
fn nothing_in_the_table_makes_a_wait_that_was_cancelled_an_acknowledgement() {
    let Some(programs) = Programs::find() else { return };
    let primary = Server::primary(&programs);
    let mut admin = primary.admin();
    make_table(&primary.url(), "public");
    for (table, statement) in WEAKENINGS {
        let table = format!("by_{table}");
        admin.batch_execute(&format!("CREATE TABLE {table} (LIKE nodes INCLUDING ALL)")).unwrap();
        admin.batch_execute(&weakening(&table, statement)).unwrap();
        let store = opened(&with(&primary.url(), &format!("table=public.{table}")));
        assert!(patiently(|| store.swap("s", 0, None, &held(1, 1))).unwrap().swapped, "{table}");
    }
    set(&mut admin, "synchronous_standby_names", "nobody");
    while_waits_are_cancelled(&primary, || {
        for (table, _) in WEAKENINGS {
            let store = opened(&with(&primary.url(), &format!("table=public.by_{table}")));
            let answer = patiently(|| store.swap("s", 0, Some(&held(1, 1)), &held(2, 2)));
            let error = answer.expect_err(table).to_string();
            assert!(error.contains("may not be durable"), "{table}: {error}");
        }
    });
}

/// With `remote_apply`, a commit waits until the standby shows it.
#[test]
fn a_users_remote_apply_stays() {
    let Some(programs) = Programs::find() else { return };
    let primary = Server::primary(&programs);
    let mut admin = primary.admin();
    make_table(&primary.url(), "public");
    admin.batch_execute("CREATE ROLE applied LOGIN SUPERUSER").unwrap();
    admin.batch_execute("ALTER ROLE applied SET synchronous_commit = remote_apply").unwrap();
    let standby = primary.standby();
    set(&mut admin, "synchronous_standby_names", "*");
    wait_for(&mut admin, "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')");
    let plain = with(&primary.url(), "table=public.nodes");
    let applied = opened(&plain.replace("postgres@", "applied@"));
    assert!(patiently(|| applied.swap("s", 0, None, &held(1, 1))).unwrap().swapped);
    let mut other = standby.admin();
    other.batch_execute("SELECT pg_wal_replay_pause()").unwrap();
    wait_for(&mut other, "SELECT pg_get_wal_replay_pause_state() = 'paused'");
    assert!(patiently(|| opened(&plain).swap("s", 1, None, &held(1, 1))).unwrap().swapped);
    let error = applied.swap("s", 2, None, &held(1, 1)).unwrap_err();
    assert!(error.to_string().contains("does not answer in time"), "{error}");
}

#[test]
fn no_setting_makes_a_wait_that_was_cancelled_an_acknowledgement() {
    let Some(programs) = Programs::find() else { return };
    let primary = Server::primary(&programs);
    make_table(&primary.url(), "public");
    set(&mut primary.admin(), "synchronous_standby_names", "nobody");
    while_waits_are_cancelled(&primary, || {
        each_setting(&primary.url(), "public", |setting, url| {
            let answer = opened(url).swap(&space("cancelled"), 0, None, &held(1, 1));
            let error = answer.expect_err(&setting.to_string());
            if error.to_string().contains("may not be durable") { Ok(()) } else { Err(error) }
        });
    });
}
