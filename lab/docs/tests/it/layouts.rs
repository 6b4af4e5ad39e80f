//! The layouts: in the code, in the READMEs of the crates, and in the drawings in `docs/pictures/`, which
//! `cargo xtask layouts` draws. The tests set each bit alone, and look which field changes.

use crate::{drawing::Drawing, generated};
use euid::{Euid, Extension, euid};
use evently_id::EventId;
use ron_uid::{Calendar, RonUid, Scheme};
use scru160::Scru160;
use sortid::{__with_type as with_type, Role, SortableId, Spec};
use std::{fs, iter::repeat_n, path::PathBuf};
use ulid_flake::{UlidFlake, ulid_flake};

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

/// The names of the bits of a specification whose layout is its fields, one after the other.
fn plain<I: SortableId>() -> Vec<&'static str> {
    let fields = |id: &I| {
        let mut fields = vec![];
        id.for_each_field(|field, value| fields.push((field, value)));
        fields.retain(|(field, _)| field.bits > 0);
        fields
    };
    let before = fields(&I::MIN);
    let mut bytes = I::MIN.as_bytes().to_vec();
    (0..8 * I::BYTES)
        .map(|bit| {
            bytes[bit / 8] ^= 0x80 >> (bit % 8);
            let after = I::try_from_bytes(&bytes).map_or_else(|_| before.clone(), |id| fields(&id));
            bytes[bit / 8] ^= 0x80 >> (bit % 8);
            let fields = before.iter().zip(&after);
            changed(&fields.map(|(before, after)| (before.0.name, before.1 != after.1)).collect::<Vec<_>>())
        })
        .collect()
}

/// The names of the bits of a specification. "0" is a bit that no ID can have.
fn bits(spec: Spec) -> Vec<&'static str> {
    match spec {
        Spec::Euid => euid_bits(),
        Spec::UlidFlake => stand_alone_bits(),
        Spec::RonUid => ron_uid_bits(),
        // In the description, the version is a part of the ledger ID.
        Spec::EventlyId => {
            let bits = evently_id_bits().into_iter();
            bits.map(|name| if name == "version" { "ledger_id" } else { name }).collect()
        }
        _ => with_type!(spec, Id => plain::<Id>()),
    }
}

#[track_caller]
fn check_fields<I: SortableId>(bits: &[&'static str]) {
    let name = |role, name| if role == Role::Constant { "0" } else { name };
    let fields = I::FIELDS.iter();
    let fields = fields.flat_map(|field| repeat_n(name(field.role, field.name), field.bits as usize));
    assert_eq!(bits, fields.collect::<Vec<_>>(), "{}", I::NAME);
}

#[test]
fn each_bit_belongs_to_the_field_that_the_description_says() {
    for &spec in Spec::ALL {
        with_type!(spec, Id => check_fields::<Id>(&bits(spec)));
    }
}

fn euid_bits() -> Vec<&'static str> {
    probe([0; 16], |bytes| {
        let id = Euid::from_bytes(bytes);
        changed(&[
            ("timestamp_ms", id.unix_millis() != 0),
            ("random_upper", id.random_upper() != 0),
            ("extension_bits", id.extension().is_some()),
            ("random_high", id.random_high() != 0),
            ("random_low", id.random_low() != 0),
        ])
    })
}

#[test]
fn an_extension_takes_the_low_bits_of_random_upper() {
    let extension = Extension::with_bits(0, 8).unwrap();
    let base = Euid::try_from_fields(0, 0, Some(extension), 0, 0).unwrap();
    let with_extension = probe(base.to_bytes(), |bytes| {
        let id = Euid::from_bytes(bytes);
        if id.extension().map(Extension::bits) != Some(extension.bits()) {
            return "extension_bits";
        }
        let value = id.extension().map_or(0, Extension::value);
        changed(&[
            ("timestamp_ms", id.unix_millis() != 0),
            ("random_upper", id.random_upper() != 0),
            ("extension", value != 0),
            ("random_high", id.random_high() != 0),
            ("random_low", id.random_low() != 0),
        ])
    });
    let mut expected = euid_bits();
    let extension_bits = expected.iter().position(|name| *name == "extension_bits").unwrap();
    expected[extension_bits - 8..extension_bits].fill("extension");
    assert_eq!(with_extension, expected);
}

fn stand_alone_bits() -> Vec<&'static str> {
    probe([0; 8], |bytes| {
        let Ok(id) = UlidFlake::try_from_bytes(bytes) else { return "0" };
        changed(&[("timestamp_ms", id.timestamp() != 0), ("randomness", id.randomness() != 0)])
    })
}

fn scalable_bits() -> Vec<&'static str> {
    probe([0; 8], |bytes| {
        let Ok(id) = UlidFlake::try_from_bytes(bytes) else { return "0" };
        changed(&[
            ("timestamp_ms", id.timestamp() != 0),
            ("randomness", id.scalable().randomness() != 0),
            ("scalability", id.scalable().scalability() != 0),
        ])
    })
}

#[test]
fn the_node_of_a_scalable_ulid_flake_takes_the_low_bits_of_the_randomness() {
    let mut expected = stand_alone_bits();
    expected[59..].fill("scalability");
    assert_eq!(scalable_bits(), expected);
}

fn ron_uid_bits() -> Vec<&'static str> {
    let name = RonUid::try_from_bytes([0; 16]).unwrap();
    probe([0; 16], |bytes| {
        let Ok(uid) = RonUid::try_from_bytes(bytes) else { return "0" };
        changed(&[
            ("value", uid.value() != name.value()),
            ("scheme", uid.scheme() != Scheme::Name),
            ("origin", uid.origin() != name.origin()),
        ])
    })
}

/// The bits of the value of an event.
fn ron_uid_time() -> Vec<&'static str> {
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
    let mut time = vec![];
    for (name, one) in units {
        let lowest = one.to_value().unwrap().to_int();
        assert!(lowest.is_power_of_two());
        time.resize(60 - lowest.trailing_zeros() as usize, name);
    }
    time
}

/// The first bit of the value.
fn ron_uid_value(bits: &[&'static str]) -> usize {
    bits.iter().position(|name| *name == "value").unwrap()
}

/// The README of the crate has a letter for each of the ten digits.
#[test]
fn the_digits_of_a_ron_time_have_the_letters_of_the_readme() {
    let time = ron_uid_time();
    let of = |name: &str| match name {
        "month" => 'M',
        "day" => 'D',
        "hour" => 'H',
        "minute" => 'm',
        "second" => 'S',
        "millis" => 's',
        _ => 'n',
    };
    let letters: String = time.iter().step_by(6).map(|name| of(name)).collect();
    assert!(readme("ron-uid").contains(&format!("`{letters}`")), "{letters}");
}

fn evently_id_bits() -> Vec<&'static str> {
    probe([0; 16], |bytes| {
        let id = EventId::from_bytes(bytes);
        let (ledger, version) = (id.ledger_id().to_int(), id.ledger_id().version());
        changed(&[
            ("timestamp_us", id.unix_micros() != 0),
            ("checksum", id.checksum() != 0),
            ("ledger_id", ledger != 0 && version == 0),
            ("version", version != 0),
        ])
    })
}

/// The layout of RFC 9562, section 5.7.
fn uuid7_bits() -> Vec<&'static str> {
    let fields = [("unix_ts_ms", 48), ("ver", 4), ("rand_a", 12), ("var", 2), ("rand_b", 62)];
    fields.iter().flat_map(|&(name, bits)| std::iter::repeat_n(name, bits)).collect()
}

#[test]
fn the_drawing_of_all_layouts_has_the_fields() {
    let mut ron_uid = ron_uid_bits();
    let first = ron_uid_value(&ron_uid);
    for (bit, unit) in ron_uid[first..].iter_mut().zip(ron_uid_time()) {
        *bit = if unit == "sequence" { unit } else { "calendar" };
    }
    let layouts = [
        ("SCRU160", plain::<Scru160>()),
        ("EUID", euid_bits()),
        ("Ulid-Flake", stand_alone_bits()),
        ("Ulid-Flake, scalable", scalable_bits()),
        ("RON UID of an event", ron_uid),
        ("Event ID", evently_id_bits()),
        ("UUIDv7", uuid7_bits()),
    ];
    let drawing = Drawing::new("The bits of the five specifications and of UUIDv7, to scale").ruler(160);
    let drawing = layouts.iter().fold(drawing, |drawing, (name, bits)| {
        drawing.caption(&format!("{name}, {} bits", bits.len())).row_to_scale(bits, 160)
    });
    generated::check("docs/pictures/layouts.svg", &drawing.legend().to_svg());
}

/// The bits of a text of Crockford's base32, as 0 and 1.
fn bits_of_text(text: &str) -> String {
    let alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    text.chars().map(|digit| format!("{:05b}", alphabet.find(digit).unwrap())).collect()
}

#[test]
fn the_drawing_of_two_texts_has_the_fields() {
    const TIME: (u64, &str) = (1_717_653_966_666, "2024-06-06T06:06:06.666Z");

    let euid = euid!("1HZP2F3TARAH1VEXW8BDJPEKP44");
    assert_eq!((euid.unix_millis(), euid.extension()), (TIME.0, None));
    assert_eq!(bits_of_text(&euid.encode()), format!("{:0128b}{:07b}", euid.to_u128(), euid.check()));
    let mut euid_bits = euid_bits();
    euid_bits.extend(["check"; 7]);
    let euid_notes = [
        ("timestamp_ms", "time", TIME.1),
        ("random_upper", "random", ""),
        ("extension_bits", "", "no extension"),
        ("random_high", "counter", "random, then + 1"),
        ("random_low", "random", "new in each ID"),
        ("check", "check", "ID mod 127"),
    ];

    let flake = ulid_flake!("00CMXB6TAK4SA");
    assert_eq!(flake.unix_millis(), TIME.0);
    assert_eq!(bits_of_text(&flake.encode()), format!("{:065b}", flake.to_int()));
    let mut flake_bits = scalable_bits();
    flake_bits.insert(0, "0");
    let node = format!("node ID {}", flake.scalable().scalability());
    let flake_notes = [
        ("0", "", ""),
        ("timestamp_ms", "time", TIME.1),
        ("randomness", "random", ""),
        ("scalability", "node", &node),
    ];

    let drawing = Drawing::new("The bits of an EUID and of a Ulid-Flake in the characters of their texts")
        .caption("EUID: 27 characters of 5 bits. Below them are the fields, and how many bits each has")
        .text(&euid.encode(), &euid_bits, &euid_notes)
        .caption("Ulid-Flake, scalable: 13 characters")
        .text(&flake.encode(), &flake_bits, &flake_notes);
    generated::check("docs/pictures/id.svg", &drawing.legend().to_svg());
}

fn readme(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../crates/{name}/README.md"));
    fs::read_to_string(path).unwrap_or_else(|error| panic!("crates/{name}/README.md: {error}"))
}

/// Each row of a README's layout that begins with the bits of a field has its name.
#[track_caller]
fn check_page<I: SortableId>() {
    let page = readme(I::NAME);
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
fn the_tables_of_the_readmes_have_the_fields() {
    for &spec in Spec::ALL {
        with_type!(spec, Id => check_page::<Id>());
    }
}
