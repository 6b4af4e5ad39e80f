//! An ID made, printed, read and taken apart.

use scru160::Scru160;

fn main() -> Result<(), scru160::ParseError> {
    let id = scru160::new();
    let text = id.to_string();
    println!("text       {text}");
    println!("hex        {id:x}");

    let id: Scru160 = text.parse()?;
    println!("timestamp  {} ms since 1970", id.timestamp());
    println!("counter    {}", id.counter());
    println!("random16   {}", id.random16());
    println!("random80   {:02x?}", id.random80());
    Ok(())
}
