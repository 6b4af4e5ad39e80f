use super::{GivenTimes, Make, Present, Reserving};
use crate::{examples::examples, failure::Failure, spec::DescribeOptions, verdict::Verdict};
use sortid::{
    ConfigError,
    euid::{Euid, Extension, Options, shared},
};
use sortid_inspect::__private::program::AskedExtension;
use std::convert::identity;

/// EUID, 128 bits: milliseconds, up to 15 bits of your own, a counter and random bits.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Keep the value 5 in 8 bits of each ID", "sortid new euid --extension 5:8 -n 2"),
    ("Leave out the check, which detects mistyped IDs", "sortid new euid --no-check"),
]))]
pub(in super::super) struct Args {
    /// A value to keep in each ID, up to 32767, and how many bits it takes: 5:8 is 5 in 8 bits; 5 alone takes 3
    #[arg(long, value_name = "VALUE[:BITS]")]
    extension: Option<AskedExtension>,

    /// Print texts without the check
    #[arg(long)]
    no_check: bool,
}

impl Args {
    fn extension(&self) -> Result<Option<Extension>, ConfigError> {
        self.extension.map(AskedExtension::get).transpose()
    }

    fn options(&self) -> Result<Options, ConfigError> {
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
                    let asked = format!("{}:{}", it.value(), it.bits());
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
