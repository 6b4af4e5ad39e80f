//! What `check.mjs` calls in Node.js: `new()`, and generators of each specification with the clock and the random bytes of
//! the host.

use gloo_timers::future::sleep;
use sortid::{
    SortableId, euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake,
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_name = newScru160)]
pub fn new_scru160() -> String {
    sortid::scru160::new().to_string()
}

#[wasm_bindgen(js_name = newEuid)]
pub fn new_euid() -> String {
    sortid::euid::new().to_string()
}

#[wasm_bindgen(js_name = newUlidFlake)]
pub fn new_ulid_flake() -> String {
    sortid::ulid_flake::new().to_string()
}

/// The random bytes that `count` SCRU160s do not share, ten of each.
#[wasm_bindgen(js_name = randomBytes)]
pub fn random_bytes(count: usize) -> Vec<u8> {
    (0..count).flat_map(|_| sortid::scru160::new().random80()).collect()
}

fn ron_origin() -> sortid::ron_uid::Base64x64 {
    sortid::ron_uid::ron_uid!("Xgritzk0_D").value()
}

/// A class with a generator of a specification.
macro_rules! class {
    ($class:ident, $id:ty, $module:path, $options:expr) => {
        const _: () = {
            use $module as spec;

            #[wasm_bindgen]
            pub struct $class(spec::SharedGenerator);

            #[wasm_bindgen]
            impl $class {
                #[wasm_bindgen(constructor)]
                pub fn new() -> Self {
                    Self(spec::SharedGenerator::with_options($options))
                }

                pub fn generate(&self) -> Result<String, JsError> {
                    Ok(self.0.generate()?.to_string())
                }

                #[wasm_bindgen(js_name = tryGenerate)]
                pub fn try_generate(&self) -> Result<String, JsError> {
                    Ok(self.0.try_generate()?.to_string())
                }

                #[wasm_bindgen(js_name = generateAsync)]
                pub async fn generate_async(&self) -> Result<String, JsError> {
                    Ok(self.0.generate_async(sleep).await?.to_string())
                }

                /// Generates so many IDs with a generator of either kind, and as many at once. Returns whether each is
                /// greater than the one before.
                #[wasm_bindgen(js_name = areInOrder)]
                pub fn are_in_order(&self, count: usize) -> Result<bool, JsError> {
                    let local = spec::Generator::with_options($options);
                    let ids = (0..count).map(|_| local.generate()).collect::<Result<Vec<_>, _>>()?;
                    let shared = (0..count).map(|_| self.0.generate()).collect::<Result<Vec<_>, _>>()?;
                    let mut filled = ids.clone();
                    self.0.fill(&mut filled)?;
                    let is_after = shared.last() < filled.first();
                    Ok(is_after && [ids, shared, filled].iter().all(|ids| ids.is_sorted_by(|a, b| a < b)))
                }

                pub fn rollbacks(&self) -> u16 {
                    self.0.rollbacks()
                }

                /// The milliseconds since 1970 of an ID.
                pub fn millis(text: &str) -> Result<f64, JsError> {
                    let micros = SortableId::unix_micros(&text.parse::<$id>()?);
                    micros.map(|micros| micros as f64 / 1000.0).ok_or(JsError::new("the ID has no time"))
                }
            }
        };
    };
}

class!(Scru160Ids, Scru160, sortid::scru160, sortid::scru160::Options::new());
class!(EuidIds, Euid, sortid::euid, sortid::euid::Options::new());
class!(UlidFlakeIds, UlidFlake, sortid::ulid_flake, sortid::ulid_flake::Options::new());
class!(
    ScalableIds,
    UlidFlake,
    sortid::ulid_flake::scalable,
    sortid::ulid_flake::scalable::Options::new(7).expect("a node of 32")
);
class!(RonUidIds, RonUid, sortid::ron_uid, sortid::ron_uid::Options::new(ron_origin()));
class!(
    EventIds,
    EventId,
    sortid::evently_id,
    sortid::evently_id::Options::new(
        sortid::evently_id::event_id!("0005cd755a43d79238c05790c0331dd8").ledger_id()
    )
);
