use sortid::{ConfigError, euid::Extension};
use std::str::FromStr;

/// The extension that a user asks for: `5`, or `5:8` for 5 in 8 bits. The library checks its value and bits.
#[derive(Clone, Copy)]
pub struct AskedExtension {
    value: u16,
    bits: Option<u8>,
}

impl AskedExtension {
    pub fn get(self) -> Result<Extension, ConfigError> {
        match self.bits {
            None => Extension::new(self.value),
            Some(bits) => Extension::with_bits(self.value, bits),
        }
    }
}

impl FromStr for AskedExtension {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (value, bits) = match text.split_once(':') {
            Some((value, bits)) => (value, Some(bits)),
            None => (text, None),
        };
        value
            .parse()
            .ok()
            .zip(bits.map(str::parse).transpose().ok())
            .map(|(value, bits)| Self { value, bits })
            .ok_or_else(|| {
                "expected a value up to 32767, such as 5, or a value and its number of bits, such as 5:8"
                    .to_owned()
            })
    }
}
