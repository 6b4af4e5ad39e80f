//! `Archive`, `Serialize` and `Deserialize`: an archive has the bytes. `Deserialize` checks that they are an ID.
//!
//! The archived type is the array of the bytes, and not the ID: programs access an archive without `Deserialize`, and
//! the trait that checks an archived ID is `unsafe` to implement.

use crate::SortableId;
use rkyv::rancor::{Fallible, ResultExt, Source};

pub fn deserialize<I: SortableId, D: Fallible<Error: Source> + ?Sized>(bytes: &[u8]) -> Result<I, D::Error> {
    I::try_from(bytes).into_error()
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_rkyv {
    ([$($cfg:tt)*] $id:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::rkyv::{
                    Archive, Deserialize, Place, Resolver, Serialize,
                    rancor::{Fallible, Source},
                },
                integrations::rkyv::deserialize,
                prelude::*,
            };

            type Bytes = [u8; size_of::<$id>()];

            impl Archive for $id {
                type Archived = Bytes;
                type Resolver = Resolver<Bytes>;

                fn resolve(&self, resolver: Self::Resolver, out: Place<Self::Archived>) {
                    Bytes::from(*self).resolve(resolver, out);
                }
            }

            impl<S: Fallible + ?Sized> Serialize<S> for $id {
                fn serialize(&self, serializer: &mut S) -> Result<Self::Resolver, S::Error> {
                    Bytes::from(*self).serialize(serializer)
                }
            }

            impl<D: Fallible<Error: Source> + ?Sized> Deserialize<$id, D> for Bytes {
                fn deserialize(&self, _: &mut D) -> Result<$id, D::Error> {
                    deserialize::<_, D>(self)
                }
            }
        };
    };
}
