use super::{Maker, Parameters, Settings};
use crate::{
    problem::Problem,
    query::{MICROS_COUNTER, Query},
    series::{Alone, AnySeries, Latest, Series},
};
use sortid::{Rollback, SystemClock, ThreadEntropy, scru160::Options};
use sortid_inspect::Options as DescribeOptions;
use std::sync::Arc;

pub(super) const PARAMETERS: Parameters = Parameters { make: &[MICROS_COUNTER], inspect: &[], range: &[] };

pub(super) struct Scru160s {
    millis: Arc<Series<Alone<Options>>>,
    micros: Arc<Series<Alone<Options>>>,
}

pub(super) fn maker(_: Settings) -> Scru160s {
    let series = |options: Options| {
        let ids = Alone::from_parts(options.rollback(Rollback::Fail), SystemClock, ThreadEntropy);
        Arc::new(Series::new(ids, &Latest::default()))
    };
    Scru160s { millis: series(Options::new()), micros: series(Options::with_micros_counter()) }
}

impl Maker for Scru160s {
    fn series(&self, query: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
        let is_micros = query.flag(MICROS_COUNTER)?.unwrap_or_default();
        let series = if is_micros { &self.micros } else { &self.millis };
        Ok((Arc::clone(series) as _, DescribeOptions::default()))
    }

    fn watched(&self) -> Vec<Arc<dyn AnySeries>> {
        vec![Arc::clone(&self.millis) as _, Arc::clone(&self.micros) as _]
    }
}
