//! What one does with Event IDs: `cargo run -p evently-id --example quick`.

use evently_id::{Event, EventId, Ledger, ParseErrorKind, Profile, Verifier, event_id};
use std::{error::Error, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    // Make: an ID is of an event in a ledger.
    let mut ledger = Ledger::new(Profile::Classic);
    let mut opened = Event::new("opened").entity("shop").key("1");
    let mut placed = Event::new("placed").entity("order").key("17");
    let (first, second) = (ledger.append(&mut opened)?, ledger.append(&mut placed)?);
    assert!(first < second);

    // Print.
    println!("text         {second}");

    // Read: a literal when it is compiled, any text when it comes.
    const ID: EventId = event_id!("0005cd755a43d79238c05790c0331dd8");
    let id: EventId = "0005CD755A43D79238C05790C0331DD8".parse()?;
    assert_eq!(id, ID);

    // Fields.
    println!("timestamp    {} µs", id.timestamp());
    println!("checksum     {:08x}", id.checksum());
    println!("ledger ID    {}", id.ledger_id());

    // Bounds of a query by time.
    let since = Duration::from_micros(id.unix_micros());
    let (least, greatest) = (EventId::min_at(since)?, EventId::max_at(since + Duration::from_secs(3600))?);
    assert!(least <= id && id <= greatest);
    println!("from         {least}");
    println!("to           {greatest}");

    // Errors say what was expected, what was found, and where.
    let error = EventId::parse("0005cd755a43d79238c05790c0331ddX").unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Character);
    println!("error        {error}");

    // Verify a ledger.
    let report = Verifier::new(None).verify([opened.to_string(), placed.to_string()].iter());
    assert!(report.is_valid() && report.last_event_id == Some(second));
    Ok(())
}
