#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod description;
mod form;
mod input;
mod inspection;
mod kinds;
mod prefix;
#[cfg(feature = "program")]
mod program;
mod reader;
mod reading;
mod refusal;
mod spec;
mod suggest;
mod wrapped;

pub use description::{Description, Field, Options};
pub use form::Form;
pub use input::Input;
pub use inspection::{Candidate, Inspection, inspect, inspect_as};
pub use prefix::Prefix;
pub use refusal::Refusal;
pub use sortid::FieldValue as Value;
pub use spec::{describe, details};
pub use suggest::Suggestion;

/// What the programs `sortid` and `sortid-server` use besides. It can change in every version.
#[doc(hidden)]
#[allow(missing_docs, reason = "only the programs use it")]
pub mod __private {
    pub use crate::{
        form::{FormError, Reader, Writer, base64url, hex, uuid},
        spec::{Describe, time},
    };

    #[cfg(feature = "program")]
    pub mod program {
        pub use crate::program::*;
    }

    pub mod kinds {
        pub use crate::kinds::*;
    }

    pub mod reading {
        pub use crate::reading::*;
    }
}
