//! What differs between the specifications: the fields of an ID, and the options of a generator.

use crate::{
    failure::{Failure, ok},
    spec, tray,
};
use sortid::{
    __every as every,
    __private::error,
    AnyId, AnyOptions, ConfigError, Spec,
    euid::{self, Euid, Extension},
    evently_id::{self, EventId, LedgerId},
    ron_uid::{self, Base64x64, RonUid, Scheme},
    scru160::{self, Scru160},
    ulid_flake::{
        self, Epoch, UlidFlake,
        scalable::{self, Scalable},
    },
};
use std::time::Duration;
use wasm_bindgen::prelude::*;

/// Milliseconds as a duration. `None` for NaN; the greatest duration for infinity.
pub(crate) fn duration(millis: f64) -> Option<Duration> {
    // The cast takes infinity to the greatest integer.
    (!millis.is_nan()).then(|| match (millis * 1000.0) as u64 {
        u64::MAX => Duration::MAX,
        micros => Duration::from_micros(micros),
    })
}

/// An option whose type in Rust has 16 bits.
fn small(name: &'static str, number: u32, greatest: u16) -> Result<u16, ConfigError> {
    error::check_option(name, number.into(), 0, greatest.into()).map(|()| number as u16)
}

fn epoch(millis: Option<f64>) -> Result<Epoch, ConfigError> {
    millis.map_or(Ok(Epoch::DEFAULT), |millis| Epoch::from_unix_millis(millis as u64))
}

/// The options of a generator.
#[wasm_bindgen]
pub struct Options(pub(crate) AnyOptions);

#[wasm_bindgen]
impl Options {
    pub fn scru160(
        has_micros: bool,
        start_bits: Option<u32>,
        extension_bits: Option<u32>,
        node: Option<u32>,
        node_bits: u32,
    ) -> Option<Self> {
        let options = || {
            let mut options =
                if has_micros { scru160::Options::with_micros_counter() } else { scru160::Options::new() };
            if let Some(bits) = start_bits {
                options = options.counter_start_bits(bits)?;
            }
            if let Some(bits) = extension_bits {
                options = options.counter_extension_bits(bits)?;
            }
            if let Some(number) = node {
                options = options.node(small("node", number, u16::MAX)?, node_bits)?;
            }
            Ok::<_, ConfigError>(AnyOptions::from(options))
        };
        ok(options()).map(Self)
    }

    pub fn euid(extension: Option<u32>, bits: Option<u32>) -> Option<Self> {
        let options = || {
            let options = euid::Options::new();
            let Some(value) = extension else { return Ok(AnyOptions::from(options)) };
            let value = small("extension", value, 0x7fff)?;
            let extension = match bits {
                Some(bits) => Extension::with_bits(value, bits.min(255) as u8)?,
                None => Extension::new(value)?,
            };
            Ok::<_, ConfigError>(AnyOptions::from(options.extension(extension)))
        };
        ok(options()).map(Self)
    }

    #[wasm_bindgen(js_name = ulidFlake)]
    pub fn ulid_flake(millis: Option<f64>, entropy_bytes: Option<u32>) -> Option<Self> {
        let options = || {
            let mut options = ulid_flake::Options::new().epoch(epoch(millis)?);
            if let Some(bytes) = entropy_bytes {
                options = options.entropy_bytes(bytes as usize)?;
            }
            Ok::<_, ConfigError>(AnyOptions::from(options))
        };
        ok(options()).map(Self)
    }

    pub fn scalable(node: u32, millis: Option<f64>, entropy_bytes: Option<u32>) -> Option<Self> {
        let options = || {
            let mut options = scalable::Options::new(node.min(255) as u8)?.epoch(epoch(millis)?);
            if let Some(bytes) = entropy_bytes {
                options = options.entropy_bytes(bytes as usize)?;
            }
            Ok::<_, ConfigError>(AnyOptions::from(options))
        };
        ok(options()).map(Self)
    }

    /// The origin is the integer in the tray.
    #[wasm_bindgen(js_name = ronUid)]
    pub fn ron_uid(session_digits: Option<u32>, min_length: Option<u32>, future_bound: f64) -> Option<Self> {
        let options = || {
            let mut options = ron_uid::Options::new(Base64x64::try_from_int(tray::field(0))?);
            if let Some(digits) = session_digits {
                options = options.session_digits(digits as usize)?;
            }
            if let Some(digits) = min_length {
                options = options.min_length(digits as usize)?;
            }
            if let Some(bound) = duration(future_bound) {
                options = options.future_bound(bound);
            }
            Ok::<_, Failure>(AnyOptions::from(options))
        };
        ok(options()).map(Self)
    }

    #[wasm_bindgen(js_name = eventId)]
    pub fn event_id(ledger_id: u32) -> Self {
        Self(AnyOptions::from(evently_id::Options::new(LedgerId::from_int(ledger_id))))
    }
}

/// Puts the fields of the ID in the tray into the tray.
#[wasm_bindgen]
pub fn fields(number: u32) {
    let Ok(id) = tray::any(spec(number)) else { return };
    match every::Id::from(id) {
        every::Id::EventlyId(id) => {
            let ledger_id = id.ledger_id();
            tray::put_fields([
                id.unix_micros(),
                id.checksum().into(),
                ledger_id.to_int().into(),
                ledger_id.version().into(),
            ]);
        }
        every::Id::Scru160(id) => {
            let [a, b, low @ ..] = id.random80();
            let high = u16::from_be_bytes([a, b]).into();
            let fields =
                [id.unix_millis(), id.counter().into(), id.random16().into(), high, u64::from_be_bytes(low)];
            tray::put_fields(fields);
        }
        every::Id::Euid(id) => tray::put_fields([
            id.unix_millis(),
            id.random_upper().into(),
            id.extension().map_or(0, Extension::value).into(),
            id.extension().map_or(0, Extension::bits).into(),
            id.random_high().into(),
            id.random_low().into(),
            id.check().into(),
        ]),
        every::Id::UlidFlake(id) => tray::put_fields([
            id.timestamp(),
            id.randomness().into(),
            id.scalable().randomness().into(),
            id.scalable().scalability().into(),
        ]),
        every::Id::RonUid(id) => {
            tray::put_fields([id.value().to_int(), id.origin().to_int(), id.scheme() as u64]);
        }
    }
}

/// Makes the ID of the fields in the tray. Fields that are too great for Rust's type are already refused.
#[wasm_bindgen(js_name = fromFields)]
pub fn from_fields(number: u32) -> bool {
    ok(read(spec(number))).map(tray::put).is_some()
}

fn read(spec: Spec) -> Result<AnyId, Failure> {
    let field = tray::field;
    Ok(match every::Spec::from(spec) {
        every::Spec::EventlyId => {
            EventId::from_fields(field(0), field(1) as u32, LedgerId::from_int(field(2) as u32)).into()
        }
        every::Spec::Scru160 => {
            let mut random80 = [0; 10];
            random80[..2].copy_from_slice(&(field(3) as u16).to_be_bytes());
            random80[2..].copy_from_slice(&field(4).to_be_bytes());
            Scru160::try_from_fields(field(0), field(1) as u16, field(2) as u16, random80)?.into()
        }
        every::Spec::Euid => {
            let extension = match field(3) {
                0 => None,
                bits => Some(Extension::with_bits(field(2) as u16, bits as u8)?),
            };
            Euid::try_from_fields(field(0), field(1) as u16, extension, field(4) as u32, field(5) as u32)?
                .into()
        }
        every::Spec::UlidFlake => {
            // The scalable version has a third field.
            match field(3) {
                0 => UlidFlake::try_from_fields(field(0), field(1) as u32)?,
                _ => Scalable::try_from_fields(field(0), field(1) as u16, field(2) as u8)?,
            }
            .into()
        }
        every::Spec::RonUid => {
            let part = |index| Base64x64::try_from_int(field(index));
            RonUid::from_fields(part(0)?, part(1)?, Scheme::ALL[field(2) as usize % Scheme::ALL.len()]).into()
        }
    })
}

/// The time of the Ulid-Flake in the tray with another epoch, in milliseconds since 1970. −1 if the epoch is too great.
#[wasm_bindgen(js_name = unixMillisWith)]
pub fn unix_millis_with(epoch: f64) -> f64 {
    let millis = Epoch::from_unix_millis(epoch as u64)
        .map_err(Failure::from)
        .and_then(|epoch| Ok(tray::id::<UlidFlake>()?.unix_millis_with(epoch)));
    ok(millis).map_or(-1.0, |millis| millis as f64)
}

/// Writes the text of the EUID in the tray without its check.
#[wasm_bindgen(js_name = printWithoutCheck)]
pub fn print_without_check() -> usize {
    tray::id::<Euid>().map_or(0, |id| tray::put_text(id.encode_without_check().as_bytes()))
}

/// Whether the text in the tray is an EUID with a check.
#[wasm_bindgen(js_name = hasCheck)]
pub fn has_check(len: usize) -> bool {
    let text = tray::text(len);
    let text = std::str::from_utf8(&text[..len.min(tray::TEXT)]);
    text.is_ok_and(|text| Euid::parse_with_check(text).is_ok())
}
