//! The place where JavaScript and Rust pass IDs and texts.
//!
//! The places are atomic because JavaScript changes them: the compiler must not assume that they keep their values. In a
//! module without threads, an atomic costs what plain memory costs.

use sortid::{AnyId, ParseError, SortableId, Spec};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use wasm_bindgen::prelude::*;

/// The words of the longest ID.
const ID: usize = 5;

/// How many IDs fit at once. `BATCH` of `package/src/module.ts` is the same.
pub(crate) const BATCH: usize = 256;

/// The bytes of the longest text that is passed in the tray. `LONGEST_TEXT` of `package/src/module.ts` is the same.
pub(crate) const TEXT: usize = 64;

// Where things begin, in words of 32 bits.
pub(crate) const SECOND_AT: usize = 8;
const TEXT_AT: usize = 16;
const BATCH_AT: usize = 32;

/// Aligned, so that JavaScript can read integers of 64 bits.
#[repr(align(8))]
struct Tray([AtomicU32; BATCH_AT + BATCH * ID]);

static TRAY: Tray = Tray([const { AtomicU32::new(0) }; BATCH_AT + BATCH * ID]);

/// The address of the tray in the memory of the module.
#[wasm_bindgen]
pub fn tray() -> usize {
    TRAY.0.as_ptr() as usize
}

/// The ID of this specification in the tray.
pub(crate) fn id<I: SortableId>() -> Result<I, ParseError> {
    id_at(0)
}

/// The second ID, to which the first is compared.
pub(crate) fn second<I: SortableId>() -> Result<I, ParseError> {
    id_at(SECOND_AT)
}

#[inline]
fn id_at<I: SortableId>(at: usize) -> Result<I, ParseError> {
    let mut bytes = I::Bytes::default();
    for (bytes, word) in bytes.as_mut().chunks_exact_mut(4).zip(&TRAY.0[at..]) {
        bytes.copy_from_slice(&word.load(Relaxed).to_be_bytes());
    }
    I::try_from_bytes(bytes.as_ref())
}

pub(crate) fn any(spec: Spec) -> Result<AnyId, ParseError> {
    AnyId::try_from_bytes(spec, &bytes()[..spec.bytes()])
}

/// The bytes of the ID in the tray, with more after them if the ID is short.
fn bytes() -> [u8; 4 * ID] {
    let mut bytes = [0; 4 * ID];
    for (bytes, word) in bytes.chunks_exact_mut(4).zip(&TRAY.0) {
        bytes.copy_from_slice(&word.load(Relaxed).to_be_bytes());
    }
    bytes
}

/// Puts the ID into the tray.
#[inline]
pub(crate) fn put(id: impl AsRef<[u8]>) {
    put_at(0, id.as_ref());
}

/// Puts the IDs into the tray, each into the room of the longest. At most [`BATCH`] fit.
pub(crate) fn put_batch(ids: &[AnyId]) {
    for (index, id) in ids.iter().take(BATCH).enumerate() {
        put_at(BATCH_AT + ID * index, id.as_bytes());
    }
}

#[inline]
pub(crate) fn put_at(at: usize, bytes: &[u8]) {
    for (bytes, word) in bytes.chunks_exact(4).zip(&TRAY.0[at..]) {
        word.store(u32::from_be_bytes(bytes.try_into().unwrap_or_default()), Relaxed);
    }
}

/// The text in the tray: the first `len` bytes count.
#[inline]
pub(crate) fn text(len: usize) -> [u8; TEXT] {
    let mut text = [0; TEXT];
    let words = len.min(TEXT).div_ceil(4);
    for (bytes, word) in text.chunks_exact_mut(4).zip(&TRAY.0[TEXT_AT..TEXT_AT + words]) {
        bytes.copy_from_slice(&word.load(Relaxed).to_le_bytes());
    }
    text
}

/// Puts the text into the tray, and returns its length.
#[inline]
pub(crate) fn put_text(text: &[u8]) -> usize {
    for (bytes, word) in text.chunks(4).zip(&TRAY.0[TEXT_AT..BATCH_AT]) {
        let mut room = [0; 4];
        room[..bytes.len()].copy_from_slice(bytes);
        word.store(u32::from_le_bytes(room), Relaxed);
    }
    text.len()
}

/// The integer at this place of the text.
pub(crate) fn field(index: usize) -> u64 {
    let word = |at: usize| u64::from(TRAY.0[TEXT_AT + at].load(Relaxed));
    word(2 * index + 1) << 32 | word(2 * index)
}

/// Puts integers into the place of the text.
pub(crate) fn put_fields<const N: usize>(fields: [u64; N]) {
    for (index, field) in fields.into_iter().enumerate() {
        TRAY.0[TEXT_AT + 2 * index].store(field as u32, Relaxed);
        TRAY.0[TEXT_AT + 2 * index + 1].store((field >> 32) as u32, Relaxed);
    }
}
