/// What kind a UID is. The schemes have the order of this list.
///
/// ```
/// use ron_uid::{Scheme, ron_uid};
///
/// let [event, derived] = [ron_uid!("1CQKn-X"), ron_uid!("1CQKn+X")];
/// assert_eq!((event.scheme(), derived.scheme()), (Scheme::Event, Scheme::Derived));
/// assert_eq!((ron_uid!("inc").scheme(), ron_uid!("A%B").scheme()), (Scheme::Name, Scheme::Hash));
/// assert_eq!(derived.scheme().sign(), '+');
/// assert!(event < derived);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// `-`: an event. The value is its time, the origin its replica.
    #[default]
    Event,
    /// `+`: a UID derived from the event with the same value and origin.
    Derived,
    /// `$`: a name. The value is the name, the origin its scope; with the origin 0, the name is valid everywhere.
    Name,
    /// `%`: a hash or a number of 120 bits, in value and origin.
    Hash,
}

impl Scheme {
    /// All schemes, in their order.
    pub const ALL: [Self; 4] = [Self::Event, Self::Derived, Self::Name, Self::Hash];

    /// Returns the sign between value and origin: `-`, `+`, `$` or `%`.
    #[must_use]
    pub const fn sign(self) -> char {
        self.sign_byte() as char
    }

    #[inline]
    pub(crate) const fn sign_byte(self) -> u8 {
        match self {
            Self::Event => b'-',
            Self::Derived => b'+',
            Self::Name => b'$',
            Self::Hash => b'%',
        }
    }

    #[inline]
    pub(crate) const fn from_sign_byte(sign: u8) -> Option<Self> {
        match sign {
            b'-' => Some(Self::Event),
            b'+' => Some(Self::Derived),
            b'$' => Some(Self::Name),
            b'%' => Some(Self::Hash),
            _ => None,
        }
    }

    /// Returns the name of the scheme, one lower-case word: `event`, `derived`, `name` or `hash`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Derived => "derived",
            Self::Name => "name",
            Self::Hash => "hash",
        }
    }

    /// The two bits in the binary form.
    pub(crate) const fn bits(self) -> u64 {
        match self {
            Self::Name => 0b00,
            Self::Hash => 0b01,
            Self::Event => 0b10,
            Self::Derived => 0b11,
        }
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        match bits & 0b11 {
            0b00 => Self::Name,
            0b01 => Self::Hash,
            0b10 => Self::Event,
            _ => Self::Derived,
        }
    }
}
