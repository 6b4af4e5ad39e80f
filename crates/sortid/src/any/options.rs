//! The options of any specification as a value.

use super::{AnyId, Spec};
use core::{ops::RangeInclusive, time::Duration};
use sortid_core::{
    __private::error, BackfillRules, ConfigError, Configure, Entropy, EntropyError, HybridRules, NodeOptions,
    OptionInfo, Position, Rollback, RollbackPolicy, Rules,
};

/// The random bytes of an ID: as many as the specification with the most of them has.
const RANDOM: usize = 12;

/// Writes the enum of the options, and a macro that evaluates an expression with the options of a specification.
macro_rules! any_options {
    (
        $dollar:tt
        $(
            $feature:literal $variant:ident($module:ident::$id:ident)
            $about:literal
            also $names:tt
            options $options:expr;
        )*
    ) => {
        /// The options with their type, for [`__with_options!`](crate::__with_options!).
        #[allow(missing_docs, reason = "only the crates of this project use it")]
        #[doc(hidden)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Typed {
            $(
                #[cfg(feature = $feature)]
                $variant($module::Options),
            )*
            #[cfg(feature = "ulid-flake")]
            Scalable(ulid_flake::scalable::Options),
        }

        $(
            #[cfg(feature = $feature)]
            impl From<$module::Options> for AnyOptions {
                fn from(options: $module::Options) -> Self {
                    Self::of(Typed::$variant(options), options.rollback_policy())
                }
            }
        )*

        /// The options without those that have no default.
        fn defaults(spec: Spec) -> AnyOptions {
            match spec {
                $(#[cfg(feature = $feature)] Spec::$variant => $options.into(),)*
            }
        }

        impl Spec {
            /// Returns the options of the specification's generators, in the order in which [`AnyOptions::new`] sets them.
            ///
            /// ```
            /// use sortid::{OptionKind, Spec};
            ///
            /// let option = Spec::RonUid.options()[0];
            /// assert!((option.name, option.is_required) == ("origin", true));
            /// let names: Vec<_> = Spec::Euid.options().iter().map(|option| option.name).collect();
            /// assert_eq!(names, ["extension", "rollback", "rollback_allowance"]);
            /// ```
            #[must_use]
            pub const fn options(self) -> &'static [OptionInfo] {
                match self {
                    $(#[cfg(feature = $feature)] Self::$variant => <$module::Options as Configure>::OPTIONS,)*
                }
            }
        }

        impl AnyOptions {
            /// Returns the specification.
            #[must_use]
            pub const fn spec(&self) -> Spec {
                match self.typed {
                    $(#[cfg(feature = $feature)] Typed::$variant(_) => Spec::$variant,)*
                    #[cfg(feature = "ulid-flake")]
                    Typed::Scalable(_) => Spec::UlidFlake,
                }
            }

            /// Sets the option of this name. [`Spec::options`] lists them.
            ///
            /// # Errors
            ///
            /// If there is no option of this name, or it cannot have this value.
            pub fn set(self, name: &str, value: &str) -> Result<Self, ConfigError> {
                Ok(match self.typed {
                    // A node makes the version scalable.
                    #[cfg(feature = "ulid-flake")]
                    Typed::UlidFlake(options) if name == "node" => {
                        let options = ulid_flake::scalable::Options::of_node(options, 0)?;
                        self.with(&options, options.set(name, value)?)
                    }
                    $(#[cfg(feature = $feature)] Typed::$variant(options) => self.with(&options, options.set(name, value)?),)*
                    #[cfg(feature = "ulid-flake")]
                    Typed::Scalable(options) => self.with(&options, options.set(name, value)?),
                })
            }
        }

        /// Evaluates `$body` with the options in their type as `$options`: a loop enters the type once. What the user chose for
        /// a clock that goes back is in the options, too.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! __with_options {
            ($dollar any:expr, $dollar options:ident => $dollar body:expr) => {
                match $dollar any.typed() {
                    $(
                        $crate::__Typed::$variant($dollar options) => $dollar body,
                    )*
                    $crate::__Typed::Scalable($dollar options) => $dollar body,
                }
            };
        }

        impl AnyOptions {
            /// The options in their type, with what the user chose for a clock that goes back.
            #[doc(hidden)]
            #[must_use]
            pub fn typed(self) -> Typed {
                match self.typed {
                    $(#[cfg(feature = $feature)] Typed::$variant(options) => Typed::$variant(options.with_policy(self.rollback)),)*
                    #[cfg(feature = "ulid-flake")]
                    Typed::Scalable(options) => Typed::Scalable(options.with_policy(self.rollback)),
                }
            }
        }

        /// Evaluates `$body` with the options of the specification as `$options`.
        macro_rules! with_options {
            ($dollar any:expr, $dollar options:ident => $dollar body:expr) => {
                match $dollar any.typed {
                    $(#[cfg(feature = $feature)] Typed::$variant(ref $dollar options) => $dollar body,)*
                    #[cfg(feature = "ulid-flake")]
                    Typed::Scalable(ref $dollar options) => $dollar body,
                }
            };
        }
    };
}

/// The options of a generator of any specification, for a program that reads both from its configuration.
///
/// [`build`](Self::build) makes an [`AnyGenerator`](crate::AnyGenerator) of them, and [`backfill`](Self::backfill) an
/// [`AnyBackfill`](crate::AnyBackfill). They implement `NodeOptions`, so a node of a fleet (`sortid-fleet`) makes a generator of
/// them, too. The `Options` of each specification convert into this type.
///
/// ```
/// use sortid::{AnyOptions, Spec};
///
/// // From a file, a command line or a query.
/// let (spec, options) = ("ron-uid", [("origin", "Xgritzk0_D"), ("min_length", "8")]);
///
/// let ids = AnyOptions::new(spec.parse()?, &options)?.build();
/// assert!(ids.generate()?.encode().ends_with("-Xgritzk0_D"));
///
/// let error = AnyOptions::new(Spec::RonUid, &[("origin", "X"), ("min_length", "3")]).unwrap_err();
/// assert_eq!(error.to_string(), "minimum length: expected 5 to 10, found 3");
/// let error = AnyOptions::new(Spec::Euid, &[("ledger_id", "c0331dd8")]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "expected the option extension, rollback or rollback_allowance, found \"ledger_id\""
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyOptions {
    typed: Typed,
    pub(super) rollback: RollbackPolicy,
}

each_spec!($ any_options);

#[cfg(feature = "ulid-flake")]
impl From<ulid_flake::scalable::Options> for AnyOptions {
    fn from(options: ulid_flake::scalable::Options) -> Self {
        Self::of(Typed::Scalable(options), options.rollback_policy())
    }
}

impl AnyOptions {
    const fn of(typed: Typed, rollback: RollbackPolicy) -> Self {
        Self { typed, rollback }
    }

    /// The options of one specification after a change. An option of the specification may change what the generator does
    /// when the clock goes back, too.
    fn with<O: Rules + Into<Self>>(self, before: &O, after: O) -> Self {
        let is_same = before.rollback_policy() == after.rollback_policy();
        let after: Self = after.into();
        if is_same { Self { rollback: self.rollback, ..after } } else { after }
    }

    /// Creates the options of a specification: the defaults, and these names with their values. The order of the names does not
    /// matter. Of two values of one name, the last one counts.
    ///
    /// # Errors
    ///
    /// If there is no option of a name, if an option cannot have its value, or if a required one is missing: the origin of
    /// RON UIDs, and the ledger ID of Event IDs.
    pub fn new(spec: Spec, options: &[(&str, &str)]) -> Result<Self, ConfigError> {
        let all = spec.options();
        let is_known = |name: &str| all.iter().any(|option| option.name == name);
        if let Some((name, _)) = options.iter().find(|(name, _)| !is_known(name)) {
            return Err(error::unknown_option(all, name));
        }
        all.iter().try_fold(defaults(spec), |made, option| {
            match options.iter().rev().find(|(name, _)| *name == option.name) {
                Some((name, value)) => made.set(name, value),
                None if option.is_required => Err(error::missing_option(option.name, option.about)),
                None => Ok(made),
            }
        })
    }
}

/// Draws the bytes of many IDs of these rules, in one request.
#[inline]
fn draw_all<R: Rules<Random = [u8; N]>, const N: usize>(
    _: &R,
    all: &mut [[u8; RANDOM]],
    entropy: &impl Entropy,
) -> Result<(), EntropyError> {
    const { assert!(N <= RANDOM, "`RANDOM` is less than a specification draws") }
    if N == 0 {
        return Ok(());
    }
    let (count, bytes) = (all.len(), all.as_flattened_mut());
    entropy.fill(&mut bytes[..count * N])?;
    if N < RANDOM {
        // Each ID takes its bytes, the last one first, because its place may be among the bytes of others.
        for index in (0..count).rev() {
            let own: [u8; N] = first(&bytes[index * N..]);
            bytes[index * RANDOM..][..N].copy_from_slice(&own);
        }
    }
    Ok(())
}

/// The random bytes of a specification, which may have fewer of them.
const fn first<const N: usize>(random: &[u8]) -> [u8; N] {
    match random.first_chunk() {
        Some(first) => *first,
        None => panic!("`RANDOM` is less than a specification draws"),
    }
}

impl Rules for AnyOptions {
    type Id = AnyId;
    type Random = [u8; RANDOM];

    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    fn default_rollback(&self) -> Rollback {
        with_options!(self, options => options.default_rollback())
    }

    fn random_bits(&self) -> u32 {
        with_options!(self, options => options.random_bits())
    }

    #[inline]
    fn tick(&self, unix_micros: u64) -> Option<u64> {
        with_options!(self, options => options.tick(unix_micros))
    }

    #[inline]
    fn are_ticks_unix_millis(&self) -> bool {
        with_options!(self, options => options.are_ticks_unix_millis())
    }

    fn tick_start(&self, tick: u64) -> u64 {
        with_options!(self, options => options.tick_start(tick))
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        with_options!(self, options => options.ticks())
    }

    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        with_options!(self, options => options.first_count(tick, entropy))
    }

    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        entropy: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        with_options!(self, options => options.first_position(last, tick, entropy))
    }

    #[inline]
    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        with_options!(self, options => options.next_position(last, entropy))
    }

    fn can_reset(&self, resets: u16) -> bool {
        with_options!(self, options => options.can_reset(resets))
    }

    #[inline]
    fn draw(&self, entropy: &impl Entropy) -> Result<[u8; RANDOM], EntropyError> {
        let mut random = [[0; RANDOM]];
        self.draw_all(&mut random, entropy)?;
        Ok(random[0])
    }

    #[inline]
    fn draw_all(&self, all: &mut [[u8; RANDOM]], entropy: &impl Entropy) -> Result<(), EntropyError> {
        with_options!(self, options => draw_all(options, all, entropy))
    }

    #[inline]
    fn id(&self, position: Position, resets: u16, random: [u8; RANDOM]) -> AnyId {
        with_options!(self, options => options.id(position, resets, first(&random)).into())
    }

    fn position(&self, id: AnyId) -> Option<Position> {
        with_options!(self, options => options.position(id.try_into().ok()?))
    }

    fn resets(&self, id: AnyId) -> u16 {
        with_options!(self, options => id.try_into().map_or(0, |id| options.resets(id)))
    }
}

impl BackfillRules for AnyOptions {
    fn backfill_first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        with_options!(self, options => options.backfill_first_count(tick, entropy))
    }

    fn backfill_next_count(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<u64>, EntropyError> {
        with_options!(self, options => options.backfill_next_count(last, entropy))
    }

    fn backfill_capacity(&self) -> u64 {
        with_options!(self, options => options.backfill_capacity())
    }

    fn backfill_spill(&self) -> Duration {
        with_options!(self, options => options.backfill_spill())
    }
}

/// Only RON UIDs have a hybrid logical clock. The others observe no ID that is ahead of the clock.
impl HybridRules for AnyOptions {
    fn future_bound(&self) -> Duration {
        match &self.typed {
            #[cfg(feature = "ron-uid")]
            Typed::RonUid(options) => options.future_bound(),
            #[allow(unreachable_patterns)]
            _ => Duration::ZERO,
        }
    }
}

impl NodeOptions for AnyOptions {
    type Id = AnyId;
    type Rules = Self;

    fn spec(&self) -> &'static str {
        self.spec().name()
    }

    fn with_node_id(self, node_id: u32, size: u32) -> Result<Self, ConfigError> {
        Ok(match self.typed {
            #[cfg(feature = "evently-id")]
            Typed::EventlyId(_) => {
                return Err(error::unsupported_option(
                    "node ID",
                    "Event IDs have no field for it, because a ledger has one writer at a time",
                ));
            }
            #[cfg(feature = "scru160")]
            Typed::Scru160(options) => options.with_node_id(node_id, size)?.into(),
            #[cfg(feature = "euid")]
            Typed::Euid(options) => options.with_node_id(node_id, size)?.into(),
            #[cfg(feature = "ulid-flake")]
            Typed::UlidFlake(options) => options.with_node_id(node_id, size)?.into(),
            #[cfg(feature = "ulid-flake")]
            Typed::Scalable(options) => options.with_node_id(node_id, size)?.into(),
            #[cfg(feature = "ron-uid")]
            Typed::RonUid(options) => options.with_node_id(node_id, size)?.into(),
        })
    }
}
