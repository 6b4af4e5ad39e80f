//! Generators, each with a clock and a state of its own.

use crate::{
    failure::{Failure, ok},
    id::Micros,
    rules::{Options, Source},
    spec, tray,
};
use sortid::{
    __private::error,
    AnyId, GenerateError, OptionError, Spec, SystemClock,
    euid::{self, Extension},
    evently_id::{self, LedgerId},
    ron_uid::{self, Base64x64, LamportClock, RonUid},
    scru160,
    ulid_flake::{self, Epoch, scalable},
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

type AnyGenerator = sortid_core::Generator<Options, LocalCell, SystemClock, Source>;

#[wasm_bindgen]
pub struct Generator {
    generator: Rc<AnyGenerator>,
    backfill: RefCell<Backfill<Options, Source>>,
}

impl Generator {
    /// A `limit` of NaN is the specification's rollback allowance.
    fn new(options: Options, limit: f64) -> Self {
        let allowance = duration(limit).unwrap_or(options.rollback_allowance());
        let generator = AnyGenerator::from_parts(options, SystemClock, options.source());
        let backfill = Backfill::from_parts(options, options.source());
        Self { generator: Rc::new(generator.rollback_allowance(allowance)), backfill: RefCell::new(backfill) }
    }
}

/// Milliseconds as a duration. `None` for NaN; the greatest duration for infinity.
fn duration(millis: f64) -> Option<Duration> {
    // The cast takes infinity to the greatest integer.
    (!millis.is_nan()).then(|| match (millis * 1000.0) as u64 {
        u64::MAX => Duration::MAX,
        micros => Duration::from_micros(micros),
    })
}

fn millis(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1000.0
}

/// An option whose type in Rust has 16 bits.
fn small(name: &'static str, number: u32, greatest: u16) -> Result<u16, OptionError> {
    error::check_option(name, number.into(), 0, greatest.into()).map(|()| number as u16)
}

fn epoch(millis: Option<f64>) -> Result<Epoch, OptionError> {
    millis.map_or(Ok(Epoch::DEFAULT), |millis| Epoch::from_unix_millis(millis as u64))
}

#[wasm_bindgen]
impl Generator {
    pub fn scru160(
        has_micros: bool,
        start_bits: Option<u32>,
        extension_bits: Option<u32>,
        node: Option<u32>,
        node_bits: u32,
        limit: f64,
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
            Ok::<_, OptionError>(Options::Scru160(options))
        };
        ok(options()).map(|options| Self::new(options, limit))
    }

    pub fn euid(extension: Option<u32>, bits: Option<u32>, limit: f64) -> Option<Self> {
        let options = || {
            let options = euid::Options::new();
            let Some(value) = extension else { return Ok(Options::Euid(options)) };
            let value = small("extension", value, 0x7fff)?;
            let extension = match bits {
                Some(bits) => Extension::with_bits(value, bits.min(255) as u8)?,
                None => Extension::new(value)?,
            };
            Ok::<_, OptionError>(Options::Euid(options.extension(extension)))
        };
        ok(options()).map(|options| Self::new(options, limit))
    }

    #[wasm_bindgen(js_name = ulidFlake)]
    pub fn ulid_flake(millis: Option<f64>, entropy_bytes: Option<u32>, limit: f64) -> Option<Self> {
        let options = || {
            let mut options = ulid_flake::Options::new().epoch(epoch(millis)?);
            if let Some(bytes) = entropy_bytes {
                options = options.entropy_bytes(bytes as usize)?;
            }
            Ok::<_, OptionError>(Options::UlidFlake(options))
        };
        ok(options()).map(|options| Self::new(options, limit))
    }

    pub fn scalable(node: u32, millis: Option<f64>, entropy_bytes: Option<u32>, limit: f64) -> Option<Self> {
        let options = || {
            let mut options = scalable::Options::new(node.min(255) as u8)?.epoch(epoch(millis)?);
            if let Some(bytes) = entropy_bytes {
                options = options.entropy_bytes(bytes as usize)?;
            }
            Ok::<_, OptionError>(Options::Scalable(options))
        };
        ok(options()).map(|options| Self::new(options, limit))
    }

    /// The origin is the integer in the tray.
    #[wasm_bindgen(js_name = ronUid)]
    pub fn ron_uid(
        session_digits: Option<u32>,
        min_length: Option<u32>,
        future_bound: f64,
        limit: f64,
    ) -> Option<Self> {
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
            Ok::<_, Failure>(Options::RonUid(options))
        };
        ok(options()).map(|options| Self::new(options, limit))
    }

    #[wasm_bindgen(js_name = eventId)]
    pub fn event_id(ledger_id: u32, limit: f64) -> Self {
        Self::new(Options::EventId(evently_id::Options::new(LedgerId::from_int(ledger_id))), limit)
    }

    pub fn generate(&self) -> bool {
        ok(self.generator.generate()).map(tray::put).is_some()
    }

    #[wasm_bindgen(js_name = tryGenerate)]
    pub fn try_generate(&self) -> bool {
        ok(self.generator.try_generate()).map(tray::put).is_some()
    }

    /// Puts so many IDs into the tray, at most as many as fit.
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
