//! The first steps with ledgers: `cargo run -p evently-ledger --example evently_ledger_quick`.

use evently_ledger::{Event, Json, Ledger, Profile, Verifier, canonical_json};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // Append: the ledger gives each event its time and its ID.
    let mut ledger = Ledger::new(Profile::Classic);
    let mut opened = Event::new("opened").entity("shop").key("1");
    let mut placed = Event::new("placed").entity("order").key("17").data(Json::parse(r#"{"total": 1.50}"#)?);
    let mut batch = ledger.batch();
    let (first, second) = (batch.append(&mut opened)?, batch.append(&mut placed)?);
    assert!(first < second);
    println!("{opened}\n{placed}");
    batch.commit(); // The lines are written.

    // Verify.
    let lines = [opened.to_string(), placed.to_string()];
    let report = Verifier::new(None).verify(&lines);
    assert!(report.is_valid() && report.last_event_id == Some(second));

    // A changed event is a fault.
    let fault = Verifier::new(None).verify([&*lines[0], &lines[1].replace("17", "71")]).first_fault;
    println!("{}", fault.ok_or("expected a fault")?);

    // Canonical JSON, which the checksums cover.
    println!("{}", canonical_json(r#"{"b": 1e3, "a": [-0.0]}"#)?);
    Ok(())
}
