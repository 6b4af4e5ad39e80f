//! What only PostgreSQL has: properties of functions, search paths, plans, partitions.

use super::{Proof, bulk, one::some};
use crate::{
    Result,
    database::{Expected, civil},
    samples::Samples,
    subject::{self, BOUNDS, Kind, Subject},
};

/// A schema with functions and operators of the names that PostgreSQL brings, which are all errors.
const HOSTILE: &str = include_str!("hostile.sql");

/// What the text columns of a time span and of one moment in it are.
const SINCE: &str = "'2024-06-01 00:00:00+00'::timestamptz";
const UNTIL: &str = "'2024-06-02 23:59:59.999999+00'::timestamptz";

impl Proof {
    pub(super) fn postgres(&mut self, all: &[(&Subject, Samples)]) {
        self.attempt("properties", Self::properties);
        self.attempt("encoders", Self::encoders);
        self.attempt("small tables", Self::small_tables);
        for (subject, samples) in all {
            self.attempt("generic plans", |proof| proof.prepared(subject, samples));
            self.attempt("plans", |proof| proof.plans(subject));
            self.attempt("partitions", |proof| proof.partitions(subject));
            self.attempt("generated columns", |proof| proof.generated_columns(subject));
        }
        self.attempt("hostile search path", Self::hostile_search_path);
    }

    fn properties(&mut self) -> Result {
        // The planner does not inline a STRICT function whose expression is not strict. So the functions with CASE,
        // AND, OR or IS NOT NULL, and the functions that call them, are not STRICT.
        let rows = self.db.rows(
            "WITH RECURSIVE lax AS (
                SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace
                    AND pg_get_function_sqlbody(oid) ~ ' (CASE|AND|OR|IS NOT NULL)\\y'
                UNION SELECT objid FROM lax JOIN pg_depend ON refobjid = lax.oid AND refclassid = 'pg_proc'::regclass
                    AND classid = 'pg_proc'::regclass)
             SELECT proname, lanname, provolatile, (proisstrict OR p.oid IN (SELECT oid FROM lax))::text,
                (proisstrict AND p.oid IN (SELECT oid FROM lax))::text, proparallel, prosecdef, proconfig::text
             FROM pg_proc p JOIN pg_language l ON l.oid = prolang
             WHERE pronamespace = 'public'::regnamespace",
        )?;
        let (mut count, kind) = (0, "properties");
        for row in rows {
            let row: Vec<_> = row.into_iter().map(Option::unwrap_or_default).collect();
            let [name, language, found @ ..] = &row[..] else { continue };
            // The bodies of other languages are parsed when they run, so they need a search path of their own.
            let path = if language == "sql" { "" } else { "{\"search_path=pg_catalog, pg_temp\"}" };
            let is_new = name.ends_with("_new");
            let expected = if is_new {
                ["v", "false", "false", "u", "f", path]
            } else {
                ["i", "true", "false", "s", "f", path]
            };
            if found != expected {
                self.report.fail(kind, &format!("{name} in {language} has {found:?}, expected {expected:?}"));
            }
            count += 1;
        }
        self.report.cases(kind, count);
        Ok(())
    }

    /// The functions for partitions of `uuid` columns, under the names of `pg_partman`.
    fn encoders(&mut self) -> Result {
        for subject in subject::ALL.iter().filter(|subject| subject.is_uuid()) {
            for mut compare in bulk::all(self.engine, subject, "") {
                let (old, new) = match compare.name.strip_prefix(subject.prefix()) {
                    Some("_min_at") => ("_min_at(moment)", "_time_encoder(moment)"),
                    Some("_time") => ("_time(id)", "_time_decoder(id::text)"),
                    _ => continue,
                };
                compare.found = compare.found.replace(old, new);
                compare.name = format!("{}{}", subject.prefix(), new.split_once('(').map_or(new, |it| it.0));
                self.compare(&compare, "")?;
            }
        }
        Ok(())
    }

    /// Functions in generic plans of prepared statements.
    fn prepared(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: generic plans", subject.prefix());
        self.db.execute("SET plan_cache_mode = force_generic_plan")?;
        let mut cases = 0;
        let mut prepare = |proof: &mut Self,
                           name: &str,
                           of: Kind,
                           ty: &str,
                           values: &[(String, Option<String>)]|
         -> Result {
            let call = format!("{}($1)", subject.name(name));
            let query = engine.shown(subject, of, &call);
            proof.db.execute(&format!("PREPARE p({ty}) AS SELECT {query}"))?;
            for (value, expected) in values {
                let rows = proof.db.rows(&format!("EXECUTE p({value})"))?;
                if rows[0][0] != *expected {
                    let found = &rows[0][0];
                    proof
                        .report
                        .fail(&kind, &format!("{call} of {value} is {found:?}, expected {expected:?}"));
                }
                cases += 1;
            }
            proof.db.execute("DEALLOCATE p")?;
            Ok(())
        };
        for (i, (name, of)) in subject.functions.iter().enumerate() {
            let values: Vec<_> = some(&samples.ids, 30)
                .filter_map(|(id, values)| match engine.expected(subject, &values[i]) {
                    Expected::Is(text) => Some((engine.id_literal(subject, id)?, text)),
                    Expected::Error => None,
                })
                .collect();
            prepare(self, name, *of, engine.id_type(subject), &values)?;
        }
        let moments: Vec<_> = some(&samples.moments, 60)
            .filter_map(|(moment, bounds)| {
                let bounds = bounds.as_ref().filter(|_| engine.has_time(*moment))?;
                Some((engine.time(&format!("'{}'", civil(*moment))), bounds))
            })
            .collect();
        for (i, name) in BOUNDS.iter().enumerate() {
            let values: Vec<_> = moments
                .iter()
                .map(|(moment, bounds)| (moment.clone(), Some(subject.shown(&bounds[i]))))
                .collect();
            prepare(self, name, Kind::Id, engine.time_type(), &values)?;
        }
        self.db.execute("RESET plan_cache_mode")?;
        self.report.cases(&kind, cases);
        Ok(())
    }

    /// The plan of a query has to have all of `parts` and none of `not`.
    fn plan(&mut self, kind: &str, query: &str, parts: &[&str], not: &[&str]) -> Result {
        let lines = self.db.rows(&format!("EXPLAIN (COSTS OFF, VERBOSE) {query}"))?;
        let plan: Vec<_> = lines.into_iter().flatten().flatten().collect();
        let plan = plan.join("\n");
        for part in parts {
            // Alternatives.
            if !part.split('|').any(|part| plan.contains(part)) {
                self.report.fail(kind, &format!("the plan of {query} lacks {part:?}:\n{plan}"));
            }
        }
        for part in not {
            if plan.contains(part) {
                self.report.fail(kind, &format!("the plan of {query} has {part:?}:\n{plan}"));
            }
        }
        Ok(())
    }

    fn plans(&mut self, subject: &Subject) -> Result {
        let (prefix, kind) = (subject.prefix(), format!("{}: plans", subject.prefix()));
        let table = format!("{prefix}_keys");
        self.db.execute(&format!("CREATE TABLE {table} AS SELECT id FROM {prefix}_ids"))?;
        self.db.execute(&format!("ALTER TABLE {table} ADD PRIMARY KEY (id)"))?;
        self.db.execute(&format!("ANALYZE {table}"))?;
        let between = |since: &str, until: &str| {
            format!(
                "SELECT id FROM {table} WHERE id BETWEEN {prefix}_min_at({since}) AND {prefix}_max_at({until})"
            )
        };
        // Constants are computed when the query is planned.
        let index = ["Index Scan|Index Only Scan", "Index Cond"];
        self.plan(&kind, &between(SINCE, UNTIL), &index, &["min_at", "Seq Scan"])?;
        // Other bounds are computed once: the parameters of a generic plan, and stable functions.
        self.db.execute("SET plan_cache_mode = force_generic_plan")?;
        let query = between("$1", "$2");
        self.db.execute(&format!("PREPARE p(timestamptz, timestamptz) AS {query}"))?;
        self.plan(&kind, &format!("EXECUTE p({SINCE}, {UNTIL})"), &["Index Cond"], &["Seq Scan", "Filter"])?;
        let both = [format!("EXECUTE p({SINCE}, {UNTIL})"), between(SINCE, UNTIL)];
        let counts: Vec<_> =
            both.iter().map(|query| Ok(self.db.rows(query)?.len())).collect::<Result<_>>()?;
        if counts[0] != counts[1] {
            self.report.fail(&kind, &format!("{query}: {} rows, expected {}", counts[0], counts[1]));
        }
        self.db.execute("DEALLOCATE p")?;
        let query = between("now() - interval '2 days'", "now()");
        self.plan(&kind, &query, &["Index Cond"], &["Seq Scan", "Filter"])?;
        let query = format!("SELECT id FROM {table} WHERE id = {prefix}_parse($1)");
        self.db.execute(&format!("PREPARE p(text) AS {query}"))?;
        self.plan(&kind, "EXECUTE p('0')", &["Index Cond"], &["Seq Scan", "Filter"])?;
        self.db.execute("DEALLOCATE p")?;
        let query = format!("SELECT id FROM {table} WHERE id = {prefix}_typed_parse('order', $1)");
        self.db.execute(&format!("PREPARE p(text) AS {query}"))?;
        self.plan(&kind, "EXECUTE p('order_0')", &["Index Cond"], &["Seq Scan", "Filter"])?;
        self.db.execute("DEALLOCATE p")?;
        self.db.execute("RESET plan_cache_mode")?;
        // The planner puts the expression of a function into the query, except for the texts of RON UIDs.
        let functions = subject.functions.iter().map(|(name, _)| subject.name(name));
        for name in functions.filter(|name| name != "ron_uid_text") {
            let call = format!("{name}(");
            self.plan(&kind, &format!("SELECT {call}id) FROM {table}"), &["Output"], &[&*call])?;
        }
        if subject.is_uuid() {
            // With UUIDs of version 7, there are two ranges. No bound is computed for each row.
            let name = subject.name("or_uuid7_within");
            let query = |since: &str, until: &str| {
                format!("SELECT id FROM {table} WHERE {name}(id, {since}, {until})")
            };
            self.plan(&kind, &query(SINCE, UNTIL), &["BitmapOr"], &["Seq Scan", &*name])?;
            self.db.execute("SET plan_cache_mode = force_generic_plan")?;
            self.db.execute(&format!("PREPARE p(timestamptz, timestamptz) AS {}", query("$1", "$2")))?;
            for query in [
                format!("EXECUTE p({SINCE}, {UNTIL})"),
                query("now() - interval '2 days'", "now()"),
                query("'1970-01-01Z'", "now() - interval '50 years'"),
            ] {
                self.plan(&kind, &query, &["BitmapOr"], &["Seq Scan", &*name])?;
                let lines =
                    self.db.rows(&format!("EXPLAIN (COSTS OFF) {query}"))?.into_iter().flatten().flatten();
                for filter in
                    lines.filter(|line| line.contains("Filter:") && line.contains("sortid__no_time"))
                {
                    self.report.fail(&kind, &format!("{query} computes a bound for each row: {filter}"));
                }
            }
            self.db.execute("DEALLOCATE p")?;
            self.db.execute("RESET plan_cache_mode")?;
        }
        self.db.execute(&format!("DROP TABLE {table}"))?;
        self.report.cases(&kind, 6 + subject.functions.len());
        Ok(())
    }

    fn partitions(&mut self, subject: &Subject) -> Result {
        let (prefix, kind) = (subject.prefix(), format!("{}: partitions", subject.prefix()));
        let (table, ty) = (format!("{prefix}_parts"), self.engine.id_type(subject));
        self.db.execute(&format!("CREATE TABLE {table} (id {ty} PRIMARY KEY) PARTITION BY RANGE (id)"))?;
        for month in 1..12 {
            self.db.execute(&format!(
                "CREATE TABLE {table}_{month} PARTITION OF {table}
                 FOR VALUES FROM ({prefix}_min_at('2024-{month:02}-01 00:00+00')) TO ({prefix}_min_at('2024-{:02}-01 00:00+00'))",
                month + 1
            ))?;
        }
        let query = |since: &str, until: &str| {
            format!(
                "SELECT id FROM {table} WHERE id BETWEEN {prefix}_min_at({since}) AND {prefix}_max_at({until})"
            )
        };
        let (june, others) = (format!("{table}_6"), [format!("{table}_5"), format!("{table}_7")]);
        let others = others.each_ref().map(|other| &**other);
        self.plan(&kind, &query(SINCE, UNTIL), &[&june], &others)?;
        self.db.execute("SET plan_cache_mode = force_generic_plan")?;
        self.db.execute(&format!("PREPARE p(timestamptz, timestamptz) AS {}", query("$1", "$2")))?;
        let execute = format!("EXECUTE p({SINCE}, {UNTIL})");
        self.plan(&kind, &execute, &["Subplans Removed: 10", &june], &others)?;
        self.db.execute("DEALLOCATE p")?;
        self.db.execute("RESET plan_cache_mode")?;
        self.db.execute(&format!("DROP TABLE {table}"))?;
        self.report.cases(&kind, 2);
        Ok(())
    }

    fn generated_columns(&mut self, subject: &Subject) -> Result {
        let (prefix, kind) = (subject.prefix(), format!("{}: generated columns", subject.prefix()));
        let (table, ty) = (format!("{prefix}_generated"), self.engine.id_type(subject));
        self.db.execute(&format!(
            "CREATE TABLE {table} (id {ty}, at timestamptz GENERATED ALWAYS AS ({prefix}_time(id)) STORED)"
        ))?;
        self.db.execute(&format!("CREATE INDEX ON {table} (at)"))?;
        self.db.execute(&format!("CREATE INDEX ON {table} ({prefix}_text(id))"))?;
        let held = "e_time IS NULL OR e_time <> '!'";
        self.db.execute(&format!("INSERT INTO {table} SELECT id FROM {prefix}_ids_small WHERE {held}"))?;
        self.db.execute(&format!("ANALYZE {table}"))?;
        let differ =
            format!("SELECT count(*)::text FROM {table} WHERE at IS DISTINCT FROM {prefix}_time(id)");
        let rows = self.db.rows(&differ)?;
        if rows[0][0].as_deref() != Some("0") {
            self.report.fail(&kind, &format!("{differ} is {:?}, expected 0", rows[0][0]));
        }
        self.plan(
            &kind,
            &format!("SELECT id FROM {table} WHERE at = {SINCE}"),
            &["Index Cond"],
            &["Seq Scan"],
        )?;
        let text = format!("SELECT id FROM {table} WHERE {prefix}_text(id) = 'x'");
        self.plan(&kind, &text, &["Index Cond"], &["Seq Scan"])?;
        self.db.execute(&format!("DROP TABLE {table}"))?;
        self.report.cases(&kind, 3);
        Ok(())
    }

    /// A schema before that of PostgreSQL itself in the search path, as an attacker or an accident puts it there.
    fn hostile_search_path(&mut self) -> Result {
        let label = "hostile search path";
        self.db.execute(HOSTILE)?;
        for subject in &*subject::ALL {
            for mut compare in bulk::all(self.engine, subject, "public.") {
                let argument = match &*compare.table {
                    table if table.ends_with("_ids") => "id",
                    table if table.ends_with("_texts") => "input",
                    table if table.ends_with("_typed") && compare.name.ends_with("_text") => "prefix, id",
                    table if table.ends_with("_typed") => "prefix, input",
                    _ => "moment",
                };
                compare.table.push_str("_small");
                let rows = "public.hostile_rows";
                let condition = if compare.condition.is_empty() { "true" } else { &compare.condition };
                self.db.execute(&format!("DROP TABLE IF EXISTS {rows}, public.hostile_found"))?;
                self.db.execute(&format!(
                    "CREATE TABLE {rows} AS SELECT * FROM {} WHERE {condition}",
                    compare.table
                ))?;
                let call = format!("public.{}({argument})", compare.name);
                // The statement has nothing but the function, because everything else is hostile, too.
                self.db.execute("SET search_path = hostile, pg_catalog")?;
                let result = self.db.execute(&format!(
                    "CREATE TABLE public.hostile_found AS SELECT r.*, {call} AS found FROM {rows} r"
                ));
                self.db.execute("RESET search_path")?;
                if let Err(error) = result {
                    self.report.fail(&format!("{} {label}", compare.name), &error.to_string());
                    continue;
                }
                compare.found = compare.found.replace(&call, "found");
                compare.table = "public.hostile_found".to_owned();
                compare.condition.clear();
                self.compare(&compare, label)?;
            }
        }
        self.db.execute("SET search_path = hostile, pg_catalog")?;
        let works = self.db.execute("SELECT length('a'::text)").is_err();
        self.db.execute("RESET search_path")?;
        if !works {
            self.report.fail(label, "the functions of the hostile schema are not called");
        }
        self.db.execute("DROP SCHEMA hostile CASCADE")?;
        Ok(())
    }
}
