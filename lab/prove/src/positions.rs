//! The positions of IDs: `NAME_next_position`, `NAME_id` and `NAME_position` for each specification.

use core::cell::Cell;
use sortid_core::{Entropy, EntropyError, Position, Rules};

/// The options of a specification, one byte or two for each.
type OptionBytes = [u8; 16];

/// What the functions return.
const DONE: u64 = 0;
const BAD_OPTIONS: u64 = 1;
const BAD_ID: u64 = 2;
const NONE: u64 = 3;
const NO_RANDOM_BYTES: u64 = 4;

/// Random bytes that are given, and how many are used. After the last one, the source fails.
struct Given<'a>(&'a [u8], Cell<usize>);

impl Entropy for Given<'_> {
    #[inline]
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        let (start, end) = (self.1.get(), self.1.get() + bytes.len());
        let given = self.0.get(start..end).ok_or(EntropyError::from("all bytes are used"))?;
        // One by one, because a call of `memcpy` would not have a length that is known.
        for (to, from) in bytes.iter_mut().zip(given) {
            *to = *from;
        }
        self.1.set(end);
        Ok(())
    }
}

macro_rules! positions {
    ($($options:ident, $bytes:literal, $from:expr, id random: $random:literal, random: $drawn:literal;
        $next_position:ident, $id:ident, $position:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $next_position(
            options: &OptionBytes, tick: u64, count: u64, random: &[u8; $drawn], out: &mut [u64; 2],
        ) -> u64 {
            let Some(options) = $options(options) else { return BAD_OPTIONS };
            match options.next_position(Position { tick, count }, &Given(random, Cell::new(0))) {
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
            let Some(options) = $options(options) else { return BAD_OPTIONS };
            *out = options.id(Position { tick, count }, resets, *random).to_bytes();
            DONE
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $position(options: &OptionBytes, id: &[u8; $bytes], out: &mut [u64; 2]) -> u64 {
            let Some(options) = $options(options) else { return BAD_OPTIONS };
            let Some(id) = $from(*id) else { return BAD_ID };
            match options.position(id) {
                Some(position) => {
                    *out = [position.tick, position.count];
                    DONE
                }
                None => NONE,
            }
        }
    )*};
}

positions! {
    scru160_options, 20, |it| Some(scru160::Scru160::from_bytes(it)), id random: 12, random: 14;
        scru160_next_position, scru160_id, scru160_position;
    euid_options, 16, |it| Some(euid::Euid::from_bytes(it)), id random: 4, random: 10;
        euid_next_position, euid_id, euid_position;
    ulid_flake_options, 8, |it| ulid_flake::UlidFlake::try_from_bytes(it).ok(), id random: 0, random: 192;
        ulid_flake_next_position, ulid_flake_id, ulid_flake_position;
    scalable_options, 8, |it| ulid_flake::UlidFlake::try_from_bytes(it).ok(), id random: 0, random: 192;
        scalable_next_position, scalable_id, scalable_position;
    evently_id_options, 16, |it| Some(evently_id::EventId::from_bytes(it)), id random: 0, random: 1;
        evently_id_next_position, evently_id_id, evently_id_position;
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
