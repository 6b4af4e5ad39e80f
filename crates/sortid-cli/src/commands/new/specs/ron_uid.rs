use super::{GivenTimes, Make, Present, Reserving};
use crate::{examples::examples, failure::Failure, spec::DescribeOptions, verdict::Verdict};
use sortid::{
    ConfigError, Entropy as _, GenerateError, ThreadEntropy,
    ron_uid::{Base64x64, LamportClock, Options, ReplicaScheme, RonUid},
};
use std::{convert::identity, time::Duration};

/// Swarm RON UID, 128 bits: a calendar time and an origin.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make two UIDs of a given origin", "sortid new ron-uid --origin Xgritzk0_D -n 2"),
    ("Check that the origin has 1 digit for a server, 6 for a user, 3 for a session", "sortid new ron-uid --origin Xgritzk0_D --scheme 0163"),
    ("Count instead of reading the clock", "sortid new ron-uid --logical --origin Xgritzk0_D -n 2"),
]))]
pub(in super::super) struct Args {
    /// The place where the UIDs are made: up to 10 digits of Base64x64, such as `Xgritzk0_D`
    #[arg(long, required_unless_present = "logical", value_parser = Base64x64::parse)]
    origin: Option<Base64x64>,

    /// How many digits of the origin name the peer, the server, the user and the session; the origin has to fit
    #[arg(long, requires = "origin", value_parser = ReplicaScheme::parse)]
    scheme: Option<ReplicaScheme>,

    /// The least number of digits that a time keeps: 5 to 10 [default: 10]; with --logical the number of digits: 1 to 10
    /// [default: 5]
    #[arg(long, value_name = "N")]
    min_len: Option<usize>,

    /// Count instead of reading the clock
    #[arg(long)]
    logical: bool,
}

impl Args {
    /// The origin, if it fits the scheme.
    fn origin(&self) -> Result<Base64x64, String> {
        let origin = self.origin.unwrap_or_default();
        if let Some(scheme) = self.scheme {
            scheme
                .split(origin)
                .map_err(|error| format!("{origin} is not an origin of the scheme {scheme}: {error}"))?;
        }
        Ok(origin)
    }

    fn options(&self, origin: Base64x64) -> Result<Options, ConfigError> {
        Options::new(origin).min_length(self.min_len.unwrap_or(10))
    }

    /// The options of a fleet. The node ID takes the last digits of the origin. If there is a scheme, it takes the digits of
    /// the session.
    fn options_of_fleet(&self, origin: Base64x64) -> Result<Options, String> {
        let options = self.options(origin).map_err(|error| error.to_string())?;
        match self.scheme.map(|scheme| (scheme, scheme.counts()[3])) {
            Some((scheme, 0)) => Err(format!(
                "the scheme {scheme} has no digits for a session. The node ID takes these digits: use another scheme, or leave --scheme out"
            )),
            Some((_, digits @ 1..=2)) => {
                options.session_digits(digits.into()).map_err(|error| error.to_string())
            }
            _ => Ok(options),
        }
    }

    fn logical_clock(&self, origin: Base64x64) -> Result<LamportClock, ConfigError> {
        LamportClock::new(origin, self.min_len.unwrap_or(5))
    }

    fn describe_options(&self) -> DescribeOptions {
        DescribeOptions { replica_scheme: self.scheme, ..DescribeOptions::default() }
    }
}

/// A UID of a random origin. The specification allows one where nobody assigns origins.
pub(super) fn sample() -> Result<RonUid, Failure> {
    let random = u64::from_be_bytes(ThreadEntropy.draw().map_err(GenerateError::from)?);
    let origin = Base64x64::try_from_int(random >> 4).expect("60 bits are left");
    Ok(Options::new(origin).build().generate()?)
}

const NO_TIME: &str = "--logical counts and uses no time: leave --at out";

impl Make for Args {
    fn print(&self, request: &Present) -> Result<(), Failure> {
        let origin = self.origin().map_err(|error| request.usage(error))?;
        if !self.logical {
            let options = self.options(origin).map_err(|error| request.usage(error))?;
            return request.generate(options, self.describe_options(), identity);
        }
        if request.at.is_some() {
            return Err(request.usage(NO_TIME));
        }
        let clock = self.logical_clock(origin).map_err(|error| request.usage(error))?;
        request.print(self.describe_options(), Duration::ZERO, || 0, |batch| clock.fill(batch))
    }

    fn print_given_times(&self, request: &GivenTimes<'_>, verdict: &mut Verdict) -> Result<(), Failure> {
        if self.logical {
            return Err(request.usage(NO_TIME));
        }
        if self.min_len.is_some() {
            return Err(request.usage("UIDs of given times keep their milliseconds: leave --min-len out"));
        }
        let origin = self.origin().map_err(|error| request.usage(error))?;
        if let Some(last) = request.after::<RonUid>()?
            && last.origin() != origin
        {
            let origin = last.origin();
            return Err(request
                .usage(format_args!("--after is a UID of the origin {origin}: give --origin {origin}")));
        }
        request.generate(Options::new(origin), self.describe_options(), verdict, identity)
    }

    fn print_reserved(&self, request: &Reserving<'_>) -> Result<(), Failure> {
        if self.logical {
            return Err(request.usage(format_args!(
                "--logical uses no time, and {} reserves time: leave one of them out",
                request.url.name()
            )));
        }
        let origin = self.origin().map_err(|error| request.usage(error))?;
        let options = self.options_of_fleet(origin).map_err(|error| request.usage(error))?;
        request.print(options, self.describe_options())
    }
}
