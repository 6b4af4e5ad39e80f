use super::{GivenTimes, Make, Present, Reserving};
use crate::{examples::examples, failure::Failure, spec::DescribeOptions, verdict::Verdict};
use sortid::{
    Entropy as _, GenerateError, ThreadEntropy,
    evently_id::{EventId, LedgerId, Options},
    evently_ledger::{Event, Profile},
};

/// Evently Event ID, 128 bits: microseconds, the checksum of an event, and the ledger.
///
/// The IDs belong to events without content, one after the other. For events of your own use `sortid ledger append`.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make two IDs of a new ledger", "sortid new evently-id -n 2"),
    ("Make an ID of a given ledger", "sortid new evently-id --ledger-id c0331dd9"),
    ("Make an ID for each time", "printf '2024-06-06T06:06:06.666Z\\n' | sortid new evently-id --at -"),
]))]
pub(in super::super) struct Args {
    /// The ledger ID, 8 hex digits [default: random]
    #[arg(long, value_name = "HEX", value_parser = LedgerId::parse)]
    ledger_id: Option<LedgerId>,
}

impl Args {
    fn ledger_id(&self) -> Result<LedgerId, Failure> {
        self.ledger_id.map_or_else(random_ledger_id, Ok)
    }
}

fn random_ledger_id() -> Result<LedgerId, Failure> {
    let random = u32::from_be_bytes(ThreadEntropy.draw().map_err(GenerateError::from)?);
    Ok(LedgerId::from_checksum(random))
}

/// The IDs of events without content in the classic profile, each made from the one before.
struct Chain {
    last: EventId,
}

impl Chain {
    fn new(ledger_id: LedgerId) -> Self {
        Self { last: EventId::from_fields(0, 0, ledger_id) }
    }

    /// The chain that goes on after this event.
    fn after(last: EventId) -> Self {
        Self { last }
    }

    fn ledger_id(&self) -> LedgerId {
        self.last.ledger_id()
    }

    /// The ID of the next event, at this place.
    fn id_at(&mut self, place: EventId) -> EventId {
        let event = Event::new("").entity("").key("");
        self.last = event
            .id_after(Profile::Classic, self.last, place.unix_micros())
            .expect("the event has all members of the profile");
        self.last
    }
}

pub(super) fn sample() -> Result<EventId, Failure> {
    let ledger_id = random_ledger_id()?;
    let places = Options::new(ledger_id).build();
    Ok(Chain::new(ledger_id).id_at(places.generate()?))
}

impl Make for Args {
    fn print(&self, request: &Present) -> Result<(), Failure> {
        let mut chain = Chain::new(self.ledger_id()?);
        let options = Options::new(chain.ledger_id());
        request.generate(options, DescribeOptions::default(), |place| chain.id_at(place))
    }

    fn print_given_times(&self, request: &GivenTimes<'_>, verdict: &mut Verdict) -> Result<(), Failure> {
        let mut chain = Chain::new(self.ledger_id()?);
        if let Some(last) = request.after::<EventId>()? {
            if self.ledger_id.is_some_and(|ledger_id| ledger_id != last.ledger_id()) {
                return Err(request.usage("--after is an ID of another ledger than --ledger-id"));
            }
            chain = Chain::after(last);
        }
        let options = Options::new(chain.ledger_id());
        request.generate(options, DescribeOptions::default(), verdict, |place| chain.id_at(place))
    }

    fn print_reserved(&self, request: &Reserving<'_>) -> Result<(), Failure> {
        Err(request.usage(format_args!(
            "Event IDs have no field for a node ID. A ledger has one writer at a time. To make Event IDs, {}",
            request.url.without()
        )))
    }

    fn is_chain(&self) -> bool {
        true
    }
}
