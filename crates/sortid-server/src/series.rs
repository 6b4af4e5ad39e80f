//! The IDs of one specification and its options, in one order for all requests.

use crate::problem::Problem;
use sortid::{Clock, Generate, GenerateError, SortableId as _, SystemClock, ThreadEntropy};
use sortid_core::{Generator, NodeOptions, Rules};
use sortid_inspect::{
    __private::{Describe, program::Format},
    Options as DescribeOptions,
};
use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::{sync::Mutex, time::sleep};

/// How far the clock may be behind the last ID before a generator refuses to make more: its rollback allowance.
pub(crate) const ALLOWANCE: Duration = Duration::from_secs(10);

/// How IDs are written.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) format: Format,
    /// Whether they are elements of a JSON array.
    pub(crate) is_array: bool,
}

impl Shape {
    /// How many bytes an ID takes at most.
    pub(crate) fn most_bytes(self) -> usize {
        match self.format {
            // The text of a SCRU160 has 32 characters, and its integer has 49.
            Format::Form(_) | Format::Bytes => 64,
            // The object of a RON UID has up to 500.
            Format::Json => 640,
        }
    }
}

/// A generator of a series.
pub(crate) trait Ids: Send + Sync + 'static {
    type Id: Describe + Send;

    fn fill(&self, ids: &mut [Self::Id]) -> impl Future<Output = Result<(), GenerateError>> + Send;

    fn resume_after(&self, id: Self::Id) -> Result<(), GenerateError>;

    fn ahead(&self) -> Result<Duration, GenerateError>;
}

/// A generator that needs no node ID. Its rules [fail](sortid::Rollback::Fail) after the clock was set back, so that the IDs of
/// a server ascend.
pub(crate) type Alone<R, C = SystemClock> = Generator<R, C, ThreadEntropy>;

impl<R, C> Ids for Alone<R, C>
where
    R: Rules<Id: Describe + Send> + Send + Sync + 'static,
    C: Clock + Send + Sync + 'static,
{
    type Id = R::Id;

    async fn fill(&self, ids: &mut [R::Id]) -> Result<(), GenerateError> {
        fill(self, ids).await
    }

    fn resume_after(&self, id: R::Id) -> Result<(), GenerateError> {
        self.resume_after(id)
    }

    fn ahead(&self) -> Result<Duration, GenerateError> {
        self.ahead()
    }
}

impl<O: NodeOptions<Id: Describe + Send> + 'static> Ids for sortid_fleet::Generator<O> {
    type Id = O::Id;

    async fn fill(&self, ids: &mut [O::Id]) -> Result<(), GenerateError> {
        fill(self, ids).await
    }

    fn resume_after(&self, id: O::Id) -> Result<(), GenerateError> {
        self.resume_after(id)
    }

    fn ahead(&self) -> Result<Duration, GenerateError> {
        self.ahead()
    }
}

/// Fills `batch`. Waits for the next ticks, and for the renewal of a reservation, for as long as both should take.
async fn fill<I>(ids: &impl Generate<Id = I>, mut batch: &mut [I]) -> Result<(), GenerateError> {
    let end = Instant::now() + ALLOWANCE + Duration::from_secs(1);
    while !batch.is_empty() {
        match ids.try_fill(batch) {
            Ok(filled) => batch = &mut batch[filled..],
            Err(error) if Instant::now() >= end => return Err(error),
            Err(error) => sleep(error.retry_after().ok_or(error)?).await,
        }
    }
    Ok(())
}

/// The IDs of one specification and its options. Each batch is greater than all batches before it.
pub(crate) struct Series<G: Ids> {
    /// Without a generator, why there is none.
    ids: RwLock<Result<Arc<G>, String>>,
    /// The last ID of the last batch. Whoever holds the lock makes the next batch, so that no other IDs lie between those
    /// of a batch. Requests get the lock in the order in which they asked for it.
    turn: Mutex<Option<G::Id>>,
    latest: Latest,
}

/// The time of the last ID of all series that share this value, in microseconds since 1970.
pub(crate) type Latest = Arc<AtomicU64>;

impl<G: Ids> Series<G> {
    pub(crate) fn new(ids: G, latest: &Latest) -> Self {
        Self { ids: RwLock::new(Ok(Arc::new(ids))), turn: Mutex::new(None), latest: Arc::clone(latest) }
    }

    /// A series that has no generator yet.
    pub(crate) fn without_generator() -> Self {
        let ids = RwLock::new(Err("the server has no node ID yet".to_owned()));
        Self { ids, turn: Mutex::new(None), latest: Latest::default() }
    }

    fn ids(&self) -> Result<Arc<G>, String> {
        self.ids.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, ids: Result<Arc<G>, String>) {
        *self.ids.write().unwrap_or_else(PoisonError::into_inner) = ids;
    }

    /// Continues with this generator, after all IDs of the one before.
    pub(crate) async fn continue_with(&self, ids: G) -> Result<(), GenerateError> {
        let last = self.turn.lock().await;
        if let Some(last) = *last {
            ids.resume_after(last)?;
        }
        self.set(Ok(Arc::new(ids)));
        Ok(())
    }

    /// Drops the generator, for this reason.
    pub(crate) fn end(&self, why: &str) {
        self.set(Err(why.to_owned()));
    }
}

/// Why a series makes no IDs.
pub(crate) enum Failure {
    /// It has no generator, for this reason.
    NoGenerator(String),
    Generate(GenerateError),
    /// The next IDs would not be greater than the last ones.
    Order,
}

pub(crate) type Making<'a> = Pin<Box<dyn Future<Output = Result<Vec<u8>, Failure>> + Send + 'a>>;

/// A [`Series`] of any specification.
pub(crate) trait AnySeries: Send + Sync {
    /// Makes a batch of IDs, and writes them.
    fn make(&self, count: usize, shape: Shape, options: DescribeOptions) -> Making<'_>;

    /// How far the last ID is ahead of the clock, in this series and those that share its [`Latest`]. `None` if there is no
    /// generator.
    fn ahead(&self) -> Option<Result<Duration, GenerateError>>;
}

impl<G: Ids> AnySeries for Series<G> {
    fn make(&self, count: usize, shape: Shape, options: DescribeOptions) -> Making<'_> {
        Box::pin(async move {
            let mut batch = vec![G::Id::MIN; count];
            let mut last = self.turn.lock().await;
            let ids = self.ids().map_err(Failure::NoGenerator)?;
            ids.fill(&mut batch).await.map_err(Failure::Generate)?;
            if batch.first().copied() <= *last {
                return Err(Failure::Order);
            }
            *last = batch.last().copied();
            self.latest.fetch_max(last.and_then(|id| id.unix_micros()).unwrap_or_default(), Relaxed);
            drop(last);
            Ok(written(&batch, shape, &options))
        })
    }

    fn ahead(&self) -> Option<Result<Duration, GenerateError>> {
        let now = SystemClock.unix_micros().unwrap_or(u64::MAX);
        let of_all = Duration::from_micros(self.latest.load(Relaxed).saturating_sub(now));
        Some(self.ids().ok()?.ahead().map(|by| by.max(of_all)))
    }
}

/// Writes IDs one after the other: lines, or a JSON object with an array.
fn written<I: Describe>(ids: &[I], Shape { format, is_array }: Shape, options: &DescribeOptions) -> Vec<u8> {
    let most = match format {
        Format::Json => 0,
        _ => ids.len() * (I::TEXT_LEN.max(2 * I::BYTES + 10) + 4),
    };
    let mut out = Vec::with_capacity(most + 64);
    if !is_array {
        for id in ids {
            format.push(id.as_ref(), |out| id.push_text(options, out), || id.describe(options), &mut out);
        }
        return out;
    }
    for piece in [r#"{"spec":""#, I::NAME, r#"","ids":["#] {
        out.extend_from_slice(piece.as_bytes());
    }
    let quote: &[u8] = if format == Format::Json { b"" } else { b"\"" };
    for (index, id) in ids.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(quote);
        format.push_id(id.as_ref(), |out| id.push_text(options, out), || id.describe(options), &mut out);
        out.extend_from_slice(quote);
    }
    out.extend_from_slice(b"]}\n");
    out
}

/// What happened to a clock that is behind the last ID.
pub(crate) fn set_back(by: Duration) -> String {
    format!(
        "the clock of the server is {}.{} s behind its last ID: correct the clock, or wait. Without an earlier time, the \
         next IDs would be less than the last ones, or repeat them",
        by.as_secs(),
        by.subsec_millis() / 100
    )
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NoGenerator(why) => Self::unavailable(why),
            Failure::Generate(error) => Self::unavailable(error),
            Failure::Order => Self::unavailable(
                "the next IDs are not greater than the last ones: check the clock of the server, and try again",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALLOWANCE, Alone, AnySeries as _, Failure, Latest, Series, Shape};
    use sortid::{Rollback, ThreadEntropy, euid::Options, testing::ManualClock};
    use sortid_inspect::{__private::program::Format, Options as DescribeOptions};
    use std::{
        sync::Arc,
        time::{Duration, UNIX_EPOCH},
    };

    const LINES: Shape = Shape { format: Format::TEXT, is_array: false };

    fn alone<C>(clock: C) -> Alone<Options, C> {
        Alone::from_parts(Options::new().rollback(Rollback::Fail), clock, ThreadEntropy)
    }

    async fn make<C: sortid::Clock + Send + Sync + 'static>(
        series: &Series<Alone<Options, C>>,
    ) -> Result<String, Failure> {
        let text = series.make(10, LINES, DescribeOptions::default()).await?;
        Ok(String::from_utf8(text).unwrap())
    }

    #[tokio::test]
    async fn a_clock_that_was_set_back_does_not_break_the_order() {
        let clock = Arc::new(ManualClock::new(Duration::from_millis(1_717_653_966_666)));
        let ids = alone(Arc::clone(&clock));
        let series = Series::new(ids, &Latest::default());
        let first = make(&series).await.ok().unwrap();
        clock.set(Duration::from_millis(1_717_653_961_666));
        let second = make(&series).await.ok().unwrap();
        assert!(first.lines().last() < second.lines().next());
        clock.set(Duration::from_millis(1_717_650_361_666));
        let Err(Failure::Generate(error)) = make(&series).await else { panic!("expected an error") };
        let message = error.to_string();
        assert!(message.starts_with("the clock is 3605.000000 s behind the last ID"), "{message}");
        assert!(series.ahead().unwrap().unwrap() > ALLOWANCE);
        clock.advance(Duration::from_secs(3596));
        let third = make(&series).await.ok().unwrap();
        assert!(second.lines().last() < third.lines().next());
        assert!(first.lines().chain(second.lines()).chain(third.lines()).is_sorted());
    }

    #[tokio::test]
    async fn a_series_knows_how_far_those_that_share_its_time_are_ahead() {
        let latest = Latest::default();
        let an_hour_ahead = UNIX_EPOCH.elapsed().unwrap() + Duration::from_secs(3600);
        let [ahead, other] = [(); 2].map(|()| {
            let ids = alone(ManualClock::new(an_hour_ahead));
            Series::new(ids, &latest)
        });
        assert_eq!(other.ahead().unwrap().unwrap(), Duration::ZERO);
        make(&ahead).await.ok().unwrap();
        assert!(other.ahead().unwrap().unwrap() > Duration::from_secs(3500));
    }

    #[tokio::test]
    async fn a_generator_continues_after_the_ids_of_the_one_before() {
        let (early, late) = (1_717_653_966_666, 1_717_653_967_000);
        let clock = |millis| ManualClock::new(Duration::from_millis(millis));
        let ids = alone(clock(late));
        let series = Series::new(ids, &Latest::default());
        let before = make(&series).await.ok().unwrap();
        series.end("gone");
        assert!(matches!(make(&series).await, Err(Failure::NoGenerator(why)) if why == "gone"));
        series.continue_with(alone(clock(early))).await.unwrap();
        let after = make(&series).await.ok().unwrap();
        assert!(before.lines().last() < after.lines().next());
    }
}
