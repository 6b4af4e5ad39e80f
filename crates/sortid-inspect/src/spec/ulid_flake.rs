use super::Describe;
use crate::description::{Description, Field, Options, Value, widened};
use sortid::ulid_flake::UlidFlake;

impl Describe for UlidFlake {
    fn describe(&self, options: &Options) -> Description {
        let int = Field::without_bits("all bits", "int", Value::Integer(self.to_int().cast_unsigned()));
        let sign = Field::only_in_picture("sign", 1, 0);
        let timestamp = Field::new("timestamp_ms", 43, self.timestamp().into());
        let fields = if options.scalable {
            let view = self.scalable();
            let randomness = Field::new("randomness", 15, u64::from(view.randomness()).into());
            let scalability = Field::new("scalability", 5, u64::from(view.scalability()).into());
            vec![int, sign, timestamp, randomness, scalability]
        } else {
            let randomness = Field::new("randomness", 20, u64::from(self.randomness()).into());
            vec![int, sign, timestamp, randomness]
        };
        Description {
            id: (*self).into(),
            text: widened(&self.encode()),
            unix_micros: Some(1000 * self.unix_millis_with(options.epoch)),
            fields,
        }
    }
}
