//! The tests of the crate as one program.

mod blocks;
mod collisions;
mod coming_from;
mod dependencies;
mod drawing;
mod expressions;
mod features;
mod generated;
mod layouts;
mod options;
mod pictures;
mod places;
mod promises;
mod recipes;
mod redis_store;
mod service;
mod sizes;
mod sql;
mod typescript;
mod uuid_column;
mod zipped;
