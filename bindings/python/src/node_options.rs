//! The options of the generators of a node.

use crate::{
    fleet::Visit,
    generator::Generator,
    specs::{of_class, options as options_of, ron_uid_options, scru160_options, ulid_flake_options},
    time,
};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString},
};
use sortid::{__every as every, euid};

/// Reads the options of a node's generator, and creates it.
pub(crate) fn generator(
    class: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
    visit: Visit<'_, '_>,
) -> PyResult<Generator> {
    let py = class.py();
    let given = Keywords(options.map_or_else(|| Ok(PyDict::new(py)), |options| options.copy())?);
    match every::Spec::from(of_class(class)?) {
        every::Spec::EventlyId => Err(PyTypeError::new_err(
            "expected a class of IDs with a node ID, found sortid.EventId: an Event ID belongs to a ledger",
        )),
        every::Spec::Scru160 => {
            let micros = given.take("micros")?.unwrap_or(false);
            let options = scru160_options(
                micros,
                given.take("counter_start_bits")?,
                given.take("counter_extension_bits")?,
                None,
                None,
            );
            given.end()?;
            visit.of(options_of(py, options)?, None)
        }
        every::Spec::Euid => {
            given.end()?;
            visit.of(euid::Options::new(), None)
        }
        every::Spec::UlidFlake => {
            let epoch = given.take::<Bound<'_, PyAny>>("epoch")?;
            let options = ulid_flake_options(py, epoch.as_ref(), given.take("entropy_bytes")?)?;
            given.end()?;
            visit.of(options, None)
        }
        every::Spec::RonUid => {
            let origin = given.take::<Bound<'_, PyAny>>("origin")?;
            let origin = origin.unwrap_or_else(|| PyString::new(py, "0").into_any());
            let mut options =
                ron_uid_options(&origin, given.take("session_digits")?, given.take("min_length")?)?;
            if let Some(bound) = given.take::<Bound<'_, PyAny>>("future_bound")? {
                options = options.future_bound(time::duration(&bound)?);
            }
            given.end()?;
            visit.of(options, Some(|ids, id| ids.observe(id)))
        }
    }
}

/// Arguments with names.
struct Keywords<'py>(Bound<'py, PyDict>);

impl<'py> Keywords<'py> {
    /// Takes an argument. `None` if it is not given, or is `None`.
    fn take<T>(&self, name: &str) -> PyResult<Option<T>>
    where
        T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
    {
        let Some(value) = self.0.get_item(name)? else { return Ok(None) };
        self.0.del_item(name)?;
        if value.is_none() { Ok(None) } else { value.extract().map(Some).map_err(Into::into) }
    }

    /// Fails if an argument is left.
    fn end(&self) -> PyResult<()> {
        match self.0.keys().get_item(0) {
            Ok(name) => Err(PyTypeError::new_err(format!(
                "generator() got an unexpected keyword argument {}",
                name.repr()?
            ))),
            Err(_) => Ok(()),
        }
    }
}
