use super::{Maker, Parameters, alone};
use crate::{
    problem::Problem,
    query::{EXTENSION, NO_CHECK, Query},
    series::{Alone, AnySeries, Latest, Series},
};
use sortid::euid::{Extension, Options};
use sortid_inspect::Options as DescribeOptions;
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

pub(super) const PARAMETERS: Parameters =
    Parameters { make: &[EXTENSION, NO_CHECK], inspect: &[], range: &[] };

const _: () = assert!(size_of::<Series<Alone<Options>>>() <= 1024);

/// A series for each extension that a request asked for, and one for the IDs without an extension. A server keeps them
/// until it ends, because each has its order. There are at most 65 535, of less than a kilobyte each.
pub(super) struct Euids {
    plain: Arc<dyn AnySeries>,
    extended: RwLock<BTreeMap<Extension, Arc<dyn AnySeries>>>,
    /// So that nobody has to ask each series.
    latest: Latest,
}

pub(super) fn maker() -> Euids {
    let latest = Latest::default();
    Euids { plain: alone::series(Options::new().into(), &latest), extended: RwLock::default(), latest }
}

impl Euids {
    fn of(&self, extension: Option<Extension>) -> Arc<dyn AnySeries> {
        let Some(extension) = extension else { return Arc::clone(&self.plain) };
        if let Some(series) = self.extended.read().unwrap_or_else(PoisonError::into_inner).get(&extension) {
            return Arc::clone(series);
        }
        // Another request can have been faster.
        let mut extended = self.extended.write().unwrap_or_else(PoisonError::into_inner);
        let new = || alone::series(Options::new().extension(extension).into(), &self.latest);
        Arc::clone(extended.entry(extension).or_insert_with(new))
    }
}

impl Maker for Euids {
    fn series(&self, query: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
        let series = self.of(query.extension()?);
        let no_check = query.flag(NO_CHECK)?.unwrap_or_default();
        Ok((series, DescribeOptions { no_check, ..DescribeOptions::default() }))
    }

    fn watched(&self) -> Vec<Arc<dyn AnySeries>> {
        vec![Arc::clone(&self.plain)]
    }
}

#[cfg(test)]
mod tests {
    use super::maker;
    use crate::{
        query::{EXTENSION, Query},
        series::Shape,
        specs::Maker as _,
    };
    use sortid_inspect::__private::program::Format;
    use std::sync::atomic::Ordering::Relaxed;

    #[tokio::test]
    async fn however_many_extensions_there_are_one_series_is_watched() {
        let euids = maker();
        for extension in 0..100 {
            let query = Query::read(Some(&format!("extension={extension}:7")), &[EXTENSION]).unwrap();
            let (series, options) = euids.series(&query).unwrap();
            let shape = Shape { format: Format::TEXT, is_array: false };
            assert!(series.make(1, shape, options).await.is_ok());
            assert_eq!(euids.watched().len(), 1);
            // It knows of all.
            assert!(euids.latest.swap(0, Relaxed) > 0);
        }
    }
}
