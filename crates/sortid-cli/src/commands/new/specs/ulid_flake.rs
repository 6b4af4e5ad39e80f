use super::{Refusal, Request};
use crate::{
    examples::examples,
    spec::{DescribeOptions, parse_epoch},
};
use sortid::{
    AnyOptions,
    ulid_flake::{Epoch, Options, scalable},
};

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
    pub(super) fn print(&self, request: Request<'_>) -> Result<(), Refusal> {
        request.check_free("node", self.node.is_some())?;
        let is_fleet = matches!(request, Request::Fleet(_));
        if matches!(request, Request::GivenTimes(_)) && self.entropy_bytes.is_some() {
            return Err("IDs of given times have steps of their own: leave --entropy-bytes out".into());
        }
        if self.scalable && self.node.is_none() && !is_fleet {
            let message =
                "--scalable needs a node ID, 0 to 31: add --node N, or reserve one with --nodes URL";
            return Err(message.into());
        }
        let (epoch, bytes) = (self.epoch.unwrap_or_default(), self.entropy_bytes.unwrap_or(1));
        let options: AnyOptions = match self.node {
            Some(node) => scalable::Options::new(node)?.epoch(epoch).entropy_bytes(bytes)?.into(),
            None => Options::new().epoch(epoch).entropy_bytes(bytes)?.into(),
        };
        let scalable = self.scalable || is_fleet;
        Ok(request.print(options, DescribeOptions { scalable, epoch, ..DescribeOptions::default() })?)
    }
}
