use super::DescribeOptions;
use crate::{examples::examples, time::parse_fixed};
use sortid::{
    OptionError,
    ulid_flake::{Epoch, Options, scalable},
};

/// Ulid-Flake, 64 bits: milliseconds since 2024 and 20 random bits.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make two IDs for a column of integers", "sortid new ulid-flake --format int -n 2"),
    ("Make an ID of node 7 of 32", "sortid new ulid-flake --scalable --node 7"),
]))]
pub(crate) struct Args {
    /// Make the scalable version: 15 random bits and a node number
    #[arg(long)]
    pub(crate) scalable: bool,

    /// The node number of the scalable version, 0 to 31
    #[arg(long, requires = "scalable", value_parser = clap::value_parser!(u8).range(0..=31))]
    node: Option<u8>,

    /// The time that timestamps count from [default: 2024-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_epoch)]
    epoch: Option<Epoch>,

    /// How many random bytes make the step to the next ID of the same millisecond: 1 to 3; with --scalable 1 or 2
    /// [default: 1]
    #[arg(long, value_name = "BYTES")]
    pub(crate) entropy_bytes: Option<usize>,
}

pub(crate) fn parse_epoch(text: &str) -> Result<Epoch, String> {
    let millis = parse_fixed(text)?.unix_millis();
    let millis = u64::try_from(millis).map_err(|_| "expected a time from 1970 on".to_owned())?;
    Epoch::from_unix_millis(millis).map_err(|error| error.to_string())
}

impl Args {
    pub(crate) const fn has_node(&self) -> bool {
        self.node.is_some()
    }

    fn epoch(&self) -> Epoch {
        self.epoch.unwrap_or_default()
    }

    pub(crate) fn describe_options(&self) -> DescribeOptions {
        DescribeOptions { scalable: self.scalable, epoch: self.epoch(), ..DescribeOptions::default() }
    }

    pub(crate) fn options(&self) -> Result<Options, OptionError> {
        Options::new().epoch(self.epoch()).entropy_bytes(self.entropy_bytes.unwrap_or(1))
    }

    pub(crate) fn scalable_options(&self) -> Result<scalable::Options, String> {
        let node = self.node.ok_or(
            "--scalable needs the number of a node, 0 to 31: add --node N, or reserve one with --nodes URL",
        )?;
        scalable::Options::new(node)
            .map(|options| options.epoch(self.epoch()))
            .and_then(|options| options.entropy_bytes(self.entropy_bytes.unwrap_or(1)))
            .map_err(|error| error.to_string())
    }
}
