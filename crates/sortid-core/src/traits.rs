/// Implements the standard traits that every ID type has, from its inherent `parse`, `encode`, `as_bytes`, `to_bytes`,
/// and `from_bytes`, or `try_from_bytes` where some bytes are no ID.
///
/// A macro, because the traits and the type are of different crates: a blanket implementation cannot be
/// written.
#[doc(hidden)]
#[macro_export]
macro_rules! standard_traits {
    ($id:ident, $bytes:literal, from_bytes) => {
        impl From<[u8; $bytes]> for $id {
            fn from(bytes: [u8; $bytes]) -> Self {
                Self::from_bytes(bytes)
            }
        }

        $crate::standard_traits!(@common $id, $bytes, |bytes| Ok($id::from_bytes(bytes)));
    };
    ($id:ident, $bytes:literal, try_from_bytes) => {
        impl TryFrom<[u8; $bytes]> for $id {
            type Error = $crate::ParseError;

            fn try_from(bytes: [u8; $bytes]) -> Result<Self, Self::Error> {
                Self::try_from_bytes(bytes)
            }
        }

        $crate::standard_traits!(@common $id, $bytes, $id::try_from_bytes);
    };
    (@common $id:ident, $bytes:literal, $read:expr) => {
        /// Reads the bytes. For text see `parse_ascii`.
        impl TryFrom<&[u8]> for $id {
            type Error = $crate::ParseError;

            fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
                let expected = concat!(stringify!($bytes), " bytes");
                bytes.try_into().map_err(|_| $crate::ParseError::length(expected, bytes.len())).and_then($read)
            }
        }

        impl core::fmt::Display for $id {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(&self.encode())
            }
        }

        impl core::fmt::Debug for $id {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($id), "({})"), self.encode())
            }
        }

        /// The bytes, two digits each.
        impl core::fmt::LowerHex for $id {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut text = $crate::Text::<{ 2 * $bytes }>::EMPTY;
                for &byte in self.as_bytes() {
                    text.push_digits(&$crate::HEX, byte as u64, 2);
                }
                f.pad_integral(true, "0x", &text)
            }
        }

        impl core::str::FromStr for $id {
            type Err = $crate::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl TryFrom<&str> for $id {
            type Error = $crate::ParseError;

            fn try_from(text: &str) -> Result<Self, Self::Error> {
                Self::parse(text)
            }
        }

        impl From<$id> for [u8; $bytes] {
            fn from(id: $id) -> Self {
                id.to_bytes()
            }
        }

        impl AsRef<[u8]> for $id {
            fn as_ref(&self) -> &[u8] {
                self.as_bytes()
            }
        }

        #[cfg(feature = "alloc")]
        impl From<$id> for alloc::string::String {
            fn from(id: $id) -> Self {
                id.encode().into()
            }
        }
    };
}
