//! `sortid new --all`: an ID of each specification.

use crate::{
    failure::Failure,
    format::Format,
    json,
    picture::Painter,
    spec::{Describe as _, DescribeOptions, evently_id},
};
use sortid::{
    __every as every, Entropy as _, GenerateError, Spec, ThreadEntropy,
    evently_id::EventId,
    ron_uid::{Base64x64, RonUid},
};
use sortid_inspect::{Form, details};
use std::io::{self, Write as _};

/// A UID of a random origin. The specification allows one where nobody assigns origins.
fn ron_uid() -> Result<RonUid, Failure> {
    let random = u64::from_be_bytes(ThreadEntropy.draw().map_err(GenerateError::from)?);
    let origin = Base64x64::try_from_int(random >> 4).expect("60 bits are left");
    Ok(sortid::ron_uid::Generator::with_options(sortid::ron_uid::Options::new(origin)).generate()?)
}

fn event_id() -> Result<EventId, Failure> {
    let ledger_id = evently_id::random_ledger_id()?;
    let places = sortid::evently_id::Generator::with_options(sortid::evently_id::Options::new(ledger_id));
    Ok(evently_id::Chain::new(ledger_id).id_at(places.generate()?))
}

/// Prints an ID of each specification, explained.
pub(super) fn print(format: Format) -> Result<(), Failure> {
    let options = DescribeOptions::default();
    let descriptions = Spec::ALL.iter().map(|&spec| {
        Ok(match every::Spec::from(spec) {
            every::Spec::EventlyId => event_id()?.describe(&options),
            every::Spec::Scru160 => sortid::scru160::shared().generate()?.describe(&options),
            every::Spec::Euid => sortid::euid::shared().generate()?.describe(&options),
            every::Spec::UlidFlake => sortid::ulid_flake::shared().generate()?.describe(&options),
            every::Spec::RonUid => ron_uid()?.describe(&options),
        })
    });
    let descriptions: Vec<_> = descriptions.collect::<Result<_, Failure>>()?;
    let mut buffer = Vec::new();
    if format == Format::Json {
        for description in &descriptions {
            json::push_object(description, &mut buffer);
            buffer.push(b'\n');
        }
    } else {
        let painter = Painter::of_stdout();
        for (index, description) in descriptions.iter().enumerate() {
            if index > 0 {
                buffer.push(b'\n');
            }
            let details = details(description.id, &options);
            painter.description(description, Form::Text, &details, None, &mut buffer)?;
        }
    }
    let mut out = io::stdout().lock();
    out.write_all(&buffer)?;
    Ok(out.flush()?)
}
