use super::{AnyId, Spec};
use core::{cmp::Reverse, fmt, iter::FusedIterator, ops::RangeInclusive};

/// Microseconds from the beginning of 2000 to the end of 2099, where the time of an ID is no surprise.
const PLAUSIBLE: RangeInclusive<u64> = 946_684_800_000_000..=4_102_444_799_999_999;

/// Bits of a character in the text that others are measured against: 64 characters, all as likely.
const BITS_OF_CHANCE: u32 = 6;

/// Every specification of which the text can be an ID, most likely first, with the reasons.
///
/// A text is one of each specification whose parser takes it. The more bits of it a reason explains, the more likely:
///
/// | reason | bits |
/// |---|---|
/// | hex digits | 2 each |
/// | base32 digits | 1 each |
/// | Base64x64 digits | none |
/// | the check of an EUID | 7: it is right 1 in 127 times by chance |
/// | one sign, in a RON UID | 2 |
/// | a time from 2000 to 2099 | as many as the timestamp is longer than it need be for these: 12 for an Event ID |
///
/// So 32 hex digits are an Event ID rather than a SCRU160, whose 32 digits are all hex digits 1 in 2^32 times. A reason
/// that a text has not does not count against it: IDs are made for other times, and texts without a check.
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
/// ```
#[must_use]
pub fn detect(text: impl AsRef<[u8]>) -> Candidates {
    let text = text.as_ref();
    let mut candidates = [None; Spec::ALL.len()];
    for (candidate, &spec) in candidates.iter_mut().zip(Spec::ALL) {
        *candidate = Candidate::read(spec, text);
    }
    candidates.sort_unstable_by_key(|candidate| {
        Reverse(candidate.map(|Candidate { id, weight, .. }| (weight, Reverse(id.spec()))))
    });
    Candidates { candidates, next: 0 }
}

/// The result of [`detect`].
#[derive(Clone, Debug)]
pub struct Candidates {
    candidates: [Option<Candidate>; Spec::ALL.len()],
    next: usize,
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

/// An ID that a text can be, and the reasons to think so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    id: AnyId,
    reasons: [Option<Reason>; 3],
    weight: u32,
}

impl Candidate {
    /// The text as this specification reads it.
    fn read(spec: Spec, text: &[u8]) -> Option<Self> {
        let id = AnyId::parse_ascii(spec, text).ok()?;
        let mut candidate = Self { id, reasons: [None; 3], weight: 0 };
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
                if matches!(euid::Euid::parse_with_check(text), Ok((_, Some(_)))) {
                    candidate.add(Reason::Check, 7);
                }
            }
            #[cfg(feature = "ulid-flake")]
            Spec::UlidFlake => candidate.digits(text.len(), "Crockford base32", 5),
            #[cfg(feature = "ron-uid")]
            Spec::RonUid => {
                let digits = text.iter().filter(|byte| byte.is_ascii_alphanumeric() || b"_~".contains(byte));
                candidate.digits(digits.count(), "Base64x64", 6);
                if text.iter().any(|byte| b"-+$%".contains(byte)) {
                    candidate.add(Reason::Sign, 2);
                }
            }
        }
        if id.unix_micros().is_some_and(|micros| PLAUSIBLE.contains(&micros)) {
            let times = spec.times();
            let expected = (*times.end()).min(*PLAUSIBLE.end()) - (*times.start()).max(*PLAUSIBLE.start());
            candidate.add(Reason::Time, ((times.end() - times.start()) / expected).ilog2());
        }
        Some(candidate)
    }

    fn digits(&mut self, count: usize, alphabet: &'static str, bits: u32) {
        // No text of an ID is longer than 40 characters.
        self.add(Reason::Digits { count, alphabet }, count as u32 * (BITS_OF_CHANCE - bits));
    }

    fn add(&mut self, reason: Reason, weight: u32) {
        if let Some(place) = self.reasons.iter_mut().find(|place| place.is_none()) {
            *place = Some(reason);
        }
        self.weight += weight;
    }

    /// The ID.
    #[must_use]
    pub const fn id(&self) -> AnyId {
        self.id
    }

    /// What speaks for it, the form first.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> + use<> {
        self.reasons.into_iter().flatten()
    }

    /// How many bits of the text the reasons explain. 0 is a word, which may be a name of RON or anything else.
    #[must_use]
    pub const fn weight(&self) -> u32 {
        self.weight
    }
}

/// A reason to think that a text is an ID of a specification.
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
    /// There are as many digits as an ID has, all of its alphabet.
    #[non_exhaustive]
    Digits {
        /// How many.
        count: usize,
        /// The name of the alphabet.
        alphabet: &'static str,
    },
    /// The text has a check, and it belongs to the other digits.
    Check,
    /// A sign stands between, before or after the digits, as in RON UIDs.
    Sign,
    /// The time of the ID is from 2000 to 2099.
    Time,
}

/// As it can stand in a sentence: `32 hex digits`.
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
