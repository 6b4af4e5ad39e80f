//! The options of any specification, from bytes.

use arbitrary::{Arbitrary as _, Result, Unstructured};
use ron_uid::Base64x64;
use sortid::{AnyOptions, OptionKind, Spec};
use std::time::Duration;

/// Options, and the texts that they were set to. The laws of a specification read the texts.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) options: AnyOptions,
    texts: Vec<(&'static str, String)>,
}

impl Chosen {
    /// Sets some options. An option that refuses its value, perhaps because of another one, keeps its default.
    pub(crate) fn of(spec: Spec, bytes: &mut Unstructured<'_>) -> Result<Self> {
        let mut options = AnyOptions::new(spec, &[]).ok();
        let mut texts = vec![];
        for info in spec.options() {
            if !info.is_required && !bytes.arbitrary()? {
                continue;
            }
            let set = forms(info.kind, bytes)?.into_iter().find_map(|text| {
                let set = match options {
                    Some(options) => options.set(info.name, &text),
                    // An option is required.
                    None => AnyOptions::new(spec, &[(info.name, &text)]),
                };
                Some((set.ok()?, text))
            });
            if let Some((set, text)) = set {
                options = Some(set);
                texts.push((info.name, text));
            }
        }
        let options =
            options.expect("the first option is the only one that may be required, and has one of the forms");
        Ok(Self { options, texts })
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|(of, _)| *of == name).map(|(_, text)| &**text)
    }

    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        Some(self.text(name)?.parse().expect("the option is a number"))
    }

    /// The value and the number of bits of an option such as `5:8`.
    pub(crate) fn with_bits(&self, name: &str) -> Option<(u16, Option<u8>)> {
        let (value, bits) = match self.text(name)?.split_once(':') {
            Some((value, bits)) => (value, Some(bits.parse().expect("the bits are a number"))),
            None => (self.text(name)?, None),
        };
        Some((value.parse().expect("the value is a number"), bits))
    }
}

/// The values that an option may have. The option takes the first one that it does not refuse.
fn forms(kind: OptionKind, bytes: &mut Unstructured<'_>) -> Result<Vec<String>> {
    Ok(match kind {
        OptionKind::Flag => vec![bool::arbitrary(bytes)?.to_string()],
        OptionKind::Number { least, greatest } => vec![bytes.int_in_range(least..=greatest)?.to_string()],
        OptionKind::Choice(words) => vec![(*bytes.choose(words)?).to_owned()],
        OptionKind::Duration => {
            let duration = Duration::from_micros(u32::arbitrary(bytes)?.into());
            vec![format!("{}.{:06}", duration.as_secs(), duration.subsec_micros())]
        }
        // A value with its bits, digits of Base64x64, milliseconds, and hex digits.
        _ => {
            let drawn = u64::arbitrary(bytes)?;
            let bits = drawn % 32;
            vec![
                format!("{}:{bits}", (drawn >> 5) & ((1 << bits) - 1)),
                Base64x64::try_from_int(drawn >> 4).expect("60 bits").encode().to_string(),
                (drawn >> 23).to_string(),
                format!("{:08x}", drawn as u32),
            ]
        }
    })
}
