//! Tests of the ID types with databases and libraries of services, one file each, and of the stores of fleets.
//!
//! The tests are the library, so that they are one program. `cargo xtask databases` starts the servers and sets their
//! addresses. A test without its server is left out, and says so.

#![forbid(unsafe_code)]
#![cfg(test)]

#[macro_use]
mod common;
mod graphql;
mod mariadb_uuid;
mod migrate;
mod mysql;
mod openapi;
mod postgres;
mod redis;
mod sea_orm;
mod sqlite;
mod stores;
