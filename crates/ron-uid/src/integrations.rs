use crate::RonUid;

/// A bracket for 4, 5, 6, 7, 8 or 9 zeros, and the other digits.
macro_rules! bracket {
    () => {
        concat!(
            r"(\([0-9A-Z_a-z~]{0,6}|\[[0-9A-Z_a-z~]{0,5}|\{[0-9A-Z_a-z~]{0,4}",
            r"|\}[0-9A-Z_a-z~]{0,3}|\][0-9A-Z_a-z~]{0,2}|\)[0-9A-Z_a-z~]?)"
        )
    };
}

macro_rules! part {
    () => {
        concat!("([0-9A-Z_a-z~]{1,10}|", bracket!(), ")")
    };
}

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
            schema: 1..=21, $crate::__typed::PATTERN,
        }
    };
}

__describe!(integrations! [cfg] RonUid, prefix: "",);

/// The parts of [`typed_id!`](crate::typed_id!) that depend on the features of this crate.
pub mod typed {
    /// The regular expression of texts.
    pub const PATTERN: &str =
        concat!("^(", part!(), "([-+$%]", part!(), "?|", bracket!(), ")?|[-+$%]", part!(), "?)$");

    #[cfg(feature = "bytemuck")]
    pub use sortid_core::__typed_no_uninit as derives;
    #[cfg(not(feature = "bytemuck"))]
    pub use sortid_core::__typed_plain as derives;
    pub use sortid_core::__typed_without_new as new;
}

/// Defines ID types of your own, such as `OrderId` and `UserId`, which cannot be mixed up.
///
/// Each type is a struct of your crate, so you can add methods and traits. It contains a [`RonUid`](crate::RonUid), and has
/// its size and its integrations. Only the traits of `zerocopy` are left to you, because its derives cannot be written by a
/// macro of another crate.
///
/// Attributes such as docs and derives stay on the struct. Put `#[cfg(…)]` on the call of the macro instead. Let the names
/// end with `Id`: a name such as `Value` can be that of something which an integration uses.
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
/// A generator makes a [`RonUid`](crate::RonUid), which `into()` makes an ID of the type.
/// `get()` returns it again, with its fields and times.
///
/// A prefix has 1 to 63 characters `a` to `z` and `_`, and `_` is not the first or the last, as in TypeID. `_` stands
/// between the prefix and the ID. All texts have the prefix: `Display`, `encode` and `parse`, text in serde formats, columns of
/// [`AsText`](crate::AsText), and the JSON schema. Bytes, hex, integers and columns that are not text do not have it.
///
/// A RON UID may contain `_` itself. So do not choose a prefix such as `user_admin` beside `user`: the text
/// `user_admin_1CQKneD1` is a name with either prefix.
///
/// IDs of different types do not compare, convert or assign to each other:
///
/// ```compile_fail,E0308
/// ron_uid::typed_id! {
///     struct OrderId;
///     struct UserId;
/// }
/// let order: OrderId = UserId::MIN;
/// ```
///
/// ```compile_fail,E0308
/// # ron_uid::typed_id! { struct OrderId; struct UserId; }
/// assert!(OrderId::MIN == UserId::MIN);
/// ```
///
/// ```compile_fail,E0277
/// # ron_uid::typed_id! { struct OrderId; struct UserId; }
/// let order: OrderId = UserId::MIN.into();
/// ```
///
/// A prefix that does not follow the rules does not compile:
///
/// ```compile_fail,E0080
/// ron_uid::typed_id! {
///     #[prefix = "User"]
///     struct UserId;
/// }
/// ```
#[macro_export]
macro_rules! typed_id {
    ($($definitions:tt)*) => {
        $crate::__describe!(typed_id! { $($definitions)* } $crate RonUid try_from_bytes,);
    };
}
