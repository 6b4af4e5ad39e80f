//! The positions of IDs, and generators: `NAME_next_position`, `NAME_id`, `NAME_position`, `NAME_next`, `NAME_widths` and
//! `NAME_fields` for each specification.

use core::{cell::Cell, time::Duration};
use sortid_core::{
    Clock, Entropy, EntropyError, GenerateError, GenerateErrorKind, Generator, Position, Rollback, Rules,
    SortableId,
};

/// The options of a specification, one byte or two for each.
type OptionBytes = [u8; 16];

/// What the functions return. The kinds of the errors of generators follow.
const DONE: u64 = 0;
const BAD_OPTIONS: u64 = 1;
const BAD_ID: u64 = 2;
const NONE: u64 = 3;
const NO_RANDOM_BYTES: u64 = 4;
const UNLIMITED: u32 = u32::MAX;

/// Random bytes that are given. After the last one, the source fails.
struct Given<'a> {
    bytes: &'a [u8],
    used: Cell<usize>,
}

impl<'a> Given<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, used: Cell::new(0) }
    }
}

impl Entropy for Given<'_> {
    #[inline]
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        let (start, end) = (self.used.get(), self.used.get() + bytes.len());
        let given = self.bytes.get(start..end).ok_or(EntropyError::from("all bytes are used"))?;
        // One by one, because a call of `memcpy` would not have a length that is known.
        for (to, from) in bytes.iter_mut().zip(given) {
            *to = *from;
        }
        self.used.set(end);
        Ok(())
    }
}

/// A clock that stands at a time.
struct At(u64);

impl Clock for At {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        Some(self.0)
    }
}

fn kind(error: &GenerateError) -> u64 {
    16 + match error.kind() {
        GenerateErrorKind::ClockRollback => 0,
        GenerateErrorKind::Exhausted => 1,
        GenerateErrorKind::ClockOutOfRange => 2,
        GenerateErrorKind::Entropy => 3,
        GenerateErrorKind::NoTime => 4,
        _ => 5,
    }
}

fn next_after<R: Rules>(rules: R, id: R::Id, micros: u64, random: &[u8]) -> Result<R::Id, u64> {
    Generator::from_parts(rules, At(micros), Given::new(random))
        .starting_after(id)
        .and_then(|generator| generator.try_generate())
        .map_err(|error| kind(&error))
}

fn widths<I: SortableId>(out: &mut [u64; 8]) -> u64 {
    for (to, field) in out.iter_mut().zip(I::FIELDS) {
        *to = field.bits.into();
    }
    I::FIELDS.len() as u64
}

macro_rules! positions {
    ($($Options:ty, $options:expr, $Id:ty, $bytes:literal, $from:expr, id random: $random:literal, random: $drawn:literal;
        $next_position:ident, $id:ident, $position:ident, $next:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $next_position(
            options: &OptionBytes, tick: u64, count: u64, random: &[u8; $drawn], out: &mut [u64; 2],
        ) -> u64 {
            let from: fn(&OptionBytes) -> Option<$Options> = $options;
            let Some(options) = from(options) else { return BAD_OPTIONS };
            match options.next_position(Position { tick, count }, &Given::new(random)) {
                Ok(Some(next)) => {
                    *out = [next.tick, next.count];
                    DONE
                }
                Ok(None) => NONE,
                Err(_) => NO_RANDOM_BYTES,
            }
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $id(
            options: &OptionBytes, tick: u64, count: u64, resets: u16, random: &[u8; $random], out: &mut [u8; $bytes],
        ) -> u64 {
            let from: fn(&OptionBytes) -> Option<$Options> = $options;
            let Some(options) = from(options) else { return BAD_OPTIONS };
            *out = options.id(Position { tick, count }, resets, *random).to_bytes();
            DONE
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $position(options: &OptionBytes, id: &[u8; $bytes], out: &mut [u64; 2]) -> u64 {
            let from: fn(&OptionBytes) -> Option<$Options> = $options;
            let Some(options) = from(options) else { return BAD_OPTIONS };
            let read: fn([u8; $bytes]) -> Option<$Id> = $from;
            let Some(id) = read(*id) else { return BAD_ID };
            match options.position(id) {
                Some(position) => {
                    *out = [position.tick, position.count];
                    DONE
                }
                None => NONE,
            }
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $next(
            options: &OptionBytes, id: &[u8; $bytes], micros: u64, random: &[u8; $drawn], allowance: u32,
            out: &mut [u8; $bytes],
        ) -> u64 {
            let from: fn(&OptionBytes) -> Option<$Options> = $options;
            let Some(options) = from(options) else { return BAD_OPTIONS };
            let read: fn([u8; $bytes]) -> Option<$Id> = $from;
            let Some(id) = read(*id) else { return BAD_ID };
            let options = match allowance {
                UNLIMITED => options.rollback(Rollback::Continue),
                _ => options.rollback(Rollback::Fail).rollback_allowance(Duration::from_secs(allowance.into())),
            };
            match next_after(options, id, micros, random) {
                Ok(id) => {
                    *out = id.to_bytes();
                    DONE
                }
                Err(kind) => kind,
            }
        }
    )*};
}

positions! {
    scru160::Options, scru160_options, scru160::Scru160, 20, |bytes| Some(scru160::Scru160::from_bytes(bytes)),
        id random: 12, random: 14;
        scru160_next_position, scru160_id, scru160_position, scru160_next;
    euid::Options, euid_options, euid::Euid, 16, |bytes| Some(euid::Euid::from_bytes(bytes)), id random: 4, random: 10;
        euid_next_position, euid_id, euid_position, euid_next;
    ulid_flake::Options, ulid_flake_options, ulid_flake::UlidFlake, 8,
        |bytes| ulid_flake::UlidFlake::try_from_bytes(bytes).ok(), id random: 0, random: 192;
        ulid_flake_next_position, ulid_flake_id, ulid_flake_position, ulid_flake_next;
    ulid_flake::scalable::Options, scalable_options, ulid_flake::UlidFlake, 8,
        |bytes| ulid_flake::UlidFlake::try_from_bytes(bytes).ok(), id random: 0, random: 192;
        scalable_next_position, scalable_id, scalable_position, scalable_next;
    evently_id::Options, evently_id_options, evently_id::EventId, 16,
        |bytes| Some(evently_id::EventId::from_bytes(bytes)), id random: 0, random: 1;
        evently_id_next_position, evently_id_id, evently_id_position, evently_id_next;
    ron_uid::Options, ron_uid_options, ron_uid::RonUid, 16, |bytes| ron_uid::RonUid::try_from_bytes(bytes).ok(),
        id random: 0, random: 1;
        ron_uid_next_position, ron_uid_id, ron_uid_position, ron_uid_next;
}

/// Whether the counter has microseconds, its start bits, its extension bits, the node bits, and the node.
fn scru160_options(
    &[micros, start, extension, node_bits, n0, n1, ..]: &OptionBytes,
) -> Option<scru160::Options> {
    let options = if micros == 0 { scru160::Options::new() } else { scru160::Options::with_micros_counter() };
    let options =
        options.counter_start_bits(start.into()).ok()?.counter_extension_bits(extension.into()).ok()?;
    options.node(u16::from_be_bytes([n0, n1]), node_bits.into()).ok()
}

/// The bits of the extension, or 0 without one, and its value.
fn euid_options(&[bits, v0, v1, ..]: &OptionBytes) -> Option<euid::Options> {
    if bits == 0 {
        return Some(euid::Options::new());
    }
    Some(euid::Options::new().extension(euid::Extension::with_bits(u16::from_be_bytes([v0, v1]), bits).ok()?))
}

/// The number of random bytes of a step, and the epoch in the last 8 bytes.
fn ulid_flake_options(&[bytes, .., a, b, c, d, e, f, g, h]: &OptionBytes) -> Option<ulid_flake::Options> {
    let epoch = ulid_flake::Epoch::from_unix_millis(u64::from_be_bytes([a, b, c, d, e, f, g, h])).ok()?;
    ulid_flake::Options::new().epoch(epoch).entropy_bytes(bytes.into()).ok()
}

/// Those of a stand-alone Ulid-Flake, with the node as the second byte.
fn scalable_options(
    &[bytes, node, .., a, b, c, d, e, f, g, h]: &OptionBytes,
) -> Option<ulid_flake::scalable::Options> {
    let epoch = ulid_flake::Epoch::from_unix_millis(u64::from_be_bytes([a, b, c, d, e, f, g, h])).ok()?;
    ulid_flake::scalable::Options::new(node).ok()?.epoch(epoch).entropy_bytes(bytes.into()).ok()
}

/// The ledger ID.
fn evently_id_options(&[a, b, c, d, ..]: &OptionBytes) -> Option<evently_id::Options> {
    Some(evently_id::Options::new(evently_id::LedgerId::from_bytes([a, b, c, d])))
}

/// The least length, the digits of the session or 0, and the origin in the last 8 bytes.
fn ron_uid_options(&[length, session, .., a, b, c, d, e, f, g, h]: &OptionBytes) -> Option<ron_uid::Options> {
    let origin = ron_uid::Base64x64::try_from_int(u64::from_be_bytes([a, b, c, d, e, f, g, h])).ok()?;
    let options = ron_uid::Options::new(origin).min_length(length.into()).ok()?;
    if session == 0 { Some(options) } else { options.session_digits(session.into()).ok() }
}

macro_rules! fields {
    ($($Id:ty, $bytes:literal, $from:expr, $count:literal, $fields:expr; $widths:ident, $read:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $widths(out: &mut [u64; 8]) -> u64 {
            widths::<$Id>(out)
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $read(id: &[u8; $bytes], out: &mut [u64; $count]) -> u64 {
            let read: fn([u8; $bytes]) -> Option<$Id> = $from;
            let fields: fn($Id) -> [u64; $count] = $fields;
            let Some(id) = read(*id) else { return BAD_ID };
            *out = fields(id);
            DONE
        }
    )*};
}

fields! {
    scru160::Scru160, 20, |bytes| Some(scru160::Scru160::from_bytes(bytes)), 5, |id| {
        let [a, b, rest @ ..] = id.random80();
        [id.unix_millis(), id.counter().into(), id.random16().into(), u16::from_be_bytes([a, b]).into(), u64::from_be_bytes(rest)]
    };
        scru160_widths, scru160_fields;
    euid::Euid, 16, |bytes| Some(euid::Euid::from_bytes(bytes)), 7, |id| [
        id.unix_millis(),
        id.random_upper().into(),
        id.extension().map_or(0, |it| it.value().into()),
        id.extension().map_or(0, |it| it.bits().into()),
        id.extension().map_or(0, |it| it.bits().into()),
        id.random_high().into(),
        id.random_low().into(),
    ];
        euid_widths, euid_fields;
    ulid_flake::UlidFlake, 8, |bytes| ulid_flake::UlidFlake::try_from_bytes(bytes).ok(), 5, |id| [
        id.to_int() as u64,
        id.timestamp(),
        id.randomness().into(),
        id.scalable().randomness().into(),
        id.scalable().scalability().into(),
    ];
        ulid_flake_widths, ulid_flake_fields;
    evently_id::EventId, 16, |bytes| Some(evently_id::EventId::from_bytes(bytes)), 4, |id| [
        id.unix_micros(),
        id.checksum().into(),
        id.ledger_id().to_int().into(),
        id.ledger_id().version().into(),
    ];
        evently_id_widths, evently_id_fields;
}
