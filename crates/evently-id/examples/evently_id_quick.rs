//! Common tasks with Event IDs: `cargo run -p evently-id --example evently_id_quick`.

use evently_id::{EventId, Options, ParseErrorKind, event_id};
use std::{
    error::Error,
    time::{Duration, UNIX_EPOCH},
};

fn main() -> Result<(), Box<dyn Error>> {
    // Parse a literal at compile time, and any text at run time.
    const ID: EventId = event_id!("0005cd755a43d79238c05790c0331dd8");
    let id: EventId = "0005CD755A43D79238C05790C0331DD8".parse()?;
    assert_eq!(id, ID);

    // Fields.
    println!("timestamp    {} µs", id.unix_micros());
    println!("checksum     {:08x}", id.checksum());
    println!("ledger ID    {}", id.ledger_id());

    // Generate places in the ledger. The crate evently-ledger computes their checksums.
    let places = Options::new(id.ledger_id()).build();
    let (first, second) = (places.generate()?, places.generate()?);
    assert!(first.unix_micros() < second.unix_micros());

    // Print.
    println!("text         {second}");

    // Bounds of a query by time.
    let since = Duration::from_micros(id.unix_micros());
    let (least, greatest) = (
        EventId::min_at(UNIX_EPOCH + since)?,
        EventId::max_at(UNIX_EPOCH + since + Duration::from_secs(3600))?,
    );
    assert!(least <= id && id <= greatest);
    println!("from         {least}");
    println!("to           {greatest}");

    // Errors say what was expected, what was found, and where.
    let error = EventId::parse("0005cd755a43d79238c05790c0331ddX").unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Character);
    println!("error        {error}");
    Ok(())
}
