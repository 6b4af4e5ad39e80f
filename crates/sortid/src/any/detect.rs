// Only one kind of text is accepted by two specifications: 32 hex digits. They weigh 64 bits for an Event ID, and its
// time mostly adds 12. They weigh 32 bits for a SCRU160, and a plausible time adds 6. So the Event ID always comes
// first, which is wrong for one SCRU160 in 2^32.
//
// Of 16 bytes, a time from 2000 to 2099 weighs 12 bits for an Event ID, 8 for a RON UID and 3 for an EUID. The 8
// include 7 for digits that are a calendar time at all. EUIDs of these years are RON UIDs of the 23rd century or
// without a time, and Event IDs of the year 30 000. So the first candidate is right for nearly all IDs of our time.

use super::{AnyId, Spec};
use core::{cmp::Reverse, fmt, iter::FusedIterator};
use sortid_core::__private::{PLAUSIBLE, typed_id};

/// The bits of a character in the text with which others are compared: one of 64 characters with equal odds.
const BITS_OF_CHANCE: u32 = 6;

/// How many bits of 128 the time of a RON UID explains because random bits are seldom digits of a calendar.
#[cfg(feature = "ron-uid")]
const BITS_OF_CALENDAR: u32 = 7;

/// Finds every specification whose ID the text can be, with the reasons. The likeliest comes first.
///
/// A text can be an ID of each specification whose parser accepts it. A candidate is likelier if its reasons explain more
/// bits of the text:
///
/// | reason | bits that it explains |
/// |---|---|
/// | hex digits | 2 each |
/// | base32 digits | 1 each |
/// | Base64x64 digits | 0 |
/// | the check of an EUID | 7: 1 in 127 texts has the right check by chance |
/// | one sign, in a RON UID | 2 |
/// | a time from 2000 to 2099 | the bits of the timestamp that these times do not need: 12 for an Event ID |
///
/// A text can also begin with the prefix of a [typed ID](crate::euid::typed_id), such as `order_`. The digits of RON UIDs
/// include `_`, so a prefix is recognised before the other IDs only.
///
/// So 32 hex digits are more likely an Event ID than a SCRU160, because only 1 in 2^32 SCRU160s has 32 hex digits. A
/// missing reason does not count against a candidate, because IDs can have other times, and texts may have no check.
///
/// ```
/// use sortid::{Spec, detect};
///
/// let specs = |text| detect(text).map(|candidate| candidate.id().spec()).collect::<Vec<_>>();
/// assert_eq!(specs("00CMXB6TAK4SA"), [Spec::UlidFlake]);
/// assert_eq!(specs("0005cd755a43d79238c05790c0331dd8"), [Spec::EventlyId, Spec::Scru160]);
/// assert_eq!(specs("word"), [Spec::RonUid]); // a name
/// assert_eq!(specs("a text"), []);
///
/// let euid = detect("C8EE934SR007G5Q94QKKXFRFV8B").next().unwrap();
/// let reasons: Vec<_> = euid.reasons().map(|reason| reason.to_string()).collect();
/// assert_eq!(reasons, ["27 Crockford base32 digits", "the check is right"]);
/// assert_eq!(euid.weight(), 27 + 7);
///
/// let typed = detect("order_C8EE934SR007G5Q94QKKXFRFV8B").next().unwrap();
/// assert_eq!((typed.id(), typed.prefix_len()), (euid.id(), "order_".len()));
/// ```
#[must_use]
pub fn detect(text: impl AsRef<[u8]>) -> Candidates {
    let text = text.as_ref();
    Candidates::new(|spec| Candidate::of_text(spec, text))
}

/// Finds every specification whose ID the bytes can be, with the reasons. The likeliest comes first.
///
/// 8 bytes can be a Ulid-Flake, 20 bytes a SCRU160, and 16 bytes an EUID, an Event ID or a RON UID. The only reason is a
/// time from 2000 to 2099. It explains the most bits for an Event ID, fewer for a RON UID, and the fewest for an EUID.
///
/// ```
/// use sortid::{Spec, detect_bytes, euid};
///
/// let id = euid::new();
/// let likeliest = detect_bytes(id.to_bytes()).next().unwrap();
/// assert_eq!(likeliest.id(), id.into());
/// let specs: Vec<_> = detect_bytes([0; 16]).map(|candidate| candidate.id().spec()).collect();
/// assert_eq!(specs, [Spec::EventlyId, Spec::Euid, Spec::RonUid]);
/// assert_eq!(detect_bytes(b"abc").len(), 0);
/// ```
#[must_use]
pub fn detect_bytes(bytes: impl AsRef<[u8]>) -> Candidates {
    let bytes = bytes.as_ref();
    Candidates::new(|spec| Candidate::of_bytes(spec, bytes))
}

/// The candidates that [`detect`] or [`detect_bytes`] found, the likeliest first.
#[derive(Clone, Debug)]
pub struct Candidates {
    candidates: [Option<Candidate>; Spec::ALL.len()],
    next: usize,
}

impl Candidates {
    fn new(candidate: impl Fn(Spec) -> Option<Candidate>) -> Self {
        let mut candidates = [None; Spec::ALL.len()];
        for (place, &spec) in candidates.iter_mut().zip(Spec::ALL) {
            *place = candidate(spec);
        }
        candidates.sort_unstable_by_key(|candidate| {
            Reverse(candidate.map(|Candidate { id, weight, .. }| (weight, Reverse(id.spec()))))
        });
        Self { candidates, next: 0 }
    }
}

impl Iterator for Candidates {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let candidate = *self.candidates.get(self.next)?;
        self.next += usize::from(candidate.is_some());
        candidate
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.candidates[self.next..].iter().flatten().count();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Candidates {}

impl FusedIterator for Candidates {}

/// An ID that a text or bytes can be, with the reasons for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    id: AnyId,
    reasons: [Option<Reason>; 3],
    weight: u32,
    prefix_len: u8,
}

impl Candidate {
    /// Parses the text as an ID of this specification, and collects the reasons.
    fn of_text(spec: Spec, text: &[u8]) -> Option<Self> {
        #[cfg(feature = "ron-uid")]
        if spec == Spec::RonUid && is_too_long_for_ron(text) {
            return None;
        }
        let (id, start, text) = match AnyId::parse_ascii(spec, text) {
            Ok(id) => (id, &[][..], text),
            #[cfg(feature = "ron-uid")]
            Err(_) if spec == Spec::RonUid => return None,
            Err(_) => {
                let (start, text) = typed_id::split(text)?;
                (AnyId::parse_ascii(spec, text).ok()?, start, text)
            }
        };
        let mut candidate = Self::new(id);
        // The cast is safe because a prefix has at most 63 characters.
        candidate.prefix_len = start.len() as u8;
        match spec {
            #[cfg(feature = "evently-id")]
            Spec::EventlyId => candidate.digits(text.len(), "hex", 4),
            #[cfg(feature = "scru160")]
            Spec::Scru160 if text.len() == scru160::Scru160::HEX_LEN => {
                candidate.digits(text.len(), "hex", 4);
            }
            #[cfg(feature = "scru160")]
            Spec::Scru160 => candidate.digits(text.len(), "base32hex", 5),
            #[cfg(feature = "euid")]
            Spec::Euid => {
                candidate.digits(text.len(), "Crockford base32", 5);
                if core::str::from_utf8(text).is_ok_and(|text| euid::Euid::parse_with_check(text).is_ok()) {
                    candidate.add(Reason::Check, 7);
                }
            }
            #[cfg(feature = "ulid-flake")]
            Spec::UlidFlake => candidate.digits(text.len(), "Crockford base32", 5),
            #[cfg(feature = "ron-uid")]
            Spec::RonUid => {
                let digits = text.iter().filter(|byte| is_ron_digit(byte)).count();
                candidate.digits(digits, "Base64x64", 6);
                if text.iter().any(|byte| matches!(byte, b'-' | b'+' | b'$' | b'%')) {
                    candidate.add(Reason::Sign, 2);
                }
            }
        }
        candidate.add_time(0);
        Some(candidate)
    }

    /// Reads the bytes as an ID of this specification, and collects the reasons.
    fn of_bytes(spec: Spec, bytes: &[u8]) -> Option<Self> {
        let mut candidate = Self::new(AnyId::try_from_bytes(spec, bytes).ok()?);
        let calendar = match spec {
            #[cfg(feature = "ron-uid")]
            Spec::RonUid => BITS_OF_CALENDAR,
            #[allow(unreachable_patterns, reason = "there may be no other specification")]
            _ => 0,
        };
        candidate.add_time(calendar);
        Some(candidate)
    }

    const fn new(id: AnyId) -> Self {
        Self { id, reasons: [None; 3], weight: 0, prefix_len: 0 }
    }

    /// Adds the time, if it is plausible. It explains `more` bits than those that plausible times do not need.
    fn add_time(&mut self, more: u32) {
        if self.id.unix_micros().is_some_and(|micros| PLAUSIBLE.contains(&micros)) {
            let times = self.id.spec().times();
            let expected = (*times.end()).min(*PLAUSIBLE.end()) - (*times.start()).max(*PLAUSIBLE.start());
            self.add(Reason::Time, ((times.end() - times.start()) / expected).ilog2() + more);
        }
    }

    fn digits(&mut self, count: usize, alphabet: &'static str, bits: u32) {
        // The cast is safe because the text of an ID has at most 40 characters.
        self.add(Reason::Digits { count, alphabet }, count as u32 * (BITS_OF_CHANCE - bits));
    }

    fn add(&mut self, reason: Reason, weight: u32) {
        if let Some(place) = self.reasons.iter_mut().find(|place| place.is_none()) {
            *place = Some(reason);
        }
        self.weight += weight;
    }

    /// Returns the ID.
    #[must_use]
    pub const fn id(&self) -> AnyId {
        self.id
    }

    /// Returns the length of the prefix of a typed ID, with its `_`, in bytes: 6 for `order_1HZP2F3TARAH1VEXW8BDJPEKP44`. 0
    /// if the text or the bytes are the ID alone.
    #[must_use]
    pub const fn prefix_len(&self) -> usize {
        self.prefix_len as usize
    }

    /// Returns the reasons for this candidate, the reason about its digits first.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> + use<> {
        self.reasons.into_iter().flatten()
    }

    /// Returns how many bits of the text or bytes the reasons explain. A word has 0: it may be a RON name or anything else.
    #[must_use]
    pub const fn weight(&self) -> u32 {
        self.weight
    }
}

#[cfg(feature = "ron-uid")]
const fn is_ron_digit(byte: &u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'~')
}

/// Whether a text is too long for a RON UID, or for a part of one if it is digits alone. The parser would refuse it, too,
/// but would read the digits first.
#[cfg(feature = "ron-uid")]
fn is_too_long_for_ron(text: &[u8]) -> bool {
    use ron_uid::{Base64x64, RonUid};
    text.len() > RonUid::TEXT_LEN || text.len() > Base64x64::TEXT_LEN && text.iter().all(is_ron_digit)
}

/// A reason why a text or bytes can be an ID of a specification.
///
/// ```
/// use sortid::{Reason, detect};
///
/// let candidate = detect("C8EE934SR007G5Q94QKKXFRFV8B").next().unwrap();
/// assert!(candidate.reasons().any(|reason| matches!(reason, Reason::Check)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The text has the number of digits of an ID, and all of them are digits of its alphabet.
    #[non_exhaustive]
    Digits {
        /// The number of digits.
        count: usize,
        /// The name of the alphabet.
        alphabet: &'static str,
    },
    /// The text has a check, and the check matches the other digits.
    Check,
    /// The text has a sign before, between or after the digits, as RON UIDs do.
    Sign,
    /// The time of the ID is from 2000 to 2099.
    Time,
}

/// Writes a phrase such as `32 hex digits`.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digits { count, alphabet } => {
                write!(f, "{count} {alphabet} digit{}", if *count == 1 { "" } else { "s" })
            }
            Self::Check => f.write_str("the check is right"),
            Self::Sign => f.write_str("one sign"),
            Self::Time => f.write_str("a time from 2000 to 2099"),
        }
    }
}
