//! The rows that the query of a span of time finds.

use super::Proof;
use crate::{Result, database::Engine, samples::Samples, subject::Subject};
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
}
