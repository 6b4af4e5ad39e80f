use crate::Euid;
#[cfg(feature = "bytemuck")]
use sortid_core::__private::dependencies::bytemuck;
#[cfg(feature = "zerocopy08")]
use sortid_core::__private::dependencies::zerocopy;

sortid_core::__private::or_uuid! {
    /// An EUID or a UUID, for a column that has both: its rows had UUIDs of version 7 before they had EUIDs.
    ///
    /// Values sort by their bytes, as PostgreSQL sorts a column of the type `uuid`. So all UUIDs of version 7 sort before
    /// the EUIDs of the same years. [`get`](Self::get) says which of the two a value is: always rightly for UUIDs of version 7
    /// and EUIDs with times from 2000 to 2099. [`UuidOr`](crate::UuidOr) says what other values are taken for.
    ///
    /// ```
    /// use euid::{Euid, EuidOrUuid, UuidOr};
    ///
    /// let old: EuidOrUuid = "018fed6a-8f0a-7cc2-b4f0-2f4b6a4f9f1d".parse()?;
    /// let new = EuidOrUuid::from(Euid::parse("1HZP2F3TARAH1VEXW8BDJPEKP44")?);
    /// assert!(matches!(old.get(), UuidOr::Uuid(_)) && matches!(new.get(), UuidOr::Id(_)));
    /// assert_eq!(new.to_string(), "1HZP2F3TARAH1VEXW8BDJPEKP44");
    /// assert!(old < new);
    /// # Ok::<(), euid::ParseError>(())
    /// ```
    EuidOrUuid Euid,
    schema: 27..=36, "^([0-9A-TV-Za-tv-z]{27}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$"
}
