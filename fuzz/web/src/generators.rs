//! Generators and logical clocks, as JavaScript calls them.

use crate::{
    answers::{Number, answered, id_in_tray},
    failure::failure_message,
    generator::{Generator, Lamport},
    specs::Options,
    tray,
};
use arbitrary::Arbitrary;
use sortid::{AnyId, Spec, ron_uid::Base64x64};

#[derive(Arbitrary, Debug)]
pub(crate) enum Asked {
    Scru160 { micros: bool, start: Option<u8>, extension: Option<u8>, node: Option<u32>, bits: u8 },
    Euid { extension: Option<u32>, bits: Option<u32> },
    UlidFlake { epoch: Option<f64>, bytes: Option<u8> },
    Scalable { node: u32, epoch: Option<f64>, bytes: Option<u8> },
    RonUid { origin: u64, digits: Option<u8>, length: Option<u8>, bound: f64 },
    EventId(u32),
}

/// What follows a rollback, the rollback allowance, and how far a backfill spills.
#[derive(Arbitrary, Debug)]
pub(crate) struct Limits {
    rollback: u8,
    allowance: f64,
    spill: f64,
}

#[derive(Arbitrary, Debug)]
pub(crate) enum Act {
    Try,
    Backfill { high: i32, low: u32 },
    Resume(Number, [u8; 20]),
    Observe([u8; 16]),
}

/// The IDs of a generator ascend. It never waits, because its clock is the clock of the host.
pub(crate) fn generator(asked: &Asked, limits: &Limits, acts: &[Act]) {
    let small = |it: Option<u8>| it.map(u32::from);
    let (spec, options) = match *asked {
        Asked::Scru160 { micros, start, extension, node, bits } => {
            (Spec::Scru160, Options::scru160(micros, small(start), small(extension), node, bits.into()))
        }
        Asked::Euid { extension, bits } => (Spec::Euid, Options::euid(extension, bits)),
        Asked::UlidFlake { epoch, bytes } => (Spec::UlidFlake, Options::ulid_flake(epoch, small(bytes))),
        Asked::Scalable { node, epoch, bytes } => {
            (Spec::UlidFlake, Options::scalable(node, epoch, small(bytes)))
        }
        Asked::RonUid { origin, digits, length, bound } => {
            tray::put_fields([origin]);
            (Spec::RonUid, Options::ron_uid(small(digits), small(length), bound))
        }
        Asked::EventId(ledger_id) => (Spec::EventlyId, Some(Options::event_id(ledger_id))),
    };
    let number = Number::of(spec);
    let Some(options) = options else {
        assert!(!failure_message().is_empty());
        return;
    };
    let Limits { rollback, allowance, spill } = *limits;
    let generator = Generator::new(options, (rollback % 4).into(), allowance, spill);
    let mut last: Option<AnyId> = None;
    let mut resets = 0;
    for act in acts.iter().take(8) {
        let is_made = match *act {
            Act::Try => {
                let is_made = answered(generator.try_generate(), None);
                assert!(is_made || generator.resets() == resets);
                is_made
            }
            Act::Backfill { high, low } => {
                let time = i128::from(high) << 32 | i128::from(low);
                if answered(generator.backfill(high.into(), low), None) {
                    assert!(time >= 0);
                    let micros = id_in_tray(number).unix_micros();
                    // A Ulid-Flake may have another epoch.
                    let is_near = micros.is_some_and(|micros| i128::from(micros) / 1000 - time / 1000 <= 1);
                    assert!(spec == Spec::UlidFlake || is_near);
                }
                false
            }
            Act::Resume(number, bytes) => {
                tray::put(bytes);
                if answered(generator.resume_after(number.0), None) {
                    last = Some(greater(last, id_in_tray(number)));
                }
                false
            }
            Act::Observe(bytes) => {
                tray::put(bytes);
                if answered(generator.observe(), None) {
                    last = Some(greater(last, id_in_tray(Number::of(Spec::RonUid))));
                }
                false
            }
        };
        if generator.resets() != resets {
            resets = generator.resets();
            last = None;
        }
        if is_made {
            let id = id_in_tray(number);
            assert!(last.is_none_or(|last| is_before(last, id)), "{id} after {last:?}");
            last = Some(id);
        }
        assert!(generator.ahead() >= -1.0);
    }
}

fn greater(last: Option<AnyId>, id: AnyId) -> AnyId {
    last.filter(|last| is_before(id, *last)).unwrap_or(id)
}

fn is_before(a: AnyId, b: AnyId) -> bool {
    match (a, b) {
        (AnyId::RonUid(a), AnyId::RonUid(b)) => a < b,
        (a, b) => a.as_bytes() < b.as_bytes(),
    }
}

/// A UID of a logical clock is greater than all UIDs that it made or observed before, and has its origin.
pub(crate) fn lamport(origin: u64, length: u8, observed: &[[u8; 16]]) {
    tray::put_fields([origin]);
    let Some(clock) = Lamport::start(length.into()) else {
        assert!(!failure_message().is_empty());
        return;
    };
    let mut last = Base64x64::ZERO;
    for bytes in observed.iter().take(8) {
        tray::put(bytes);
        if answered(clock.observe(), None) {
            let AnyId::RonUid(id) = id_in_tray(Number::of(Spec::RonUid)) else { panic!("a RON UID") };
            last = last.max(id.value());
        }
        if answered(clock.generate(), None) {
            let AnyId::RonUid(id) = id_in_tray(Number::of(Spec::RonUid)) else { panic!("a RON UID") };
            assert_eq!(id.origin().to_int(), origin);
            assert!(last < id.value(), "{id} after {last:?}");
            last = id.value();
        }
    }
}
