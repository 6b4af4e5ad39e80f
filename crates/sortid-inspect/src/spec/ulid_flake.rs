use super::{Describe, fields};
use crate::description::{Description, Options};
use sortid::ulid_flake::UlidFlake;

impl Describe for UlidFlake {
    fn unix_micros_with(&self, options: &Options) -> Option<u64> {
        Some(1000 * self.unix_millis_with(options.epoch))
    }

    fn describe(&self, options: &Options) -> Description {
        let mut scalable = vec![];
        if options.scalable {
            self.scalable().for_each_field(|field, value| scalable.push((field, value).into()));
        }
        let fields = if options.scalable { scalable } else { fields(self) };
        Description { unix_micros: self.unix_micros_with(options), ..Description::of(self, fields) }
    }
}
