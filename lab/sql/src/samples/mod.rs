//! The IDs, texts and times that are compared, with what the library says of each.

mod ids;
mod texts;
mod typed;

use crate::subject::{Subject, Value};
use fastrand::Rng;

pub(crate) use ids::of_time;
pub(crate) use texts::Text;
pub(crate) use typed::{PREFIXES, Typed, is_prefix};

/// The samples of a specification.
pub(crate) struct Samples {
    /// Distinct IDs, each with the values of all functions of an ID.
    pub(crate) ids: Vec<(Vec<u8>, Vec<Value>)>,
    /// Distinct texts, good and bad.
    pub(crate) texts: Vec<Text>,
    /// IDs and texts of ID types with prefixes.
    pub(crate) typed: Vec<Typed>,
    /// Times in microseconds since 1970, each with the least and the greatest ID. `None` if the time is out of range.
    pub(crate) moments: Vec<(i128, Option<[Vec<u8>; 2]>)>,
    /// Bytes that are not an ID: of a wrong length, or with a bit that must be 0.
    pub(crate) not_ids: Vec<Vec<u8>>,
}

impl Samples {
    /// At least `count` IDs, as many texts that are IDs, and a fifth as many times. Times after `last` are out of range.
    pub(crate) fn new(subject: &Subject, count: usize, seed: u64, last: i128) -> Self {
        let mut random = Rng::with_seed(seed);
        let ids: Vec<_> = ids::ids(subject, count, &mut random)
            .into_iter()
            .map(|id| {
                let values = (subject.values)(&id).expect("the sample is an ID");
                assert_eq!(values.len(), subject.functions.len());
                (id, values)
            })
            .collect();
        let texts = texts::texts(subject, &ids, count, &mut random);
        let moments = moments(subject, count / 5, last, &mut random);
        let typed = typed::typed(subject, &ids, &texts, &mut random);
        Self { ids, texts, typed, moments, not_ids: ids::not_ids(subject) }
    }
}

impl Samples {
    /// IDs of the years 2020 to 2040 and their texts, to measure with.
    pub(crate) fn real(subject: &Subject, count: usize) -> Self {
        let mut random = Rng::with_seed(1);
        let mut samples =
            Self { ids: vec![], texts: vec![], typed: vec![], moments: vec![], not_ids: vec![] };
        for _ in 0..count {
            let id = ids::real(subject, &mut random);
            let values = (subject.values)(&id).expect("the sample is an ID");
            if let Value::Text(text) = &values[1] {
                samples.texts.push(Text { text: text.clone(), id: Some(id.clone()) });
            }
            samples.ids.push((id, values));
        }
        samples
    }
}

fn moments(
    subject: &Subject,
    count: usize,
    last_of_all: i128,
    random: &mut Rng,
) -> Vec<(i128, Option<[Vec<u8>; 2]>)> {
    let (first, last) = (i128::from(*subject.times.start()), i128::from(*subject.times.end()));
    const SECOND: i128 = 1_000_000;
    const DAY: i128 = 86_400 * SECOND;
    let mut moments = vec![];
    for end in [first, last, last_of_all] {
        for step in [1, 999, 1000, 1001, SECOND, DAY, 366 * DAY] {
            moments.extend([end - step, end, end + step]);
        }
    }
    // The ends of other specifications and of databases, leap days, and the last moment of many days.
    for day in (-719_162..2_932_897).step_by(36_525 / 4) {
        moments.extend([day * DAY - 1, day * DAY, day * DAY + 999, day * DAY + 59_999_999]);
    }
    for year in [1968, 1972, 2000, 2004, 2023, 2024, 2096, 2100, 2104, 2344, 2400, 9996, 9999] {
        // Around the end of February and of the year, roughly.
        let start = (i128::from(year) - 1970) * 365 * DAY + (i128::from(year) - 1969) / 4 * DAY;
        for day in -40..70 {
            moments.extend([start + day * DAY - 1, start + day * DAY + random.i128(0..DAY)]);
        }
    }
    // In the last and the next centuries, and over the whole range.
    let (recent, next) = (1_577_836_800 * SECOND, 2_208_988_800 * SECOND);
    while moments.len() < count.max(6000) {
        moments.push(random.i128(recent..next));
        moments.push(random.i128(first..=last));
        moments.push(random.i128(first..=last) / SECOND * SECOND);
        // Up to the last year of most databases.
        moments.push(random.i128(first..=last.min(253_402_300_799_999_999)));
    }
    moments.sort_unstable();
    moments.dedup();
    moments
        .into_iter()
        .map(|moment| (moment, (subject.bounds)(moment).filter(|_| moment <= last_of_all)))
        .collect()
}
