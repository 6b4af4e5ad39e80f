//! The classes of the five specifications: what each has of its own.

use crate::{
    backfill::Backfill,
    clock::AnyClock,
    error::{self, wrong_type},
    fleet::Visit,
    generator::{Common, Generator},
    id::{PyId, id_class},
    keywords::Keywords,
    time,
};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyDict, PyString, PyType},
};
use sortid::{
    __with_id as with_id, __with_type as with_type, AnyId, ConfigError, Generate, ParseError, SortableId,
    Spec, ThreadEntropy,
    euid::{self, Extension},
    evently_id::{self, LedgerId},
    ron_uid::{self, Base64x64, Scheme, Vector, VectorBuilder},
    scru160,
    ulid_flake::{
        self, Epoch,
        scalable::{self, Scalable},
    },
};

/// Returns the specification of a class.
pub(crate) fn of_class(class: &Bound<'_, PyAny>) -> PyResult<Spec> {
    let py = class.py();
    let is_of = |spec: &Spec| with_type!(*spec, Id => class.is(Id::class(py)));
    Spec::ALL
        .iter()
        .copied()
        .find(is_of)
        .ok_or_else(|| wrong_type("a class of IDs, such as sortid.Euid", class))
}

/// Returns the ID of an object of the class, or an exception.
pub(crate) fn require<I: PyId>(object: &Bound<'_, PyAny>) -> PyResult<I> {
    I::of(object).ok_or_else(|| match I::class(object.py()).fully_qualified_name() {
        Ok(name) => wrong_type(&name.to_string_lossy(), object),
        Err(error) => error,
    })
}

/// Returns the ID of an object of the specification's class, or an exception.
pub(crate) fn require_any(spec: Spec, object: &Bound<'_, PyAny>) -> PyResult<AnyId> {
    with_type!(spec, Id => require::<Id>(object).map(Into::into))
}

/// Returns the object of an ID.
pub(crate) fn wrap(py: Python<'_>, id: AnyId) -> PyResult<Bound<'_, PyAny>> {
    with_id!(id, id => id.wrap(py))
}

/// Adds the classes to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for spec in Spec::ALL {
        let class = with_type!(*spec, Id => Id::class(module.py()));
        module.add(class.name()?, &class)?;
    }
    Ok(())
}

/// What depends on the options of a specification.
pub(crate) trait Own: PyId {
    /// Returns the generator of the process. `None` if the process has none.
    fn shared() -> Option<&'static (dyn Generate<Id = Self> + Sync)> {
        None
    }

    /// Reads the options of a node's generator, and creates it.
    fn of_node(py: Python<'_>, given: &Keywords<'_>, visit: Visit<'_, '_>) -> PyResult<Generator>;
}

// The generators of the process.
static SCRU160S: scru160::Generator<AnyClock> =
    scru160::Options::new().build_with(AnyClock::System, ThreadEntropy);
static EUIDS: euid::Generator<AnyClock> = euid::Options::new().build_with(AnyClock::System, ThreadEntropy);
static ULID_FLAKES: ulid_flake::Generator<AnyClock> =
    ulid_flake::Options::new().build_with(AnyClock::System, ThreadEntropy);

/// Creates a generator with the options of its specification, and with those that all generators have.
macro_rules! generator {
    ($options:expr, $common:expr, $observe:expr) => {{
        let (mut options, common) = ($options, $common);
        if let Some(rollback) = common.rollback {
            options = options.rollback(rollback);
        }
        if let Some(allowance) = common.rollback_allowance {
            options = options.rollback_allowance(allowance);
        }
        Generator::new(options, common, $observe)
    }};
}

fn options<O>(py: Python<'_>, options: Result<O, ConfigError>) -> PyResult<O> {
    options.map_err(|error| error::option(py, error.option(), error.to_string()))
}

fn ids<I, E: Into<ParseError>>(py: Python<'_>, id: Result<I, E>) -> PyResult<I> {
    id.map_err(|error| error::parse(py, &error.into()))
}

fn duration(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<std::time::Duration>> {
    value.map(time::duration).transpose()
}

id_class! {
    /// A SCRU160: 160 bits, which are 20 bytes, or 32 characters.
    ///
    /// The argument is a text, 20 bytes, or an integer.
    Scru160(scru160::Scru160) "Scru160" {
        /// Generates an ID with the generator that the whole process shares.
        // Unlike a static method, it has a module: Django writes it into migrations.
        #[classmethod]
        fn new(class: &Bound<'_, PyType>) -> PyResult<Self> {
            SCRU160S.generate().map(Self).map_err(|error| error::generate(class.py(), &error))
        }

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

        /// Creates a generator. With ``micros``, the counter is the microseconds of the time.
        #[staticmethod]
        #[pyo3(signature = (
            *, micros=false, counter_start_bits=None, counter_extension_bits=None, node=None, node_bits=None,
            rollback=None, rollback_allowance=None, clock=None, seed=None
        ))]
        #[allow(clippy::too_many_arguments, reason = "they are the options")]
        fn generator(
            py: Python<'_>,
            micros: bool,
            counter_start_bits: Option<u32>,
            counter_extension_bits: Option<u32>,
            node: Option<u16>,
            node_bits: Option<u32>,
            rollback: Option<&str>,
            rollback_allowance: Option<&Bound<'_, PyAny>>,
            clock: Option<&Bound<'_, PyAny>>,
            seed: Option<u64>,
        ) -> PyResult<Generator> {
            let options =
                scru160_options(micros, counter_start_bits, counter_extension_bits, node, node_bits);
            let common = Common::new(py, rollback, rollback_allowance, clock, seed)?;
            Ok(generator!(self::options(py, options)?, common, None))
        }

        /// Creates a backfill, which makes IDs for given times.
        #[staticmethod]
        #[pyo3(signature = (
            *, micros=false, counter_start_bits=None, counter_extension_bits=None, node=None, node_bits=None,
            ascending=false, spill=None, seed=None
        ))]
        #[allow(clippy::too_many_arguments, reason = "they are the options")]
        fn backfill(
            py: Python<'_>,
            micros: bool,
            counter_start_bits: Option<u32>,
            counter_extension_bits: Option<u32>,
            node: Option<u16>,
            node_bits: Option<u32>,
            ascending: bool,
            spill: Option<&Bound<'_, PyAny>>,
            seed: Option<u64>,
        ) -> PyResult<Backfill> {
            let options =
                scru160_options(micros, counter_start_bits, counter_extension_bits, node, node_bits);
            Ok(Backfill::new(self::options(py, options)?, ascending, duration(spill)?, seed))
        }
    }
}

impl Own for scru160::Scru160 {
    fn shared() -> Option<&'static (dyn Generate<Id = Self> + Sync)> {
        Some(&SCRU160S)
    }

    fn of_node(py: Python<'_>, given: &Keywords<'_>, visit: Visit<'_, '_>) -> PyResult<Generator> {
        let micros = given.take("micros")?.unwrap_or(false);
        let (start, extension) = (given.take("counter_start_bits")?, given.take("counter_extension_bits")?);
        given.end()?;
        visit.of(options(py, scru160_options(micros, start, extension, None, None))?, None)
    }
}

fn scru160_options(
    micros: bool,
    counter_start_bits: Option<u32>,
    counter_extension_bits: Option<u32>,
    node: Option<u16>,
    node_bits: Option<u32>,
) -> Result<scru160::Options, ConfigError> {
    let mut options = if micros { scru160::Options::with_micros_counter() } else { scru160::Options::new() };
    if let Some(bits) = counter_start_bits {
        options = options.counter_start_bits(bits)?;
    }
    if let Some(bits) = counter_extension_bits {
        options = options.counter_extension_bits(bits)?;
    }
    if let Some(node) = node {
        options = options.node(node, node_bits.unwrap_or(16))?;
    }
    Ok(options)
}

id_class! {
    /// An EUID: 128 bits, which are 16 bytes, or 27 characters with a check.
    ///
    /// The argument is a text, 16 bytes, an integer, or a ``uuid.UUID``.
    Euid(euid::Euid) "Euid" uuid {
        /// Generates an ID with the generator that the whole process shares.
        // Unlike a static method, it has a module: Django writes it into migrations.
        #[classmethod]
        fn new(class: &Bound<'_, PyType>) -> PyResult<Self> {
            EUIDS.generate().map(Self).map_err(|error| error::generate(class.py(), &error))
        }

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

        /// Creates a generator. Its IDs have the extension, such as a node or a tenant.
        #[staticmethod]
        #[pyo3(signature = (
            *, extension=None, extension_bits=None, rollback=None, rollback_allowance=None, clock=None, seed=None
        ))]
        fn generator(
            py: Python<'_>,
            extension: Option<u16>,
            extension_bits: Option<u8>,
            rollback: Option<&str>,
            rollback_allowance: Option<&Bound<'_, PyAny>>,
            clock: Option<&Bound<'_, PyAny>>,
            seed: Option<u64>,
        ) -> PyResult<Generator> {
            let options = euid_options(py, extension, extension_bits)?;
            Ok(generator!(options, Common::new(py, rollback, rollback_allowance, clock, seed)?, None))
        }

        /// Creates a backfill, which makes IDs for given times.
        #[staticmethod]
        #[pyo3(signature = (
            *, extension=None, extension_bits=None, ascending=false, spill=None, seed=None
        ))]
        fn backfill(
            py: Python<'_>,
            extension: Option<u16>,
            extension_bits: Option<u8>,
            ascending: bool,
            spill: Option<&Bound<'_, PyAny>>,
            seed: Option<u64>,
        ) -> PyResult<Backfill> {
            let options = euid_options(py, extension, extension_bits)?;
            Ok(Backfill::new(options, ascending, duration(spill)?, seed))
        }
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

impl Own for euid::Euid {
    fn shared() -> Option<&'static (dyn Generate<Id = Self> + Sync)> {
        Some(&EUIDS)
    }

    fn of_node(_: Python<'_>, given: &Keywords<'_>, visit: Visit<'_, '_>) -> PyResult<Generator> {
        given.end()?;
        visit.of(euid::Options::new(), None)
    }
}

fn euid_options(
    py: Python<'_>,
    extension: Option<u16>,
    extension_bits: Option<u8>,
) -> PyResult<euid::Options> {
    let extension = self::extension(py, extension, extension_bits)?;
    Ok(extension.map_or(euid::Options::new(), |extension| euid::Options::new().extension(extension)))
}

id_class! {
    /// A Ulid-Flake: 63 bits, which are a positive ``BIGINT``, or 13 characters.
    ///
    /// The argument is a text, 8 bytes, or an integer. The time counts from 2024.
    UlidFlake(ulid_flake::UlidFlake) "UlidFlake" {
        /// Generates an ID with the generator that the whole process shares.
        // Unlike a static method, it has a module: Django writes it into migrations.
        #[classmethod]
        fn new(class: &Bound<'_, PyType>) -> PyResult<Self> {
            ULID_FLAKES.generate().map(Self).map_err(|error| error::generate(class.py(), &error))
        }

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

        /// Creates a generator. With ``node``, 0 to 31, its IDs are of the scalable version.
        #[staticmethod]
        #[pyo3(signature = (
            *, node=None, epoch=None, entropy_bytes=None, rollback=None, rollback_allowance=None, clock=None, seed=None
        ))]
        #[allow(clippy::too_many_arguments, reason = "they are the options")]
        fn generator(
            py: Python<'_>,
            node: Option<u8>,
            epoch: Option<&Bound<'_, PyAny>>,
            entropy_bytes: Option<usize>,
            rollback: Option<&str>,
            rollback_allowance: Option<&Bound<'_, PyAny>>,
            clock: Option<&Bound<'_, PyAny>>,
            seed: Option<u64>,
        ) -> PyResult<Generator> {
            let common = Common::new(py, rollback, rollback_allowance, clock, seed)?;
            Ok(match node {
                None => generator!(ulid_flake_options(py, epoch, entropy_bytes)?, common, None),
                Some(node) => generator!(scalable_options(py, node, epoch, entropy_bytes)?, common, None),
            })
        }

        /// Creates a backfill, which makes IDs for given times.
        #[staticmethod]
        #[pyo3(signature = (*, node=None, epoch=None, entropy_bytes=None, ascending=false, spill=None, seed=None))]
        fn backfill(
            py: Python<'_>,
            node: Option<u8>,
            epoch: Option<&Bound<'_, PyAny>>,
            entropy_bytes: Option<usize>,
            ascending: bool,
            spill: Option<&Bound<'_, PyAny>>,
            seed: Option<u64>,
        ) -> PyResult<Backfill> {
            let spill = duration(spill)?;
            Ok(match node {
                None => Backfill::new(ulid_flake_options(py, epoch, entropy_bytes)?, ascending, spill, seed),
                Some(node) => {
                    Backfill::new(scalable_options(py, node, epoch, entropy_bytes)?, ascending, spill, seed)
                }
            })
        }

        /// When the ID was made, if its generator had another epoch.
        #[pyo3(signature = (epoch, /))]
        fn time_with<'py>(&self, epoch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let millis = self.0.unix_millis_with(self::epoch(epoch.py(), Some(epoch))?);
            time::datetime(epoch.py(), millis.saturating_mul(1000))
        }
    }
}

impl Own for ulid_flake::UlidFlake {
    fn shared() -> Option<&'static (dyn Generate<Id = Self> + Sync)> {
        Some(&ULID_FLAKES)
    }

    fn of_node(py: Python<'_>, given: &Keywords<'_>, visit: Visit<'_, '_>) -> PyResult<Generator> {
        let epoch = given.take::<Bound<'_, PyAny>>("epoch")?;
        let options = ulid_flake_options(py, epoch.as_ref(), given.take("entropy_bytes")?)?;
        given.end()?;
        visit.of(options, None)
    }
}

fn epoch(py: Python<'_>, time: Option<&Bound<'_, PyAny>>) -> PyResult<Epoch> {
    let Some(time) = time else { return Ok(Epoch::DEFAULT) };
    // Before 1970, the option is out of range.
    let millis = u64::try_from(time::micros(time)?.0 / 1000).unwrap_or(u64::MAX);
    options(py, Epoch::from_unix_millis(millis))
}

fn ulid_flake_options(
    py: Python<'_>,
    epoch: Option<&Bound<'_, PyAny>>,
    entropy_bytes: Option<usize>,
) -> PyResult<ulid_flake::Options> {
    let options = ulid_flake::Options::new().epoch(self::epoch(py, epoch)?);
    entropy_bytes.map_or(Ok(options), |bytes| self::options(py, options.entropy_bytes(bytes)))
}

fn scalable_options(
    py: Python<'_>,
    node: u8,
    epoch: Option<&Bound<'_, PyAny>>,
    entropy_bytes: Option<usize>,
) -> PyResult<scalable::Options> {
    let options = self::options(py, scalable::Options::new(node))?.epoch(self::epoch(py, epoch)?);
    entropy_bytes.map_or(Ok(options), |bytes| self::options(py, options.entropy_bytes(bytes)))
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
            let mut options = ron_uid_options(origin, session_digits, min_length)?;
            if let Some(bound) = duration(future_bound)? {
                options = options.future_bound(bound);
            }
            let common = Common::new(origin.py(), rollback, rollback_allowance, clock, seed)?;
            Ok(generator!(options, common, Some(|ids, id| ids.observe(id))))
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
            let options = ron_uid_options(origin, session_digits, min_length)?;
            Ok(Backfill::new(options, ascending, duration(spill)?, None))
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

impl Own for ron_uid::RonUid {
    fn of_node(py: Python<'_>, given: &Keywords<'_>, visit: Visit<'_, '_>) -> PyResult<Generator> {
        let origin = given.take::<Bound<'_, PyAny>>("origin")?;
        let origin = origin.unwrap_or_else(|| PyString::new(py, "0").into_any());
        let mut options = ron_uid_options(&origin, given.take("session_digits")?, given.take("min_length")?)?;
        if let Some(bound) = given.take::<Bound<'_, PyAny>>("future_bound")? {
            options = options.future_bound(time::duration(&bound)?);
        }
        given.end()?;
        visit.of(options, Some(|ids, id| ids.observe(id)))
    }
}

fn ron_uid_options(
    origin: &Bound<'_, PyAny>,
    session_digits: Option<usize>,
    min_length: Option<usize>,
) -> PyResult<ron_uid::Options> {
    let py = origin.py();
    let mut options = ron_uid::Options::new(base64x64(origin)?);
    if let Some(digits) = session_digits {
        options = self::options(py, options.session_digits(digits))?;
    }
    if let Some(length) = min_length {
        options = self::options(py, options.min_length(length))?;
    }
    Ok(options)
}

impl Own for evently_id::EventId {
    fn of_node(_: Python<'_>, _: &Keywords<'_>, _: Visit<'_, '_>) -> PyResult<Generator> {
        Err(PyTypeError::new_err(
            "expected a class of IDs with a node ID, found sortid.EventId: an Event ID belongs to a ledger",
        ))
    }
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
            Ok(generator!(options, Common::new(ledger_id.py(), rollback, rollback_allowance, clock, None)?, None))
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
            Ok(Backfill::new(options, ascending, duration(spill)?, None))
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
