//! The rows that the query of a span of time finds.

use super::Proof;
use crate::{
    Result,
    database::{Engine, civil},
    samples::Samples,
    subject::{Subject, Value, uuid7},
};
use sortid_sql::{RangeQuery, Spec};

/// How many spans are tried.
const SPANS: usize = 6;

impl Proof {
    pub(super) fn ranges(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let table = format!("{}_ids", subject.prefix());
        let bounds: Vec<_> = samples.moments.iter().filter_map(|(_, bounds)| bounds.as_ref()).collect();
        let step = bounds.len() / (SPANS + 1);
        let query = |least, greatest| {
            let mut query = RangeQuery::new(self.engine.of_library(), subject.spec, &table, "id");
            query = if let Some(id) = least { query.least(id) } else { query };
            query = if let Some(id) = greatest { query.greatest(id) } else { query };
            query.sql()
        };
        let mut queries = vec![];
        for at in 0..SPANS {
            let [least, _] = bounds[at * step];
            let [_, greatest] = bounds[(at + 1) * step];
            queries.push((Some(least), Some(greatest), query(Some(least), Some(greatest))?));
            queries.push((Some(least), None, query(Some(least), None)?));
            queries.push((None, Some(greatest), query(None, Some(greatest))?));
        }
        queries.push((None, None, query(None, None)?));
        let (kind, cases) = (format!("rows of a span of {table}"), queries.len());
        for (least, greatest, sql) in queries {
            let is_found = |id: &Vec<u8>| {
                least.is_none_or(|least| id >= least)
                    && greatest.is_none_or(|greatest| id <= greatest)
                    && (subject.spec != Spec::RonUid || id[8] >= 0x20)
            };
            let numbers = samples.ids.iter().enumerate().filter(|(_, (id, _))| is_found(id));
            let (count, sum) = numbers.fold((0_u64, 0), |(count, sum), (n, _)| (count + 1, sum + n));
            let both = match self.engine {
                Engine::Sqlite => "count(*) || ' ' || coalesce(sum(n), 0)",
                _ => "concat(count(*), ' ', coalesce(sum(n), 0))",
            };
            let inner = sql.trim_end_matches(';');
            let found = self.db.rows(&format!("SELECT {both} FROM ({inner}) AS found"))?;
            let [found] = &found[0][..] else { return Err("expected one value".into()) };
            let expected = format!("{count} {sum}");
            if found.as_deref() != Some(&*expected) {
                self.report.fail(&kind, &format!("{sql}: expected {expected}, found {found:?}"));
            }
        }
        self.report.cases(&kind, cases);
        Ok(())
    }

    /// The rows of a span of time in a column that has UUIDs of version 7, too.
    pub(super) fn ranges_with_uuid7(&mut self, subject: &Subject, samples: &Samples) -> Result {
        if !subject.is_uuid() || self.engine.has_uuid7_min_at() {
            return Ok(());
        }
        let (engine, prefix, name) = (self.engine, subject.prefix(), subject.name("or_uuid7_within"));
        let table = format!("{}_ids", subject.prefix());
        // A time that a UUID of version 7 cannot have is an error.
        let moments =
            samples.moments.iter().filter(|(_, bounds)| bounds.is_some()).map(|(moment, _)| *moment);
        let moments: Vec<_> = moments.filter(|moment| moment.div_euclid(1000) < 1 << 48).collect();
        let mut differences = 0;
        for at in 0..SPANS {
            let [since, before] = [at, at + 1].map(|at| moments[at * (moments.len() / (SPANS + 1))]);
            let is_found = |(id, values): &(Vec<u8>, Vec<Value>)| {
                let uuid7 = uuid7(subject.spec, id);
                let Value::Time(micros) = values[0] else { return false };
                let (micros, tick) = (uuid7.unwrap_or(micros).into(), subject.tick(uuid7).into());
                let floor = |moment: i128| moment.div_euclid(tick) * tick;
                (floor(since)..floor(before)).contains(&micros)
            };
            let numbers = samples.ids.iter().enumerate().filter(|(_, id)| is_found(id));
            let (count, sum) = numbers.fold((0_u64, 0), |(count, sum), (n, _)| (count + 1, sum + n));
            let [since, before] = [since, before].map(|moment| engine.time(&format!("'{}'", civil(moment))));
            let query = |since: &str, before: &str| {
                format!(
                    "SELECT concat(count(*), ' ', coalesce(sum(n), 0)) FROM {table} WHERE {name}(id, {since}, {before})"
                )
            };
            let mut queries = vec![query(&since, &before)];
            if engine == Engine::Postgres {
                self.db.execute("SET plan_cache_mode = force_generic_plan")?;
                self.db.execute(&format!(
                    "PREPARE within_{prefix}_{at}(timestamptz, timestamptz) AS {}",
                    query("$1", "$2")
                ))?;
                queries.push(format!("EXECUTE within_{prefix}_{at}({since}, {before})"));
            }
            for query in queries {
                let found = self.db.rows(&query)?;
                if found[0][0].as_deref() != Some(&*format!("{count} {sum}")) {
                    self.report
                        .fail(&name, &format!("{query}: expected {count} {sum}, found {:?}", found[0][0]));
                    differences += 1;
                }
            }
            if engine == Engine::Postgres {
                self.db.execute("RESET plan_cache_mode")?;
            }
        }
        self.report.compared(&name, "", samples.ids.len() as u64, differences);
        Ok(())
    }
}
