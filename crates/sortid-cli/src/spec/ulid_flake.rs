use super::{Id, ReadOptions};
use crate::{
    help,
    reading::{Field, Reading, Value, widened},
    time::Time,
};
use sortid::{
    OptionError,
    ulid_flake::{Epoch, Options, ScalableUlidFlake, UlidFlake, scalable},
};

/// Ulid-Flake: 64 bits; ms since 2024, 20 random bits.
#[derive(clap::Args)]
#[command(after_long_help = help::examples(&[
    ("For a column of integers", "sortid new ulid-flake --format int -n 2"),
    ("Of node 7 of 32", "sortid new ulid-flake --scalable --node 7"),
]))]
pub(crate) struct Args {
    /// The scalable version: 15 random bits and a node
    #[arg(long, requires = "node")]
    pub(crate) scalable: bool,

    /// The node of the scalable version, 0 to 31
    #[arg(long, requires = "scalable", value_parser = clap::value_parser!(u8).range(0..=31))]
    node: Option<u8>,

    /// What timestamps count from [default: 2024-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_epoch)]
    epoch: Option<Epoch>,

    /// How many random bytes give the distance to the next ID of a millisecond: 1 to 3, with --scalable 1 or 2
    #[arg(long, value_name = "BYTES", default_value_t = 1)]
    entropy_bytes: usize,
}

pub(crate) fn parse_epoch(text: &str) -> Result<Epoch, String> {
    let millis = text.parse::<Time>()?.unix_millis();
    let millis = u64::try_from(millis).map_err(|_| "expected a time from 1970 on".to_owned())?;
    Epoch::from_unix_millis(millis).map_err(|error| error.to_string())
}

impl Args {
    fn epoch(&self) -> Epoch {
        self.epoch.unwrap_or_default()
    }

    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions { scalable: self.scalable, epoch: self.epoch(), ..ReadOptions::default() }
    }

    pub(crate) fn options(&self) -> Result<Options, OptionError> {
        Options::new().epoch(self.epoch()).entropy_bytes(self.entropy_bytes)
    }

    pub(crate) fn scalable_options(&self) -> Result<scalable::Options, OptionError> {
        // clap has seen to it that there is a node.
        scalable::Options::new(self.node.unwrap_or_default())?
            .epoch(self.epoch())
            .entropy_bytes(self.entropy_bytes)
    }
}

impl Id for UlidFlake {
    fn reading(&self, options: ReadOptions) -> Reading {
        reading(*self, options, vec![Field::new("randomness", 20, u64::from(self.randomness()).into())])
    }
}

impl Id for ScalableUlidFlake {
    fn reading(&self, options: ReadOptions) -> Reading {
        let below = vec![
            Field::new("randomness", 15, u64::from(self.randomness()).into()),
            Field::new("scalability", 5, u64::from(self.scalability()).into()),
        ];
        reading(self.to_flake(), options, below)
    }
}

/// Both versions: the same but for the fields below the timestamp.
fn reading(id: UlidFlake, options: ReadOptions, below: Vec<Field>) -> Reading {
    let mut fields = vec![
        Field::of("all bits", "int", Value::text(id.to_int())),
        Field::only_in_picture("sign", 1, 0),
        Field::new("timestamp_ms", 43, id.timestamp().into()),
    ];
    fields.extend(below);
    Reading {
        id: id.into(),
        text: widened(&id.encode()),
        time: Some(Time::from_unix_millis(id.unix_millis_with(options.epoch))),
        fields,
    }
}
