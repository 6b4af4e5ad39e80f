//! Runs a query on a cluster.
//!
//! `cargo run --example client -- df://localhost:50050 "SELECT 1"`

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let cluster = args.next().unwrap_or_else(|| "df://localhost:50050".to_owned());
    let query = args.next().unwrap_or_else(|| "SELECT 1 + 1 AS two".to_owned());

    let context = sortid_ballista::connect(&cluster).await?;
    context.sql(&query).await?.show().await?;
    Ok(())
}
