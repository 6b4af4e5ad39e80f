use super::{Joining, Maker, Parameters, Settings, join};
use crate::{
    problem::Problem,
    query::{Query, SCHEME},
    series::{AnySeries, Series},
};
use sortid::ron_uid::Options;
use sortid_fleet::{Generator, Node};
use sortid_inspect::Options as DescribeOptions;
use std::sync::Arc;

pub(super) const PARAMETERS: Parameters = Parameters { make: &[], inspect: &[SCHEME], range: &[] };

pub(super) struct RonUids {
    series: Arc<Series<Generator<Options>>>,
    options: Options,
}

pub(super) fn maker(settings: Settings) -> RonUids {
    RonUids { series: Arc::new(Series::without_generator()), options: Options::new(settings.origin) }
}

impl Maker for RonUids {
    fn series(&self, _: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
        Ok((Arc::clone(&self.series) as _, DescribeOptions::default()))
    }

    fn watched(&self) -> Vec<Arc<dyn AnySeries>> {
        vec![Arc::clone(&self.series) as _]
    }

    fn needs_node(&self) -> bool {
        true
    }

    fn join<'a>(&'a self, node: &'a Node) -> Joining<'a> {
        Box::pin(join(&self.series, node, self.options))
    }

    fn leave(&self, why: &str) {
        self.series.end(why);
    }
}
