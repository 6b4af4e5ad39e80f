/// A specification, as the names of the SQL functions have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Spec {
    /// SCRU160.
    Scru160,
    /// EUID.
    Euid,
    /// Ulid-Flake.
    UlidFlake,
    /// Swarm RON UID.
    RonUid,
    /// Evently Event ID.
    EventId,
}

impl Spec {
    /// All specifications.
    pub const ALL: [Self; 5] = [Self::Scru160, Self::Euid, Self::UlidFlake, Self::RonUid, Self::EventId];

    /// Returns the prefix of the functions: `scru160`, `euid`, `ulid_flake`, `ron_uid` or `event_id`.
    ///
    /// ```
    /// assert_eq!(sortid_sql::Spec::UlidFlake.prefix(), "ulid_flake");
    /// ```
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Scru160 => "scru160",
            Self::Euid => "euid",
            Self::UlidFlake => "ulid_flake",
            Self::RonUid => "ron_uid",
            Self::EventId => "event_id",
        }
    }

    /// Returns the number of bytes of an ID.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Scru160 => 20,
            Self::UlidFlake => 8,
            Self::Euid | Self::RonUid | Self::EventId => 16,
        }
    }
}
