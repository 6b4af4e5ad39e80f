//! Benchmarks, by Criterion: `cargo xtask bench`.

mod ledger;

use criterion::Criterion;
use std::{path::Path, time::Duration};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root")
}

fn main() -> Result {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .sample_size(20)
        .configure_from_args();
    ledger::run(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}
