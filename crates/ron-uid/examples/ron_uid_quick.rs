//! Common tasks with RON UIDs: `cargo run -p ron-uid --example ron_uid_quick`.

use ron_uid::{Options, ParseErrorKind, RonUid, Scheme, ron_uid};
use std::{error::Error, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    // Generate at an origin of your own, above all observed UIDs.
    let ids = Options::new(ron_uid!("Xgritzk0_D").value()).build();
    let first = ids.generate()?;
    ids.observe(ron_uid!("1CQKneD1-X~"))?;
    let second = ids.generate()?;
    assert!(first < second);

    // Print.
    println!("text         {second}");
    println!("hex          {second:x}");
    println!("after first  {}", second.zip(&first));

    // Parse a literal at compile time, and any text at run time.
    const ID: RonUid = ron_uid!("1CQKneD1-X~");
    let uid: RonUid = "1CQKneD100-X~".parse()?;
    assert_eq!(uid, ID);

    // Fields.
    println!("value        {}", uid.value());
    println!("origin       {}", uid.origin());
    println!("scheme       {}", uid.scheme().name());

    // A value can be a name, which has no time.
    assert_eq!((ron_uid!("inc").scheme(), ron_uid!("inc").time()), (Scheme::Name, None));

    // Bounds of a query by time.
    let since = uid.time().ok_or("an event has a time")?;
    let (least, greatest) = (RonUid::min_at(since)?, RonUid::max_at(since + Duration::from_secs(3600))?);
    assert!(least <= uid && uid <= greatest);
    println!("from         {least}");
    println!("to           {greatest}");

    // Errors say what was expected, what was found, and where.
    let error = RonUid::parse("1CQKn-my-X").unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Sign);
    println!("error        {error}");
    Ok(())
}
