use crate::{
    arrays::*,
    specs::{Tested, every_specification, ids},
};
use datafusion::arrow::{array::*, datatypes::*};
use sortid::UnixMicros;
use std::sync::Arc;

/// Times in microseconds that the specification has, and that each unit below can express.
fn micros<I: Tested>() -> Vec<i64> {
    let (first, last) = (*I::TIMES.start() as i64, (*I::TIMES.end()).min(9_000_000_000_000_000) as i64);
    let times = ids::<I>().into_iter().filter_map(|id| id.unix_micros()).map(|micros| micros as i64);
    times.filter(|micros| (first..=last).contains(micros)).chain([first, last, first + 1, last - 1]).collect()
}

/// The bounds of times in microseconds that the library returns. Every fifth is NULL.
fn bounds<I: Tested>(times: &[Option<i64>]) -> [(&'static str, ArrayRef); 2] {
    let at = |bound: fn(UnixMicros) -> I| {
        let bounds: Vec<_> =
            times.iter().map(|time| time.map(|time| bound(UnixMicros(time.into())))).collect();
        id_arrays(&bounds).swap_remove(0)
    };
    [("min_at", at(|time| I::min_at(time).unwrap())), ("max_at", at(|time| I::max_at(time).unwrap()))]
}

fn check<I: Tested>(argument: &ArrayRef, times: &[Option<i64>]) {
    for (name, expected) in bounds::<I>(times) {
        let function = function(&format!("{}_{name}", I::PREFIX));
        let found = call(&function, argument).unwrap();
        assert_eq!(&found, &expected, "{} of {}", function.name(), argument.data_type());
        let (found, expected) = (call(&function, &argument.slice(1, 3)).unwrap(), expected.slice(1, 3));
        assert_eq!(&found, &expected, "a slice");
    }
}

fn scaled<T: ArrowTimestampType>(times: &[Option<i64>], scale: impl Fn(i64) -> i64) -> PrimitiveArray<T> {
    PrimitiveArray::from_iter(times.iter().map(|time| time.map(&scale)))
}

#[test]
fn bounds_of_every_type_of_time_are_those_of_the_library() {
    fn every_type<I: Tested>() {
        let times: Vec<_> = micros::<I>().into_iter().map(Some).collect();
        let mut nulls = times.clone();
        nulls.iter_mut().step_by(5).for_each(|time| *time = None);
        for times in [&times, &nulls] {
            for zone in [None, Some("+02:00"), Some("Europe/Berlin")] {
                let zone = zone.map(Arc::from);
                let micros = scaled::<TimestampMicrosecondType>(times, |time| time);
                check::<I>(&(Arc::new(micros.with_timezone_opt::<Arc<str>>(zone.clone())) as _), times);
                let millis = scaled::<TimestampMillisecondType>(times, |time| time.div_euclid(1000));
                let floor: Vec<_> = millis.iter().map(|time| time.map(|time| time * 1000)).collect();
                check::<I>(&(Arc::new(millis.with_timezone_opt::<Arc<str>>(zone)) as _), &floor);
            }
            // Whole units, at which every specification has a time: its first time is a whole second.
            let seconds = scaled::<TimestampSecondType>(times, |time| time.div_euclid(1_000_000));
            let floor: Vec<_> = seconds.iter().map(|time| time.map(|time| time * 1_000_000)).collect();
            check::<I>(&(Arc::new(seconds) as _), &floor);
            let days = Date32Array::from_iter(
                times.iter().map(|time| time.map(|time| time.div_euclid(86_400_000_000) as i32)),
            );
            let floor: Vec<_> =
                days.iter().map(|day| day.map(|day| i64::from(day) * 86_400_000_000)).collect();
            check::<I>(&(Arc::new(days) as _), &floor);
            let millis =
                Date64Array::from_iter(times.iter().map(|time| time.map(|time| time.div_euclid(1000))));
            let floor: Vec<_> = millis.iter().map(|time| time.map(|time| time * 1000)).collect();
            check::<I>(&(Arc::new(millis) as _), &floor);
            // Nanoseconds end in 2262.
            let near: Vec<_> =
                times.iter().map(|time| time.map(|time| time.min(9_000_000_000_000_000))).collect();
            let nanos = scaled::<TimestampNanosecondType>(&near, |time| time * 1000 + 999);
            check::<I>(&(Arc::new(nanos) as _), &near);
        }
    }
    every_specification!(Id => every_type::<Id>());
}

#[test]
fn bounds_of_texts_are_those_of_their_times() {
    let texts = [
        (Some("2024-06-06"), Some(1_717_632_000_000_000)),
        (None, None),
        (Some("2024-06-06 06:06:06.666"), Some(1_717_653_966_666_000)),
        (Some("2024-06-06T06:06:06.666999999Z"), Some(1_717_653_966_666_999)),
        (Some("2024-06-06T08:06:06.666+02:00"), Some(1_717_653_966_666_000)),
        (Some("2300-12-31T23:59:59.999999Z"), Some(10_445_327_999_999_999)),
    ];
    let (texts, times): (Vec<_>, Vec<_>) = texts.into_iter().unzip();
    let arrays: [ArrayRef; 4] = [
        Arc::new(StringArray::from(texts.clone())),
        Arc::new(LargeStringArray::from(texts.clone())),
        Arc::new(StringViewArray::from(texts.clone())),
        Arc::new(texts.into_iter().collect::<DictionaryArray<Int8Type>>()),
    ];
    for array in arrays {
        every_specification!(Id => check::<Id>(&array, &times));
    }
}

#[test]
fn exactly_the_times_of_the_specification_have_bounds() {
    fn check<I: Tested>() {
        let (first, last) = (*I::TIMES.start() as i64, i64::try_from(*I::TIMES.end()));
        let mut outside = vec![first - 1, i64::MIN];
        outside.extend(last.ok().map(|last| last + 1));
        for name in ["min_at", "max_at"] {
            let function = function(&format!("{}_{name}", I::PREFIX));
            for &micros in &outside {
                let time: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![micros]));
                let error = call(&function, &time).unwrap_err().to_string();
                assert!(error.contains("expected a time from"), "{error}");
            }
            // Under a NULL, any value is allowed.
            let null = TimestampMicrosecondArray::new(vec![first - 1].into(), Some(vec![false].into()));
            assert_eq!(call(&function, &(Arc::new(null) as _)).unwrap().null_count(), 1);
        }
    }
    every_specification!(Id => check::<Id>());
}
