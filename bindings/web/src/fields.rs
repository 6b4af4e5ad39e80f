//! The fields of an ID, as integers of 64 bits in the place of the text. Their order is that of `package/src/ids.ts`.

use crate::{
    failure::{Failure, ok},
    spec, tray,
};
use sortid::{
    __every as every, AnyId, Spec,
    euid::{Euid, Extension},
    evently_id::{EventId, LedgerId},
    ron_uid::{Base64x64, RonUid, Scheme},
    scru160::Scru160,
    ulid_flake::{Epoch, UlidFlake, scalable::Scalable},
};
use wasm_bindgen::prelude::*;

/// Puts the fields of the ID in the tray there.
#[wasm_bindgen]
pub fn fields(number: u32) {
    let Ok(id) = tray::any(spec(number)) else { return };
    match every::Id::from(id) {
        every::Id::EventlyId(id) => {
            let ledger_id = id.ledger_id();
            tray::put_fields([
                id.timestamp(),
                id.checksum().into(),
                ledger_id.to_int().into(),
                ledger_id.version().into(),
            ]);
        }
        every::Id::Scru160(id) => {
            let [a, b, low @ ..] = id.random80();
            let high = u16::from_be_bytes([a, b]).into();
            let fields =
                [id.timestamp(), id.counter().into(), id.random16().into(), high, u64::from_be_bytes(low)];
            tray::put_fields(fields);
        }
        every::Id::Euid(id) => tray::put_fields([
            id.timestamp(),
            id.random_upper().into(),
            id.extension().map_or(0, Extension::value).into(),
            id.extension_bits().into(),
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
    matches!(Euid::parse_with_check(&text[..len.min(tray::TEXT)]), Ok((_, Some(_))))
}
