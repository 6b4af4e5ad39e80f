use super::{Maker, Parameters, Settings};
use crate::{
    problem::Problem,
    query::{EXTENSION, NO_CHECK, Query},
    series::{Alone, AnySeries, Series, explained},
};
use sortid::{
    GenerateError,
    euid::{Extension, Options},
};
use sortid_inspect::Options as DescribeOptions;
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

pub(super) const PARAMETERS: Parameters =
    Parameters { make: &[EXTENSION, NO_CHECK], inspect: &[], range: &[] };

type Euid = Series<Alone<Options>>;

const _: () = assert!(size_of::<Euid>() <= 1024);

/// A series for each extension that a request asked for, and one for the IDs without an extension. A server keeps them
/// until it ends, because each has its order. There are at most 65 535, of less than a kilobyte each.
pub(super) struct Euids(RwLock<BTreeMap<Option<Extension>, Arc<Euid>>>);

pub(super) fn maker(_: Settings) -> Result<Euids, GenerateError> {
    Ok(Euids(RwLock::new(BTreeMap::from([(None, euids(None)?)]))))
}

fn euids(extension: Option<Extension>) -> Result<Arc<Euid>, GenerateError> {
    let options = extension.map_or(Options::new(), |extension| Options::new().extension(extension));
    Ok(Arc::new(Series::new(Alone::new(options)?)))
}

impl Euids {
    fn of(&self, extension: Option<Extension>) -> Result<Arc<Euid>, GenerateError> {
        if let Some(series) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&extension) {
            return Ok(Arc::clone(series));
        }
        let new = euids(extension)?;
        // Another request can have been faster.
        Ok(Arc::clone(self.0.write().unwrap_or_else(PoisonError::into_inner).entry(extension).or_insert(new)))
    }
}

impl Maker for Euids {
    fn series(&self, query: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
        let series = self.of(query.extension()?).map_err(|error| Problem::unavailable(explained(&error)))?;
        let no_check = query.flag(NO_CHECK)?.unwrap_or_default();
        Ok((series, DescribeOptions { no_check, ..DescribeOptions::default() }))
    }

    fn all(&self) -> Vec<Arc<dyn AnySeries>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.values().map(|series| Arc::clone(series) as _).collect()
    }
}
