//! Members that no checksum protects.

use crate::{checksum::Profile, error::shortened};
use std::fmt;

/// A member of an event whose name the profile does not have. The checksum does not cover such a member.
///
/// [`Batch::unknown_members`](crate::Batch::unknown_members) returns those of a line that was appended. A
/// [strict](crate::Verifier::strict) verifier refuses them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownMember {
    /// The name.
    pub name: String,
    /// The member of the profile that has a similar name and may be meant, such as `data` for `Data`.
    pub meant: Option<&'static str>,
    /// The profile; `None` if it is not known.
    pub profile: Option<Profile>,
}

impl UnknownMember {
    pub(crate) fn new(name: String, profile: Option<Profile>) -> Self {
        let nearest = known(profile).min_by_key(|known| distance(known, &name));
        // A third of the letters may differ.
        let meant = nearest.filter(|known| distance(known, &name) <= known.len().div_ceil(3).min(2));
        Self { name, meant, profile }
    }
}

/// `the member "Data" is not known to the profile classic (is "data" meant?): no checksum protects it`
impl fmt::Display for UnknownMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the member {} is not known", shortened(&self.name))?;
        if let Some(profile) = self.profile {
            write!(f, " to the profile {profile}")?;
        }
        if let Some(meant) = self.meant {
            write!(f, " (is {meant:?} meant?)")?;
        }
        f.write_str(": no checksum protects it")
    }
}

/// The members of an event in this profile, or in any.
pub(crate) fn known(profile: Option<Profile>) -> impl Iterator<Item = &'static str> + Clone {
    let is_of = move |of: Profile| profile.is_none_or(|profile| profile == of);
    let common = ["event", "eventId", "timestamp"];
    let classic = is_of(Profile::Classic).then_some(["entity", "key"]).into_iter().flatten();
    let entities = is_of(Profile::Entities).then_some("entities");
    common.into_iter().chain(classic).chain(entities).chain(["meta", "data"])
}

/// How many letters have to be inserted, removed or replaced to turn `known` into `name`. Upper and lower case are
/// equal.
fn distance(known: &str, name: &str) -> usize {
    if name.len() > 2 * known.len() {
        return name.len();
    }
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (i, a) in known.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in name.bytes().enumerate() {
            let replaced = diagonal + usize::from(!a.eq_ignore_ascii_case(&b));
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[name.len()]
}

#[cfg(test)]
mod tests {
    use super::UnknownMember;
    use crate::checksum::Profile;

    #[test]
    fn a_misspelt_member_is_recognised() {
        for (name, profile, meant) in [
            ("Data", None, Some("data")),
            ("DATA", None, Some("data")),
            ("date", None, Some("data")),
            ("eventID", None, Some("eventId")),
            ("event_id", None, Some("eventId")),
            ("entitys", Some(Profile::Classic), Some("entity")),
            ("entites", None, Some("entities")),
            ("time", None, None),
            ("timestmp", None, Some("timestamp")),
            ("mestamp", None, Some("timestamp")),
            ("estamp", None, None),
            ("id", None, None),
            ("", None, None),
            ("prév", None, None),
            ("entities", Some(Profile::Classic), None),
            ("Entities", Some(Profile::Entities), Some("entities")),
            ("keys", Some(Profile::Classic), Some("key")),
            ("keys", Some(Profile::Entities), None),
            ("description", None, None),
        ] {
            assert_eq!(UnknownMember::new(name.to_owned(), profile).meant, meant, "{name}");
        }
    }
}
