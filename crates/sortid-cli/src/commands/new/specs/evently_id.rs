use super::{Refusal, Request};
use crate::{examples::examples, failure::Failure, spec::DescribeOptions};
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
    pub(super) fn print(&self, request: Request<'_>) -> Result<(), Refusal> {
        let last = request.after::<EventId>()?.map(|last| last.ledger_id());
        if last.is_some_and(|last| self.ledger_id.is_some_and(|ledger_id| ledger_id != last)) {
            return Err("--after is an ID of another ledger than --ledger-id".into());
        }
        let ledger_id = self.ledger_id.or(last).map_or_else(random_ledger_id, Ok)?;
        Ok(request.print(Options::new(ledger_id), DescribeOptions::default())?)
    }
}

fn random_ledger_id() -> Result<LedgerId, Failure> {
    let random = u32::from_be_bytes(ThreadEntropy.draw().map_err(GenerateError::from)?);
    Ok(LedgerId::from_checksum(random))
}

/// Returns the ID of an event without content in the classic profile, after the last event, or after the root of the ledger.
/// A generator gives it the time and the ledger.
pub(super) fn after(place: EventId, last: Option<EventId>) -> EventId {
    let last = last.unwrap_or_else(|| EventId::from_fields(0, 0, place.ledger_id()));
    let event = Event::new("").entity("").key("");
    event
        .id_after(Profile::Classic, last, place.unix_micros())
        .expect("the event has all members of the profile")
}

pub(super) fn sample() -> Result<EventId, Failure> {
    Ok(after(Options::new(random_ledger_id()?).build().generate()?, None))
}
