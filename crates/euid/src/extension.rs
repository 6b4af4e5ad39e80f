use sortid_core::{__private::error, ConfigError};

/// Up to 15 bits of your own in an ID: a value and its number of bits (specification, "The Extension").
///
/// ```
/// use euid::Extension;
///
/// let extension = Extension::new(5)?; // 3 bits, as many as the value needs
/// assert_eq!((extension.value(), extension.bits()), (5, 3));
/// let extension = Extension::with_bits(5, 8)?; // 8 bits: the length does not reveal the value
/// assert_eq!((extension.value(), extension.bits()), (5, 8));
/// # Ok::<(), euid::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Extension {
    value: u16,
    bits: u8,
}

impl Extension {
    /// The greatest value, 2^15 − 1 = 32767.
    pub(crate) const MAX_VALUE: u16 = (1 << Self::MAX_BITS) - 1;

    /// The greatest number of bits.
    pub(crate) const MAX_BITS: u8 = 15;

    /// Creates an extension with as many bits as the value needs; 0 needs one bit.
    ///
    /// # Errors
    ///
    /// If `value` is above 32767.
    pub const fn new(value: u16) -> Result<Self, ConfigError> {
        match error::check_option("extension", value as u64, 0, Self::MAX_VALUE as u64) {
            Ok(()) => Ok(Self { value, bits: Self::needed(value) }),
            Err(error) => Err(error),
        }
    }

    /// Creates an extension with this number of bits.
    ///
    /// # Errors
    ///
    /// If `value` is above 32767, or `bits` is above 15 or less than the value needs.
    pub const fn with_bits(value: u16, bits: u8) -> Result<Self, ConfigError> {
        match Self::new(value) {
            Ok(Self { bits: needed, .. }) => {
                match error::check_option("extension bits", bits as u64, needed as u64, Self::MAX_BITS as u64)
                {
                    Ok(()) => Ok(Self { value, bits }),
                    Err(error) => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }

    const fn needed(value: u16) -> u8 {
        if value == 0 { 1 } else { (u16::BITS - value.leading_zeros()) as u8 }
    }

    /// Returns the extension in the low `bits` of an ID's 15-bit field; `None` if `bits` is 0.
    pub(crate) const fn read(field: u16, bits: u8) -> Option<Self> {
        if bits == 0 { None } else { Some(Self { value: field & ((1 << bits) - 1), bits }) }
    }

    /// Returns the value.
    #[must_use]
    pub const fn value(self) -> u16 {
        self.value
    }

    /// Returns the number of bits, 1 to 15.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.bits
    }
}
