use super::{GivenTimes, Make, Present, Reserving};
use crate::{
    examples::examples,
    failure::Failure,
    spec::{DescribeOptions, parse_epoch},
    verdict::Verdict,
};
use sortid::{
    ConfigError,
    ulid_flake::{Epoch, Options, UlidFlake, scalable, shared},
};
use std::convert::identity;

/// Ulid-Flake, 64 bits: milliseconds since 2024 and 20 random bits.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make two IDs for a column of integers", "sortid new ulid-flake --format int -n 2"),
    ("Make an ID of node 7 of 32", "sortid new ulid-flake --scalable --node 7"),
]))]
pub(in super::super) struct Args {
    /// Make the scalable version: 15 random bits and a node ID
    #[arg(long)]
    scalable: bool,

    /// The node ID of the scalable version, 0 to 31
    #[arg(long, requires = "scalable", value_parser = clap::value_parser!(u8).range(0..=31))]
    node: Option<u8>,

    /// The time that timestamps count from [default: 2024-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_epoch)]
    epoch: Option<Epoch>,

    /// How many random bytes make the step to the next ID of the same millisecond: 1 to 3; with --scalable 1 or 2
    /// [default: 1]
    #[arg(long, value_name = "BYTES")]
    entropy_bytes: Option<usize>,
}

impl Args {
    fn epoch(&self) -> Epoch {
        self.epoch.unwrap_or_default()
    }

    fn describe_options(&self) -> DescribeOptions {
        DescribeOptions { scalable: self.scalable, epoch: self.epoch(), ..DescribeOptions::default() }
    }

    fn options(&self) -> Result<Options, ConfigError> {
        Options::new().epoch(self.epoch()).entropy_bytes(self.entropy_bytes.unwrap_or(1))
    }

    fn scalable_options(&self) -> Result<scalable::Options, String> {
        let node = self
            .node
            .ok_or("--scalable needs a node ID, 0 to 31: add --node N, or reserve one with --nodes URL")?;
        scalable::Options::new(node)
            .map(|options| options.epoch(self.epoch()))
            .and_then(|options| options.entropy_bytes(self.entropy_bytes.unwrap_or(1)))
            .map_err(|error| error.to_string())
    }
}

pub(super) fn sample() -> Result<UlidFlake, Failure> {
    Ok(shared().generate()?)
}

impl Make for Args {
    fn print(&self, request: &Present) -> Result<(), Failure> {
        if self.scalable {
            let options = self.scalable_options().map_err(|error| request.usage(error))?;
            return request.generate(options, self.describe_options(), identity);
        }
        let options = self.options().map_err(|error| request.usage(error))?;
        request.generate(options, self.describe_options(), identity)
    }

    fn print_given_times(&self, request: &GivenTimes<'_>, verdict: &mut Verdict) -> Result<(), Failure> {
        if self.entropy_bytes.is_some() {
            return Err(
                request.usage("IDs of given times have steps of their own: leave --entropy-bytes out")
            );
        }
        if self.scalable {
            let options = self.scalable_options().map_err(|error| request.usage(error))?;
            return request.generate(options, self.describe_options(), verdict, identity);
        }
        let options = self.options().map_err(|error| request.usage(error))?;
        request.generate(options, self.describe_options(), verdict, identity)
    }

    fn print_reserved(&self, request: &Reserving<'_>) -> Result<(), Failure> {
        if self.node.is_some() {
            return Err(request.taken("node"));
        }
        let options = self.options().map_err(|error| request.usage(error))?;
        let describe = DescribeOptions { scalable: true, ..self.describe_options() };
        request.print(options, describe)
    }
}
