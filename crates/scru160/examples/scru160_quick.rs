//! Common tasks with SCRU160 IDs: `cargo run -p scru160 --example scru160_quick`.

use scru160::{ParseErrorKind, Scru160, scru160};
use std::{error::Error, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    // Generate. All threads share one order.
    let (first, second) = (scru160::new(), scru160::new());
    assert!(first < second);

    // Print.
    println!("text         {second}");
    println!("hex          {second:x}");

    // Parse a literal at compile time, and any text at run time.
    const ID: Scru160 = scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6");
    let id: Scru160 = "017bdf6431bb33750751eb63beb3c3f8c5969d86".parse()?;
    assert_eq!(id, ID);

    // Fields.
    println!("timestamp    {} ms", id.unix_millis());
    println!("counter      {}", id.counter());
    println!("random16     {}", id.random16());
    println!("random80     {:02x?}", id.random80());

    // Bounds of a query by time.
    let (since, until) = (id.time(), id.time() + Duration::from_secs(3600));
    let (least, greatest) = (Scru160::min_at(since)?, Scru160::max_at(until)?);
    assert!(least <= id && id <= greatest);
    println!("from         {least}");
    println!("to           {greatest}");

    // Errors say what was expected, what was found, and where.
    let error = Scru160::parse("05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW").unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Character);
    println!("error        {error}");
    Ok(())
}
