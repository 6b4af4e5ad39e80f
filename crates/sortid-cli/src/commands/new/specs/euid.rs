use super::{GivenTimes, Make, Present, Reserving};
use crate::{examples::examples, failure::Failure, spec::DescribeOptions, verdict::Verdict};
use sortid::{
    OptionError,
    euid::{Euid, Extension, Options, shared},
};
use std::{convert::identity, str::FromStr};

/// EUID, 128 bits: milliseconds, up to 15 bits of your own, a counter and random bits.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Keep the value 5 in 8 bits of each ID", "sortid new euid --extension 5:8 -n 2"),
    ("Leave out the check, which detects mistyped IDs", "sortid new euid --no-check"),
]))]
pub(in super::super) struct Args {
    /// A value to keep in each ID, up to 32767, and how many bits it takes: 5:8 is 5 in 8 bits; 5 alone takes 3
    #[arg(long, value_name = "VALUE[:BITS]")]
    extension: Option<Asked>,

    /// Print texts without the check
    #[arg(long)]
    no_check: bool,
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
    fn extension(&self) -> Result<Option<Extension>, OptionError> {
        self.extension
            .map(|Asked { value, bits }| match bits {
                None => Extension::new(value),
                Some(bits) => Extension::with_bits(value, bits),
            })
            .transpose()
    }

    fn options(&self) -> Result<Options, OptionError> {
        let options = Options::new();
        Ok(self.extension()?.map_or(options, |extension| options.extension(extension)))
    }

    fn describe_options(&self) -> DescribeOptions {
        DescribeOptions { no_check: self.no_check, ..DescribeOptions::default() }
    }
}

pub(super) fn sample() -> Result<Euid, Failure> {
    Ok(shared().generate()?)
}

impl Make for Args {
    fn print(&self, request: &Present) -> Result<(), Failure> {
        let options = self.options().map_err(|error| request.usage(error))?;
        request.generate(options, self.describe_options(), identity)
    }

    fn print_given_times(&self, request: &GivenTimes<'_>, verdict: &mut Verdict) -> Result<(), Failure> {
        let options = self.options().map_err(|error| request.usage(error))?;
        if let Some(last) = request.after::<Euid>()?
            && last.extension() != self.extension().map_err(|error| request.usage(error))?
        {
            return Err(request.usage(match last.extension() {
                None => "--after is an ID without an extension: leave --extension out".to_owned(),
                Some(it) => {
                    let asked = format!("{}:{}", it.value(), last.extension_bits());
                    format!("--after is an ID with the extension {asked}: give --extension {asked}")
                }
            }));
        }
        request.generate(options, self.describe_options(), verdict, identity)
    }

    fn print_reserved(&self, request: &Reserving<'_>) -> Result<(), Failure> {
        if self.extension.is_some() {
            return Err(request.taken("extension"));
        }
        let options = self.options().map_err(|error| request.usage(error))?;
        request.print(options, self.describe_options())
    }
}
