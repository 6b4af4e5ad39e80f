//! `docs/performance.md`: the benchmarks beside the peers, and what belongs on the same page.

use super::{
    cost, draw_charts, growth,
    page::{self, Page},
};
use crate::{
    bench::{self, Options, budget, tables},
    shell::Result,
};

/// Measures. A full run writes the page and its charts; a quick or filtered run prints.
pub(crate) fn run(options: &Options, is_json: bool) -> Result {
    let mut measured = bench::measure(options)?;
    if options.is_quick {
        // With so little input, these times are those of starting the program.
        measured.retain(|it| it.group != "program");
    }
    if is_json {
        for measured in &measured {
            println!("{}", measured.to_json());
        }
    } else if options.is_quick || options.filter.is_some() {
        println!("{}\n{}", budget::table(&measured), tables::all(&measured));
    } else {
        let mut page = Page::read("performance.md")?;
        page.replace("machine", &page::machine_and_peers()?)?;
        page.replace("budget", &budget::table(&measured))?;
        page.replace("times", &tables::all(&measured))?;
        page.write()?;
        cost::run()?;
        growth::write(false)?;
        draw_charts()?;
    }
    Ok(())
}
