//! The time of an ID.

use crate::{Group, INPUTS, OURS, PEER, over};
use criterion::Criterion;
use euid::{Euid, UnixMillis};
use euid_published::EUID;
use evently_id::EventId;
use ferroid::id::ULID;
use ron_uid::RonUid;
use scru160::Scru160;
use ulid::Ulid;
use ulid_flake::UlidFlake;
use uuid::{NoContext, Timestamp, Uuid};

/// 2025-01-01.
const FIRST: u64 = 1_735_689_600_000;

/// Times that are an hour apart, and some milliseconds: Unix time in milliseconds.
fn millis() -> impl Iterator<Item = u64> {
    (0..INPUTS as u64).map(|hour| FIRST + hour * 3_600_137)
}

pub(crate) fn run(criterion: &mut Criterion) {
    let at_millis = |millis: u64| UnixMillis(millis.into());
    let mut group = criterion.benchmark_group("unix_millis");
    let times = &mut group;
    time(times, OURS, "scru160", |at| Scru160::max_at(at_millis(at)).unwrap(), Scru160::unix_millis);
    time(times, OURS, "euid", |at| Euid::max_at(at_millis(at)).unwrap(), Euid::unix_millis);
    time(times, OURS, "ulid-flake", |at| UlidFlake::max_at(at_millis(at)).unwrap(), UlidFlake::unix_millis);
    time(
        times,
        OURS,
        "ron-uid",
        |at| RonUid::max_at(at_millis(at)).unwrap(),
        |id| id.unix_millis().unwrap_or_default(),
    );
    time(
        times,
        OURS,
        "evently-id",
        |at| EventId::max_at(at_millis(at)).unwrap(),
        |id| id.unix_micros() / 1000,
    );
    time(times, PEER, "ulid", |at| Ulid::from_parts(at, u128::MAX), Ulid::timestamp_ms);
    time(
        times,
        PEER,
        "ferroid",
        |at| ULID::from_components(at.into(), ULID::max_random()),
        |id| id.timestamp() as u64,
    );
    time(
        times,
        PEER,
        "uuid",
        |at| Uuid::new_v7(Timestamp::from_unix(NoContext, at / 1000, (at % 1000 * 1_000_000) as u32)),
        |id| {
            let (seconds, nanos) = id.get_timestamp().unwrap().to_unix();
            seconds * 1000 + u64::from(nanos / 1_000_000)
        },
    );
    time(
        times,
        PEER,
        "scru128",
        |at| scru128::Id::try_from_fields(at, 7, 7, 7).unwrap(),
        scru128::Id::timestamp,
    );
    time(times, PEER, "euid 0.1.7", |at| EUID::from(u128::from(at) << 83 | 7 << 19), EUID::timestamp);
    group.finish();
}

/// The time that the accessor `read` takes, for IDs of known times.
fn time<T>(
    group: &mut Group<'_>,
    kind: &str,
    name: &str,
    id_at: impl Fn(u64) -> T,
    read: impl Fn(&T) -> u64,
) {
    let ids: Vec<_> = millis().map(id_at).collect();
    assert!(ids.iter().map(&read).eq(millis()), "{name}");
    over(group, kind, name, &ids, read);
}
