//! Generators, each with a clock and a state of its own.

use crate::{
    failure::{Failure, ok},
    id::Micros,
    rules::Source,
    spec,
    specs::{AnyOptions, Options, duration},
    tray,
};
use sortid::{
    AnyId, GenerateError, Spec, SystemClock,
    ron_uid::{Base64x64, LamportClock, RonUid},
};
use sortid_core::{Backfill, LocalCell};
use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker},
    time::Duration,
};
use wasm_bindgen::prelude::*;

type AnyGenerator = sortid_core::Generator<AnyOptions, LocalCell, SystemClock, Source>;

#[wasm_bindgen]
pub struct Generator {
    generator: Rc<AnyGenerator>,
    backfill: RefCell<Backfill<AnyOptions, Source>>,
}

fn millis(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1000.0
}

#[wasm_bindgen]
impl Generator {
    /// A `limit` of NaN is the specification's rollback allowance.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Options, limit: f64) -> Self {
        let Options(options) = options;
        let allowance = duration(limit).unwrap_or(options.rollback_allowance());
        let generator = AnyGenerator::from_parts(options, SystemClock, options.source());
        let backfill = Backfill::from_parts(options, options.source());
        Self { generator: Rc::new(generator.rollback_allowance(allowance)), backfill: RefCell::new(backfill) }
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

    /// Begins to generate an ID without blocking the host.
    #[wasm_bindgen(js_name = generateAsync)]
    pub fn generate_async(&self) -> Pending {
        let (generator, wait) = (self.generator.clone(), Rc::new(Cell::new(0.0)));
        let asked = wait.clone();
        let sleep = move |duration: Duration| {
            let mut has_waited = false;
            let asked = asked.clone();
            poll_fn(move |_| {
                if std::mem::replace(&mut has_waited, true) {
                    return Poll::Ready(());
                }
                asked.set(millis(duration));
                Poll::Pending
            })
        };
        Pending { future: Box::pin(async move { generator.generate_async(sleep).await }), wait }
    }

    /// Makes an ID for this time.
    pub fn backfill(&self, high: f64, low: u32) -> bool {
        ok(self.backfill.borrow_mut().generate(Micros::new(high, low))).map(tray::put).is_some()
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

    pub fn rollbacks(&self) -> u32 {
        self.generator.rollbacks().into()
    }

    /// How far the last ID is ahead of the clock, in milliseconds. −1 after an error.
    pub fn ahead(&self) -> f64 {
        ok(self.generator.ahead()).map_or(-1.0, millis)
    }
}

/// An ID that is being generated. JavaScript waits as long as it says.
#[wasm_bindgen]
pub struct Pending {
    future: Pin<Box<dyn Future<Output = Result<AnyId, GenerateError>>>>,
    /// The milliseconds for which the future asked.
    wait: Rc<Cell<f64>>,
}

#[wasm_bindgen]
impl Pending {
    /// How many milliseconds to wait before the next call; −1 if the ID is in the tray, −2 after an error. Do not call it
    /// again then.
    pub fn poll(&mut self) -> f64 {
        self.wait.set(0.0);
        match self.future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => self.wait.get(),
            Poll::Ready(result) => ok(result).map_or(-2.0, |id| {
                tray::put(id);
                -1.0
            }),
        }
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
