//! The macro that implements a trait for what points to an implementation of it.

/// Implements a trait for `&T`, and for `Box<T>`, `Rc<T>` and `Arc<T>` with the feature `alloc`.
macro_rules! for_pointers {
    ($trait:ident { $($items:tt)* }) => {
        for_pointers!(@one $trait [&T] { $($items)* });
        #[cfg(feature = "alloc")]
        for_pointers!(@one $trait [alloc::boxed::Box<T>] { $($items)* });
        #[cfg(feature = "alloc")]
        for_pointers!(@one $trait [alloc::rc::Rc<T>] { $($items)* });
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        for_pointers!(@one $trait [alloc::sync::Arc<T>] { $($items)* });
    };
    (@one $trait:ident [$pointer:ty] {
        $(type $type:ident;)*
        $(fn $name:ident(&self $(, $argument:ident: $of:ty)*) -> $result:ty;)*
    }) => {
        impl<T: $trait + ?Sized> $trait for $pointer {
            $(type $type = T::$type;)*

            $(
                #[inline]
                fn $name(&self $(, $argument: $of)*) -> $result {
                    (**self).$name($($argument),*)
                }
            )*
        }
    };
}
