//! What a text means, and what for.

use super::{DAY_MICROS, Time};

/// The last time that the program knows: 64 bits of microseconds, in the year 586524.
const LAST: i128 = u64::MAX as i128;

/// What a time is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The time of an ID. A date is its midnight.
    Instant,
    /// The first time of a span.
    Since,
    /// The last time of a span. A date is its last microsecond.
    Until,
}

/// What a text means: a point in time, or all microseconds of a date or a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) first: Time,
    last: Time,
}

impl Moment {
    /// The days from `micros` on, in UTC; or the point in time `micros`, without a number of days.
    pub(super) fn of_micros(micros: i128, days: Option<i8>) -> Result<Self, String> {
        let time = |micros| Time { micros, digits: 6 };
        let end = days.map_or(micros, |days| micros + i128::from(days) * DAY_MICROS - 1);
        match micros {
            ..0 => Err("expected a time from 1970 on".to_owned()),
            0..=LAST => Ok(Self { first: time(micros), last: time(LAST.min(end)) }),
            _ => Err(format!("expected a time up to {}", time(LAST))),
        }
    }

    pub(super) const fn of(self, role: Role) -> Time {
        match role {
            Role::Instant | Role::Since => self.first,
            Role::Until => self.last,
        }
    }
}
