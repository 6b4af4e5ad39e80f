//! Origins in four parts (specification, "Origin part format").

use crate::Base64x64;
use core::{fmt, str::FromStr};
use sortid_core::{__private::error, BASE64X64, ParseError, Text};

/// How the ten digits of an origin are divided into four parts: peer, server, user and session.
///
/// ```
/// use ron_uid::{Base64x64, Replica, ReplicaScheme};
///
/// let scheme = ReplicaScheme::parse("0163")?;
/// let replica = scheme.split(Base64x64::parse("Xgritzk0_D")?)?;
/// assert_eq!(replica.peer, Base64x64::ZERO);
/// assert_eq!(replica.server.encode(), "X");
/// assert_eq!(replica.user.encode(), "gritzk");
/// assert_eq!(replica.session.encode(), "0_D");
///
/// let user = Replica { session: Base64x64::ZERO, ..replica };
/// assert_eq!(scheme.join(&user)?.encode(), "Xgritzk");
/// # Ok::<(), ron_uid::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ReplicaScheme([u8; 4]);

/// The parts of an origin. The digits of each part come first in its integer: the server `X` is the integer with the text
/// `X`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Replica {
    /// The peer.
    pub peer: Base64x64,
    /// The server.
    pub server: Base64x64,
    /// The user.
    pub user: Base64x64,
    /// The session.
    pub session: Base64x64,
}

impl ReplicaScheme {
    /// 0163, the scheme of the specification's example: no peer, and 1 digit for the server, 6 for the user and 3 for the
    /// session.
    pub const DEFAULT: Self = Self([0, 1, 6, 3]);

    /// Creates the scheme with these numbers of digits for peer, server, user and session.
    ///
    /// ```
    /// use ron_uid::ReplicaScheme;
    ///
    /// assert_eq!(ReplicaScheme::new([0, 2, 8, 0])?.encode(), "0280");
    /// assert!(ReplicaScheme::new([0, 2, 8, 1]).is_err()); // 11 digits
    /// # Ok::<(), ron_uid::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Overflow` unless the numbers add up to 10.
    pub const fn new(counts: [u8; 4]) -> Result<Self, ParseError> {
        let sum = counts[0] as i128 + counts[1] as i128 + counts[2] as i128 + counts[3] as i128;
        let (what, ten) =
            ("number of digits in a replica scheme", error::Value::Integer(Base64x64::TEXT_LEN as i128));
        if sum > Base64x64::TEXT_LEN as i128 {
            Err(error::out_of_range(error::above(error::Value::Integer(sum), what, ten)))
        } else if sum < Base64x64::TEXT_LEN as i128 {
            Err(error::out_of_range(error::below(error::Value::Integer(sum), what, ten)))
        } else {
            Ok(Self(counts))
        }
    }

    /// Parses the four numbers, one digit each; `A` is ten.
    ///
    /// # Errors
    ///
    /// `Length` unless the text has 4 bytes; `Character` if a character is not a digit; `Overflow` unless the numbers add
    /// up to 10. Positions count bytes from 0.
    pub const fn parse(text: &str) -> Result<Self, ParseError> {
        let text = text.as_bytes();
        if text.len() != 4 {
            return Err(error::length("4 digits", text.len()));
        }
        let mut counts = [0; 4];
        let mut i = 0;
        while i < 4 {
            match BASE64X64.get(text, i, 1) {
                Some(count) => counts[i] = count as u8,
                None => return Err(BASE64X64.bad_digit(text)),
            }
            i += 1;
        }
        Self::new(counts)
    }

    /// Returns the text: the numbers of digits for peer, server, user and session, one digit each.
    #[must_use]
    pub const fn encode(&self) -> Text<4> {
        let mut text = Text::EMPTY;
        let mut i = 0;
        while i < 4 {
            text.push_digits(&BASE64X64, self.0[i] as u64, 1);
            i += 1;
        }
        text
    }

    /// Returns the numbers of digits for peer, server, user and session.
    #[must_use]
    pub const fn counts(&self) -> [u8; 4] {
        self.0
    }

    /// Splits an origin into its parts.
    ///
    /// # Errors
    ///
    /// `Length` if a part that has digits in this scheme is 0, and a later part is not.
    pub const fn split(&self, origin: Base64x64) -> Result<Replica, ParseError> {
        let mut parts = [Base64x64::ZERO; 4];
        let mut at = 0;
        let mut i = 0;
        while i < 4 {
            let shifted = Base64x64::from_low_bits(origin.to_int() << (6 * at));
            parts[i] = shifted.prefix(self.0[i] as usize);
            at += self.0[i];
            i += 1;
        }
        let [peer, server, user, session] = parts;
        match self.check(parts) {
            Ok(()) => Ok(Replica { peer, server, user, session }),
            Err(error) => Err(error),
        }
    }

    /// Joins the parts to an origin.
    ///
    /// # Errors
    ///
    /// `Length` if a part has more digits than this scheme has for it, or if a part that has digits in this scheme is 0
    /// and a later part is not.
    pub const fn join(&self, replica: &Replica) -> Result<Base64x64, ParseError> {
        let parts = [replica.peer, replica.server, replica.user, replica.session];
        if let Err(error) = self.check(parts) {
            return Err(error);
        }
        let mut origin = 0;
        let mut at = 0;
        let mut i = 0;
        while i < 4 {
            // A part without digits may stand after the tenth digit. The shift by 60 keeps its 0.
            origin |= parts[i].to_int() >> (6 * at);
            at += self.0[i];
            i += 1;
        }
        Ok(Base64x64::from_low_bits(origin))
    }

    /// Whether each part fits its digits, and only the last parts are 0.
    const fn check(&self, parts: [Base64x64; 4]) -> Result<(), ParseError> {
        const NOT_EMPTY: [&str; 4] = [
            "a digit of the peer, since a later part has some",
            "a digit of the server, since a later part has some",
            "a digit of the user, since the session has some",
            "",
        ];
        let mut hole = None;
        let mut i = 0;
        while i < 4 {
            let (room, digits) = (self.0[i] as usize, parts[i].significant_digits());
            if digits > room {
                return Err(error::length(at_most(room), digits));
            }
            match hole {
                Some(part) if digits > 0 => return Err(error::length(NOT_EMPTY[part], 0)),
                None if room > 0 && digits == 0 => hole = Some(i),
                _ => {}
            }
            i += 1;
        }
        Ok(())
    }
}

const fn at_most(digits: usize) -> &'static str {
    const EXPECTED: [&str; 10] = [
        "no digits in this replica part",
        "at most 1 digit in this replica part",
        "at most 2 digits in this replica part",
        "at most 3 digits in this replica part",
        "at most 4 digits in this replica part",
        "at most 5 digits in this replica part",
        "at most 6 digits in this replica part",
        "at most 7 digits in this replica part",
        "at most 8 digits in this replica part",
        "at most 9 digits in this replica part",
    ];
    EXPECTED[digits]
}

impl Default for ReplicaScheme {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for ReplicaScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.encode())
    }
}

impl fmt::Debug for ReplicaScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplicaScheme({})", self.encode())
    }
}

impl FromStr for ReplicaScheme {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl TryFrom<&str> for ReplicaScheme {
    type Error = ParseError;

    fn try_from(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}
