//! Common tasks with EUIDs: `cargo run -p euid --example euid_quick`.

use euid::{Euid, Extension, Options, ParseErrorKind, euid};
use std::{error::Error, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    // Generate. All threads share one order.
    let (first, second) = (euid::new(), euid::new());
    assert!(first < second);

    // Generate with 8 bits of your own.
    let shard = Options::new().extension(Extension::with_bits(5, 8)?).build();
    assert_eq!(shard.generate()?.extension().map(Extension::value), Some(5));

    // Print.
    println!("text         {second}");
    println!("hex          {second:x}");

    // Parse a literal at compile time, and any text at run time.
    const ID: Euid = euid!("C8EE934SR007G5Q94QKKXFRFV8B");
    let id: Euid = "c8ee934sr007g5q94qkkxfrfv8b".parse()?;
    assert_eq!(id, ID);

    // Fields.
    println!("timestamp    {} ms", id.unix_millis());
    println!("extension    {:?}", id.extension());
    println!("random high  {}", id.random_high());
    println!("random low   {}", id.random_low());
    println!("check        {}", id.check());

    // Bounds of a query by time.
    let (since, until) = (id.time(), id.time() + Duration::from_secs(3600));
    let (least, greatest) = (Euid::min_at(since)?, Euid::max_at(until)?);
    assert!(least <= id && id <= greatest);
    println!("from         {least}");
    println!("to           {greatest}");

    // Errors say what was expected, what was found, and where.
    let error = Euid::parse("C8EE934SR007G5Q94QKKXFRFV8C").unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Check);
    println!("error        {error}");
    Ok(())
}
