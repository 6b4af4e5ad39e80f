use super::DescribeOptions;
use crate::examples::examples;
use sortid::{
    OptionError,
    euid::{Extension, Options},
};
use std::str::FromStr;

/// EUID, 128 bits: milliseconds, up to 15 bits of your own, a counter and random bits.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Keep the value 5 in 8 bits of each ID", "sortid new euid --extension 5:8 -n 2"),
    ("Leave out the check, which detects mistyped IDs", "sortid new euid --no-check"),
]))]
pub(crate) struct Args {
    /// A value to keep in each ID, up to 32767, and how many bits it takes: 5:8 is 5 in 8 bits; 5 alone takes 3
    #[arg(long, value_name = "VALUE[:BITS]")]
    extension: Option<Asked>,

    /// Print texts without the check
    #[arg(long)]
    pub(crate) no_check: bool,
}

/// The extension that the command line asks for. The library checks its value and bits.
#[derive(Clone, Copy)]
struct Asked {
    value: u16,
    bits: Option<u8>,
}

impl FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (value, bits) = match text.split_once(':') {
            Some((value, bits)) => (value, Some(bits)),
            None => (text, None),
        };
        value
            .parse()
            .ok()
            .zip(bits.map(str::parse).transpose().ok())
            .map(|(value, bits)| Self { value, bits })
            .ok_or_else(|| {
                "expected a value up to 32767, such as 5, or a value and its number of bits, such as 5:8"
                    .to_owned()
            })
    }
}

impl Args {
    pub(crate) const fn has_extension(&self) -> bool {
        self.extension.is_some()
    }

    pub(crate) fn extension(&self) -> Result<Option<Extension>, OptionError> {
        self.extension
            .map(|Asked { value, bits }| match bits {
                None => Extension::new(value),
                Some(bits) => Extension::with_bits(value, bits),
            })
            .transpose()
    }

    pub(crate) fn options(&self) -> Result<Options, OptionError> {
        let options = Options::new();
        Ok(self.extension()?.map_or(options, |extension| options.extension(extension)))
    }

    pub(crate) fn describe_options(&self) -> DescribeOptions {
        DescribeOptions { no_check: self.no_check, ..DescribeOptions::default() }
    }
}
