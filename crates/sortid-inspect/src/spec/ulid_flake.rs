use super::Describe;
use crate::description::{Description, Field, Options, Value, widened};
use sortid::ulid_flake::UlidFlake;

impl Describe for UlidFlake {
    fn describe(&self, options: &Options) -> Description {
        let mut fields = vec![
            Field::without_bits("all bits", "int", Value::Integer(self.to_int().cast_unsigned())),
            Field::only_in_picture("sign", 1, 0),
            Field::new("timestamp_ms", 43, self.timestamp().into()),
        ];
        if options.scalable {
            let view = self.scalable();
            fields.push(Field::new("randomness", 15, u64::from(view.randomness()).into()));
            fields.push(Field::new("scalability", 5, u64::from(view.scalability()).into()));
        } else {
            fields.push(Field::new("randomness", 20, u64::from(self.randomness()).into()));
        }
        Description {
            id: (*self).into(),
            text: widened(&self.encode()),
            unix_micros: Some(1000 * self.unix_millis_with(options.epoch)),
            fields,
        }
    }
}
