//! A scalar of GraphQL: the text, as serde reads and writes it.

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_async_graphql {
    ([$($cfg:tt)*] $id:ident) => {
        $($cfg)*
        const _: () = {
            $crate::__private::dependencies::async_graphql::scalar!($id);
        };
    };
}
