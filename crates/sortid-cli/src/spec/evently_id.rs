use crate::{examples::examples, failure::Failure};
use sortid::{
    Entropy as _, GenerateError, ThreadEntropy,
    evently_id::{EventId, LedgerId},
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
pub(crate) struct Args {
    /// The ledger ID, 8 hex digits [default: random]
    #[arg(long, value_name = "HEX", value_parser = LedgerId::parse)]
    pub(crate) ledger_id: Option<LedgerId>,
}

impl Args {
    pub(crate) fn ledger_id(&self) -> Result<LedgerId, Failure> {
        self.ledger_id.map_or_else(random_ledger_id, Ok)
    }
}

pub(crate) fn random_ledger_id() -> Result<LedgerId, Failure> {
    let random = u32::from_be_bytes(ThreadEntropy.draw().map_err(GenerateError::from)?);
    Ok(LedgerId::from_checksum(random))
}

/// The IDs of events without content in the classic profile, each made from the one before.
pub(crate) struct Chain {
    last: EventId,
}

impl Chain {
    pub(crate) fn new(ledger_id: LedgerId) -> Self {
        Self { last: EventId::from_fields(0, 0, ledger_id) }
    }

    /// The chain that goes on after this event.
    pub(crate) fn after(last: EventId) -> Self {
        Self { last }
    }

    pub(crate) fn ledger_id(&self) -> LedgerId {
        self.last.ledger_id()
    }

    /// The ID of the next event, at this place.
    pub(crate) fn id_at(&mut self, place: EventId) -> EventId {
        let event = Event::new("").entity("").key("");
        self.last = event
            .id_after(Profile::Classic, self.last, place.timestamp())
            .expect("the event has all members of the profile");
        self.last
    }
}
