//! `Arbitrary`: generates every ID, and shrinks towards the least ID.

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_proptest {
    ([$($cfg:tt)*] $id:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::proptest::{
                    arbitrary::{Arbitrary, any},
                    strategy::{Map, Strategy},
                },
                integrations::from_bits,
                prelude::*,
            };

            type Bytes = [u8; size_of::<$id>()];

            impl Arbitrary for $id {
                type Parameters = ();
                type Strategy = Map<<Bytes as Arbitrary>::Strategy, fn(Bytes) -> $id>;

                fn arbitrary_with((): ()) -> Self::Strategy {
                    any::<Bytes>().prop_map(from_bits)
                }
            }
        };
    };
}
