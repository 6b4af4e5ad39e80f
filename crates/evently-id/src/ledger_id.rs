/// The number of bytes of a ledger ID.
const BYTES: usize = 4;

/// The bits of the checksum, and of the version below it (specification, "Versioned Ledger ID").
const LAYOUT: [u32; 2] = [30, 2];
const _: () = assert!(LAYOUT[0] + LAYOUT[1] == 8 * BYTES as u32);

/// The bits of the version.
const VERSION: u32 = (1 << LAYOUT[1]) - 1;

/// The ID of a ledger: the upper 30 bits of the checksum of its first event, and 2 bits for the version of the format,
/// which is 0.
///
/// ```
/// use evently_id::LedgerId;
///
/// let ledger_id = LedgerId::from_checksum(0xc033_1ddb);
/// assert_eq!(ledger_id.encode(), "c0331dd8");
/// assert_eq!(ledger_id.version(), 0);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LedgerId([u8; BYTES]);

impl LedgerId {
    /// The least ledger ID: all bits 0.
    pub const MIN: Self = Self([0; BYTES]);

    /// The greatest ledger ID: all bits 1.
    pub const MAX: Self = Self([0xff; BYTES]);

    /// Returns the ID of the ledger whose first event has this checksum, in version 0.
    #[must_use]
    pub const fn from_checksum(checksum: u32) -> Self {
        Self::from_int(checksum & !VERSION)
    }

    /// Returns the ledger ID with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, most significant first.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; BYTES] {
        self.0
    }

    /// Returns the bytes, most significant first.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// Returns the ledger ID with this integer, whose lowest 2 bits are the version.
    #[must_use]
    pub const fn from_int(int: u32) -> Self {
        Self(int.to_be_bytes())
    }

    /// Returns the integer, whose lowest 2 bits are the version.
    #[must_use]
    pub const fn to_int(self) -> u32 {
        u32::from_be_bytes(self.0)
    }

    /// Returns the version, 0 to 3.
    #[must_use]
    pub const fn version(self) -> u8 {
        (self.to_int() & VERSION) as u8
    }

    /// Returns whether both IDs are of the same ledger. The versions may differ.
    ///
    /// ```
    /// use evently_id::LedgerId;
    ///
    /// let (old, new) = (LedgerId::from_int(0xc033_1dd8), LedgerId::from_int(0xc033_1dd9));
    /// assert!(old != new && old.is_same_ledger(new));
    /// ```
    #[must_use]
    pub const fn is_same_ledger(self, other: Self) -> bool {
        self.to_int() & !VERSION == other.to_int() & !VERSION
    }
}

sortid_core::__private::standard_traits!([cfg] LedgerId, BYTES, from_bytes);

impl From<u32> for LedgerId {
    fn from(int: u32) -> Self {
        Self::from_int(int)
    }
}

impl From<LedgerId> for u32 {
    fn from(id: LedgerId) -> Self {
        id.to_int()
    }
}
