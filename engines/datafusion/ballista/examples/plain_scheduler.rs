//! A scheduler of Ballista without the functions of sortid. Queries that use them fail on it, with an error that says so.
//!
//! `cargo run --example plain_scheduler -- PORT`

use ballista_scheduler::{
    cluster::BallistaCluster, config::SchedulerConfig, scheduler_process::start_server,
};
use std::{error::Error, net::SocketAddr, sync::Arc};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port = std::env::args().nth(1).ok_or("expected the port to listen on")?.parse()?;
    let config = SchedulerConfig { bind_port: port, ..Default::default() };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    println!("plain scheduler on port {port}");
    Ok(start_server(cluster, SocketAddr::from(([127, 0, 0, 1], port)), Arc::new(config)).await?)
}
