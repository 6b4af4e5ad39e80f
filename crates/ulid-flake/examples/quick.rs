//! An ID made, printed, read and taken apart.

use ulid_flake::UlidFlake;

fn main() -> Result<(), ulid_flake::ParseError> {
    let id = ulid_flake::new();
    let text = id.to_string();
    println!("text        {text}");
    println!("integer     {}", id.to_int());

    let id: UlidFlake = text.parse()?;
    println!("timestamp   {} ms since 2024", id.timestamp());
    println!("randomness  {}", id.randomness());
    Ok(())
}
