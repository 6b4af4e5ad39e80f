use super::{Refusal, Request};
use crate::{examples::examples, spec::DescribeOptions};
use sortid::euid::{Euid, Options};
use sortid_inspect::__private::program::AskedExtension;

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
    pub(super) fn print(&self, request: Request<'_>) -> Result<(), Refusal> {
        request.check_free("extension", self.extension.is_some())?;
        let extension = self.extension.map(AskedExtension::get).transpose()?;
        if let Some(last) = request.after::<Euid>()?.map(|last| last.extension())
            && last != extension
        {
            return Err(match last.map(|it| format!("{}:{}", it.value(), it.bits())) {
                None => "--after is an ID without an extension: leave --extension out".into(),
                Some(it) => format!("--after is an ID with the extension {it}: give --extension {it}").into(),
            });
        }
        let options = Options::new();
        let options = extension.map_or(options, |extension| options.extension(extension));
        let describe = DescribeOptions { no_check: self.no_check, ..DescribeOptions::default() };
        Ok(request.print(options, describe)?)
    }
}
