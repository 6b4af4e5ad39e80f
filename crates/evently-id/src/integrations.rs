use crate::EventId;

/// Calls a macro of core with what other libraries have to know of the ID, after other arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __describe {
    ($macro:ident! $($arguments:tt)*) => {
        $crate::__private::$macro! {
            $($arguments)*
            column: uuid,
            uuid: from,
            integer: (u128),
            time: try_from,
            schema: 32..=32, "^[0-9A-Fa-f]{32}$",
        }
    };
}

__describe!(integrations! [cfg] EventId, prefix: "",);

sortid_core::__private::typed_parts!(__typed_pod);

#[doc = sortid_core::__private::typed_id_docs!(before)]
///
/// ```
/// evently_id::typed_id! {
///     /// The ID of an order.
///     pub struct OrderId;
///
///     /// The ID of a user, such as `user_0005cd755a43d79238c05790c0331dd8`.
///     #[prefix = "user"]
///     pub struct UserId;
/// }
///
/// let order = OrderId::from_id(evently_id::event_id!("0005cd755a43d79238c05790c0331dd8"));
/// assert_eq!(order, order.to_string().parse()?);
///
/// let user: UserId = "user_0005cd755a43d79238c05790c0331dd8".parse()?;
/// assert_eq!(user.get(), evently_id::event_id!("0005cd755a43d79238c05790c0331dd8"));
/// assert_eq!(user.get().unix_micros(), 1_633_278_792_816_530);
/// let error = UserId::parse("order_0005cd755a43d79238c05790c0331dd8").unwrap_err();
/// assert_eq!(error.kind(), evently_id::ParseErrorKind::Prefix);
/// let error = UserId::parse("user_0005cd755a43d79238c05790c0331ddX").unwrap_err();
/// assert_eq!(error.to_string(), "'X' at position 36 is not a hex digit");
/// # Ok::<(), evently_id::ParseError>(())
/// ```
///
#[doc = sortid_core::__private::typed_id_docs!(after)]
#[macro_export]
macro_rules! typed_id {
    ($($definitions:tt)*) => {
        $crate::__describe!(typed_id! { $($definitions)* } $crate EventId from_bytes,);
    };
}
