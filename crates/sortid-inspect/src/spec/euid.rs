use super::fields;
use crate::description::{Description, Options, widened};
use sortid::{FieldValue, Text, euid::Euid};

pub(super) fn describe(id: Euid, options: &Options) -> Description {
    let check = (!options.no_check).then(|| id.check());
    Description { text: widened(&text(id, options)), ..describe_with_check(id, check) }
}

pub(super) fn text(id: Euid, options: &Options) -> Text<{ Euid::TEXT_LEN }> {
    if options.no_check { id.encode_without_check() } else { id.encode() }
}

/// Describes an ID with the check that its text has.
pub(super) fn describe_with_check(id: Euid, check: Option<u8>) -> Description {
    let mut description = Description::of(&id, fields(&id));
    for field in description.fields.iter_mut().filter(|field| field.name == "check") {
        field.value = check.map(u64::from).map_or(FieldValue::Null, FieldValue::Number);
    }
    description
}
