#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

/// Calls a macro with the specifications, in their order. A new specification is added here, and the compiler points at
/// the other places.
macro_rules! each_spec {
    ($dollar:tt $macro:ident) => {
        $macro! {
            $dollar
            "evently-id" EventlyId(evently_id::EventId)
                "Evently Event ID: 128 bits."
                also ["evently", "eventid", "event", "eventlyeventid"]
                options evently_id::Options::new(evently_id::LedgerId::MIN);
            "scru160" Scru160(scru160::Scru160)
                "SCRU160: 160 bits."
                also []
                options scru160::Options::new();
            "euid" Euid(euid::Euid)
                "EUID: 128 bits, with a check in the text."
                also []
                options euid::Options::new();
            "ulid-flake" UlidFlake(ulid_flake::UlidFlake)
                "Ulid-Flake: 63 bits, an integer. An ID does not store whether it is of the stand-alone or the scalable version."
                also []
                options ulid_flake::Options::new();
            "ron-uid" RonUid(ron_uid::RonUid)
                "Swarm RON UID: 128 bits, a time, a name or a hash."
                also ["ron", "swarmronuid"]
                options ron_uid::Options::new(ron_uid::Base64x64::ZERO);
        }
    };
}

macro_rules! exports {
    ($dollar:tt $($feature:literal $variant:ident($module:ident::$id:ident) $about:literal also $names:tt options $options:expr;)*) => {
        $(
            #[cfg(feature = $feature)]
            pub use $module;
        )*

        /// The characters of the longest text of all specifications, whatever features are on: the text of a SCRU160 or
        /// an Event ID.
        #[cfg(any($(feature = $feature),*))]
        const LONGEST_TEXT: usize = 32;

        // Without a specification, the enums would be empty.
        #[cfg(any($(feature = $feature),*))]
        pub use any::{
            AnyBackfill, AnyGenerator, AnyId, AnyOptions, Candidate, Candidates, Reason, Spec, UnexpectedSpec, UnknownSpec, detect,
            detect_bytes, every as __every, Typed as __Typed,
        };
    };
}

each_spec!($ exports);

#[cfg(any(
    feature = "evently-id",
    feature = "euid",
    feature = "ron-uid",
    feature = "scru160",
    feature = "ulid-flake"
))]
mod any;

#[cfg(feature = "evently-ledger")]
pub use evently_ledger;

#[doc(hidden)]
pub use sortid_core::__private::{self, PLAUSIBLE as __PLAUSIBLE};
pub use sortid_core::SortableId;
#[cfg(feature = "uuid")]
pub use sortid_core::UuidOr;
#[cfg(target_has_atomic = "ptr")]
pub use sortid_core::testing;
pub use sortid_core::{
    AsText, BackfillError, Clock, ConfigError, Entropy, EntropyError, Field, FieldValue, Generate,
    GenerateError, GenerateErrorKind, NoEntropy, OptionInfo, OptionKind, ParseError, ParseErrorKind,
    RangeError, Role, Rollback, Text, TimestampError, Typed, UnixMicros, UnixMillis, UnixTime,
};
#[cfg(feature = "std")]
pub use sortid_core::{OsEntropy, SystemClock, ThreadEntropy};
