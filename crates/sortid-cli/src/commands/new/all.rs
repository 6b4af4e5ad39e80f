//! `sortid new --all`: an ID of each specification.

use super::specs;
use crate::{failure::Failure, json, picture::Painter, spec::DescribeOptions};
use sortid::Spec;
use sortid_inspect::{__private::program::Format, Form, describe, details};
use std::io::{self, Write as _};

/// Prints an ID of each specification, explained.
pub(super) fn print(format: Format) -> Result<(), Failure> {
    let options = DescribeOptions::default();
    let descriptions = Spec::ALL.iter().map(|&spec| Ok(describe(specs::sample(spec)?, &options)));
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
            painter.description(description, Form::Text, &details, None, None, &mut buffer)?;
        }
    }
    let mut out = io::stdout().lock();
    out.write_all(&buffer)?;
    Ok(out.flush()?)
}
