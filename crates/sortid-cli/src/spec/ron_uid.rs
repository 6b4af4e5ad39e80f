use super::id::{DescribeOptions, Id};
use crate::{
    description::{Description, Field, Value, widened},
    examples::examples,
    time::Time,
};
use sortid::{
    OptionError,
    ron_uid::{Base64x64, Calendar, LamportClock, Options, ReplicaScheme, RonUid},
};

/// Swarm RON UID, 128 bits: a calendar time and an origin.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make two UIDs of a given origin", "sortid new ron-uid --origin Xgritzk0_D -n 2"),
    ("Check that the origin has 1 digit for a server, 6 for a user, 3 for a session", "sortid new ron-uid --origin Xgritzk0_D --scheme 0163"),
    ("Count instead of reading the clock", "sortid new ron-uid --logical --origin Xgritzk0_D -n 2"),
]))]
pub(crate) struct Args {
    /// The place where the UIDs are made: up to 10 digits of Base64x64, such as `Xgritzk0_D`
    #[arg(long, required_unless_present = "logical", value_parser = Base64x64::parse)]
    origin: Option<Base64x64>,

    /// How many digits of the origin name the peer, the server, the user and the session; the origin has to fit
    #[arg(long, requires = "origin", value_parser = ReplicaScheme::parse)]
    scheme: Option<ReplicaScheme>,

    /// The least number of digits that a time keeps: 5 to 10 [default: 10]; with --logical the number of digits: 1 to 10
    /// [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) min_len: Option<usize>,

    /// Count instead of reading the clock
    #[arg(long)]
    pub(crate) logical: bool,
}

impl Args {
    /// The origin, if it fits the scheme.
    pub(crate) fn origin(&self) -> Result<Base64x64, String> {
        let origin = self.origin.unwrap_or_default();
        if let Some(scheme) = self.scheme {
            scheme
                .split(origin)
                .map_err(|error| format!("{origin} is not an origin of the scheme {scheme}: {error}"))?;
        }
        Ok(origin)
    }

    pub(crate) fn options(&self, origin: Base64x64) -> Result<Options, OptionError> {
        Options::new(origin).min_length(self.min_len.unwrap_or(10))
    }

    /// The options of a fleet. The number takes the last digits of the origin: those of the session, if there is a scheme.
    pub(crate) fn options_of_fleet(&self, origin: Base64x64) -> Result<Options, String> {
        let options = self.options(origin).map_err(|error| error.to_string())?;
        match self.scheme.map(|scheme| (scheme, scheme.counts()[3])) {
            Some((scheme, 0)) => Err(format!(
                "the scheme {scheme} has no digits for a session, which would have the number of the fleet: use another scheme, or leave --scheme out"
            )),
            Some((_, digits @ 1..=2)) => {
                options.session_digits(digits.into()).map_err(|error| error.to_string())
            }
            _ => Ok(options),
        }
    }

    pub(crate) fn logical_clock(&self, origin: Base64x64) -> Result<LamportClock, OptionError> {
        LamportClock::new(origin, self.min_len.unwrap_or(5))
    }

    pub(crate) fn describe_options(&self) -> DescribeOptions {
        DescribeOptions { replica_scheme: self.scheme, ..DescribeOptions::default() }
    }
}

impl Id for RonUid {
    fn describe(&self, _: DescribeOptions) -> Description {
        let (value, origin) = (self.value(), self.origin());
        let digits = |digits: Base64x64| Value::Text(widened(&digits.encode()));
        Description {
            id: (*self).into(),
            text: widened(&self.encode()),
            time: self.unix_millis().map(Time::from_unix_millis),
            fields: vec![
                Field::only_in_picture("variety", 4, 0),
                Field::new("value", 60, digits(value)),
                Field::without_bits("as an integer", "value_int", Value::text(value.to_int())),
                Field::only_in_picture("zero", 2, 0),
                Field::new("scheme", 2, Value::text(self.scheme().name())),
                Field::new("origin", 60, digits(origin)),
                Field::without_bits("as an integer", "origin_int", Value::text(origin.to_int())),
            ],
        }
    }

    fn details(&self, options: DescribeOptions) -> Vec<[String; 3]> {
        let mut details = vec![];
        if self.unix_millis().is_some() {
            details.extend(calendar(self.value()));
        }
        if let Some(scheme) = options.replica_scheme {
            details.extend(replica(self.origin(), scheme));
        }
        details
    }
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
