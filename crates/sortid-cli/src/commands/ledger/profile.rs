use clap::ValueEnum;

/// What the checksums cover.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Profile {
    /// entity, key, event, meta, data
    Classic,
    /// event, entities, meta, data, timestamp: what Evently writes since 2024
    Entities,
}

impl From<Profile> for sortid::evently_id::Profile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Classic => Self::Classic,
            Profile::Entities => Self::Entities,
        }
    }
}
