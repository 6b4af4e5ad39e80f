//! The common scenarios, and the rules that only the clock of a ledger has.

use evently_id::{EventId, GenerateErrorKind, Generator, LedgerId, NoEntropy, Options, testing::ManualClock};
use proptest::prelude::*;
use sortid_testkit::Chosen;
use std::time::{Duration, UNIX_EPOCH};

/// 2021-10-03T16:33:12.816530Z
const START: Duration = Duration::from_micros(1_633_278_792_816_530);
const MICROSECOND: Duration = Duration::from_micros(1);
const HOUR: Duration = Duration::from_secs(3600);

const OPTIONS: Options = Options::new(LedgerId::from_int(0xc033_1dd8));

type Places<'c> = sortid_core::Generator<Options, &'c ManualClock, NoEntropy>;

fn places(clock: &ManualClock) -> Places<'_> {
    Places::from_parts(OPTIONS, clock, NoEntropy)
}

#[test]
fn the_generators_pass_the_common_scenarios() {
    sortid_testkit::scenarios(Chosen::common(OPTIONS), START, 100_000);
}

#[test]
fn the_backfill_passes_the_common_scenarios() {
    sortid_testkit::backfills(OPTIONS, START, 1);
}

#[test]
fn a_thousand_events_of_a_millisecond_keep_it_by_default() {
    let time = UNIX_EPOCH + Duration::from_millis(1_633_278_792_816);
    let mut places = OPTIONS.backfill_with(NoEntropy);
    let made = places.generate_all([time; 1000]).unwrap();
    let micros: Vec<u64> = made.iter().map(EventId::unix_micros).collect();
    assert!(micros.iter().copied().eq(1_633_278_792_816_000..1_633_278_792_817_000));
    let error = places.generate(time).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no ID is left for 2021-10-03T16:33:12.816000Z: its tick and those up to 0.000999 s later are full, with room \
         for at least 1 ID; let IDs take even later ticks with `spill`, or make the times differ"
    );
    let mut strict = OPTIONS.backfill_with(NoEntropy).spill(Duration::ZERO);
    let error = strict.generate_all([time, time + MICROSECOND, time]).unwrap_err();
    assert_eq!(error.index(), Some(2));
}

#[test]
fn threads_generate_a_million_places_in_order() {
    static PLACES: Generator = OPTIONS.build();
    sortid_testkit::threads!(PLACES, 2, 1_000_000);
    sortid_testkit::threads!(OPTIONS.build(), 5, 200_000);
}

#[test]
fn threads_on_a_frozen_clock_skip_no_microsecond() {
    let clock = ManualClock::new(START);
    let places = places(&clock);
    let lists = std::thread::scope(|scope| {
        [(); 2]
            .map(|()| scope.spawn(|| (0..10_000).map(|_| places.generate().unwrap()).collect::<Vec<_>>()))
            .map(|thread| thread.join().unwrap())
    });
    let mut all = lists.concat();
    all.sort_unstable();
    let start = START.as_micros() as u64;
    assert!(all.iter().map(EventId::unix_micros).eq(start..start + 20_000));
}

#[test]
fn a_place_is_the_time_and_the_ledger_with_the_checksum_0() {
    let places = OPTIONS.build_with(ManualClock::new(START), NoEntropy);
    assert_eq!(places.generate().unwrap().encode(), "0005cd755a43d79200000000c0331dd8");
    assert_eq!(places.generate().unwrap().encode(), "0005cd755a43d79300000000c0331dd8");
}

#[test]
fn the_default_clock_is_the_system_clock() {
    let place = OPTIONS.build().generate().unwrap();
    assert!(place.time().unwrap().elapsed().unwrap() < Duration::from_secs(60));
}

#[test]
fn after_a_clock_is_set_back_places_continue_from_the_last() {
    let clock = ManualClock::new(START);
    let places = places(&clock);
    let first = places.try_generate().unwrap();
    for (index, time) in [START - MICROSECOND, START - HOUR, Duration::ZERO].into_iter().enumerate() {
        clock.set(time);
        let place = places.try_generate().unwrap();
        assert_eq!(place.unix_micros(), first.unix_micros() + 1 + index as u64);
    }
    let mut filled = [EventId::MIN; 1000];
    places.fill(&mut filled).unwrap();
    assert_eq!(filled[999].unix_micros(), first.unix_micros() + 1003);
    clock.set(START + HOUR);
    assert_eq!(places.generate().unwrap().unix_micros(), (START + HOUR).as_micros() as u64);
    assert_eq!(places.resets(), 0);
}

#[test]
fn the_greatest_timestamp_is_used_and_then_all_ids_are_used_up() {
    let clock = ManualClock::new(Duration::from_micros(u64::MAX - 1));
    let places = places(&clock);
    assert_eq!(places.try_generate().unwrap().unix_micros(), u64::MAX - 1);
    assert_eq!(places.generate().unwrap().unix_micros(), u64::MAX);
    for time in [Duration::from_micros(u64::MAX - 1), START] {
        clock.set(time);
        for result in [places.try_generate(), places.generate()] {
            let error = result.unwrap_err();
            assert_eq!((error.kind(), error.retry_after()), (GenerateErrorKind::Exhausted, None));
        }
        assert!(places.fill(&mut [EventId::MIN; 2]).is_err());
    }
}

#[test]
fn filling_more_places_than_are_left_is_an_error() {
    let clock = ManualClock::new(Duration::from_micros(u64::MAX - 2));
    assert!(places(&clock).fill(&mut [EventId::MIN; 3]).is_ok());
    assert!(places(&clock).fill(&mut [EventId::MIN; 4]).is_err());
}

proptest! {
    #[test]
    fn a_place_is_the_later_of_the_time_and_a_microsecond_after_the_last(
        times in proptest::collection::vec(0..100_000_u64, 1..50), far in 0..u64::MAX - 200_000,
    ) {
        let clock = ManualClock::new(START);
        let places = places(&clock);
        let mut last = None;
        for time in times {
            let now = far + time;
            clock.set(Duration::from_micros(now));
            let expected = last.map_or(now, |last: u64| now.max(last + 1));
            prop_assert_eq!(places.generate().unwrap().unix_micros(), expected);
            last = Some(expected);
        }
    }
}

#[test]
fn a_batch_takes_the_microseconds_that_single_calls_take() {
    let clock = ManualClock::new(START);
    let (one_by_one, batch) = (places(&clock), places(&clock));
    let singles: Vec<_> = (0..200).map(|_| one_by_one.generate().unwrap()).collect();
    let mut batches = [EventId::MIN; 200];
    for len in [1, 4, 5, 190] {
        let start = batches.iter().position(|&id| id == EventId::MIN).unwrap();
        batch.fill(&mut batches[start..start + len]).unwrap();
    }
    assert_eq!(singles, batches);
}

#[test]
fn a_batch_is_ahead_of_the_clock_by_at_most_the_rollback_allowance() {
    let clock = ManualClock::new(START);
    let options = OPTIONS.rollback_allowance(Duration::from_micros(9));
    let places = options.build_with(&clock, NoEntropy);
    places.fill(&mut [EventId::MIN; 10]).unwrap();
    for len in [1, 2] {
        let error = places.fill(&mut [EventId::MIN; 2][..len]).unwrap_err();
        assert_eq!((error.kind(), error.retry_after()), (GenerateErrorKind::Exhausted, Some(MICROSECOND)));
    }
    assert_eq!(places.ahead(), Ok(Duration::from_micros(9)));
}
