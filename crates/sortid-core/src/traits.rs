/// Implements the standard traits that every ID type has, from its inherent `parse_ascii`, `encode`,
/// `as_bytes` and `to_bytes`.
///
/// A macro, because the traits and the type are of different crates: a blanket implementation cannot be
/// written.
#[doc(hidden)]
#[macro_export]
macro_rules! standard_traits {
    ($id:ident, $bytes:literal) => {
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
                let mut text = [0; 2 * $bytes];
                for (index, &byte) in self.as_bytes().iter().enumerate() {
                    $crate::HEX.put(byte as u64, &mut text, 2 * index, 2);
                }
                f.pad_integral(true, "0x", &$crate::Text::new(text))
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
