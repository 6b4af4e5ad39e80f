//! The IDs of the specifications that have a field for a node ID.

use crate::Result;
use sortid::{AnyId, AnyOptions, Spec, ron_uid};
use sortid_fleet::{GenerateError, Generator, Node};

/// The size of the fleet: a Ulid-Flake has room for no more node IDs.
pub(crate) const SIZE: u32 = 32;

/// The bits of a node ID below [`SIZE`].
const BITS: u32 = SIZE.ilog2();

/// The origin of RON UIDs, without the node ID.
const ORIGIN: u64 = 0xABC << 12;

/// The most IDs of a batch.
pub(crate) const BATCH: usize = 256;

/// The node ID in the fields of an ID; `None` if it is not an ID of such a node.
pub(crate) fn node_id(id: AnyId) -> Option<u32> {
    match id {
        AnyId::UlidFlake(id) => Some(id.scalable().scalability().into()),
        AnyId::Scru160(id) => Some((id.random16() >> (u16::BITS - BITS)).into()),
        AnyId::Euid(id) => Some(id.extension()?.value().into()),
        AnyId::RonUid(id) => u32::try_from(id.origin().to_int().checked_sub(ORIGIN)?).ok(),
        _ => None,
    }
}

pub(crate) fn generator(spec: Spec, node: &Node) -> Result<Generator<AnyOptions>> {
    let options = match spec {
        Spec::RonUid => ron_uid::Options::new(ron_uid::Base64x64::try_from_int(ORIGIN)?).into(),
        _ => AnyOptions::new(spec, &[])?,
    };
    Ok(node.generator(options)?)
}

/// Writes the bytes of `count` new IDs into `bytes`: at most [`BATCH`].
pub(crate) fn fill(
    generator: &Generator<AnyOptions>,
    count: usize,
    bytes: &mut Vec<u8>,
) -> Result<(), GenerateError> {
    let mut ids = [AnyId::min(Spec::UlidFlake); BATCH];
    let ids = &mut ids[..count];
    // `generate` makes a single ID, so that both ways are tried.
    if let [id] = ids {
        *id = generator.generate()?;
    } else {
        generator.fill(ids)?;
    }
    bytes.clear();
    ids.iter().for_each(|id| bytes.extend_from_slice(id.as_bytes()));
    Ok(())
}
