use super::kind::{Kind, Typed};
use datafusion::logical_expr::{DocSection, Documentation};
use sortid::UnixMicros;
use sortid_columns::arrow::{ArrowId, one};

/// 2024-06-06T06:06:06.666Z, the time of the examples.
const MOMENT: i128 = 1_717_653_966_666_000;

/// The documentation of a function, for `SHOW FUNCTIONS` and the like.
pub(super) fn of<I: ArrowId>(name: &str, kind: Kind<I>) -> Documentation {
    let (one, title, prefix) = (one::<I>(), I::TITLE, I::PREFIX);
    let tick = if I::MICROS == 1 { "microsecond" } else { "millisecond" };
    let time = if I::IN_TIME_ORDER {
        format!("Returns the time of {one}, to the {tick}.")
    } else {
        format!(
            "Returns the time of {one}, to the {tick}, or NULL for a name, a hash, or a value that is not a date."
        )
    };
    let (about, argument) = match kind {
        Kind::Time => (time, "id"),
        Kind::Text => (format!("Returns the text of {one}."), "id"),
        Kind::Parse => (format!("Returns the {title} of a text. Fails if the text is not {one}."), "text"),
        Kind::TryParse => {
            (format!("Returns the {title} of a text, or NULL if the text is not {one}."), "text")
        }
        Kind::IsValid => (format!("Returns whether {prefix}_parse accepts a text. Never fails."), "text"),
        Kind::TextTime => {
            let about = format!(
                "Returns the time of the {title} of a text, as {prefix}_time of {prefix}_parse does."
            );
            (about, "text")
        }
        Kind::MinAt => (format!("Returns the least {title} of the {tick} of a time."), "time"),
        Kind::MaxAt => (format!("Returns the greatest {title} of the {tick} of a time."), "time"),
        Kind::Field(field) => (format!("Returns the field {} of {one}: {}.", field.name, field.about), "id"),
        Kind::Typed(Typed::Text) => {
            (format!("Returns the text of {one}, with the prefix and '_' before it."), "id")
        }
        Kind::Typed(Typed::Parse) => {
            let about =
                format!("Returns the {title} of a text with the prefix. Fails if the text is another.");
            (about, "text")
        }
        Kind::Typed(Typed::TryParse) => {
            let about =
                format!("Returns the {title} of a text with the prefix, or NULL if the text is another.");
            (about, "text")
        }
    };
    // The times of all specifications contain this one.
    let sample = I::min_at(UnixMicros(MOMENT)).map(|id| id.to_string()).unwrap_or_default();
    let is_typed = matches!(kind, Kind::Typed(_));
    let (first, first_value, start) =
        if is_typed { ("prefix, ", "'order', ", "order_") } else { ("", "", "") };
    let (value, meaning) = match argument {
        "id" if is_typed => (
            format!("{prefix}_parse('{sample}')"),
            "The ID, as its value or bytes, or its text with the prefix.",
        ),
        "id" => (format!("{prefix}_parse('{sample}')"), "The ID, as its value, bytes or text."),
        "text" => (format!("'{start}{sample}'"), "A text."),
        _ => (
            "'2024-06-06T06:06:06.666Z'".to_owned(),
            "A timestamp, a date or a text of one, in UTC if it has no time zone.",
        ),
    };
    let section = DocSection { include: true, label: title, description: None };
    let mut documentation = Documentation::builder(section, about, format!("{name}({first}{argument})"));
    if is_typed {
        let meaning = "A constant of 1 to 63 characters 'a' to 'z' and '_', with a letter at both ends.";
        documentation = documentation.with_argument("prefix", meaning);
    }
    documentation
        .with_argument(argument, meaning)
        .with_sql_example(format!("```sql\nSELECT {name}({first_value}{value});\n```"))
        .build()
}
