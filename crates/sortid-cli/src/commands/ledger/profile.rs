use clap::ValueEnum;

/// Which members of an event the checksums cover.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Profile {
    /// entity, key, event, meta, data
    Classic,
    /// event, entities, meta, data, timestamp: used by Evently since 2024
    Entities,
}

impl From<Profile> for sortid::evently_ledger::Profile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Classic => Self::Classic,
            Profile::Entities => Self::Entities,
        }
    }
}
