//! `Uuid`s with the same 16 bytes.

#[doc(hidden)]
#[macro_export]
macro_rules! integrate_uuid {
    ($id:ident, none) => {};
    ($id:ident, from) => {
        /// The ID with the same bytes.
        #[cfg(feature = "uuid")]
        impl From<$crate::integrations::dependencies::uuid::Uuid> for $id {
            fn from(uuid: $crate::integrations::dependencies::uuid::Uuid) -> Self {
                Self::from_bytes(uuid.into_bytes())
            }
        }

        $crate::integrate_uuid!(@to $id);
    };
    ($id:ident, try_from) => {
        /// The ID with the same bytes, where these are one.
        #[cfg(feature = "uuid")]
        impl TryFrom<$crate::integrations::dependencies::uuid::Uuid> for $id {
            type Error = $crate::ParseError;

            fn try_from(uuid: $crate::integrations::dependencies::uuid::Uuid) -> Result<Self, Self::Error> {
                Self::try_from_bytes(uuid.into_bytes())
            }
        }

        $crate::integrate_uuid!(@to $id);
    };
    (@to $id:ident) => {
        /// The UUID with the same bytes. Its version and variant bits are whatever the ID has there.
        #[cfg(feature = "uuid")]
        impl From<$id> for $crate::integrations::dependencies::uuid::Uuid {
            fn from(id: $id) -> Self {
                Self::from_bytes(id.to_bytes())
            }
        }
    };
}
