use crate::description::Options;
use sortid::ron_uid::{Base64x64, Calendar, ReplicaScheme, RonUid};

pub(super) fn details(id: RonUid, options: &Options) -> Vec<[String; 3]> {
    let mut details = vec![];
    if id.unix_millis().is_some() {
        details.extend(calendar(id.value()));
    }
    if let Some(scheme) = options.replica_scheme {
        details.extend(replica(id.origin(), scheme));
    }
    details
}

/// The digits of a time, one by one.
fn calendar(value: Base64x64) -> Vec<[String; 3]> {
    let Some(time) = Calendar::from_value(value) else { return vec![] };
    let digits: Vec<char> = format!("{:0<10}", value.encode().as_str()).chars().collect();
    let Calendar { year, month, day, hour, minute, second, millis, sequence } = time;
    let months = (u32::from(year) - 2010) * 12 + u32::from(month) - 1;
    [
        (0..2, "months since 2010-01", format!("{months}: {year}-{month:02}")),
        (2..3, "day of the month - 1", format!("{}: day {day}", day - 1)),
        (3..4, "hour", hour.to_string()),
        (4..5, "minute", minute.to_string()),
        (5..6, "second", second.to_string()),
        (6..8, "millisecond", millis.to_string()),
        (8..10, "sequence", sequence.to_string()),
    ]
    .map(|(places, name, value)| [digits[places].iter().collect(), name.to_owned(), value])
    .to_vec()
}

/// The parts of an origin.
fn replica(origin: Base64x64, scheme: ReplicaScheme) -> Vec<[String; 3]> {
    match scheme.split(origin) {
        Err(error) => {
            vec![[scheme.to_string(), "not the scheme of this origin".to_owned(), error.to_string()]]
        }
        Ok(parts) => {
            [("peer", parts.peer), ("server", parts.server), ("user", parts.user), ("session", parts.session)]
                .into_iter()
                .zip(scheme.counts())
                .filter(|(_, digits)| *digits > 0)
                .map(|((name, part), digits)| {
                    [part.to_string(), name.to_owned(), format!("{digits} of the 10 digits")]
                })
                .collect()
        }
    }
}
