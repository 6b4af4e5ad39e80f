//! `Arbitrary`: every ID, from as many bytes as it has.

use super::Identifier;
use arbitrary::{Arbitrary, Result, Unstructured};

pub fn arbitrary<'a, I: Identifier<Bytes: Arbitrary<'a>>>(u: &mut Unstructured<'a>) -> Result<I> {
    u.arbitrary().map(I::from_bits)
}

#[doc(hidden)]
#[macro_export]
macro_rules! integrate_arbitrary {
    ($id:ident) => {
        #[cfg(feature = "arbitrary")]
        impl<'a> $crate::integrations::dependencies::arbitrary::Arbitrary<'a> for $id {
            fn arbitrary(
                u: &mut $crate::integrations::dependencies::arbitrary::Unstructured<'a>,
            ) -> $crate::integrations::dependencies::arbitrary::Result<Self> {
                $crate::integrations::arbitrary::arbitrary(u)
            }

            fn size_hint(_: usize) -> (usize, Option<usize>) {
                (size_of::<Self>(), Some(size_of::<Self>()))
            }
        }
    };
}
