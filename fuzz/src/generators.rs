//! Generators: in every script, IDs ascend and have the fields that their specification requires.

use crate::{
    options::Chosen,
    script::{Script, run},
    text::canonical,
};
use arbitrary::{Arbitrary, Unstructured};
use euid::{Euid, Extension};
use evently_id::{EventId, LedgerId};
use ron_uid::{Base64x64, Calendar, RonUid, Scheme};
use scru160::Scru160;
use sortid::{__with_id, AnyId, Spec};
use ulid_flake::UlidFlake;

/// The first byte chooses the specification. Its options and a script follow.
pub(crate) fn any(data: &[u8]) {
    let Some((choice, data)) = data.split_first() else { return };
    let spec = Spec::ALL[usize::from(*choice) % Spec::ALL.len()];
    let mut bytes = Unstructured::new(data);
    let Ok(chosen) = Chosen::of(spec, &mut bytes) else { return };
    let Ok(script) = Script::arbitrary(&mut bytes) else { return };
    run(chosen.options, &script, |id, after| {
        __with_id!(id, id => canonical(id, &id.encode()));
        match id {
            AnyId::EventlyId(id) => event_id(&chosen, id, same(after)),
            AnyId::Scru160(id) => scru160(&chosen, id, same(after)),
            AnyId::Euid(id) => euid(&chosen, id, same(after)),
            AnyId::UlidFlake(id) => ulid_flake(&chosen, id, same(after)),
            AnyId::RonUid(id) => ron_uid(&chosen, id),
            // The laws of all specifications are those of `run` and `canonical`.
            _ => {}
        }
    });
}

/// The ID before in its type.
fn same<I: TryFrom<AnyId>>(after: Option<AnyId>) -> Option<I> {
    after.map(|after| after.try_into().ok().expect("all IDs of a generator have its specification"))
}

fn scru160(chosen: &Chosen, id: Scru160, after: Option<Scru160>) {
    let has_micros = chosen.text("micros") == Some("true");
    let start_bits = chosen.number("counter_start_bits").unwrap_or(if has_micros { 5 } else { 15 });
    let extension_bits = chosen.number("counter_extension_bits").unwrap_or(0);
    let (node, node_bits) = chosen.with_bits("node").unwrap_or((0, Some(0)));
    // The microsecond, or 0, and the count with its extension.
    let counts = |id: Scru160| {
        let (micro, counter) =
            if has_micros { (id.counter() >> 6, id.counter() & 63) } else { (0, id.counter()) };
        (micro, u64::from(counter) << extension_bits | u64::from(id.random16()) >> (16 - extension_bits))
    };
    assert!((1..Scru160::MAX.unix_millis()).contains(&id.unix_millis()), "reserved");
    let (micro, count) = counts(id);
    assert!(micro < 1000);
    let below = u32::from(id.random16()) & ((1 << (16 - extension_bits)) - 1);
    let node_bits = u64::from(node_bits.unwrap_or(16));
    assert_eq!(below >> (16 - extension_bits - node_bits), u32::from(node));
    match after.filter(|after| (after.unix_millis(), counts(*after).0) == (id.unix_millis(), micro)) {
        Some(after) => assert_eq!(count, counts(after).1 + 1, "one more in the same tick"),
        None if after.is_some() => assert!(count >> extension_bits < 1 << start_bits),
        None => {}
    }
}

fn euid(chosen: &Chosen, id: Euid, after: Option<Euid>) {
    let extension = chosen.with_bits("extension").map(|(value, bits)| match bits {
        Some(bits) => Extension::with_bits(value, bits).unwrap(),
        None => Extension::new(value).unwrap(),
    });
    assert_eq!(id.extension(), extension);
    if let Some(after) = after.filter(|after| after.unix_millis() == id.unix_millis()) {
        assert_eq!(id.to_u128() >> 64, after.to_u128() >> 64, "the upper half stays");
        assert_eq!(id.random_high(), after.random_high() + 1);
    }
}

fn ulid_flake(chosen: &Chosen, id: UlidFlake, after: Option<UlidFlake>) {
    let node = chosen.number("node");
    let randomness = |id: UlidFlake| match node {
        Some(_) => id.scalable().randomness().into(),
        None => id.randomness(),
    };
    if let Some(node) = node {
        assert_eq!(u64::from(id.scalable().scalability()), node);
    }
    if let Some(after) = after.filter(|after| after.timestamp() == id.timestamp()) {
        let (from, to) = (randomness(after), randomness(id));
        let bytes = chosen.number("entropy_bytes").unwrap_or(1);
        assert!((1..1 << (8 * bytes)).contains(&(to - from)), "{from} to {to}");
    }
}

fn ron_uid(chosen: &Chosen, id: RonUid) {
    let origin = Base64x64::parse(chosen.text("origin").expect("an origin")).unwrap();
    // The session is the end of the origin.
    let session_bits = 6 * chosen.number("session_digits").unwrap_or(0);
    assert_eq!(id.origin().to_int() >> session_bits, origin.to_int() >> session_bits);
    assert_eq!(id.scheme(), Scheme::Event);
    assert!(Calendar::from_value(id.value()).is_some(), "{id} is a calendar time");
}

fn event_id(chosen: &Chosen, id: EventId, after: Option<EventId>) {
    let ledger_id = LedgerId::parse(chosen.text("ledger_id").expect("a ledger ID")).unwrap();
    assert_eq!((id.ledger_id(), id.checksum()), (ledger_id, 0));
    assert!(after.is_none_or(|after| after.unix_micros() < id.unix_micros()), "no timestamp twice");
}
