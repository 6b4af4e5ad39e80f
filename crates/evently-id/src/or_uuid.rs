use crate::EventId;
#[cfg(feature = "bytemuck")]
use sortid_core::__private::dependencies::bytemuck;
#[cfg(feature = "zerocopy08")]
use sortid_core::__private::dependencies::zerocopy;

sortid_core::__private::or_uuid! {
    /// An Event ID or a UUID, for a column that has both: its rows had UUIDs of version 7 before they had Event IDs.
    ///
    /// Values sort by their bytes, as PostgreSQL sorts a column of the type `uuid`. So all Event IDs sort before the UUIDs of
    /// version 7 of the same years. [`get`](Self::get) says which of the two a value is: always rightly for UUIDs of version 7
    /// and Event IDs with times from 2000 to 2099. [`UuidOr`](crate::UuidOr) says what other values are taken for.
    ///
    /// ```
    /// use evently_id::{EventId, EventIdOrUuid, UuidOr};
    ///
    /// let old: EventIdOrUuid = "018fed6a-8f0a-7cc2-b4f0-2f4b6a4f9f1d".parse()?;
    /// let new = EventIdOrUuid::from(EventId::parse("0005cd755a43d79238c05790c0331dd8")?);
    /// assert!(matches!(old.get(), UuidOr::Uuid(_)) && matches!(new.get(), UuidOr::Id(_)));
    /// # Ok::<(), evently_id::ParseError>(())
    /// ```
    EventIdOrUuid EventId,
    schema: 32..=36, "^([0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$"
}
