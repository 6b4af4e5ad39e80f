use super::fields;
use crate::description::{Description, Options};
use sortid::ulid_flake::UlidFlake;

pub(super) fn unix_micros(id: UlidFlake, options: &Options) -> u64 {
    1000 * id.unix_millis_with(options.epoch)
}

pub(super) fn describe(id: UlidFlake, options: &Options) -> Description {
    let mut fields = fields(&id);
    if options.scalable {
        fields.clear();
        id.scalable().for_each_field(|field, value| fields.push((field, value).into()));
    }
    Description { unix_micros: Some(unix_micros(id, options)), ..Description::of(&id, fields) }
}
