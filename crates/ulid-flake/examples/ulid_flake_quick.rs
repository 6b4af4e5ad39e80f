//! Common tasks with Ulid-Flakes: `cargo run -p ulid-flake --example ulid_flake_quick`.

use std::{error::Error, time::Duration};
use ulid_flake::{ParseErrorKind, UlidFlake, scalable, ulid_flake};

fn main() -> Result<(), Box<dyn Error>> {
    // Generate. All threads share one order.
    let (first, second) = (ulid_flake::new(), ulid_flake::new());
    assert!(first < second);

    // Generate on node 7 of 32.
    let node = scalable::Options::new(7)?.build();
    assert_eq!(node.generate()?.scalable().scalability(), 7);

    // Print.
    println!("text         {second}");
    println!("hex          {second:x}");
    println!("integer      {}", second.to_int());

    // Parse a literal at compile time, and any text at run time.
    const ID: UlidFlake = ulid_flake!("00CMXB6TAK4SA");
    let id: UlidFlake = "00cmxb6tak4sa".parse()?;
    assert_eq!(id, ID);

    // Fields.
    println!("timestamp    {} ms", id.timestamp());
    println!("randomness   {}", id.randomness());

    // Bounds of a query by time.
    let (since, until) = (id.time(), id.time() + Duration::from_secs(3600));
    let (least, greatest) = (UlidFlake::min_at(since)?, UlidFlake::max_at(until)?);
    assert!(least <= id && id <= greatest);
    println!("from         {}", least.to_int());
    println!("to           {}", greatest.to_int());

    // Errors say what was expected, what was found, and where.
    let error = UlidFlake::parse("8000000000000").unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Overflow);
    println!("error        {error}");
    Ok(())
}
