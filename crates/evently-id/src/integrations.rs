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

/// The parts of [`typed_id!`](crate::typed_id!) that depend on the features of this crate.
pub mod typed {
    #[cfg(not(feature = "bytemuck"))]
    pub use sortid_core::__typed_plain as derives;
    #[cfg(feature = "bytemuck")]
    pub use sortid_core::__typed_pod as derives;
    pub use sortid_core::__typed_without_new as new;
}

/// Defines ID types of your own, such as `OrderId` and `UserId`, which cannot be mixed up.
///
/// Each type is a struct of your crate, so you can add methods and traits. It contains an [`EventId`](crate::EventId), and has
/// its size and its integrations. Only the traits of `zerocopy` are left to you, because its derives cannot be written by a
/// macro of another crate.
///
/// Attributes such as docs and derives stay on the struct. Put `#[cfg(…)]` on the call of the macro instead. Let the names
/// end with `Id`: a name such as `Value` can be that of something which an integration uses.
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
/// A generator makes an [`EventId`](crate::EventId), which `into()` makes an ID of the type.
/// `get()` returns it again, with its fields and times.
///
/// A prefix has 1 to 63 characters `a` to `z` and `_`, and `_` is not the first or the last, as in TypeID. `_` stands
/// between the prefix and the ID. All texts have the prefix: `Display`, `encode` and `parse`, text in serde formats, columns of
/// [`AsText`](crate::AsText), and the JSON schema. Bytes, hex, integers and columns that are not text do not have it.
///
/// IDs of different types do not compare, convert or assign to each other:
///
/// ```compile_fail,E0308
/// evently_id::typed_id! {
///     struct OrderId;
///     struct UserId;
/// }
/// let order: OrderId = UserId::MIN;
/// ```
///
/// ```compile_fail,E0308
/// # evently_id::typed_id! { struct OrderId; struct UserId; }
/// assert!(OrderId::MIN == UserId::MIN);
/// ```
///
/// ```compile_fail,E0277
/// # evently_id::typed_id! { struct OrderId; struct UserId; }
/// let order: OrderId = UserId::MIN.into();
/// ```
///
/// A prefix that does not follow the rules does not compile:
///
/// ```compile_fail,E0080
/// evently_id::typed_id! {
///     #[prefix = "User"]
///     struct UserId;
/// }
/// ```
#[macro_export]
macro_rules! typed_id {
    ($($definitions:tt)*) => {
        $crate::__describe!(typed_id! { $($definitions)* } $crate EventId from_bytes,);
    };
}
