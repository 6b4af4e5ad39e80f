use crate::UlidFlake;
use sortid_core::{__private::error, ConfigError};

/// The time from which timestamps count.
///
/// An ID does not store its epoch. The methods without an epoch assume the [default](Self::DEFAULT).
///
/// ```
/// use ulid_flake::{Epoch, ulid_flake};
///
/// let id = ulid_flake!("00CMXB6TAK4SA");
/// assert_eq!(id.unix_millis(), 1_717_653_966_666);
/// let epoch = Epoch::from_unix_millis(1_577_836_800_000)?; // 2020
/// assert_eq!(id.unix_millis_with(epoch), 1_577_836_800_000 + id.timestamp());
/// # Ok::<(), ulid_flake::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(u64);

impl Epoch {
    /// The specification's default: 2024-01-01T00:00:00Z.
    pub const DEFAULT: Self = Self(1_704_067_200_000);

    /// The greatest epoch whose last timestamp fits 64 bits as microseconds since 1970.
    const GREATEST: u64 = u64::MAX / 1000 - (UlidFlake::MAX_TIMESTAMP + 1);

    /// Creates the epoch that is `millis` milliseconds after 1970.
    ///
    /// # Errors
    ///
    /// If `millis` is above 18 437 947 980 687 343 (in the year 586245).
    pub const fn from_unix_millis(millis: u64) -> Result<Self, ConfigError> {
        match error::check_option("epoch", millis, 0, Self::GREATEST) {
            Ok(()) => Ok(Self(millis)),
            Err(error) => Err(error),
        }
    }

    /// Returns the epoch in milliseconds since 1970.
    #[must_use]
    pub const fn unix_millis(self) -> u64 {
        self.0
    }
}

impl Default for Epoch {
    fn default() -> Self {
        Self::DEFAULT
    }
}
