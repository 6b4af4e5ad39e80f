use super::Describe;
use crate::description::{Description, Field, Options, Value, widened};
use sortid::{Text, evently_id::EventId};

impl Describe for EventId {
    fn describe(&self, _: &Options) -> Description {
        let ledger_id = self.ledger_id();
        let hex = |int: u32| Value::Text(Text::hex(&int.to_be_bytes()));
        Description {
            id: (*self).into(),
            text: widened(&self.encode()),
            unix_micros: Some(self.unix_micros()),
            fields: vec![
                Field::new("timestamp_us", 64, self.timestamp().into()),
                Field::new("checksum", 32, hex(self.checksum())),
                Field::new("ledger_id", 32, hex(ledger_id.to_int())),
                Field::without_bits("bits 126–127", "version", u64::from(ledger_id.version()).into()),
            ],
        }
    }
}
