use crate::Euid;

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
            time: from,
            schema: 27..=27, "^[0-9A-TV-Za-tv-z]{27}$",
        }
    };
}

__describe!(integrations! [cfg] Euid, prefix: "",);

sortid_core::__private::typed_parts!(__typed_pod new);

#[doc = sortid_core::__private::typed_id_docs!(before)]
///
/// ```
/// euid::typed_id! {
///     /// The ID of an order.
///     pub struct OrderId;
///
///     /// The ID of a user, such as `user_C8EE934SR007G5Q94QKKXFRFV8B`.
///     #[prefix = "user"]
///     pub struct UserId;
/// }
///
/// let order = OrderId::new();
/// assert_eq!(order, order.to_string().parse()?);
///
/// let user: UserId = "user_C8EE934SR007G5Q94QKKXFRFV8B".parse()?;
/// assert_eq!(user.get(), euid::euid!("C8EE934SR007G5Q94QKKXFRFV8B"));
/// assert_eq!(user.get().unix_millis(), 13_484_529_128_248);
/// let error = UserId::parse("order_C8EE934SR007G5Q94QKKXFRFV8B").unwrap_err();
/// assert_eq!(error.kind(), euid::ParseErrorKind::Prefix);
/// let error = UserId::parse("user_C8EE934SR007G5Q94QKKXFRFV8U").unwrap_err();
/// assert_eq!(error.to_string(), "'U' at position 31 is not a Crockford base32 digit");
/// # Ok::<(), euid::ParseError>(())
/// ```
///
#[doc = sortid_core::__private::typed_id_docs!(after)]
#[macro_export]
macro_rules! typed_id {
    ($($definitions:tt)*) => {
        $crate::__describe!(typed_id! { $($definitions)* } $crate Euid from_bytes,);
    };
}
