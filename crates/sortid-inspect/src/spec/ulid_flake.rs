use super::{Describe, fields};
use crate::description::{Description, Options};
use sortid::ulid_flake::UlidFlake;

impl Describe for UlidFlake {
    fn describe(&self, options: &Options) -> Description {
        let mut scalable = vec![];
        if options.scalable {
            self.scalable().for_each_field(|field, value| scalable.push((field, value).into()));
        }
        let fields = if options.scalable { scalable } else { fields(self) };
        Description {
            unix_micros: Some(1000 * self.unix_millis_with(options.epoch)),
            ..Description::of(self, fields)
        }
    }
}
