//! Executors that are killed at each moment of a query. `SORTID_LONG=1` kills more often, and `SORTID_SEED` repeats a
//! random run.

use crate::{ENDLESS, engine, numbers, process::Process, rows, sql, start_executor, start_scheduler_with};
use rustix::process::Signal;
use std::{
    env,
    io::Read,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A scheduler, an executor that survives, and an executor that is killed.
struct Cluster {
    dir: TempDir,
    scheduler: Process,
    port: u16,
    survivor: Process,
    victim: Process,
    victims: usize,
    table: String,
    /// Statements that only the client runs, not the query on one machine.
    settings: &'static str,
}

impl Cluster {
    fn start(options: &[&str]) -> Self {
        let dir = tempfile::tempdir().expect("directory");
        let table = rows(dir.path());
        let (scheduler, port) = start_scheduler_with(dir.path(), options);
        let survivor = start_executor(dir.path(), "survivor", port);
        let victim = start_executor(dir.path(), "victim", port);
        Self { dir, scheduler, port, survivor, victim, victims: 1, table, settings: "" }
    }

    /// The query as a client of the cluster.
    fn client(&self, query: &str) -> Process {
        Process::start(
            engine(&["sql", "--format", "csv", "--cluster", &self.url()]).arg(format!(
                "{}{}",
                self.settings,
                self.statements(query)
            )),
            self.dir.path(),
            "client",
        )
    }

    fn url(&self) -> String {
        format!("df://localhost:{}", self.port)
    }

    fn statements(&self, query: &str) -> String {
        format!("{}{query}", self.table)
    }

    /// The rows of a query on one machine, in any order.
    fn expected(&self, query: &str) -> Vec<String> {
        lines(&sql(&[], &self.statements(query)))
    }

    /// Starts another executor in the place of the victim.
    fn replace_victim(&mut self) {
        self.victims += 1;
        self.victim = start_executor(self.dir.path(), &format!("victim {}", self.victims), self.port);
    }

    /// Asserts that the query gives the rows of one machine.
    fn assert_answer(&self, client: &mut Process, query: &str, what: &str) {
        assert!(client.status().success(), "{what}: {}\n{}", client.log(), self.scheduler.log());
        assert!(
            lines(&client.output()) == self.expected(query),
            "{what}: other rows\n{}",
            self.scheduler.log()
        );
    }

    /// Kills the victim at the moment, and asserts that the query gives the rows of one machine. `query` returns a
    /// query with this much work.
    fn assert_survives(&mut self, moment: Moment, query: fn(usize) -> String) {
        // More work on a faster machine.
        for work in (0..5).map(|exponent| 50 << (2 * exponent)) {
            let query = query(work);
            let (done, started) =
                (self.finished_stages(moment.stage()), tasks(&self.victim, moment.stage()).0);
            let mut client = self.client(&query);
            let mut caught = false;
            while !caught && client.running() {
                match moment {
                    Moment::In(stage) if tasks(&self.victim, stage).0 > started => {
                        self.victim.freeze();
                        let (started, finished) = tasks(&self.victim, stage);
                        caught = started > finished;
                        self.victim.send(if caught { Signal::KILL } else { Signal::CONT });
                    }
                    Moment::After(stage) if self.finished_stages(stage) > done => {
                        self.victim.send(Signal::KILL);
                        caught = client.running();
                        if !caught {
                            self.replace_victim();
                        }
                    }
                    _ => {}
                }
                std::thread::sleep(Duration::from_millis(2));
            }
            self.assert_answer(&mut client, &query, &format!("{moment:?}, work {work}"));
            if caught {
                return self.replace_victim();
            }
        }
        panic!("the moment {moment:?} was not seen\n{}", self.victim.log());
    }

    /// How often the scheduler has reported the end of a stage with this number.
    fn finished_stages(&self, stage: usize) -> usize {
        self.scheduler.log().matches(&format!("/{stage}] Stage finished")).count()
    }
}

/// The moment at which an executor is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// It works on a task of the stage.
    In(usize),
    /// The scheduler reports the end of the stage.
    After(usize),
}

impl Moment {
    fn stage(self) -> usize {
        match self {
            Self::In(stage) | Self::After(stage) => stage,
        }
    }
}

/// How many tasks of the stages with this number an executor has started and finished.
fn tasks(executor: &Process, stage: usize) -> (usize, usize) {
    let (log, stage) = (executor.log(), format!("{stage}."));
    let count = |what| {
        // Execute task  : [TID job/stage.attempt/task.attempt]
        let tasks = log.lines().filter_map(|line| line.split_once(what)?.1.split('/').nth(1));
        tasks.filter(|task| task.starts_with(&stage)).count()
    };
    (count("Execute task  : [TID "), count("Finished task : [TID "))
}

/// The lines of a text, sorted.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Two stages. The first takes longest.
fn groups(work: usize) -> String {
    format!(
        "SELECT a % 5000 AS k, count(*) AS n, sum(a * value % 7) AS s FROM rows CROSS JOIN {} GROUP BY a % 5000",
        numbers(work)
    )
}

/// Two stages. The second takes longest.
fn slow_groups(work: usize) -> String {
    format!("SELECT k, n, {} AS l FROM (SELECT a AS k, count(*) AS n FROM rows GROUP BY a)", slow(work))
}

/// Three stages: groups, and their rows in order.
fn groups_in_order(work: usize) -> String {
    format!("{} ORDER BY k", groups(work))
}

/// Three stages: groups of groups. The second takes longest.
fn groups_of_slow_groups(work: usize) -> String {
    format!("SELECT l, count(*) AS c, sum(n) AS n FROM ({}) GROUP BY l", slow_groups(work))
}

/// Three stages: groups of groups. The third takes longest.
fn slow_groups_of_groups(work: usize) -> String {
    let groups = "SELECT a % 15000 AS k, count(*) AS n FROM rows GROUP BY a % 15000";
    let groups = format!("SELECT k + n AS k, sum(n) AS n FROM ({groups}) GROUP BY k + n");
    format!("SELECT k, n, {} AS l FROM ({groups})", slow(work))
}

/// Three stages: a window over groups.
fn window(work: usize) -> String {
    format!("SELECT k, row_number() OVER (PARTITION BY k % 10 ORDER BY s, k) AS r FROM ({})", groups(work))
}

/// Groups, joined with the rows.
fn join(work: usize) -> String {
    format!(
        "SELECT r.g, count(*) AS c, sum(q.s) AS s FROM rows r JOIN ({}) q ON r.a = q.k GROUP BY r.g",
        groups(work)
    )
}

/// An expression that takes long.
fn slow(work: usize) -> String {
    format!("length(repeat(cast(k AS varchar), {}))", work * 10)
}

#[test]
fn a_query_of_two_stages_survives_the_loss_of_an_executor_in_each_stage() {
    let mut cluster = Cluster::start(&[]);
    cluster.assert_survives(Moment::In(1), groups);
    cluster.assert_survives(Moment::After(1), slow_groups);
    cluster.assert_survives(Moment::In(2), slow_groups);
}

#[test]
fn a_query_of_three_stages_survives_the_loss_of_an_executor_in_each_stage() {
    let mut cluster = Cluster::start(&[]);
    cluster.assert_survives(Moment::After(1), groups_of_slow_groups);
    cluster.assert_survives(Moment::In(2), groups_of_slow_groups);
    cluster.assert_survives(Moment::After(2), slow_groups_of_groups);
    cluster.assert_survives(Moment::In(3), slow_groups_of_groups);
}

/// `SET` is what each client of Ballista does by itself.
#[test]
fn a_client_that_asks_for_adaptive_planning_survives_the_loss_of_an_executor() {
    let mut cluster = Cluster::start(&[]);
    cluster.settings = "SET ballista.planner.adaptive.enabled = true; ";
    cluster.assert_survives(Moment::After(1), slow_groups);
    cluster.assert_survives(Moment::In(2), slow_groups);
}

#[test]
fn queries_survive_the_loss_of_executors_at_random_moments() {
    let rounds = if env::var_os("SORTID_LONG").is_some() { 100 } else { 4 };
    let seed =
        env::var("SORTID_SEED").map_or_else(|_| fastrand::u64(..), |seed| seed.parse().expect("a number"));
    println!("SORTID_SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut cluster = Cluster::start(&[]);
    let queries =
        [groups, slow_groups, groups_in_order, groups_of_slow_groups, slow_groups_of_groups, window, join];
    for round in 0..rounds {
        let query = random.choice(queries).expect("a query")(100);
        // A query on one machine takes this long.
        let start = Instant::now();
        let mut client = cluster.client(&query);
        cluster.assert_answer(&mut client, &query, "undisturbed");
        let moment = start.elapsed().mul_f64(random.f64());

        let mut client = cluster.client(&query);
        std::thread::sleep(moment);
        cluster.victim.send(Signal::KILL);
        cluster.assert_answer(
            &mut client,
            &query,
            &format!("SORTID_SEED={seed}, round {round}, after {moment:?}"),
        );
        cluster.replace_victim();
    }
}

fn assert_runs_again(loss: Signal, queries: &[String]) {
    let mut cluster = Cluster::start(&[]);
    for query in queries {
        let jobs = |cluster: &Cluster| cluster.scheduler.log().matches("Job submitted").count();
        let done = |cluster: &Cluster| cluster.scheduler.log().matches("Job finished successfully").count();
        let (submitted, finished) = (jobs(&cluster), done(&cluster));
        let mut client = cluster.client(query);
        while jobs(&cluster) == submitted {
            assert!(client.running(), "{}", client.log());
            std::thread::sleep(Duration::from_millis(2));
        }
        client.freeze();
        cluster.scheduler.wait_for("end of the query", |scheduler| {
            (scheduler.log().matches("Job finished successfully").count() > finished).then_some(())
        });
        // If the client has already read the result, nothing is lost.
        match loss {
            Signal::STOP => cluster.victim.freeze(),
            loss => cluster.victim.send(loss),
        }
        client.send(Signal::CONT);
        cluster.assert_answer(&mut client, query, "before the result is read");
        cluster.replace_victim();
    }
}

#[test]
fn a_query_runs_again_if_an_executor_is_lost_before_the_client_reads_the_result() {
    assert_runs_again(Signal::KILL, &[groups(20), groups_in_order(20)]);
}

/// The executor is silent as if its machine was gone: connections stay open.
#[test]
fn a_query_runs_again_if_an_executor_is_silent_when_the_client_reads_the_result() {
    assert_runs_again(Signal::STOP, &[groups(20)]);
}

#[test]
fn a_query_fails_if_the_executors_are_lost_when_rows_are_given_out() {
    let mut cluster = Cluster::start(&[]);
    // About 300 MB.
    let query = format!("SELECT a, repeat(t, 100) AS t FROM rows CROSS JOIN {}", numbers(20));
    let mut client = engine(&["sql", "--format", "csv", "--cluster", &cluster.url()])
        .arg(cluster.statements(&query))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut output = client.stdout.take().expect("output");
    output.read_exact(&mut [0; 1_000_000]).expect("rows");
    for executor in [&mut cluster.survivor, &mut cluster.victim] {
        executor.send(Signal::KILL);
    }
    std::io::copy(&mut output, &mut std::io::sink()).expect("rows");
    let output = client.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("Rows were given out before, so run the query again"), "{errors}");
}

#[test]
fn a_query_fails_if_all_executors_are_lost() {
    let mut cluster = Cluster::start(&[]);
    let mut client = cluster.client(ENDLESS);
    cluster.victim.wait_for("task", |victim| (tasks(victim, 1).0 > 0).then_some(()));
    for executor in [&mut cluster.survivor, &mut cluster.victim] {
        executor.send(Signal::KILL);
    }
    assert_eq!(client.status().code(), Some(1));
    let errors = client.log();
    assert!(errors.contains("all executors were lost"), "{errors}");
    assert_eq!(errors.matches("was lost while the query ran").count(), 2, "{errors}");
}

#[test]
fn a_query_without_executors_fails_after_the_limit() {
    let dir = tempfile::tempdir().expect("directory");
    let (_scheduler, port) = start_scheduler_with(dir.path(), &["--progress-timeout", "2"]);
    let (errors, code) = fails(dir.path(), port, "SELECT 1");
    assert_eq!(code, Some(1));
    assert!(errors.contains("no progress for 2 s (--progress-timeout)"), "{errors}");
    assert!(errors.contains("No executor is registered. Start one"), "{errors}");
}

#[test]
fn a_task_that_takes_longer_than_the_limit_is_not_ended() {
    let mut cluster = Cluster::start(&["--progress-timeout", "4"]);
    cluster.settings = "SET datafusion.execution.target_partitions = 1; ";
    for work in (0..5).map(|exponent| 50 << (2 * exponent)) {
        let query = groups(work);
        let start = Instant::now();
        let mut client = cluster.client(&query);
        assert!(client.status().success(), "{}", client.log());
        if start.elapsed() > Duration::from_secs(12) {
            return cluster.assert_answer(&mut client, &query, "long");
        }
    }
    panic!("no query took long");
}

#[test]
fn a_query_fails_if_the_scheduler_is_lost() {
    let mut cluster = Cluster::start(&[]);
    let mut client = cluster.client(ENDLESS);
    cluster.victim.wait_for("task", |victim| (tasks(victim, 1).0 > 0).then_some(()));
    cluster.scheduler.send(Signal::KILL);
    assert_eq!(client.status().code(), Some(1));
    let errors = client.log();
    assert!(errors.contains(&format!("expected a scheduler at localhost:{}", cluster.port)), "{errors}");
}

fn fails(dir: &Path, port: u16, query: &str) -> (String, Option<i32>) {
    let cluster = format!("df://localhost:{port}");
    let mut client = Process::start(engine(&["sql", "--cluster", &cluster]).arg(query), dir, "client");
    let code = client.status().code();
    (client.log(), code)
}
