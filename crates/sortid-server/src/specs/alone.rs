//! A specification whose IDs need no node ID and have no parameters that the server offers.

use super::{Maker, Parameters};
use crate::{
    problem::Problem,
    query::Query,
    series::{Alone, AnySeries, Latest, Series},
};
use sortid::{
    __with_options as with_options, AnyOptions, ConfigError, Rollback, Spec, SystemClock, ThreadEntropy,
};
use sortid_inspect::Options as DescribeOptions;
use std::sync::Arc;

pub(super) const PARAMETERS: Parameters = Parameters { make: &[], inspect: &[], range: &[] };

/// The series of the specification, or why the server makes no IDs of it.
pub(super) struct Ids(Result<Arc<dyn AnySeries>, ConfigError>);

pub(super) fn maker(spec: Spec) -> Ids {
    Ids(AnyOptions::new(spec, &[]).map(|options| series(options, &Latest::default())))
}

/// A series with these options, which refuses to make IDs after the clock was set back.
pub(super) fn series(options: AnyOptions, latest: &Latest) -> Arc<dyn AnySeries> {
    with_options!(options.rollback(Rollback::Fail), options => {
        Arc::new(Series::new(Alone::from_parts(options, SystemClock, ThreadEntropy), latest))
    })
}

impl Maker for Ids {
    fn series(&self, _: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
        let series = self.0.as_ref().map_err(Problem::not_made)?;
        Ok((Arc::clone(series), DescribeOptions::default()))
    }

    fn watched(&self) -> Vec<Arc<dyn AnySeries>> {
        self.0.iter().map(Arc::clone).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Shape;
    use sortid_inspect::__private::program::Format;

    #[tokio::test]
    async fn a_specification_without_a_file_has_ids_if_no_option_is_required() {
        let shape = Shape { format: Format::TEXT, is_array: false };
        for &spec in Spec::ALL {
            let required: Vec<_> =
                spec.options().iter().filter(|option| option.is_required).map(|option| option.name).collect();
            let ids = maker(spec);
            assert_eq!(ids.watched().len(), usize::from(required.is_empty()));
            match ids.series(&Query::read(None, &[]).unwrap()) {
                Ok((series, describe)) => {
                    let lines = series.make(10, shape, describe).await.ok().unwrap();
                    let lines = String::from_utf8(lines).unwrap();
                    assert!(lines.lines().count() == 10 && lines.lines().is_sorted(), "{lines}");
                }
                Err(_) => assert!(!required.is_empty(), "{spec} has no IDs"),
            }
        }
    }
}
