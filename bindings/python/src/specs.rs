//! The classes of the five specifications: what each has of its own.

use crate::{
    backfill::Backfill,
    clock::AnyClock,
    columns::Column,
    error::{self, wrong_type},
    field,
    generator::Generator,
    id::{IdClass, PyId, id_class, require},
    time,
};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyDict, PyString, PyType},
};
use sortid::{
    __every::Spec as Every,
    __with_type as with_type, AnyOptions, ConfigError, OptionInfo, OptionKind, ParseError, SortableId, Spec,
    ThreadEntropy,
    euid::{self, Extension},
    evently_id::{self, LedgerId},
    ron_uid::{self, Base64x64, Scheme, Vector, VectorBuilder},
    scru160,
    ulid_flake::{self, Epoch, scalable::Scalable},
};

/// Adds the classes to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for spec in Spec::ALL {
        let class = with_type!(*spec, Id => Id::class(module.py()));
        module.add(class.name()?, &class)?;
    }
    Ok(())
}

// The generators of the process.
static SCRU160S: scru160::Generator<AnyClock> =
    scru160::Options::new().build_with(AnyClock::System, ThreadEntropy);
static EUIDS: euid::Generator<AnyClock> = euid::Options::new().build_with(AnyClock::System, ThreadEntropy);
static ULID_FLAKES: ulid_flake::Generator<AnyClock> =
    ulid_flake::Options::new().build_with(AnyClock::System, ThreadEntropy);

/// Generates a column of IDs, with a generator, or with the one that the whole process shares.
#[pyfunction]
#[pyo3(signature = (ids, count, *, uuid=false))]
pub(crate) fn generate_column(
    py: Python<'_>,
    ids: &Bound<'_, PyAny>,
    count: usize,
    uuid: bool,
) -> PyResult<Column> {
    if let Ok(generator) = ids.cast::<Generator>() {
        return generator.get().column(py, count, uuid);
    }
    let Ok(class) = IdClass::of(ids) else {
        return Err(wrong_type("a class of IDs, such as sortid.Euid, or a generator", ids));
    };
    match Every::from(class.spec) {
        Every::Scru160 => Column::generate(py, class, count, uuid, &SCRU160S),
        Every::Euid => Column::generate(py, class, count, uuid, &EUIDS),
        Every::UlidFlake => Column::generate(py, class, count, uuid, &ULID_FLAKES),
        Every::RonUid | Every::EventlyId => Err(PyTypeError::new_err(format!(
            "expected a generator, found the class {}: an origin or a ledger is a part of its IDs",
            ids.getattr("__name__")?.str()?
        ))),
    }
}

/// Reads the options of a node's generator. `None` if IDs of this specification have no node ID.
pub(crate) fn of_node(spec: Spec, given: &Bound<'_, PyDict>) -> PyResult<Option<AnyOptions>> {
    let mut texts = match spec {
        Spec::EventlyId => return Ok(None),
        Spec::RonUid => vec![("origin", "0".to_owned())],
        _ => Vec::new(),
    };
    let is_set_by_node =
        |option: &OptionInfo| ["node", "extension", "rollback", "rollback_allowance"].contains(&option.name);
    for (name, value) in given {
        let mut options = spec.options().iter().filter(|option| !is_set_by_node(option));
        let Some(option) = options.find(|option| name.eq(option.name).unwrap_or(false)) else {
            let message = format!("generator() got an unexpected keyword argument {}", name.repr()?);
            return Err(PyTypeError::new_err(message));
        };
        if !value.is_none() {
            texts.push((option.name, read(option, &value)?));
        }
    }
    let texts: Vec<_> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
    options(given.py(), AnyOptions::new(spec, &texts)).map(Some)
}

/// Reads an argument as the text of an option's value.
fn read(option: &OptionInfo, value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(match option.kind {
        OptionKind::Flag => value.extract::<bool>()?.to_string(),
        OptionKind::Number { .. } => value.extract::<usize>()?.to_string(),
        OptionKind::Duration => seconds(value)?,
        _ if option.name == "epoch" => epoch(value)?.unix_millis().to_string(),
        _ => base64x64(value)?.to_string(),
    })
}

/// Sets the options that are given, in this order.
fn set<const N: usize>(
    py: Python<'_>,
    options: impl Into<AnyOptions>,
    given: [(&str, Option<String>); N],
) -> PyResult<AnyOptions> {
    let mut given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
    self::options(py, given.try_fold(options.into(), |options, (name, value)| options.set(name, &value)))
}

/// An argument as the text of an option's value.
fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

fn options<O>(py: Python<'_>, options: Result<O, ConfigError>) -> PyResult<O> {
    options.map_err(|error| error::option(py, error.option(), error.to_string()))
}

fn ids<I, E: Into<ParseError>>(py: Python<'_>, id: Result<I, E>) -> PyResult<I> {
    id.map_err(|error| error::parse(py, &error.into()))
}

id_class! {
    /// A SCRU160: 160 bits, which are 20 bytes, or 32 characters.
    ///
    /// The argument is a text, 20 bytes, or an integer.
    Scru160(scru160::Scru160) "Scru160" {
        /// Returns the ID with these fields.
        #[staticmethod]
        #[pyo3(signature = (*, timestamp_ms, counter, random16, random80))]
        fn from_fields(
            py: Python<'_>,
            timestamp_ms: u64,
            counter: u16,
            random16: u16,
            random80: [u8; 10],
        ) -> PyResult<Self> {
            ids(py, scru160::Scru160::try_from_fields(timestamp_ms, counter, random16, random80)).map(Self)
        }

        /// The text of 40 hex digits.
        fn encode_hex(&self) -> String {
            self.0.encode_hex().as_str().to_owned()
        }
    }

    shared SCRU160S
    /// Creates a generator. With ``micros``, the counter is the microseconds of the time.
    generator(
        py,
        micros: bool = false,
        counter_start_bits: Option<u32> = None,
        counter_extension_bits: Option<u32> = None,
        node: Option<u16> = None,
        node_bits: Option<u32> = None,
    ) {
        let given = [
            ("micros", text(Some(micros))),
            ("counter_start_bits", text(counter_start_bits)),
            ("counter_extension_bits", text(counter_extension_bits)),
            ("node", node.map(|node| format!("{node}:{}", node_bits.unwrap_or(16)))),
        ];
        set(py, scru160::Options::new(), given)
    }
}

id_class! {
    /// An EUID: 128 bits, which are 16 bytes, or 27 characters with a check.
    ///
    /// The argument is a text, 16 bytes, an integer, or a ``uuid.UUID``.
    Euid(euid::Euid) "Euid" uuid {
        /// Returns the ID with these fields.
        #[staticmethod]
        #[pyo3(signature = (
            *, timestamp_ms, random_upper, random_high, random_low, extension=None, extension_bits=None
        ))]
        fn from_fields(
            py: Python<'_>,
            timestamp_ms: u64,
            random_upper: u16,
            random_high: u32,
            random_low: u32,
            extension: Option<u16>,
            extension_bits: Option<u8>,
        ) -> PyResult<Self> {
            let extension = self::extension(py, extension, extension_bits)?;
            let id = euid::Euid::try_from_fields(timestamp_ms, random_upper, extension, random_high, random_low);
            ids(py, id).map(Self)
        }

        /// Returns the text without a check. It is the same ID, but mistakes before its 26th digit go unnoticed.
        fn encode_without_check(&self) -> String {
            self.0.encode_without_check().as_str().to_owned()
        }
    }

    shared EUIDS
    /// Creates a generator. Its IDs have the extension, such as a node or a tenant.
    generator(py, extension: Option<u16> = None, extension_bits: Option<u8> = None) {
        let (options, extension) = (euid::Options::new(), self::extension(py, extension, extension_bits)?);
        Ok(extension.map_or(options, |extension| options.extension(extension)).into())
    }
}

fn extension(py: Python<'_>, value: Option<u16>, bits: Option<u8>) -> PyResult<Option<Extension>> {
    let extension = match (value, bits) {
        (None, _) => return Ok(None),
        (Some(value), None) => Extension::new(value),
        (Some(value), Some(bits)) => Extension::with_bits(value, bits),
    };
    options(py, extension).map(Some)
}

id_class! {
    /// A Ulid-Flake: 63 bits, which are a positive ``BIGINT``, or 13 characters.
    ///
    /// The argument is a text, 8 bytes, or an integer. The time counts from 2024.
    UlidFlake(ulid_flake::UlidFlake) "UlidFlake" {
        /// Returns the ID with these fields. With ``scalability``, the ID is of the scalable version.
        #[staticmethod]
        #[pyo3(signature = (*, timestamp_ms, randomness, scalability=None))]
        fn from_fields(
            py: Python<'_>,
            timestamp_ms: u64,
            randomness: u32,
            scalability: Option<u8>,
        ) -> PyResult<Self> {
            let id = match scalability {
                None => ulid_flake::UlidFlake::try_from_fields(timestamp_ms, randomness),
                // A value that is too great stays too great.
                Some(scalability) => Scalable::try_from_fields(
                    timestamp_ms,
                    randomness.try_into().unwrap_or(u16::MAX),
                    scalability,
                ),
            };
            ids(py, id).map(Self)
        }

        /// When the ID was made, if its generator had another epoch.
        #[pyo3(signature = (epoch, /))]
        fn time_with<'py>(&self, epoch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let millis = self.0.unix_millis_with(self::epoch(epoch)?);
            time::datetime(epoch.py(), millis.saturating_mul(1000))
        }
    }

    shared ULID_FLAKES
    /// Creates a generator. With ``node``, 0 to 31, its IDs are of the scalable version.
    generator(
        py,
        node: Option<u8> = None,
        epoch: Option<&Bound<'_, PyAny>> = None,
        entropy_bytes: Option<usize> = None,
    ) {
        let options = set(py, ulid_flake::Options::new(), [("node", text(node))])?;
        let epoch = epoch.map(self::epoch).transpose()?.map(Epoch::unix_millis);
        set(py, options, [("epoch", text(epoch)), ("entropy_bytes", text(entropy_bytes))])
    }
}

fn epoch(time: &Bound<'_, PyAny>) -> PyResult<Epoch> {
    // Before 1970, the option is out of range.
    let millis = u64::try_from(time::micros(time)?.0 / 1000).unwrap_or(u64::MAX);
    options(time.py(), Epoch::from_unix_millis(millis))
}

id_class! {
    /// A Swarm RON UID: 128 bits, which are 16 bytes, or up to 21 characters. It is a time, a name or a hash.
    ///
    /// The argument is a text, 16 bytes, an integer, or a ``uuid.UUID``.
    RonUid(ron_uid::RonUid) "RonUid" uuid {
        /// Returns the UID with these fields. ``value`` and ``origin`` are Base64x64 digits, or their integers. ``scheme``
        /// is ``'event'``, ``'derived'``, ``'name'`` or ``'hash'``.
        #[staticmethod]
        #[pyo3(signature = (*, value, origin=None, scheme="name"))]
        fn from_fields(
            value: &Bound<'_, PyAny>,
            origin: Option<&Bound<'_, PyAny>>,
            scheme: &str,
        ) -> PyResult<Self> {
            let origin = origin.map_or(Ok(Base64x64::ZERO), base64x64)?;
            let Some(scheme) = Scheme::ALL.into_iter().find(|known| known.name() == scheme) else {
                let message = format!("expected the scheme event, derived, name or hash, found {scheme:?}");
                return Err(error::not_an_id(value.py(), "sign", None, message));
            };
            Ok(Self(ron_uid::RonUid::from_fields(base64x64(value)?, origin, scheme)))
        }

        /// Returns the text in the context of another UID, which the reader knows: ``unzip`` reads it.
        #[pyo3(signature = (context, /))]
        fn zip(&self, context: &Self) -> String {
            self.0.zip(&context.0).as_str().to_owned()
        }

        /// Reads a UID that was compressed in the context of another one.
        #[staticmethod]
        #[pyo3(signature = (text, context, /))]
        fn unzip(py: Python<'_>, text: &str, context: &Self) -> PyResult<Self> {
            ids(py, ron_uid::RonUid::unzip(text, &context.0)).map(Self)
        }

        /// Reads a vector: UIDs between commas, each compressed in the context of the one before.
        #[staticmethod]
        #[pyo3(signature = (text, /))]
        fn parse_vector(py: Python<'_>, text: &str) -> PyResult<Vec<Self>> {
            Vector::new(text).map(|uid| ids(py, uid).map(Self)).collect()
        }

        /// Writes a vector: UIDs between commas, each compressed in the context of the one before.
        #[staticmethod]
        #[pyo3(signature = (uids, /))]
        fn format_vector(uids: &Bound<'_, PyAny>) -> PyResult<String> {
            let mut vector = VectorBuilder::new();
            for uid in uids.try_iter()? {
                vector.push(require(&uid?)?);
            }
            Ok(vector.finish())
        }

        /// Creates a generator of this origin: a hybrid logical clock. Generators that work at the same time must have
        /// different origins.
        #[staticmethod]
        #[pyo3(signature = (
            origin, *, session_digits=None, min_length=None, future_bound=None, rollback=None, rollback_allowance=None, clock=None,
            seed=None
        ))]
        #[allow(clippy::too_many_arguments, reason = "they are the options")]
        fn generator(
            origin: &Bound<'_, PyAny>,
            session_digits: Option<usize>,
            min_length: Option<usize>,
            future_bound: Option<&Bound<'_, PyAny>>,
            rollback: Option<&str>,
            rollback_allowance: Option<&Bound<'_, PyAny>>,
            clock: Option<&Bound<'_, PyAny>>,
            seed: Option<u64>,
        ) -> PyResult<Generator> {
            let options = ron_uid_options(origin, session_digits, min_length, future_bound)?;
            Generator::new(origin.py(), options, rollback, rollback_allowance, clock, seed)
        }

        /// Creates a backfill of this origin, which makes UIDs for given times.
        #[staticmethod]
        #[pyo3(signature = (
            origin, *, session_digits=None, min_length=None, ascending=false, spill=None
        ))]
        fn backfill(
            origin: &Bound<'_, PyAny>,
            session_digits: Option<usize>,
            min_length: Option<usize>,
            ascending: bool,
            spill: Option<&Bound<'_, PyAny>>,
        ) -> PyResult<Backfill> {
            let options = ron_uid_options(origin, session_digits, min_length, None)?;
            Backfill::new(options, ascending, spill, None)
        }
    }
}

/// Reads Base64x64 digits, or their integer.
fn base64x64(value: &Bound<'_, PyAny>) -> PyResult<Base64x64> {
    let py = value.py();
    if let Ok(digits) = value.cast::<PyString>() {
        return ids(py, Base64x64::parse(&digits.to_string_lossy()));
    }
    match value.extract::<u64>() {
        Ok(int) => ids(py, Base64x64::try_from_int(int)),
        Err(_) => Err(wrong_type("a str of Base64x64 digits, or an int from 0 to 2^60 − 1", value)),
    }
}

fn ron_uid_options(
    origin: &Bound<'_, PyAny>,
    session_digits: Option<usize>,
    min_length: Option<usize>,
    future_bound: Option<&Bound<'_, PyAny>>,
) -> PyResult<AnyOptions> {
    let py = origin.py();
    let given = [("session_digits", text(session_digits)), ("min_length", text(min_length))];
    let options = set(py, ron_uid::Options::new(base64x64(origin)?), given)?;
    set(py, options, [("future_bound", future_bound.map(seconds).transpose()?)])
}

fn seconds(duration: &Bound<'_, PyAny>) -> PyResult<String> {
    time::duration(duration).map(|bound| format!("{}.{:06}", bound.as_secs(), bound.subsec_micros()))
}

id_class! {
    /// An Evently Event ID: 128 bits, which are 16 bytes, or 32 hex digits.
    ///
    /// The argument is a text, 16 bytes, an integer, or a ``uuid.UUID``.
    EventId(evently_id::EventId) "EventId" uuid {
        /// Returns the ID with these fields. ``checksum`` and ``ledger_id`` are 8 hex digits, or their integers.
        #[staticmethod]
        #[pyo3(signature = (*, timestamp_us, checksum, ledger_id))]
        fn from_fields(
            timestamp_us: u64,
            checksum: &Bound<'_, PyAny>,
            ledger_id: &Bound<'_, PyAny>,
        ) -> PyResult<Self> {
            let checksum = self::ledger_id(checksum)?.to_int();
            Ok(Self(evently_id::EventId::from_fields(timestamp_us, checksum, self::ledger_id(ledger_id)?)))
        }

        /// Creates a generator for this ledger. The checksum of its IDs is 0: a ledger computes it from the event.
        #[staticmethod]
        #[pyo3(signature = (ledger_id, *, rollback=None, rollback_allowance=None, clock=None))]
        fn generator(
            ledger_id: &Bound<'_, PyAny>,
            rollback: Option<&str>,
            rollback_allowance: Option<&Bound<'_, PyAny>>,
            clock: Option<&Bound<'_, PyAny>>,
        ) -> PyResult<Generator> {
            let options = evently_id::Options::new(self::ledger_id(ledger_id)?);
            Generator::new(ledger_id.py(), options.into(), rollback, rollback_allowance, clock, None)
        }

        /// Creates a backfill for this ledger, which makes IDs for given times.
        #[staticmethod]
        #[pyo3(signature = (ledger_id, *, ascending=false, spill=None))]
        fn backfill(
            ledger_id: &Bound<'_, PyAny>,
            ascending: bool,
            spill: Option<&Bound<'_, PyAny>>,
        ) -> PyResult<Backfill> {
            let options = evently_id::Options::new(self::ledger_id(ledger_id)?);
            Backfill::new(options.into(), ascending, spill, None)
        }
    }
}

/// Reads 8 hex digits, or their integer.
fn ledger_id(value: &Bound<'_, PyAny>) -> PyResult<LedgerId> {
    if let Ok(digits) = value.cast::<PyString>() {
        return ids(value.py(), LedgerId::parse(&digits.to_string_lossy()));
    }
    match value.extract::<u32>() {
        Ok(int) => Ok(LedgerId::from_int(int)),
        Err(_) => Err(wrong_type("a str of 8 hex digits, or an int from 0 to 2^32 − 1", value)),
    }
}
