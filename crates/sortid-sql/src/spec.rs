/// A specification, as the names of the SQL functions have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Spec {
    /// Evently Event ID.
    EventlyId,
    /// SCRU160.
    Scru160,
    /// EUID.
    Euid,
    /// Ulid-Flake.
    UlidFlake,
    /// Swarm RON UID.
    RonUid,
}

impl Spec {
    /// All specifications.
    pub const ALL: &'static [Self] =
        &[Self::EventlyId, Self::Scru160, Self::Euid, Self::UlidFlake, Self::RonUid];

    /// Returns the specification of this name, which is the name of its crate: `evently-id`, `scru160`, `euid`,
    /// `ulid-flake` or `ron-uid`.
    ///
    /// ```
    /// use sortid_sql::Spec;
    ///
    /// assert_eq!(Spec::named("evently-id"), Some(Spec::EventlyId));
    /// assert_eq!(Spec::named("uuid"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|spec| spec.name() == name)
    }

    /// Returns the name of the specification.
    const fn name(self) -> &'static str {
        match self {
            Self::EventlyId => "evently-id",
            Self::Scru160 => "scru160",
            Self::Euid => "euid",
            Self::UlidFlake => "ulid-flake",
            Self::RonUid => "ron-uid",
        }
    }

    /// Returns the prefix of the functions: `scru160`, `euid`, `ulid_flake`, `ron_uid` or `event_id`.
    ///
    /// ```
    /// assert_eq!(sortid_sql::Spec::UlidFlake.prefix(), "ulid_flake");
    /// ```
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::EventlyId => "event_id",
            Self::Scru160 => "scru160",
            Self::Euid => "euid",
            Self::UlidFlake => "ulid_flake",
            Self::RonUid => "ron_uid",
        }
    }

    /// Returns the number of bytes of an ID.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Scru160 => 20,
            Self::UlidFlake => 8,
            Self::Euid | Self::RonUid | Self::EventlyId => 16,
        }
    }

    /// Whether the ID is a UUID in databases whose UUIDs sort by their bytes.
    pub(crate) const fn is_uuid(self) -> bool {
        match self {
            Self::Euid | Self::EventlyId => true,
            Self::Scru160 | Self::UlidFlake | Self::RonUid => false,
        }
    }
}
