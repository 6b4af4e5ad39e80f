//! The least and the greatest ID of a time span.

use super::time::Time;
use sortid::{
    AnyId, Spec, UnixMicros,
    ulid_flake::{Epoch, UlidFlake},
};
use std::ops::RangeInclusive;

/// A time span of a query. Both ends belong to it.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub spec: Spec,
    pub since: Option<Time>,
    pub until: Option<Time>,
    /// The time that the timestamps of Ulid-Flakes count from, if it is not the default.
    pub epoch: Option<Epoch>,
    /// What is before the name of an option in messages: `--` on a command line.
    pub dashes: &'static str,
}

#[derive(Clone, Copy)]
enum End {
    Least,
    Greatest,
}

impl Span {
    /// Whether the span has an end, and an epoch only if it can have one.
    pub fn check(&self) -> Result<(), String> {
        let Self { spec, dashes, .. } = *self;
        if self.since.is_none() && self.until.is_none() {
            return Err(format!("expected {dashes}since TIME, {dashes}until TIME or both, found neither"));
        }
        if self.epoch.is_some() && spec != Spec::UlidFlake {
            return Err(format!("{dashes}epoch is for ulid-flake"));
        }
        Ok(())
    }

    /// The least and the greatest ID. `None` for an end that is not given.
    pub fn bounds(&self) -> Result<[Option<AnyId>; 2], String> {
        let Self { since, until, dashes, .. } = *self;
        if let Some((since, until)) =
            since.zip(until).filter(|(since, until)| since.unix_micros() > until.unix_micros())
        {
            return Err(format!("{dashes}since {since} is after {dashes}until {until}: swap the two times"));
        }
        let least = since.map(|time| self.bound(time, End::Least)).transpose()?;
        let greatest = until.map(|time| self.bound(time, End::Greatest)).transpose()?;
        Ok([least, greatest])
    }

    fn bound(&self, time: Time, end: End) -> Result<AnyId, String> {
        let Self { spec, dashes, .. } = *self;
        let at = UnixMicros(time.unix_micros());
        let id = match (self.epoch, end) {
            (Some(epoch), End::Least) => UlidFlake::min_at_with(epoch, at).map(AnyId::from),
            (Some(epoch), End::Greatest) => UlidFlake::max_at_with(epoch, at).map(AnyId::from),
            (None, End::Least) => AnyId::min_at(spec, at),
            (None, End::Greatest) => AnyId::max_at(spec, at),
        };
        id.map_err(|_| {
            let times = self.times();
            let [first, last] = [*times.start(), *times.end()].map(Time::from_unix_micros);
            let is_early = time.unix_micros() < first.unix_micros();
            let advice = match end {
                End::Least if is_early => format!("; leave {dashes}since out to begin with the first ID"),
                End::Greatest if !is_early => format!("; leave {dashes}until out to end with the last ID"),
                _ if spec == Spec::UlidFlake => {
                    format!("; if yours count from another time, give it with {dashes}epoch")
                }
                _ => String::new(),
            };
            format!("no {spec} has the time {time}: timestamps range from {first} to {last}{advice}")
        })
    }

    fn times(&self) -> RangeInclusive<u64> {
        match self.epoch {
            None => self.spec.times(),
            Some(epoch) => {
                let first = epoch.unix_millis();
                1000 * first..=1000 * (first + UlidFlake::MAX_TIMESTAMP) + 999
            }
        }
    }
}
