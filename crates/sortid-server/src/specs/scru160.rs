use super::{Maker, Parameters, alone};
use crate::{
    problem::Problem,
    query::{MICROS_COUNTER, Query},
    series::{AnySeries, Latest},
};
use sortid::scru160::Options;
use sortid_inspect::Options as DescribeOptions;
use std::sync::Arc;

pub(super) const PARAMETERS: Parameters = Parameters { make: &[MICROS_COUNTER], inspect: &[], range: &[] };

pub(super) struct Scru160s {
    millis: Arc<dyn AnySeries>,
    micros: Arc<dyn AnySeries>,
}

pub(super) fn maker() -> Scru160s {
    let series = |options: Options| alone::series(options.into(), &Latest::default());
    Scru160s { millis: series(Options::new()), micros: series(Options::with_micros_counter()) }
}

impl Maker for Scru160s {
    fn series(&self, query: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
        let is_micros = query.flag(MICROS_COUNTER)?.unwrap_or_default();
        let series = if is_micros { &self.micros } else { &self.millis };
        Ok((Arc::clone(series), DescribeOptions::default()))
    }

    fn watched(&self) -> Vec<Arc<dyn AnySeries>> {
        vec![Arc::clone(&self.millis), Arc::clone(&self.micros)]
    }
}
