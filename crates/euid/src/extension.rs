use sortid_core::{__private::error, OptionError};

/// Up to 15 bits of your own in an ID: a value, and the number of bits that it takes (specification, "The
/// Extension").
///
/// ```
/// use euid::Extension;
///
/// let extension = Extension::new(5)?; // 3 bits, as many as it needs
/// assert_eq!((extension.value(), extension.bits()), (5, 3));
/// let extension = Extension::with_bits(5, 8)?; // 8 bits, so that the length tells nothing of the value
/// assert_eq!((extension.value(), extension.bits()), (5, 8));
/// # Ok::<(), euid::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Extension {
    value: u16,
    bits: u8,
}

impl Extension {
    /// The greatest value, 2^15 − 1.
    pub const MAX_VALUE: u16 = (1 << Self::MAX_BITS) - 1;

    /// The most bits.
    pub const MAX_BITS: u8 = 15;

    /// A value in as many bits as it needs; 0 needs one.
    ///
    /// # Errors
    ///
    /// When the value is above 32767.
    pub const fn new(value: u16) -> Result<Self, OptionError> {
        match error::check_option("extension", value as u64, 0, Self::MAX_VALUE as u64) {
            Ok(()) => Ok(Self { value, bits: Self::needed(value) }),
            Err(error) => Err(error),
        }
    }

    /// A value in so many bits.
    ///
    /// # Errors
    ///
    /// When the value is above 32767, or `bits` above 15 or fewer than the value needs.
    pub const fn with_bits(value: u16, bits: u8) -> Result<Self, OptionError> {
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

    /// What the low `bits` of an ID's 15-bit field say; `None` where there are none.
    pub(crate) const fn read(field: u16, bits: u8) -> Option<Self> {
        if bits == 0 { None } else { Some(Self { value: field & ((1 << bits) - 1), bits }) }
    }

    /// The value.
    #[must_use]
    pub const fn value(self) -> u16 {
        self.value
    }

    /// How many bits it takes, 1 to 15.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.bits
    }
}
