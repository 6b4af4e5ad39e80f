//! Generators, each with a clock and a state of its own.

use crate::{
    entropy::Source,
    failure::{Failure, ok},
    id::micros,
    spec,
    specs::{Options, duration},
    tray,
};
use sortid::{
    AnyBackfill, AnyGenerator, AnyId, Rollback, Spec, SystemClock,
    ron_uid::{Base64x64, LamportClock, RonUid},
};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
pub struct Generator {
    generator: AnyGenerator<SystemClock, Source>,
    backfill: RefCell<AnyBackfill<Source>>,
}

/// The names of the choices for a clock that goes back, between spaces. An option has the index of its name.
#[wasm_bindgen]
pub fn rollbacks() -> String {
    Rollback::ALL.map(Rollback::name).join(" ")
}

#[wasm_bindgen]
impl Generator {
    /// Another index and NaN milliseconds are the defaults of the specification.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Options, rollback: usize, allowance: f64, spill: f64) -> Self {
        let mut options = options.0;
        if let Some(&rollback) = Rollback::ALL.get(rollback) {
            options = options.rollback(rollback);
        }
        if let Some(allowance) = duration(allowance) {
            options = options.rollback_allowance(allowance);
        }
        let mut backfill = options.backfill_with(Source);
        if let Some(at_most) = duration(spill) {
            backfill = backfill.spill(at_most);
        }
        Self { generator: options.build_with(SystemClock, Source), backfill: RefCell::new(backfill) }
    }

    pub fn generate(&self) -> bool {
        ok(self.generator.generate()).map(tray::put).is_some()
    }

    #[wasm_bindgen(js_name = tryGenerate)]
    pub fn try_generate(&self) -> bool {
        ok(self.generator.try_generate()).map(tray::put).is_some()
    }

    /// Puts this many IDs into the tray, or as many as fit.
    pub fn fill(&self, count: usize) -> bool {
        let mut ids = [AnyId::min(Spec::UlidFlake); tray::BATCH];
        let ids = &mut ids[..count.min(tray::BATCH)];
        ok(self.generator.fill(ids)).map(|()| tray::put_batch(ids)).is_some()
    }

    /// Makes an ID for this time.
    pub fn backfill(&self, high: f64, low: u32) -> bool {
        ok(self.backfill.borrow_mut().generate(micros(high, low))).map(tray::put).is_some()
    }

    /// Continues after the ID of this specification in the tray.
    #[wasm_bindgen(js_name = resumeAfter)]
    pub fn resume_after(&self, number: u32) -> bool {
        let resume = || Ok::<_, Failure>(self.generator.resume_after(tray::any(spec(number))?)?);
        ok(resume()).is_some()
    }

    /// Observes the RON UID in the tray.
    pub fn observe(&self) -> bool {
        let observe = || Ok::<_, Failure>(self.generator.observe(tray::any(Spec::RonUid)?)?);
        ok(observe()).is_some()
    }

    pub fn resets(&self) -> u32 {
        self.generator.resets().into()
    }

    /// How far the last ID is ahead of the clock, in milliseconds. −1 after an error.
    pub fn ahead(&self) -> f64 {
        ok(self.generator.ahead()).map_or(-1.0, |ahead| {
            (ahead.as_secs() * 1_000_000 + u64::from(ahead.subsec_micros())) as f64 / 1000.0
        })
    }
}

/// A logical clock of RON UIDs.
#[wasm_bindgen]
pub struct Lamport(LamportClock);

#[wasm_bindgen]
impl Lamport {
    /// The origin is the integer in the tray.
    pub fn start(length: u32) -> Option<Self> {
        let clock = || {
            let origin = Base64x64::try_from_int(tray::field(0))?;
            Ok::<_, Failure>(LamportClock::new(origin, length as usize)?)
        };
        ok(clock()).map(Self)
    }

    pub fn generate(&self) -> bool {
        ok(self.0.generate()).map(tray::put).is_some()
    }

    /// Observes the UID in the tray.
    pub fn observe(&self) -> bool {
        let observe = || Ok::<_, Failure>(self.0.observe(tray::id::<RonUid>()?)?);
        ok(observe()).is_some()
    }
}
