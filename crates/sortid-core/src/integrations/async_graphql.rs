//! A scalar of GraphQL: the text, as serde reads and writes it.

// The library documents one way to define a scalar, which reads and writes it by serde. So the feature turns on
// `serde`.

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
