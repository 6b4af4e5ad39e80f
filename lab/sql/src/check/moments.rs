//! Bounds of times in all types of a database. They are rounded down, never to the nearest.

use super::{Proof, one::some};
use crate::{
    Result,
    database::{Engine, civil},
    samples::Samples,
    subject::{BOUNDS, Kind, Subject},
};
use std::collections::HashMap;

/// Units of time, in nanoseconds.
const MICRO: i128 = 1000;
const MILLI: i128 = 1000 * MICRO;
const SECOND: i128 = 1000 * MILLI;
const DAY: i128 = 86_400 * SECOND;

/// What 64 bits of nanoseconds can have, and what ClickHouse's `DateTime` can.
const NANOS: i128 = i64::MAX as i128 - DAY;
const SECONDS: i128 = u32::MAX as i128 * SECOND;

impl Engine {
    /// The types that a time can have, as expressions of a text `t`; the unit of each in nanoseconds; and the last time.
    fn moments(self) -> &'static [(&'static str, i128, i128)] {
        const ALL: i128 = i128::MAX;
        match self {
            Self::Postgres => &[
                ("(t || 'Z')::timestamptz", MICRO, ALL),
                ("(t || 'Z')::timestamptz(3)", MILLI, ALL),
                ("t::timestamp", MICRO, ALL),
                ("t::timestamp(0)", SECOND, ALL),
                ("t::date", DAY, ALL),
            ],
            // MariaDB cuts a text with more digits.
            Self::Mysql => &[
                ("t", 1, ALL),
                ("CAST(t AS DATETIME(6))", MICRO, ALL),
                ("CAST(t AS DATETIME(3))", MILLI, ALL),
                ("CAST(t AS DATETIME)", SECOND, ALL),
                ("CAST(t AS DATE)", DAY, ALL),
            ],
            Self::Sqlite => {
                &[("t", 1, ALL), ("t", MICRO, ALL), ("t", MILLI, ALL), ("t", SECOND, ALL), ("t", DAY, ALL)]
            }
            Self::Duckdb => &[
                ("(t || '+00')::TIMESTAMPTZ_NS", 1, NANOS),
                ("t::TIMESTAMP_NS", 1, NANOS),
                ("(t || '+00')::TIMESTAMPTZ", MICRO, ALL),
                ("t::TIMESTAMP", MICRO, ALL),
                ("t::TIMESTAMP_MS", MILLI, ALL),
                ("t::TIMESTAMP_S", SECOND, ALL),
                ("t::DATE", DAY, ALL),
            ],
            Self::Clickhouse => &[
                ("toDateTime64(t, 9, 'UTC')", 1, NANOS),
                ("toTimeZone(toDateTime64(t, 9, 'UTC'), 'Asia/Kathmandu')", 1, NANOS),
                ("toDateTime64(t, 7, 'UTC')", 100, ALL),
                ("toDateTime64(t, 6, 'UTC')", MICRO, ALL),
                ("toDateTime64(t, 3, 'UTC')", MILLI, ALL),
                ("toDateTime64(t, 0, 'UTC')", SECOND, ALL),
                ("toDateTime(t, 'UTC')", SECOND, SECONDS),
            ],
        }
    }

    /// Times that have no ID, besides those that [`civil`] can write.
    const fn others(self) -> &'static [&'static str] {
        match self {
            Self::Postgres => &[
                "'infinity'::timestamptz",
                "'-infinity'::timestamptz",
                "'infinity'::timestamp",
                "'-infinity'::date",
                "'0044-03-15 12:00Z BC'::timestamptz",
                "'4713-01-01 BC'::date",
            ],
            Self::Duckdb => &[
                "'infinity'::TIMESTAMPTZ",
                "'-infinity'::TIMESTAMP",
                "'infinity'::TIMESTAMP_NS",
                "'-infinity'::TIMESTAMPTZ_NS",
                "'infinity'::DATE",
                "'0044-03-15 (BC)'::DATE",
            ],
            _ => &[],
        }
    }
}

impl Proof {
    pub(super) fn types_of_moments(&mut self, subject: &Subject, samples: &Samples) -> Result {
        // PostgreSQL and DuckDB read a time without a zone in the zone of the session, or in UTC.
        let zones: &[&str] = match self.engine {
            Engine::Postgres => &["SET TimeZone = 'UTC'"],
            Engine::Duckdb => &["SET TimeZone = 'America/New_York'", "SET TimeZone = 'Asia/Kathmandu'"],
            _ => &[""],
        };
        for zone in zones {
            if !zone.is_empty() {
                self.db.execute(zone)?;
            }
            self.moments_in_zone(subject, samples)?;
        }
        if matches!(self.engine, Engine::Postgres | Engine::Duckdb) {
            self.db.execute("RESET TimeZone")?;
        }
        Ok(())
    }

    fn moments_in_zone(&mut self, subject: &Subject, samples: &Samples) -> Result {
        let engine = self.engine;
        let kind = format!("{}: types of times", subject.prefix());
        let mut tried = 0;
        for (expression, unit, last) in engine.moments() {
            // The last nanosecond of a microsecond and of a millisecond would be rounded up.
            let nanos = some(&samples.moments, 60)
                .flat_map(|(moment, _)| [moment * MICRO + 999, moment.div_euclid(1000) * MILLI + 999_999]);
            let cases: HashMap<_, _> = nanos
                .filter(|nanos| (-last..=*last).contains(nanos))
                .filter_map(|nanos| {
                    let nanos = nanos.div_euclid(*unit) * unit;
                    let micros = nanos.div_euclid(MICRO);
                    let bounds = (subject.bounds)(micros).filter(|_| micros <= engine.last_time())?;
                    Some((text(nanos, *unit), bounds.map(|id| subject.shown(&id))))
                })
                .collect();
            let texts: Vec<_> = cases.keys().map(|text| format!("SELECT '{text}' AS t")).collect();
            let moments =
                format!("SELECT t, {expression} AS moment FROM ({}) AS texts", texts.join(" UNION ALL "));
            for row in self.db.rows(&self.bounds_of(subject, &moments)?)? {
                let text = row[0].clone().unwrap_or_default();
                let expected = cases.get(&text).ok_or("the database changed a text")?;
                let found = [1, 2].map(|i| row[i].clone().unwrap_or_default());
                if found != *expected {
                    self.report.fail(
                        &kind,
                        &format!("{expression}, t = '{text}': found {found:?}, expected {expected:?}"),
                    );
                }
                tried += 1;
            }
            // Just before the first time, which ClickHouse's `DateTime` has only after 1970.
            let first = i128::from(*subject.times.start()) * MICRO - unit;
            if first < 0 && *last == SECONDS {
                continue;
            }
            let first = text(first, *unit);
            let query = format!("SELECT t, {expression} AS moment FROM (SELECT '{first}' AS t) AS texts");
            self.has_no_bounds(subject, &kind, &format!("{expression}, t = '{first}'"), &query)?;
            tried += 1;
        }
        for moment in engine.others() {
            self.has_no_bounds(subject, &kind, moment, &format!("SELECT '' AS t, {moment} AS moment"))?;
            tried += 1;
        }
        self.report.cases(&kind, tried);
        Ok(())
    }

    /// The text and the bounds of each moment of a query.
    fn bounds_of(&self, subject: &Subject, moments: &str) -> Result<String> {
        let shown = |call: &str| self.engine.shown(subject, Kind::Id, call);
        if self.engine == Engine::Sqlite {
            let query = super::query_of(subject, "moment", &format!("({moments})"))?;
            let [least, greatest] = BOUNDS.map(|name| shown(&subject.name(name)));
            return Ok(format!("SELECT moment, {least}, {greatest} FROM ({query})"));
        }
        let [least, greatest] = BOUNDS.map(|name| shown(&format!("{}(moment)", subject.name(name))));
        Ok(format!("SELECT t, {least}, {greatest} FROM ({moments}) AS moments"))
    }

    fn has_no_bounds(&mut self, subject: &Subject, kind: &str, moment: &str, moments: &str) -> Result {
        let query = self.bounds_of(subject, moments)?;
        if self.engine != Engine::Sqlite {
            let query = query.strip_prefix("SELECT ").unwrap_or(&query);
            return self.is_error(kind, &format!("the bounds of {moment}"), query);
        }
        let rows = self.db.rows(&query)?;
        if rows[0][1..] != [None, None] {
            self.report.fail(kind, &format!("{query}: expected NULL, found {rows:?}"));
        }
        Ok(())
    }
}

/// The time in nanoseconds since 1970 as text, with the digits of the unit.
fn text(nanos: i128, unit: i128) -> String {
    let text = format!("{}{:03}", civil(nanos.div_euclid(MICRO)), nanos.rem_euclid(MICRO));
    let cut = match unit {
        DAY => 19,
        SECOND => 10,
        // A digit for each power of ten.
        _ => unit.ilog10() as usize,
    };
    text[..text.len() - cut].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_digits_of_the_unit() {
        let nanos = 1_717_653_966_666_777_888;
        for (unit, expected) in [
            (1, "2024-06-06 06:06:06.666777888"),
            (100, "2024-06-06 06:06:06.6667778"),
            (MICRO, "2024-06-06 06:06:06.666777"),
            (MILLI, "2024-06-06 06:06:06.666"),
            (SECOND, "2024-06-06 06:06:06"),
            (DAY, "2024-06-06"),
        ] {
            assert_eq!(text(nanos, unit), expected);
        }
    }
}
