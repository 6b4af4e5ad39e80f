//! The IDs of the specifications that have a field for a node ID.

use crate::Result;
use clap::ValueEnum;
use euid::Euid;
use ron_uid::{Base64x64, RonUid};
use scru160::Scru160;
use sortid_core::SortableId;
use sortid_fleet::{GenerateError, Generator, Node, NodeOptions};
use ulid_flake::UlidFlake;

/// A specification. All have room for at least 32 node IDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    UlidFlake,
    Scru160,
    Euid,
    RonUid,
}

/// The size of the fleet: a Ulid-Flake has room for no more node IDs.
pub(crate) const SIZE: u32 = 32;

/// The bits of a node ID below [`SIZE`].
const BITS: u32 = SIZE.ilog2();

/// The origin of RON UIDs, without the node ID.
const ORIGIN: u64 = 0xABC << 12;

/// The most IDs of a batch.
pub(crate) const BATCH: usize = 256;

impl Kind {
    /// The length of an ID.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::UlidFlake => UlidFlake::BYTES,
            Self::Scru160 => Scru160::BYTES,
            Self::Euid => Euid::BYTES,
            Self::RonUid => RonUid::BYTES,
        }
    }

    /// The node ID in an ID; `None` if the bytes are not an ID of such a node.
    pub(crate) fn node_id(self, bytes: &[u8]) -> Option<u32> {
        match self {
            Self::UlidFlake => {
                let id = <UlidFlake as SortableId>::try_from_bytes(bytes).ok()?;
                Some(id.scalable().scalability().into())
            }
            Self::Scru160 => {
                let id = <Scru160 as SortableId>::try_from_bytes(bytes).ok()?;
                Some((id.random16() >> (u16::BITS - BITS)).into())
            }
            Self::Euid => {
                let id = <Euid as SortableId>::try_from_bytes(bytes).ok()?;
                Some(id.extension()?.value().into())
            }
            Self::RonUid => {
                let origin = <RonUid as SortableId>::try_from_bytes(bytes).ok()?.origin().to_int();
                u32::try_from(origin.checked_sub(ORIGIN)?).ok()
            }
        }
    }

    pub(crate) fn generator(self, node: &Node) -> Result<Box<dyn Ids>> {
        Ok(match self {
            Self::UlidFlake => Box::new(node.generator(ulid_flake::Options::new())?),
            Self::Scru160 => Box::new(node.generator(scru160::Options::new())?),
            Self::Euid => Box::new(node.generator(euid::Options::new())?),
            Self::RonUid => {
                let origin = Base64x64::try_from_int(ORIGIN)?;
                Box::new(node.generator(ron_uid::Options::new(origin))?)
            }
        })
    }
}

/// A generator of any specification.
pub(crate) trait Ids: Send + Sync {
    /// Writes the bytes of `count` new IDs into `bytes`: at most [`BATCH`].
    fn fill(&self, count: usize, bytes: &mut Vec<u8>) -> Result<(), GenerateError>;
}

impl<O: NodeOptions<Id: SortableId>> Ids for Generator<O> {
    fn fill(&self, count: usize, bytes: &mut Vec<u8>) -> Result<(), GenerateError> {
        let mut ids = [O::Id::MIN; BATCH];
        let ids = &mut ids[..count];
        // `generate` makes a single ID, so that both ways are tried.
        if let [id] = ids {
            *id = self.generate()?;
        } else {
            Self::fill(self, ids)?;
        }
        bytes.clear();
        ids.iter().for_each(|id| bytes.extend_from_slice(id.as_bytes()));
        Ok(())
    }
}
