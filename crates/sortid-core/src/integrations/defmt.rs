//! `Format`: the text.

use crate::SortableId;
use defmt::{Format, Formatter};

/// Formats as a string does, without a macro of the library: those write `unsafe` code.
pub fn format(id: &impl SortableId, formatter: Formatter<'_>) {
    Format::format(&*id.encode(), formatter);
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_defmt {
    ([$($cfg:tt)*] $id:ident) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::defmt::{Format, Formatter},
                integrations::defmt::format,
                prelude::*,
            };

            impl Format for $id {
                fn format(&self, formatter: Formatter<'_>) {
                    format(self, formatter);
                }
            }
        };
    };
}
