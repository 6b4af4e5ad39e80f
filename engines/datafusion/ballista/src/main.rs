//! One machine, the scheduler, an executor, or a client.
fn main() {}
