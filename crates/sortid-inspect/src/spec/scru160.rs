use super::Describe;
use crate::description::{Description, Field, Options, Value, widened};
use sortid::{Text, scru160::Scru160};

impl Describe for Scru160 {
    fn describe(&self, _: &Options) -> Description {
        Description {
            id: (*self).into(),
            text: widened(&self.encode()),
            unix_micros: Some(1000 * self.unix_millis()),
            fields: vec![
                Field::new("timestamp_ms", 48, self.timestamp().into()),
                Field::new("counter", 16, u64::from(self.counter()).into()),
                Field::new("random16", 16, u64::from(self.random16()).into()),
                Field::new("random80", 80, Value::Text(Text::hex(&self.random80()))),
            ],
        }
    }
}
