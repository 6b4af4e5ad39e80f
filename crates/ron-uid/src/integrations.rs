use crate::RonUid;

/// Calls a macro of core with what other libraries have to know of the ID, after other arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __describe {
    ($macro:ident! $($arguments:tt)*) => {
        $crate::__private::$macro! {
            $($arguments)*
            column: bytes,
            uuid: try_from,
            integer: (u128),
            time: try_from,
            schema: 1..=21, $crate::__PATTERN,
        }
    };
}

__describe!(integrations! [cfg] RonUid, prefix: "",);

/// The regular expression of texts. It does not express which parts may be left out beside which sign.
pub const PATTERN: &str = "^([0-9A-Z_a-z~]{1,10}([-+$%][0-9A-Z_a-z~]{0,10})?|[-+$%][0-9A-Z_a-z~]{1,10})$";

sortid_core::__private::typed_parts!(__typed_no_uninit);

#[doc = sortid_core::__private::typed_id_docs!(before)]
///
/// ```
/// ron_uid::typed_id! {
///     /// The ID of an order.
///     pub struct OrderId;
///
///     /// The ID of a user, such as `user_1CQKneD1-X`.
///     #[prefix = "user"]
///     pub struct UserId;
/// }
///
/// let order = OrderId::from_id(ron_uid::ron_uid!("1CQKneD1-X"));
/// assert_eq!(order, order.to_string().parse()?);
///
/// let user: UserId = "user_1CQKneD1-X".parse()?;
/// assert_eq!(user.get(), ron_uid::ron_uid!("1CQKneD1-X"));
/// assert_eq!(user.get().unix_millis(), Some(1_464_382_241_833));
/// let error = UserId::parse("order_1CQKneD1-X").unwrap_err();
/// assert_eq!(error.kind(), ron_uid::ParseErrorKind::Prefix);
/// let error = UserId::parse("user_1CQKneD1-X!").unwrap_err();
/// assert_eq!(error.to_string(), "'!' at position 15 is not a Base64x64 digit");
/// # Ok::<(), ron_uid::ParseError>(())
/// ```
///
#[doc = sortid_core::__private::typed_id_docs!(after)]
///
/// A RON UID may contain `_` itself. So do not choose a prefix such as `user_admin` beside `user`: the text
/// `user_admin_1CQKneD1` is a name with either prefix.
#[macro_export]
macro_rules! typed_id {
    ($($definitions:tt)*) => {
        $crate::__describe!(typed_id! { $($definitions)* } $crate RonUid try_from_bytes,);
    };
}
