use super::{Refusal, Request};
use crate::{examples::examples, failure::Failure, spec::DescribeOptions};
use sortid::{
    Entropy as _, GenerateError, ThreadEntropy,
    ron_uid::{Base64x64, LamportClock, Options, ReplicaScheme, RonUid},
};
use std::time::Duration;

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

const NO_TIME: &str = "--logical counts and uses no time: leave --at out";

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

    /// The node ID of a fleet takes the last digits of the origin. If there is a scheme, it takes the digits of the session.
    fn options_of_fleet(&self, options: Options) -> Result<Options, Refusal> {
        match self.scheme.map(|scheme| (scheme, scheme.counts()[3])) {
            Some((scheme, 0)) => Err(format!("the scheme {scheme} has no digits for a session. The node ID takes these digits: use another scheme, or leave --scheme out").into()),
            Some((_, digits @ 1..=2)) => Ok(options.session_digits(digits.into())?),
            _ => Ok(options),
        }
    }

    pub(super) fn print(&self, request: Request<'_>) -> Result<(), Refusal> {
        match &request {
            Request::GivenTimes(_) if self.logical => return Err(NO_TIME.into()),
            Request::GivenTimes(_) if self.min_len.is_some() => {
                return Err("UIDs of given times keep their milliseconds: leave --min-len out".into());
            }
            Request::Fleet(fleet) if self.logical => {
                let url = fleet.url.name();
                return Err(format!(
                    "--logical uses no time, and {url} reserves time: leave one of them out"
                )
                .into());
            }
            _ => {}
        }
        let origin = self.origin()?;
        let describe = DescribeOptions { replica_scheme: self.scheme, ..DescribeOptions::default() };
        if let Request::Present(present) = &request
            && self.logical
        {
            if present.at.is_some() {
                return Err(NO_TIME.into());
            }
            let clock = LamportClock::new(origin, self.min_len.unwrap_or(5))?;
            return Ok(present.print(describe, Duration::ZERO, || 0, |batch| clock.fill(batch))?);
        }
        if let Some(last) = request.after::<RonUid>()?.map(|last| last.origin())
            && last != origin
        {
            return Err(format!("--after is a UID of the origin {last}: give --origin {last}").into());
        }
        let mut options = Options::new(origin).min_length(self.min_len.unwrap_or(10))?;
        if let Request::Fleet(_) = request {
            options = self.options_of_fleet(options)?;
        }
        Ok(request.print(options, describe)?)
    }
}

/// A UID of a random origin. The specification allows one where nobody assigns origins.
pub(super) fn sample() -> Result<RonUid, Failure> {
    let random = u64::from_be_bytes(ThreadEntropy.draw().map_err(GenerateError::from)?);
    let origin = Base64x64::try_from_int(random >> 4).expect("60 bits are left");
    Ok(Options::new(origin).build().generate()?)
}
