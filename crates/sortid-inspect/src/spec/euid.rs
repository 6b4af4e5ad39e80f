use super::Describe;
use crate::description::{Description, Field, Options, widened};
use sortid::{Text, euid::Euid};

impl Describe for Euid {
    fn push_text(&self, options: &Options, out: &mut Vec<u8>) {
        out.extend_from_slice(text(*self, options).as_bytes());
    }

    fn describe(&self, options: &Options) -> Description {
        let check = (!options.no_check).then(|| self.check());
        Description { text: widened(&text(*self, options)), ..describe_with_check(*self, check) }
    }
}

fn text(id: Euid, options: &Options) -> Text<{ Euid::TEXT_LEN }> {
    if options.no_check { id.encode_without_check() } else { id.encode() }
}

/// Describes an ID with the check that its text has.
pub(super) fn describe_with_check(id: Euid, check: Option<u8>) -> Description {
    let extension_bits = usize::from(id.extension_bits());
    Description {
        id: id.into(),
        text: widened(&id.encode()),
        unix_micros: Some(1000 * id.unix_millis()),
        fields: vec![
            Field::new("timestamp_ms", 45, id.timestamp().into()),
            Field::only_in_picture("random", 15 - extension_bits, u64::from(id.random_upper())),
            Field::new("extension", extension_bits, id.extension().map(|it| u64::from(it.value())).into()),
            Field::new("extension_bits", 4, u64::from(id.extension_bits()).into()),
            Field::without_bits("the text", "check", check.map(u64::from).into()),
            Field::new("random_high", 32, u64::from(id.random_high()).into()),
            Field::new("random_low", 32, u64::from(id.random_low()).into()),
        ],
    }
}
