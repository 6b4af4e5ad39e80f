//! `Arbitrary`: generates every ID, from as many bytes as an ID has.

use super::from_bits;
use crate::SortableId;
use arbitrary::{Arbitrary, Result, Unstructured};

pub fn arbitrary<'a, I: SortableId<Bytes: Arbitrary<'a>>>(u: &mut Unstructured<'a>) -> Result<I> {
    u.arbitrary().map(from_bits)
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_arbitrary {
    ([$($cfg:tt)*] $id:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::arbitrary::{Arbitrary, Result, Unstructured},
                integrations::arbitrary::arbitrary,
                prelude::*,
            };

            impl<'a> Arbitrary<'a> for $id {
                fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                    arbitrary(u)
                }

                fn size_hint(_: usize) -> (usize, Option<usize>) {
                    (size_of::<Self>(), Some(size_of::<Self>()))
                }
            }
        };
    };
}
