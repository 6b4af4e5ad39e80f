use super::DescribeOptions;
use crate::examples::examples;
use sortid::{
    OptionError,
    ron_uid::{Base64x64, LamportClock, Options, ReplicaScheme},
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
