//! The drawings in `docs/layout/`, which show the bits of each field. The test sets each bit alone, and looks which field
//! changes. `cargo xtask layouts` draws them again.

use crate::{drawing::Drawing, generated};
use euid::{Euid, Extension};
use evently_id::EventId;
use ron_uid::{Calendar, RonUid, Scheme};
use sortid::{__with_type as with_type, SortableId, Spec};
use std::{fs, path::PathBuf};
use ulid_flake::UlidFlake;

/// Flips each bit of `base` alone, and returns the name of the field that `field` finds changed.
fn probe<const N: usize>(base: [u8; N], field: impl Fn([u8; N]) -> &'static str) -> Vec<&'static str> {
    let names = (0..8 * N).map(|bit| {
        let mut bytes = base;
        bytes[bit / 8] ^= 0x80 >> (bit % 8);
        field(bytes)
    });
    names.collect()
}

/// The name of the one field that has changed; `0` if none has.
#[track_caller]
fn changed(fields: &[(&'static str, bool)]) -> &'static str {
    let mut changed = fields.iter().filter(|(_, has_changed)| *has_changed).map(|(name, _)| *name);
    let name = changed.next().unwrap_or("0");
    assert_eq!(changed.next(), None, "a bit of two fields");
    name
}

/// The drawing of a specification whose layout is its fields, one after the other.
fn plain<I: SortableId>() -> Drawing {
    let fields = |id: &I| {
        let mut fields = vec![];
        id.for_each_field(|field, value| fields.push((field, value)));
        fields.retain(|(field, _)| field.bits > 0);
        fields
    };
    let before = fields(&I::MIN);
    let mut bytes = I::MIN.as_bytes().to_vec();
    let bits: Vec<_> = (0..8 * I::BYTES)
        .map(|bit| {
            bytes[bit / 8] ^= 0x80 >> (bit % 8);
            let after = I::try_from_bytes(&bytes).map_or_else(|_| before.clone(), |id| fields(&id));
            bytes[bit / 8] ^= 0x80 >> (bit % 8);
            let fields = before.iter().zip(&after);
            changed(&fields.map(|(before, after)| (before.0.name, before.1 != after.1)).collect::<Vec<_>>())
        })
        .collect();
    Drawing::new(&format!("{}, {} bits", I::TITLE, bits.len())).rows(&bits, 32)
}

#[test]
fn the_drawings_have_the_fields() {
    for &spec in Spec::ALL {
        let drawing = match spec {
            Spec::Euid => euid(),
            Spec::UlidFlake => ulid_flake(),
            Spec::RonUid => ron_uid(),
            Spec::EventlyId => evently_id(),
            _ => with_type!(spec, Id => plain::<Id>()),
        };
        check(spec.name(), &drawing);
    }
}

fn euid() -> Drawing {
    let bits = probe([0; 16], |bytes| {
        let id = Euid::from_bytes(bytes);
        changed(&[
            ("timestamp_ms", id.timestamp() != 0),
            ("random_upper", id.random_upper() != 0),
            ("extension_bits", id.extension_bits() != 0),
            ("random_high", id.random_high() != 0),
            ("random_low", id.random_low() != 0),
        ])
    });
    let extension = Extension::with_bits(0, 8).unwrap();
    let base = Euid::try_from_fields(0, 0, Some(extension), 0, 0).unwrap();
    let with_extension = probe(base.to_bytes(), |bytes| {
        let id = Euid::from_bytes(bytes);
        if id.extension_bits() != extension.bits() {
            return "extension_bits";
        }
        let value = id.extension().map_or(0, Extension::value);
        changed(&[
            ("timestamp_ms", id.timestamp() != 0),
            ("random_upper", id.random_upper() != 0),
            ("extension", value != 0),
            ("random_high", id.random_high() != 0),
            ("random_low", id.random_low() != 0),
        ])
    });
    let from = with_extension.iter().position(|name| *name == "random_upper").unwrap();
    let to = with_extension.iter().rposition(|name| *name == "extension_bits").unwrap();
    let drawing = Drawing::new("EUID, 128 bits").rows(&bits, 32).caption("with an extension of 8 bits");
    drawing.row(from, &with_extension[from..=to])
}

fn ulid_flake() -> Drawing {
    let stand_alone = probe([0; 8], |bytes| {
        let Ok(id) = UlidFlake::try_from_bytes(bytes) else { return "0" };
        changed(&[("timestamp_ms", id.timestamp() != 0), ("randomness", id.randomness() != 0)])
    });
    let scalable = probe([0; 8], |bytes| {
        let Ok(id) = UlidFlake::try_from_bytes(bytes) else { return "0" };
        changed(&[
            ("timestamp_ms", id.timestamp() != 0),
            ("randomness", id.scalable().randomness() != 0),
            ("scalability", id.scalable().scalability() != 0),
        ])
    });
    let drawing = Drawing::new("Ulid-Flake, 64 bits: stand-alone").rows(&stand_alone, 32);
    drawing.caption("scalable").rows(&scalable, 32)
}

fn ron_uid() -> Drawing {
    let name = RonUid::try_from_bytes([0; 16]).unwrap();
    let bits = probe([0; 16], |bytes| {
        let Ok(uid) = RonUid::try_from_bytes(bytes) else { return "0" };
        changed(&[
            ("value", uid.value() != name.value()),
            ("scheme", uid.scheme() != Scheme::Name),
            ("origin", uid.origin() != name.origin()),
        ])
    });
    // One bit alone may not be a time. But a unit, such as a second, is the lowest bit of its field.
    let zero = Calendar::MIN;
    let units = [
        ("month", Calendar { month: 2, ..zero }),
        ("day", Calendar { day: 2, ..zero }),
        ("hour", Calendar { hour: 1, ..zero }),
        ("minute", Calendar { minute: 1, ..zero }),
        ("second", Calendar { second: 1, ..zero }),
        ("millis", Calendar { millis: 1, ..zero }),
        ("sequence", Calendar { sequence: 1, ..zero }),
    ];
    let first = bits.iter().position(|name| *name == "value").unwrap();
    let mut time = vec![];
    for (name, one) in units {
        let lowest = one.to_value().unwrap().to_int();
        assert!(lowest.is_power_of_two());
        time.resize(60 - lowest.trailing_zeros() as usize, name);
    }
    let drawing = Drawing::new("RON UID, 128 bits").rows(&bits, 32).caption("the value of an event");
    drawing.row(first, &time)
}

fn evently_id() -> Drawing {
    let bits = probe([0; 16], |bytes| {
        let id = EventId::from_bytes(bytes);
        let (ledger, version) = (id.ledger_id().to_int(), id.ledger_id().version());
        changed(&[
            ("timestamp_us", id.timestamp() != 0),
            ("checksum", id.checksum() != 0),
            ("ledger_id", ledger != 0 && version == 0),
            ("version", version != 0),
        ])
    });
    Drawing::new("Event ID, 128 bits").rows(&bits, 32)
}

/// Each row of a page's layout that begins with the bits of a field has its name.
#[track_caller]
fn check_page<I: SortableId>() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{}.md", I::NAME));
    let page = fs::read_to_string(path).unwrap_or_else(|error| panic!("docs/{}.md: {error}", I::NAME));
    let (_, layout) = page.split_once("## Layout").unwrap();
    let (layout, _) = layout.split_once("\n## ").unwrap();
    let mut bit = 0;
    for field in I::FIELDS.iter().filter(|field| field.bits > 0) {
        let last = bit + field.bits - 1;
        let bits = if bit == last { bit.to_string() } else { format!("{bit}–") };
        let row = format!("\n| {bits}");
        let (_, row) = layout.split_once(&row).unwrap_or_else(|| panic!("{}: a row for {row}", I::NAME));
        let name = row.split('`').nth(1);
        assert_eq!(name, Some(field.name), "{}: bit {bit}", I::NAME);
        bit = last + 1;
    }
}

#[test]
fn the_tables_of_the_pages_have_the_fields() {
    for &spec in Spec::ALL {
        with_type!(spec, Id => check_page::<Id>());
    }
}

#[track_caller]
fn check(spec: &str, drawing: &Drawing) {
    generated::check(&format!("docs/layout/{spec}.svg"), &drawing.to_svg());
}
