//! Conversions from and to the `Uuid` with the same 16 bytes.

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_uuid {
    ($id:ident, none) => {};
    ($id:ident, from) => {
        #[cfg(feature = "uuid")]
        const _: () = {
            use $crate::__private::dependencies::uuid::Uuid;

            /// Returns the ID with the same bytes.
            impl From<Uuid> for $id {
                fn from(uuid: Uuid) -> Self {
                    Self::from_bytes(uuid.into_bytes())
                }
            }
        };

        $crate::__integrate_uuid!(@to $id);
    };
    ($id:ident, try_from) => {
        #[cfg(feature = "uuid")]
        const _: () = {
            use $crate::__private::dependencies::uuid::Uuid;

            /// Returns the ID with the same bytes, or an error if they are not an ID.
            impl TryFrom<Uuid> for $id {
                type Error = $crate::ParseError;

                fn try_from(uuid: Uuid) -> Result<Self, Self::Error> {
                    Self::try_from_bytes(uuid.into_bytes())
                }
            }
        };

        $crate::__integrate_uuid!(@to $id);
    };
    (@to $id:ident) => {
        #[cfg(feature = "uuid")]
        const _: () = {
            use $crate::__private::dependencies::uuid::Uuid;

            /// Returns the UUID with the same bytes. Its version and variant bits are bits of the ID.
            impl From<$id> for Uuid {
                fn from(id: $id) -> Self {
                    Self::from_bytes(id.to_bytes())
                }
            }
        };
    };
}
