//! `Arbitrary`: every ID; shrinks towards the least.

#[doc(hidden)]
#[macro_export]
macro_rules! integrate_proptest {
    ($id:ident) => {
        #[cfg(feature = "proptest")]
        impl $crate::integrations::dependencies::proptest::arbitrary::Arbitrary for $id {
            type Parameters = ();
            type Strategy = $crate::integrations::dependencies::proptest::strategy::Map<
                <[u8; size_of::<$id>()] as $crate::integrations::dependencies::proptest::arbitrary::Arbitrary>::Strategy,
                fn([u8; size_of::<$id>()]) -> $id,
            >;

            fn arbitrary_with((): ()) -> Self::Strategy {
                use $crate::integrations::dependencies::proptest;
                proptest::strategy::Strategy::prop_map(
                    proptest::arbitrary::any::<[u8; size_of::<$id>()]>(),
                    <$id as $crate::integrations::Identifier>::from_bits,
                )
            }
        }
    };
}
