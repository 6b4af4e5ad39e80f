// The scalable Ulid-Flake has no variant, because neither bits nor text tell it from the other version. `AnyId` has
// no `FromStr`, because several specifications can accept one text.

use core::{fmt, ops::RangeInclusive, str::FromStr};
use sortid_core::{__private::error::Start, SortableId};

/// Writes the enums [`Spec`] and [`AnyId`](crate::AnyId), their conversions, and macros that evaluate an expression
/// for a specification that is known only when the program runs.
macro_rules! specs {
    (
        $dollar:tt
        $(
            $feature:literal $variant:ident($module:ident::$id:ident)
            $about:literal
            also $names:tt
            options $options:expr;
        )*
    ) => {
        /// A specification. The enum has a variant for each specification whose feature is on.
        ///
        /// ```
        /// use sortid::Spec;
        ///
        /// assert_eq!("euid".parse(), Ok(Spec::Euid));
        /// assert_eq!(Spec::Euid.name(), "euid");
        /// assert!(Spec::ALL.contains(&Spec::Euid));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Spec {
            $(
                #[doc = $about]
                #[cfg(feature = $feature)]
                $variant,
            )*
        }

        impl Spec {
            /// All specifications whose feature is on, in their order.
            pub const ALL: &'static [Self] = &[$(#[cfg(feature = $feature)] Self::$variant,)*];

            /// Returns the names that [`from_str`](Self::from_str) accepts besides [`name`](Self::name), without the signs
            /// between words.
            const fn other_names(self) -> &'static [&'static str] {
                match self {
                    $(#[cfg(feature = $feature)] Self::$variant => &$names,)*
                }
            }
        }

        /// An ID of any specification. The enum has a variant for each specification whose feature is on.
        ///
        /// IDs of one specification have the order of their type. IDs of different specifications are ordered by
        /// specification, not by time.
        ///
        /// ```
        /// use sortid::{AnyId, Spec};
        ///
        /// let id = AnyId::parse(Spec::UlidFlake, "00cmxb6tak4sa")?;
        /// assert_eq!(id.spec().name(), "ulid-flake");
        /// assert_eq!(id.to_string(), "00CMXB6TAK4SA");
        /// assert_eq!(id.unix_micros(), Some(1_717_653_966_666_000));
        /// assert_eq!(AnyId::try_from_bytes(id.spec(), id.as_bytes()), Ok(id));
        /// # Ok::<(), sortid::ParseError>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum AnyId {
            $(
                #[doc = $about]
                #[cfg(feature = $feature)]
                $variant($module::$id),
            )*
        }

        $(
            #[cfg(feature = $feature)]
            const _: () = assert!(
                <$module::$id as SortableId>::TEXT_LEN <= AnyId::TEXT_LEN,
                "`AnyId::TEXT_LEN` is less than the length of a text"
            );
        )*

        impl AnyId {
            /// Returns the specification.
            #[must_use]
            pub const fn spec(&self) -> Spec {
                match self {
                    $(#[cfg(feature = $feature)] Self::$variant(_) => Spec::$variant,)*
                }
            }
        }

        $(
            #[cfg(feature = $feature)]
            impl From<$module::$id> for AnyId {
                fn from(id: $module::$id) -> Self {
                    Self::$variant(id)
                }
            }

            /// Returns the ID, or an error if it has another specification.
            #[cfg(feature = $feature)]
            impl TryFrom<AnyId> for $module::$id {
                type Error = UnexpectedSpec;

                fn try_from(any: AnyId) -> Result<Self, UnexpectedSpec> {
                    match any {
                        AnyId::$variant(id) => Ok(id),
                        // With the feature of one specification only, there are no others.
                        #[allow(unreachable_patterns)]
                        _ => Err(UnexpectedSpec { expected: Spec::$variant, found: any.spec() }),
                    }
                }
            }
        )*

        /// Evaluates `$body` with the ID type of a specification as `$id`.
        macro_rules! with_type {
            ($dollar spec:expr, $dollar id:ident => $dollar body:expr) => {
                match $dollar spec {
                    $(
                        #[cfg(feature = $feature)]
                        $crate::Spec::$variant => {
                            type $dollar id = $module::$id;
                            $dollar body
                        }
                    )*
                }
            };
        }

        /// Evaluates `$body` with the ID as `$id`.
        macro_rules! with_id {
            ($dollar any:expr, $dollar id:ident => $dollar body:expr) => {
                match $dollar any {
                    $(
                        #[cfg(feature = $feature)]
                        $crate::AnyId::$variant($dollar id) => $dollar body,
                    )*
                }
            };
        }

        /// The enums without the attribute that lets them grow: crates of this project with all specifications match on
        /// these, so that the compiler points at what a new specification lacks. The module is empty unless the
        /// features of all specifications are on.
        #[allow(missing_docs, reason = "only the crates of this project use it")]
        #[doc(hidden)]
        pub mod every {
            #[cfg(all($(feature = $feature),*))]
            pub use all::*;

            #[cfg(all($(feature = $feature),*))]
            mod all {
                pub enum Spec {
                    $($variant,)*
                }

                pub enum Id {
                    $($variant($module::$id),)*
                }

                impl From<crate::Spec> for Spec {
                    fn from(spec: crate::Spec) -> Self {
                        match spec {
                            $(crate::Spec::$variant => Self::$variant,)*
                        }
                    }
                }

                impl From<crate::AnyId> for Id {
                    fn from(any: crate::AnyId) -> Self {
                        match any {
                            $(crate::AnyId::$variant(id) => Self::$variant(id),)*
                        }
                    }
                }

                #[doc(hidden)]
                #[macro_export]
                macro_rules! __with_type {
                    ($dollar spec:expr, $dollar id:ident => $dollar body:expr) => {
                        match $dollar crate::__every::Spec::from($dollar spec) {
                            $(
                                $dollar crate::__every::Spec::$variant => {
                                    type $dollar id = $dollar crate::$module::$id;
                                    $dollar body
                                }
                            )*
                        }
                    };
                }

                #[doc(hidden)]
                #[macro_export]
                macro_rules! __with_id {
                    ($dollar any:expr, $dollar id:ident => $dollar body:expr) => {
                        match $dollar crate::__every::Id::from($dollar any) {
                            $($dollar crate::__every::Id::$variant($dollar id) => $dollar body,)*
                        }
                    };
                }
            }
        }
    };
}

each_spec!($ specs);

impl Spec {
    /// Returns the name, which is also that of the crate and of the feature: `evently-id`, `euid`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        with_type!(self, Id => <Id as SortableId>::NAME)
    }

    /// Returns the name for people: `Event ID`, `EUID`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        with_type!(self, Id => <Id as SortableId>::TITLE)
    }

    /// Returns the number of bytes of an ID.
    #[must_use]
    pub const fn bytes(self) -> usize {
        with_type!(self, Id => <Id as SortableId>::BYTES)
    }

    /// Returns the times that IDs can have, in microseconds since 1970: see [`SortableId::TIMES`].
    #[must_use]
    pub const fn times(self) -> RangeInclusive<u64> {
        with_type!(self, Id => <Id as SortableId>::TIMES)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the [name](Spec::name), the [title](Spec::title), or what people write instead: `Evently`, `Event`, `RON`.
/// Ignores case, spaces, hyphens and underscores.
///
/// ```
/// use sortid::Spec;
///
/// for name in ["ron-uid", "RON UID", "RonUid", "ron_uid", "ron"] {
///     assert_eq!(name.parse(), Ok(Spec::RonUid));
/// }
/// let error = "ulid".parse::<Spec>().unwrap_err();
/// assert!(error.to_string().starts_with("expected evently-id, scru160, "));
/// assert!(error.to_string().ends_with(", found \"ulid\""));
/// ```
impl FromStr for Spec {
    type Err = UnknownSpec;

    fn from_str(name: &str) -> Result<Self, UnknownSpec> {
        let is_name = |spec: &&Self| {
            let mut names = spec.other_names().iter().copied().chain([spec.name()]);
            names.any(|candidate| letters(name.as_bytes()).eq(letters(candidate.as_bytes())))
        };
        Self::ALL.iter().find(is_name).copied().ok_or_else(|| UnknownSpec(Start::of(name.as_bytes())))
    }
}

/// Returns the letters and digits of a name, in lower case. The signs between words are left out, others are not.
fn letters(name: &[u8]) -> impl Iterator<Item = u8> {
    name.iter().filter(|byte| !b" -_".contains(byte)).map(u8::to_ascii_lowercase)
}

/// The error of a name that is not a specification whose feature is on. The message lists the names, and quotes the one
/// that was found, at most its first 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UnknownSpec(Start);

/// Writes a sentence such as `expected euid or scru160, found "ulid"`.
impl fmt::Display for UnknownSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected ")?;
        for (index, spec) in Spec::ALL.iter().enumerate() {
            let before = match index {
                0 => "",
                _ if index + 1 == Spec::ALL.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}{spec}")?;
        }
        let found = core::str::from_utf8(self.0.as_bytes()).unwrap_or_default();
        write!(f, ", found {found:?}{}", if self.0.is_all() { "" } else { "…" })
    }
}

impl fmt::Debug for UnknownSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UnknownSpec({self})")
    }
}

impl core::error::Error for UnknownSpec {}

/// The error of an [`AnyId`](crate::AnyId) that has another specification than the type that it was converted to.
///
/// ```
/// use sortid::{AnyId, Spec, euid::Euid, scru160::Scru160};
///
/// let id = AnyId::parse(Spec::Euid, "C8EE934SR007G5Q94QKKXFRFV8B")?;
/// assert_eq!(Euid::try_from(id)?.unix_millis(), 13_484_529_128_248);
/// let error = Scru160::try_from(id).unwrap_err();
/// assert_eq!(error.to_string(), "expected an ID of the specification SCRU160, found one of EUID");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnexpectedSpec {
    pub(super) expected: Spec,
    pub(super) found: Spec,
}

impl UnexpectedSpec {
    /// Returns the specification of the type.
    #[must_use]
    pub const fn expected(&self) -> Spec {
        self.expected
    }

    /// Returns the specification of the ID.
    #[must_use]
    pub const fn found(&self) -> Spec {
        self.found
    }
}

impl fmt::Display for UnexpectedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [expected, found] = [self.expected, self.found].map(Spec::title);
        write!(f, "expected an ID of the specification {expected}, found one of {found}")
    }
}

impl core::error::Error for UnexpectedSpec {}
