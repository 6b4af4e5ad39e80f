//! The drawings in `docs/layout/`, which show the bits of each field. The test sets each bit alone, and looks which field
//! changes. `cargo xtask layouts` draws them again.

use crate::{drawing::Drawing, generated};
use euid::{Euid, Extension};
use evently_id::EventId;
use ron_uid::{Calendar, RonUid, Scheme};
use scru160::Scru160;
use sortid::SortableId;
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

#[test]
fn the_drawing_of_scru160_has_its_fields() {
    let bits = probe([0; 20], |bytes| {
        let id = Scru160::from_bytes(bytes);
        changed(&[
            ("timestamp_ms", id.timestamp() != 0),
            ("counter", id.counter() != 0),
            ("random16", id.random16() != 0),
            ("random80", id.random80() != [0; 10]),
        ])
    });
    check("scru160", &Drawing::new("SCRU160, 160 bits").rows(&bits, 32));
}

#[test]
fn the_drawing_of_euid_has_its_fields() {
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
    check("euid", &drawing.row(from, &with_extension[from..=to]));
}

#[test]
fn the_drawing_of_ulid_flake_has_its_fields() {
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
    check("ulid-flake", &drawing.caption("scalable").rows(&scalable, 32));
}

#[test]
fn the_drawing_of_ron_uid_has_its_fields() {
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
    check("ron-uid", &drawing.row(first, &time));
}

#[test]
fn the_drawing_of_evently_id_has_its_fields() {
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
    check("evently-id", &Drawing::new("Event ID, 128 bits").rows(&bits, 32));
}

/// Each row of a page's layout that begins with the bits of a field has its name.
#[track_caller]
fn check_page<I: SortableId>() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{}.md", I::NAME));
    let page = fs::read_to_string(path).unwrap();
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
    check_page::<EventId>();
    check_page::<Scru160>();
    check_page::<Euid>();
    check_page::<UlidFlake>();
    check_page::<RonUid>();
}

#[track_caller]
fn check(spec: &str, drawing: &Drawing) {
    generated::check(&format!("docs/layout/{spec}.svg"), &drawing.to_svg());
}
