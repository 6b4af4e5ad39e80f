//! Generators: in every script, IDs ascend and have the fields that their specification requires.

use crate::{
    script::{Made, Script, Scripted, World, observed, run},
    text::canonical,
};
use arbitrary::{Arbitrary, Unstructured};
use euid::{Euid, Extension};
use evently_id::{EventId, LedgerId};
use ron_uid::{Base64x64, Calendar, RonUid, Scheme, UnixMillis};
use scru160::Scru160;
use sortid::{__every as every, Spec};
use sortid_core::{Generator, Rollback};
use std::time::Duration;
use ulid_flake::{Epoch, UlidFlake};

/// 2023-11-14.
const START: u64 = 1_700_000_000_000_000;

/// The first byte chooses the specification.
pub(crate) fn any(data: &[u8]) {
    let Some((choice, data)) = data.split_first() else { return };
    match every::Spec::from(Spec::ALL[usize::from(*choice) % Spec::ALL.len()]) {
        every::Spec::EventlyId => event_id(data),
        every::Spec::Scru160 => scru160(data),
        every::Spec::Euid => euid(data),
        every::Spec::UlidFlake => ulid_flake(data),
        every::Spec::RonUid => ron_uid(data),
    }
}

macro_rules! scripted {
    ($($options:ty { $($observe:item)? })*) => {$(
        impl Scripted for $options {
            fn with(mut self, rollback: Option<Rollback>, allowance: Option<Duration>) -> Self {
                if let Some(rollback) = rollback {
                    self = self.rollback(rollback);
                }
                allowance.map_or(self, |allowance| self.rollback_allowance(allowance))
            }

            $($observe)?
        }
    )*};
}

scripted! {
    scru160::Options {}
    euid::Options {}
    ulid_flake::Options {}
    ulid_flake::scalable::Options {}
    evently_id::Options {}
    ron_uid::Options {
        fn observe(
            generator: &Generator<Self, &World, &World>,
            now: Option<u64>,
            by: i32,
            with: u16,
        ) -> Option<RonUid> {
            let millis = (now? / 1000).saturating_add_signed(by.into());
            let least = RonUid::min_at(UnixMillis(millis.into())).ok()?;
            let value = Base64x64::try_from_int(least.value().to_int() | u64::from(with & 4095)).ok()?;
            let scheme = Scheme::ALL[usize::from(with >> 12) % 4];
            observed(generator, RonUid::from_fields(value, Base64x64::try_from_int(with.into()).ok()?, scheme))
        }
    }
}

#[derive(Arbitrary, Debug)]
struct Scru160Options {
    micros: bool,
    start_bits: u8,
    extension_bits: u8,
    node: u16,
    node_bits: u8,
}

fn scru160(data: &[u8]) {
    let Ok((options, script)) = <(Scru160Options, Script)>::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let Scru160Options { micros, start_bits, extension_bits, node, node_bits } = options;
    let base = if micros { scru160::Options::with_micros_counter() } else { scru160::Options::new() };
    let start_bits = u32::from(start_bits) % if micros { 6 } else { 16 };
    let extension_bits = u32::from(extension_bits) % 17;
    let node_bits = u32::from(node_bits) % (17 - extension_bits);
    let node = (u32::from(node) & ((1 << node_bits) - 1)) as u16;
    let options = base
        .counter_start_bits(start_bits)
        .and_then(|options| options.counter_extension_bits(extension_bits))
        .and_then(|options| options.node(node, node_bits))
        .unwrap();
    // The microsecond, or 0, and the count with its extension.
    let counts = |id: Scru160| {
        let (micro, counter) =
            if micros { (id.counter() >> 6, id.counter() & 63) } else { (0, id.counter()) };
        (micro, u64::from(counter) << extension_bits | u64::from(id.random16()) >> (16 - extension_bits))
    };
    run(options, START, &script, |&Made { id, after }: &Made<Scru160>| {
        assert!((1..Scru160::MAX.unix_millis()).contains(&id.unix_millis()), "reserved");
        let (micro, count) = counts(id);
        assert!(micro < 1000);
        let below = u32::from(id.random16()) & ((1 << (16 - extension_bits)) - 1);
        assert_eq!(below >> (16 - extension_bits - node_bits), u32::from(node));
        match after.filter(|after| (after.unix_millis(), counts(*after).0) == (id.unix_millis(), micro)) {
            Some(after) => assert_eq!(count, counts(after).1 + 1, "one more in the same tick"),
            None if after.is_some() => assert!(count >> extension_bits < 1 << start_bits),
            None => {}
        }
        canonical(id, &id.encode());
    });
}

fn euid(data: &[u8]) {
    let Ok((extension, script)) = <(Option<(u16, u8)>, Script)>::arbitrary(&mut Unstructured::new(data))
    else {
        return;
    };
    let extension = extension.and_then(|(value, bits)| Extension::with_bits(value, bits).ok());
    let options =
        extension.map_or(euid::Options::new(), |extension| euid::Options::new().extension(extension));
    run(options, START, &script, |&Made { id, after }: &Made<Euid>| {
        assert_eq!(id.extension(), extension);
        if let Some(after) = after.filter(|after| after.unix_millis() == id.unix_millis()) {
            assert_eq!(id.to_u128() >> 64, after.to_u128() >> 64, "the upper half stays");
            assert_eq!(id.random_high(), after.random_high() + 1);
        }
        canonical(id, &id.encode());
    });
}

#[derive(Arbitrary, Debug)]
struct FlakeOptions {
    scalable: bool,
    node: u8,
    entropy_bytes: u8,
    epoch: u64,
}

fn ulid_flake(data: &[u8]) {
    let Ok((options, script)) = <(FlakeOptions, Script)>::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let bytes = usize::from(options.entropy_bytes) % if options.scalable { 2 } else { 3 } + 1;
    let epoch = Epoch::from_unix_millis(options.epoch % (START / 1000)).unwrap();
    let start = START.max(epoch.unix_millis() * 1000);
    let grows = |from: u32, to: u32| assert!((1..1 << (8 * bytes)).contains(&(to - from)), "{from} to {to}");
    if options.scalable {
        let node = options.node % 32;
        let rules =
            ulid_flake::scalable::Options::new(node).and_then(|it| it.epoch(epoch).entropy_bytes(bytes));
        run(rules.unwrap(), start, &script, |&Made { id, after }: &Made<UlidFlake>| {
            assert_eq!(id.scalable().scalability(), node);
            if let Some(after) = after.filter(|after| after.timestamp() == id.timestamp()) {
                grows(after.scalable().randomness().into(), id.scalable().randomness().into());
            }
            canonical(id, &id.encode());
        });
    } else {
        let rules = ulid_flake::Options::new().epoch(epoch).entropy_bytes(bytes).unwrap();
        run(rules, start, &script, |&Made { id, after }: &Made<UlidFlake>| {
            if let Some(after) = after.filter(|after| after.timestamp() == id.timestamp()) {
                grows(after.randomness(), id.randomness());
            }
            canonical(id, &id.encode());
        });
    }
}

fn ron_uid(data: &[u8]) {
    let Ok((origin, length, bound, script)) =
        <(u64, u8, u32, Script)>::arbitrary(&mut Unstructured::new(data))
    else {
        return;
    };
    let origin = Base64x64::try_from_int(origin >> 4).unwrap();
    let options = ron_uid::Options::new(origin)
        .min_length(usize::from(length) % 6 + 5)
        .unwrap()
        .future_bound(Duration::from_micros(bound.into()));
    run(options, START, &script, |&Made { id, .. }: &Made<RonUid>| {
        assert_eq!((id.origin(), id.scheme()), (origin, Scheme::Event));
        assert!(Calendar::from_value(id.value()).is_some(), "{id} is a calendar time");
        canonical(id, &id.encode());
    });
}

fn event_id(data: &[u8]) {
    let Ok((ledger_id, script)) = <(u32, Script)>::arbitrary(&mut Unstructured::new(data)) else { return };
    let ledger_id = LedgerId::from_int(ledger_id);
    run(evently_id::Options::new(ledger_id), START, &script, |&Made { id, after }: &Made<EventId>| {
        assert_eq!((id.ledger_id(), id.checksum()), (ledger_id, 0));
        assert!(after.is_none_or(|after| after.unix_micros() < id.unix_micros()), "no timestamp twice");
        canonical(id, &id.encode());
    });
}
