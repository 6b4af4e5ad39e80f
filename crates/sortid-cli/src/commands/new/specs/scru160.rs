use super::{Refusal, Request};
use crate::{examples::examples, spec::DescribeOptions};
use sortid::{ConfigError, scru160::Options};

/// SCRU160, 160 bits: milliseconds, a counter and 96 random bits.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make an ID of node 3 of 32", "sortid new scru160 --node 3:5"),
    ("Keep the microsecond in the counter", "sortid new scru160 --micros-counter -n 2"),
]))]
pub(in super::super) struct Args {
    /// How many bits of the counter start at random: 0 to 15 [default: 15]; with --micros-counter 0 to 5 [default: 5]
    #[arg(long, value_name = "BITS")]
    counter_start_bits: Option<u32>,

    /// Keep the microsecond in the upper 10 bits of the counter
    #[arg(long)]
    micros_counter: bool,

    /// How many bits of the field random16 extend the counter
    #[arg(long, value_name = "BITS", default_value_t = 0)]
    counter_extension_bits: u32,

    /// A node ID to keep in random16, and how many bits it takes: 3:5 is node 3 of 32
    #[arg(long, value_name = "NODE:BITS", value_parser = parse_node)]
    node: Option<(u16, u32)>,
}

fn parse_node(text: &str) -> Result<(u16, u32), String> {
    text.split_once(':')
        .and_then(|(node, bits)| Some((node.parse().ok()?, bits.parse().ok()?)))
        .ok_or_else(|| "expected a node of up to 16 bits and its number of bits, such as 3:5".to_owned())
}

impl Args {
    fn options(&self) -> Result<Options, ConfigError> {
        let mut options = if self.micros_counter { Options::with_micros_counter() } else { Options::new() };
        if let Some(bits) = self.counter_start_bits {
            options = options.counter_start_bits(bits)?;
        }
        if let Some((node, bits)) = self.node {
            options = options.node(node, bits)?;
        }
        options.counter_extension_bits(self.counter_extension_bits)
    }

    pub(super) fn print(&self, request: Request<'_>) -> Result<(), Refusal> {
        request.check_free("node", self.node.is_some())?;
        Ok(request.print(self.options()?, DescribeOptions::default())?)
    }
}
