//! `BorshSerialize` and `BorshDeserialize`: the bytes, without a length before them.

// `BorshSchema` is not implemented, because borsh calls its feature unstable.

use super::one;
use crate::SortableId;
use alloc::{format, string::ToString};
use borsh::io::{Error, ErrorKind, Read, Result, Write};

pub fn serialize<W: Write>(id: &impl SortableId, writer: &mut W) -> Result<()> {
    writer.write_all(id.as_ref())
}

pub fn deserialize<I: SortableId, R: Read>(reader: &mut R) -> Result<I> {
    let mut bytes = I::Bytes::default();
    reader.read_exact(bytes.as_mut()).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => {
            let expected = format!("expected the {} bytes of {}, found fewer", I::BYTES, one::<I>());
            Error::new(ErrorKind::UnexpectedEof, expected)
        }
        _ => error,
    })?;
    I::try_from(bytes.as_ref()).map_err(|error| Error::new(ErrorKind::InvalidData, error.to_string()))
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_borsh {
    ([$($cfg:tt)*] $id:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::borsh::{
                    BorshDeserialize, BorshSerialize,
                    io::{Read, Result, Write},
                },
                integrations::borsh::{deserialize, serialize},
                prelude::*,
            };

            impl BorshSerialize for $id {
                fn serialize<W: Write>(&self, writer: &mut W) -> Result<()> {
                    serialize(self, writer)
                }
            }

            impl BorshDeserialize for $id {
                fn deserialize_reader<R: Read>(reader: &mut R) -> Result<Self> {
                    deserialize(reader)
                }
            }
        };
    };
}
