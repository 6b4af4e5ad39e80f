// Plain macros without a name of this crate: the check of `no_std` includes this file.

/// Calls `$each!(…, name, module, ID type, options, kind of column, bytes)` for each specification. More arguments come first.
#[macro_export]
macro_rules! for_each_spec {
    ($each:ident $($more:tt)*) => {
        $each!(
            $($more)* evently_id, sortid::evently_id, sortid::evently_id::EventId,
            sortid::evently_id::Options::new(sortid::evently_id::LedgerId::MAX), uuid, 16
        );
        $each!(
            $($more)* scru160, sortid::scru160, sortid::scru160::Scru160,
            sortid::scru160::Options::new().node(3, 5).unwrap(), bytes, 20
        );
        $each!(
            $($more)* euid, sortid::euid, sortid::euid::Euid,
            sortid::euid::Options::new().extension(sortid::euid::Extension::new(5).unwrap()), uuid, 16
        );
        $each!(
            $($more)* ulid_flake, sortid::ulid_flake, sortid::ulid_flake::UlidFlake,
            sortid::ulid_flake::Options::new(), integer, 8
        );
        $each!(
            $($more)* ron_uid, sortid::ron_uid, sortid::ron_uid::RonUid,
            sortid::ron_uid::Options::new(sortid::ron_uid::ron_uid!("Xgritzk0_D").value()), bytes, 16
        );
    };
}

/// Calls the macro for the scalable Ulid-Flake, as [`for_each_spec!`] does for its specification.
#[macro_export]
macro_rules! for_scalable {
    ($each:ident $($more:tt)*) => {
        $each!(
            $($more)* scalable_ulid_flake, sortid::ulid_flake::scalable, sortid::ulid_flake::UlidFlake,
            sortid::ulid_flake::scalable::Options::new(31).unwrap(), integer, 8
        );
    };
}
