//! Conversions from and to the `Uuid` with the same 16 bytes.

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_uuid {
    ([$($cfg:tt)*] $id:ident, none) => {};
    ([$($cfg:tt)*] $id:ident, from) => {
        $crate::__integrate_uuid!(@ [$($cfg)*] $id,
            /// Returns the ID with the same bytes.
            impl From<Uuid> for $id {
                fn from(uuid: Uuid) -> Self {
                    Self::from_bytes(uuid.into_bytes())
                }
            }
        );
    };
    ([$($cfg:tt)*] $id:ident, try_from) => {
        $crate::__integrate_uuid!(@ [$($cfg)*] $id,
            /// Returns the ID with the same bytes, or an error if they are not an ID.
            impl TryFrom<Uuid> for $id {
                type Error = $crate::ParseError;

                fn try_from(uuid: Uuid) -> Result<Self, Self::Error> {
                    Self::try_from_bytes(uuid.into_bytes())
                }
            }
        );
    };
    (@ [$($cfg:tt)*] $id:ident, $from:item) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{dependencies::uuid::Uuid, prelude::*};

            $from

            /// Returns the UUID with the same bytes. Its version and variant bits are bits of the ID.
            impl From<$id> for Uuid {
                fn from(id: $id) -> Self {
                    Self::from_bytes(id.to_bytes())
                }
            }
        };
    };
}
