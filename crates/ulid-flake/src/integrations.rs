use crate::UlidFlake;

/// Calls a macro of core with what other libraries have to know of the ID, after other arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __describe {
    ($macro:ident! $($arguments:tt)*) => {
        $crate::__private::$macro! {
            $($arguments)*
            column: integer,
            uuid: none,
            integer: (i64),
            time: from,
            schema: 13..=13, "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$",
        }
    };
}

__describe!(integrations! [cfg] UlidFlake, prefix: "",);

sortid_core::__private::typed_parts!(__typed_no_uninit new);

#[doc = sortid_core::__private::typed_id_docs!(before)]
///
/// ```
/// ulid_flake::typed_id! {
///     /// The ID of an order.
///     pub struct OrderId;
///
///     /// The ID of a user, such as `user_00CMXB6TAK4SA`.
///     #[prefix = "user"]
///     pub struct UserId;
/// }
///
/// let order = OrderId::new();
/// assert_eq!(order, order.to_string().parse()?);
///
/// let user: UserId = "user_00CMXB6TAK4SA".parse()?;
/// assert_eq!(user.get(), ulid_flake::ulid_flake!("00CMXB6TAK4SA"));
/// assert_eq!(user.get().unix_millis(), 1_717_653_966_666);
/// let error = UserId::parse("order_00CMXB6TAK4SA").unwrap_err();
/// assert_eq!(error.kind(), ulid_flake::ParseErrorKind::Prefix);
/// let error = UserId::parse("user_00CMXB6TAK4SU").unwrap_err();
/// assert_eq!(error.to_string(), "'U' at position 17 is not a Crockford base32 digit");
/// # Ok::<(), ulid_flake::ParseError>(())
/// ```
///
#[doc = sortid_core::__private::typed_id_docs!(after)]
#[macro_export]
macro_rules! typed_id {
    ($($definitions:tt)*) => {
        $crate::__describe!(typed_id! { $($definitions)* } $crate UlidFlake try_from_bytes,);
    };
}
