//! Each integration feature of the umbrella turns on the same feature of every spec crate.

#![allow(unused_imports, reason = "each test needs the feature of an integration")]

use sortid::{
    __with_type as with_type, Spec, euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160,
    ulid_flake::UlidFlake,
};
use sortid_core::__private::dependencies as libraries;

/// Compiles if all ID types have the trait.
macro_rules! all_are {
    ($name:ident, $feature:literal, $($bound:tt)+) => {
        #[cfg(feature = $feature)]
        #[test]
        fn $name() {
            fn is<T: $($bound)+>() {}
            for &spec in Spec::ALL {
                with_type!(spec, Id => is::<Id>());
            }
        }
    };
}

all_are!(arbitrary, "arbitrary", for<'a> libraries::arbitrary::Arbitrary<'a>);
all_are!(
    async_graphql,
    "async-graphql",
    libraries::async_graphql::InputType + libraries::async_graphql::OutputType
);
all_are!(borsh, "borsh", libraries::borsh::BorshSerialize + libraries::borsh::BorshDeserialize);
all_are!(bytemuck, "bytemuck", libraries::bytemuck::NoUninit);
all_are!(jiff, "jiff02", TryInto<libraries::jiff::Timestamp>);
all_are!(chrono, "chrono04", TryInto<libraries::chrono::DateTime<libraries::chrono::Utc>>);
all_are!(time, "time03", TryInto<libraries::time::OffsetDateTime>);
all_are!(proptest, "proptest", libraries::proptest::arbitrary::Arbitrary);
all_are!(schemars, "schemars", libraries::schemars::JsonSchema);
all_are!(serde, "serde", libraries::serde::Serialize + libraries::serde::de::DeserializeOwned);
all_are!(defmt, "defmt", libraries::defmt::Format);
all_are!(
    mysql_common,
    "mysql_common037",
    Into<libraries::mysql_common::value::Value> + libraries::mysql_common::value::convert::FromValue
);
all_are!(redis, "redis", libraries::redis::ToSingleRedisArg + libraries::redis::FromRedisValue);
all_are!(rkyv, "rkyv08", libraries::rkyv::Archive);
all_are!(
    sea_orm,
    "sea-orm",
    Into<libraries::sea_orm::Value>
        + libraries::sea_orm::TryGetable
        + libraries::sea_orm::TryGetableArray
        + libraries::sea_orm::TryFromU64
        + libraries::sea_orm::sea_query::ValueType
        + libraries::sea_orm::sea_query::Nullable
);
all_are!(utoipa5, "utoipa5", libraries::utoipa5::ToSchema);
all_are!(utoipa6, "utoipa6", libraries::utoipa6::ToSchema);
all_are!(
    zerocopy,
    "zerocopy08",
    libraries::zerocopy::IntoBytes
        + libraries::zerocopy::Immutable
        + libraries::zerocopy::KnownLayout
        + libraries::zerocopy::Unaligned
);
all_are!(rusqlite, "rusqlite039", libraries::rusqlite::ToSql + libraries::rusqlite::types::FromSql);
all_are!(
    postgres_types,
    "postgres-types02",
    libraries::postgres_types::ToSql + libraries::postgres_types::FromSqlOwned
);
all_are!(
    sqlx08,
    "sqlx08-postgres",
    libraries::sqlx08::Type<libraries::sqlx08::Postgres> + libraries::sqlx08::postgres::PgHasArrayType
);
all_are!(
    sqlx09,
    "sqlx09-postgres",
    libraries::sqlx::Type<libraries::sqlx::Postgres> + libraries::sqlx::postgres::PgHasArrayType
);

#[cfg(feature = "diesel")]
#[test]
fn diesel() {
    use libraries::diesel::{
        deserialize::FromSql,
        pg::Pg,
        sql_types::{BigInt, Binary, Uuid},
    };

    fn is<T: FromSql<S, Pg>, S>() {}
    is::<EventId, Uuid>();
    is::<Euid, Uuid>();
    is::<RonUid, Binary>();
    is::<Scru160, Binary>();
    is::<UlidFlake, BigInt>();
}

#[cfg(feature = "diesel-sqlite")]
#[test]
fn diesel_sqlite() {
    use libraries::diesel::{
        deserialize::FromSql,
        sql_types::{BigInt, Binary},
        sqlite::Sqlite,
    };

    fn is<T: FromSql<S, Sqlite>, S>() {}
    is::<EventId, Binary>();
    is::<Euid, Binary>();
    is::<RonUid, Binary>();
    is::<Scru160, Binary>();
    is::<UlidFlake, BigInt>();
}

#[cfg(feature = "uuid")]
#[test]
fn ids_of_128_bits_convert_from_uuids() {
    use libraries::uuid::Uuid;

    assert_eq!(Euid::from(Uuid::max()), Euid::MAX);
    assert_eq!(EventId::from(Uuid::max()), EventId::MAX);
    assert!(RonUid::try_from(Uuid::max()).is_err());
}

/// `UuidOr` reads bytes as an ID if `detect_bytes` has a reason for it, or if they are not a UUID.
#[cfg(feature = "uuid")]
#[test]
fn what_a_column_of_uuids_has_does_not_contradict_what_bytes_are_found_to_be() {
    use libraries::uuid::{Uuid, Variant};
    use proptest::{prelude::*, test_runner::TestRunner};
    use sortid::{SortableId, UuidOr, detect_bytes};
    use std::time::{Duration, UNIX_EPOCH};

    fn agrees<I: SortableId<Bytes = [u8; 16]>>(uuid: Uuid) {
        let found = detect_bytes(uuid).find(|candidate| candidate.id().spec().name() == I::NAME);
        let has_reason = found.is_some_and(|candidate| candidate.reasons().count() > 0);
        let is_uuid = uuid.get_variant() == Variant::RFC4122 && (1..=8).contains(&uuid.get_version_num())
            || uuid.is_nil()
            || uuid.is_max();
        let expected = found.is_some() && (has_reason || !is_uuid);
        assert_eq!(matches!(UuidOr::<I>::from(uuid), UuidOr::Id(_)), expected, "{} {uuid}", I::NAME);
    }

    /// Checks the ID if it has 128 bits.
    macro_rules! agree {
        ($uuid:ident, $name:ident, $module:path, $id:ty, $options:expr, $column:ident, 16) => {
            agrees::<$id>($uuid)
        };
        ($uuid:ident, $name:ident, $module:path, $id:ty, $options:expr, $column:ident, $bytes:literal) => {
            const { assert!(<$id as SortableId>::BYTES != 16) }
        };
    }

    let bytes = any::<[u8; 16]>();
    let with_version = (bytes, 1..=8_u8).prop_map(|(mut bytes, version)| {
        bytes[6] = bytes[6] & 0xf | version << 4;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        bytes
    });
    let of_our_time = (with_version.clone(), 946_684_800_000..4_102_444_800_000_u64, 0..4).prop_map(
        |(mut bytes, millis, kind)| {
            let time = Duration::from_millis(millis);
            let head = match kind {
                0 => u128::from(millis) << 80,
                1 => Euid::min_at(UNIX_EPOCH + time).unwrap().to_u128(),
                2 => EventId::min_at(UNIX_EPOCH + time).unwrap().to_u128(),
                _ => RonUid::min_at(UNIX_EPOCH + time).map_or(0, RonUid::to_u128),
            };
            // The first 45 bits, which are a time in each.
            bytes[..5].copy_from_slice(&head.to_be_bytes()[..5]);
            bytes[5] = bytes[5] & 7 | head.to_be_bytes()[5] & !7;
            bytes
        },
    );
    let any_bytes = prop_oneof![bytes, with_version, of_our_time, Just([0; 16]), Just([0xff; 16])];
    let mut runner = TestRunner::default();
    runner
        .run(&any_bytes, |bytes| {
            let uuid = Uuid::from_bytes(bytes);
            sortid_testkit::for_each_spec!(agree uuid,);
            Ok(())
        })
        .unwrap();
}

#[cfg(feature = "rand010")]
#[test]
fn a_generator_of_rand_is_a_source_of_random_bytes() {
    use rand::{SeedableRng as _, rngs::StdRng};
    use std::{sync::Mutex, time::Duration};

    let clock = sortid::testing::ManualClock::new(Duration::from_millis(1_717_653_966_666));
    let ids = |seed| sortid::euid::Options::new().build_with(&clock, Mutex::new(StdRng::seed_from_u64(seed)));
    let [first, same, other] = [7, 7, 8].map(ids).map(|ids| ids.generate().unwrap());
    assert!(first == same && first != other);
}
