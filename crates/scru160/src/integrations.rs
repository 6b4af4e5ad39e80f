use crate::Scru160;

/// Calls a macro of core with what other libraries have to know of the ID, after other arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __describe {
    ($macro:ident! $($arguments:tt)*) => {
        $crate::__private::$macro! {
            $($arguments)*
            column: bytes,
            uuid: none,
            integer: (),
            time: try_from,
            schema: 32..=40, "^([0-9A-Va-v]{32}|[0-9A-Fa-f]{40})$",
        }
    };
}

__describe!(integrations! [cfg] Scru160, prefix: "",);

sortid_core::__private::typed_parts!(__typed_pod new);

#[doc = sortid_core::__private::typed_id_docs!(before)]
///
/// ```
/// scru160::typed_id! {
///     /// The ID of an order.
///     pub struct OrderId;
///
///     /// The ID of a user, such as `user_05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6`.
///     #[prefix = "user"]
///     pub struct UserId;
/// }
///
/// let order = OrderId::new();
/// assert_eq!(order, order.to_string().parse()?);
///
/// let user: UserId = "user_05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6".parse()?;
/// assert_eq!(user.get(), scru160::scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6"));
/// assert_eq!(user.get().unix_millis(), 1_631_540_490_683);
/// let error = UserId::parse("order_05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6").unwrap_err();
/// assert_eq!(error.kind(), scru160::ParseErrorKind::Prefix);
/// let error = UserId::parse("user_05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW").unwrap_err();
/// assert_eq!(error.to_string(), "'W' at position 36 is not a base32hex digit");
/// # Ok::<(), scru160::ParseError>(())
/// ```
///
#[doc = sortid_core::__private::typed_id_docs!(after)]
#[macro_export]
macro_rules! typed_id {
    ($($definitions:tt)*) => {
        $crate::__describe!(typed_id! { $($definitions)* } $crate Scru160 from_bytes,);
    };
}
