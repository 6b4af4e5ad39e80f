//! An executor of Ballista without the functions of sortid. Queries that use them fail on it, with an error that says so.
//!
//! `cargo run --example plain_executor -- SCHEDULER_PORT`

use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use std::{error::Error, net::TcpListener, sync::Arc};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let scheduler_port = std::env::args().nth(1).ok_or("expected the port of the scheduler")?.parse()?;
    let config = ExecutorProcessConfig {
        scheduler_port,
        port: free_port()?,
        grpc_port: free_port()?,
        vcores: 2,
        ..Default::default()
    };
    println!("plain executor for port {scheduler_port}");
    Ok(start_executor_process(Arc::new(config)).await?)
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
